"""What earlier runs have found out, in a folder of its own that may be deleted at any time."""
