"""Claims about loaders: what they refuse, and what comes out of them."""

from __future__ import annotations

from ..claims import MODEL, Raises

_ARGUMENTS = frozenset({"settings", "flag", "count", "rate"})

loader_argument_conflict = Raises(
    "mutually exclusive with|needs num_workers > 0|could only be specified in multiprocessing"
    "|can only be used with multi-process|with IterableDataset: expected unspecified",
    (ValueError,),
    matters=MODEL | _ARGUMENTS,
)
