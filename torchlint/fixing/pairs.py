"""Pairs of values and indices, of which one is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site
    from torchlint.interpreter.values import Spot


def of_pairs(spots: tuple[Spot, ...], which: str) -> Repair | None:
    """``x.max(1) - y.min(1)`` becomes ``x.max(1).values - y.min(1).values``."""
    made = [_taken(spot, which) for spot in spots]
    edits_ = tuple(edit for repair in made if repair is not None for edit in repair.edits)
    if not edits_ or None in made:
        return None
    return Repair(f"Take the {which}", Safety.UNSAFE, edits_)


@fix
def _taken(spot: Site, which: str) -> Repair | None:
    """``x.max(1)`` becomes ``x.max(1).values``."""
    if not isinstance(spot.node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)):
        return None
    made = edits.put_after(spot.region, spot.node, f".{which}")
    return Repair(f"Take the {which}", Safety.UNSAFE, made)
