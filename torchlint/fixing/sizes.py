"""Sizes of layers that are written as numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site

_FIRST = frozenset({"in_features", "in_channels", "num_features", "input_size"})
"""Settings that layers take first."""


@fix
def with_input_size(spot: Site, setting: str, size: int) -> Repair | None:
    """Build a layer for the size that it is given, where another number stands for it."""
    match spot.node:
        case cst.Call(args=[first, *_]) if (
            setting in _FIRST
            and isinstance(first.value, cst.Integer)
            and (first.keyword is None or first.keyword.value == setting)
            and not any(item.keyword and item.keyword.value == "groups" for item in spot.node.args)
        ):
            made = edits.replaced(spot.region, first.value, str(size))
            return Repair(f"Build the layer for {size}", Safety.UNSAFE, made)
    return None
