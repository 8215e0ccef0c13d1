"""Pairs of values and indices, of which one is meant."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import later, site
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site
    from torchlint.interpreter.values import Spot


@later
def of_pairs(spots: tuple[Spot, ...], which: str) -> Repair | None:
    """``x.max(1) - y.min(1)`` becomes ``x.max(1).values - y.min(1).values``."""
    made = [_taken(site(spot), which) for spot in spots]
    if not made or None in made:
        return None
    return Repair(
        f"Take the {which}", Safety.UNSAFE, tuple(chain.from_iterable(filter(None, made)))
    )


def _taken(spot: Site, which: str) -> edits.Edits | None:
    """``x.max(1)`` becomes ``x.max(1).values``."""
    if not isinstance(spot.node, (cst.Name, cst.Attribute, cst.Call, cst.Subscript)):
        return None
    return edits.put_after(spot.region, spot.node, f".{which}")
