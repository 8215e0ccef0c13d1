"""Rules about the run itself."""
