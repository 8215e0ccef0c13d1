"""Paths to sources: which files there are, their text, and the suppressions in it."""
