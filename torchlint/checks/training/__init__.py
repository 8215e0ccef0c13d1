"""Rules about the training loop."""
