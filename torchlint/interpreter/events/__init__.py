"""The events of a trace, one module a family."""
