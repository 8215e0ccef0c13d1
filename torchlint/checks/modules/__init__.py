"""Rules about modules."""
