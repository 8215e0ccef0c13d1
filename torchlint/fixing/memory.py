"""What is kept from round to round, kept without its graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written


@fix
def detach_stored(spot: Site) -> Repair | None:
    """Store ``x.detach()`` in place of ``x`` in ``items.append(x)`` or ``items[key] = x``."""
    match spot.node:
        case cst.Call(args=[cst.Arg(value=value, star="", keyword=None)]):
            return _detach(spot.region, value)
        case cst.Assign(value=value):
            return _detach(spot.region, value)
    return None


@fix
def detach_added(spot: Site) -> Repair | None:
    """Add ``x.detach()`` in place of ``x`` in ``total += x`` or ``total = total + x``."""
    match spot.node:
        case cst.AugAssign(operator=cst.AddAssign(), value=value):
            return _detach(spot.region, value)
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)],
            value=cst.BinaryOperation(left=left, operator=cst.Add(), right=right),
        ):
            if left.deep_equals(target):
                return _detach(spot.region, right)
            if right.deep_equals(target):
                return _detach(spot.region, left)
    return None


def _detach(region: Written, value: cst.BaseExpression) -> Repair | None:
    if isinstance(value, (cst.Tuple, cst.List, cst.Dict, cst.GeneratorExp, cst.ListComp)):
        return None
    text = f"{edits.grouped(region, value)}.detach()"
    title = f"Keep the value without its graph: `{text}`"
    return Repair(title, Safety.SAFE, edits.replaced(region, value, text))
