"""Applying: fixes that go together into a text, round after round, and the text into its file."""
