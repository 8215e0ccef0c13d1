"""Rules about datasets and loaders."""
