"""The project: its files in outline, what names mean across them, and what to look at."""
