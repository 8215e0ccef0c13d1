"""The interpreter: code evaluated over abstract values, and the trace of what would happen."""
