"""One file a rule: each asks a question of the trace."""
