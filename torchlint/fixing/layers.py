"""Layers and their functions, used as they are meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot

_TITLE = "Drop in training only"


def by_mode(spot: Spot, mode: str) -> Repair | None:
    """Tell a functional dropout the mode; ``mode`` is how that is written there, if it can be."""
    region, call = spot.region, spot.node
    if not mode or not isinstance(call, cst.Call):
        return None
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == "dropout_p":
            text = f"{edits.grouped(region, argument.value)} if {mode} else 0.0"
            made = edits.replaced(region, argument.value, text)
            return Repair(_TITLE, Safety.SAFE, made)
    if len([item for item in call.args if item.keyword is None]) > 2:
        return None
    added = edits.with_argument(region, call, f"training={mode}")
    return Repair(_TITLE, Safety.SAFE, added) if added is not None else None
