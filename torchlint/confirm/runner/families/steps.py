"""Claims about the order of the optimisation step."""

from __future__ import annotations

from ..claims import NOTHING
from ..emptiness import FindsNothing

_PARTS = frozenset({"backward", "step", "zero_grad"})

step_order = FindsNothing(matters=NOTHING, deciding=_PARTS, outside=frozenset({"zero_grad"}))

missing_backward = FindsNothing(
    matters=NOTHING, deciding=frozenset({"backward"}), outside=frozenset({"backward"})
)
