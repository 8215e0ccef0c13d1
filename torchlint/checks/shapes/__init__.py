"""Rules about shapes."""
