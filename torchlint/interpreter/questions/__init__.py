"""Questions to a trace that take more than reading its events, one module a family."""
