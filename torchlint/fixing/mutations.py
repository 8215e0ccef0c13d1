"""Changes in place, written out of place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written

_SYMBOLS: dict[type[cst.CSTNode], str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
}


@fix
def out_of_place(spot: Site) -> Repair | None:
    """``x += y`` becomes ``x = x + y``; ``x.relu_()`` and ``inplace=True`` give new tensors."""
    region = spot.region
    match spot.node:
        case cst.AugAssign(target=cst.Name() | cst.Attribute() as target, operator=operator):
            node = spot.node
            symbol = _SYMBOLS.get(type(operator))
            if symbol is None or _is_of_a_loop(region, target):
                return None
            name = region.source_of(target)
            text = f"{name} = {name} {symbol} {edits.grouped(region, node.value)}"
            made = edits.replaced(region, node, text)
            return Repair("Write it out of place", Safety.UNSAFE, made)
        case cst.Call(func=cst.Attribute(value=owner, attr=attr)) as node:
            if attr.value.endswith("_") and not attr.value.endswith("__"):
                return _without_underscore(region, node, owner, attr)
            return _without_inplace(region, node)
        case cst.Call() as node:
            return _without_inplace(region, node)
    return None


def _without_underscore(
    region: Written, node: cst.Call, owner: cst.BaseExpression, attr: cst.Name
) -> Repair | None:
    twin = generated.out_of_place(f"Tensor.{attr.value}")
    if twin is None or not twin.startswith("Tensor."):
        # Of `fill_` there is a function only.
        return None
    plain = twin.removeprefix("Tensor.")
    made = edits.replaced(region, attr, plain)
    if isinstance(tree.parent(region, node), cst.Expr):
        if not isinstance(owner, (cst.Name, cst.Attribute)) or _is_of_a_loop(region, owner):
            return None
        made = (*edits.put_before(region, node, f"{region.source_of(owner)} = "), *made)
    return Repair(f"Use `{plain}`, which gives a new tensor", Safety.UNSAFE, made)


def _is_of_a_loop(region: Written, target: cst.BaseExpression) -> bool:
    """Whether a name is given its value by a loop: what it goes over would not have the result."""
    loops = [outer for outer in region.chain(target) if isinstance(outer, cst.For)]
    return isinstance(target, cst.Name) and any(
        target.value in tree.names(loop.target) for loop in loops
    )


def _without_inplace(region: Written, node: cst.Call) -> Repair | None:
    """Turn off ``inplace=True`` where the result is used, so that it still arrives."""
    if isinstance(tree.parent(region, node), cst.Expr):
        return None
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == "inplace":
            made = edits.replaced(region, argument.value, "False")
            return Repair("Do not work in place", Safety.UNSAFE, made)
    return None
