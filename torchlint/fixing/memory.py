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
def detach_stored(spot: Site, sure: bool) -> Repair | None:
    """Store ``x.detach()`` in place of ``x`` in ``items.append(x)`` or ``items[key] = x``.

    It is safe where it is ``sure`` that nobody walks back through what is stored.
    """
    match spot.node:
        case cst.Call(args=[cst.Arg(value=value, star="", keyword=None)]):
            return _detach(spot.region, value, sure)
        case cst.Assign(value=value):
            return _detach(spot.region, value, sure)
    return None


@fix
def detach_added(spot: Site, sure: bool) -> Repair | None:
    """Detach ``x`` in ``total += x``, ``total = total + x``, ``total.add_(x)`` and their kin.

    It is safe where it is ``sure`` that nobody walks back through the total.
    """
    match spot.node:
        case cst.AugAssign(operator=cst.AddAssign() | cst.SubtractAssign(), value=value):
            return _detach(spot.region, value, sure)
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)],
            value=cst.BinaryOperation(left=left, operator=cst.Add(), right=right),
        ):
            if left.deep_equals(target):
                return _detach(spot.region, right, sure)
            if right.deep_equals(target):
                return _detach(spot.region, left, sure)
        case cst.Call(func=cst.Attribute(), args=[cst.Arg(keyword=None, star="", value=value), *_]):
            return _detach(spot.region, value, sure)
    return None


def _detach(region: Written, value: cst.BaseExpression, sure: bool) -> Repair | None:
    if isinstance(value, (cst.Tuple, cst.List, cst.Dict, cst.GeneratorExp, cst.ListComp)):
        return None
    text = f"{edits.grouped(region, value)}.detach()"
    safety = Safety.SAFE if sure else Safety.UNSAFE
    title = f"Keep the value without its graph: `{text}`"
    return Repair(title, safety, edits.replaced(region, value, text))
