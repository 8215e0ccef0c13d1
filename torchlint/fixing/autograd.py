"""Checkpoints and hooks, as they are to be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot


def reentrant(spot: Spot) -> Repair | None:
    """Say what ``checkpoint`` does anyway: ``use_reentrant=True``."""
    if not isinstance(spot.node, cst.Call):
        return None
    for argument in spot.node.args:
        if argument.keyword is not None and argument.keyword.value == "use_reentrant":
            made = edits.replaced(spot.region, argument.value, "True")
            return Repair("Say what it does now", Safety.SAFE, made)
    added = edits.with_argument(spot.region, spot.node, "use_reentrant=True")
    if added is None:
        return None
    return Repair("Say what it does now", Safety.SAFE, added)


def full_hook(spot: Spot) -> Repair | None:
    """``register_backward_hook`` becomes ``register_full_backward_hook``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(attr=name) | (cst.Name() as name)):
            text = name.value.replace("_backward_hook", "_full_backward_hook")
            made = edits.replaced(spot.region, name, text)
            return Repair(f"Use `{text}`", Safety.SAFE, made)
    return None
