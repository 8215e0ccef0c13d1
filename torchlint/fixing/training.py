"""The optimisation step, with what it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix, site
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site
    from torchlint.interpreter.values import Spot


@fix
def clear_before(backward: Site, stepped: Spot) -> Repair | None:
    """Insert a ``zero_grad()`` of the optimizer that steps before the backward, in one function."""
    region, step = backward.region, site(stepped)
    if step.region is not region or not isinstance(step.node, cst.Call):
        return None
    optimizer = _optimizer(step.node)
    if optimizer is None or not region.chain(step.node):
        return None
    if tree.block(region, backward.node) is not tree.block(region, step.node):
        # A step behind a guard is one of accumulated gradients, which are cleared elsewhere.
        return None
    line = f"{region.source_of(optimizer)}.zero_grad()"
    made = edits.inserted_before(region, backward.node, line)
    if made is None:
        return None
    return Repair("Clear the gradients before the backward", Safety.UNSAFE, made)


def _optimizer(step: cst.Call) -> cst.BaseExpression | None:
    """What steps in ``optimizer.step()`` or ``scaler.step(optimizer)``, if it has a plain name."""
    owner = step.args[0].value if step.args else None
    if owner is None and isinstance(step.func, cst.Attribute):
        owner = step.func.value
    return owner if isinstance(owner, (cst.Name, cst.Attribute)) else None
