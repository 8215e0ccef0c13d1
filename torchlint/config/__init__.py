"""Settings of a project: read from its files, joined with the command line, for every file."""
