"""``requires_grad`` and grad modes, as they work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written


@fix
def without_grad(spot: Site) -> Repair | None:
    """Put a statement that only writes into a tensor into ``with torch.no_grad():``."""
    region, node = spot.region, spot.node
    name = torch_name(region)
    if isinstance(node, cst.Call) and not isinstance(tree.parent(region, node), cst.Expr):
        # Its value goes on, and may need the graph.
        return None
    if name is None or (isinstance(node, cst.BaseExpression) and not isinstance(node, cst.Call)):
        return None
    made = edits.wrapped(region, node, f"with {name}.no_grad()")
    if made is None:
        return None
    return Repair("Write into it without recording", Safety.UNSAFE, made)


def torch_name(region: Written) -> str | None:
    """The name that torch itself has in a file, if it has one."""
    for name, bound in region.outline.bindings.items():
        if isinstance(bound, Import) and bound.module == "torch" and not bound.attribute:
            return name
    return None


@fix
def called(spot: Site) -> Repair | None:
    """Call a class that stands uncalled after ``with``."""
    if not isinstance(spot.node, (cst.Name, cst.Attribute)):
        return None
    text = f"{spot.region.source_of(spot.node)}()"
    made = edits.replaced(spot.region, spot.node, text)
    return Repair("Call it", Safety.SAFE, made)


@fix
def flag_by_method(spot: Site) -> Repair | None:
    """``module.requires_grad = flag`` becomes ``module.requires_grad_(flag)``."""
    region = spot.region
    match spot.node:
        case cst.Assign(
            targets=[cst.AssignTarget(target=cst.Attribute(value=owner))], value=value
        ) if not isinstance(value, cst.Tuple) or value.lpar:
            text = f"{region.source_of(owner)}.requires_grad_({region.source_of(value)})"
            made = edits.replaced(region, spot.node, text)
            return Repair("Set it on the parameters", Safety.UNSAFE, made)
    return None


@fix
def spelt(spot: Site, name: str) -> Repair | None:
    """Put the right name where ``name`` stands for it."""
    region = spot.region
    right = "requires_grad_" if name.endswith("_") else "requires_grad"
    title = f"Write `{right}`"
    match spot.node:
        case cst.Assign(targets=targets):
            for target in targets:
                match target.target:
                    case cst.Attribute(attr=cst.Name(value=found) as attr) if found == name:
                        return Repair(title, Safety.UNSAFE, edits.replaced(region, attr, right))
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=found) as attr)) if found == name:
            return Repair(title, Safety.UNSAFE, edits.replaced(region, attr, right))
        case cst.Call(args=arguments):
            for argument in arguments:
                if argument.keyword is not None and argument.keyword.value == name:
                    made = edits.replaced(region, argument.keyword, right)
                    return Repair(title, Safety.UNSAFE, made)
    return None
