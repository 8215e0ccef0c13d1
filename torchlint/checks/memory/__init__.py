"""Rules about memory and speed."""
