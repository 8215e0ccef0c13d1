"""Rules about losses and numerics."""
