"""TL000 to TL003: what a run says of itself; the pipeline reports them, so they ask nothing."""

from torchlint.findings import Level
from torchlint.registry import Rule, register

INTERNAL_ERROR = register(
    Rule("TL000", "internal-error", Level.CORRECTNESS, "torchlint failed on this file.")
)
SYNTAX_ERROR = register(
    Rule("TL001", "syntax-error", Level.CORRECTNESS, "The file cannot be read as Python.")
)
UNUSED_SUPPRESSION = register(
    Rule("TL002", "unused-suppression", Level.PEDANTIC, "The comment suppresses nothing.")
)
UNKNOWN_SUPPRESSION = register(
    Rule("TL003", "unknown-suppression", Level.SUSPICIOUS, "The comment names no rule.")
)
