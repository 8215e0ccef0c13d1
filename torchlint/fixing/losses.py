"""Losses, given what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix, site
from torchlint.interpreter.repairs import Repair
from torchlint.torch_api.reductions import OLD

if TYPE_CHECKING:
    from torchlint.fixing.written import Site
    from torchlint.interpreter.values import Spot


@fix
def unwrap(applied: Site, given_to: Spot) -> Repair | None:
    """Replace ``softmax(x, …)`` by ``x`` where it stands in the call that should get logits."""
    node, used = applied.node, site(given_to)
    if applied.region is not used.region or not isinstance(node, cst.Call):
        return None
    if not any(child is node for child in tree.walk(used.node)) or not _normalises(node.func):
        return None
    match node.func:
        case cst.Attribute(value=owner) if _is_method(owner):
            inner: cst.BaseExpression | None = owner
        case _:
            positional = [item.value for item in node.args if item.keyword is None]
            inner = positional[0] if positional and not node.args[0].star else None
    if inner is None:
        return None
    made = edits.replaced(applied.region, node, edits.grouped(applied.region, inner))
    return Repair("Pass the logits themselves", Safety.UNSAFE, made)


@fix
def reduced(spot: Site, reduction: str) -> Repair | None:
    """``size_average=False`` becomes ``reduction="sum"``, as does what stands for others."""
    region, call = spot.region, spot.node
    if not isinstance(call, cst.Call):
        return None
    given = {item.keyword.value: item for item in call.args if item.keyword is not None}
    old = [given[name] for name in OLD if name in given]
    if not old or "reduction" in given:
        return None
    first, *others = sorted(old, key=call.args.index)
    made = edits.replaced(region, first, f'reduction="{reduction}"')
    for other in others:
        without = edits.without_argument(region, call, other)
        if without is None:
            return None
        made += without
    return Repair(f'Use `reduction="{reduction}"`', Safety.SAFE, made)


def _normalises(function: cst.BaseExpression) -> bool:
    """Whether a call is of softmax, sigmoid or their kin by its own name."""
    match function:
        case cst.Call(func=layer):
            return _normalises(layer)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name.lower() in {"softmax", "log_softmax", "logsoftmax", "sigmoid"}
    return False


def _is_method(owner: cst.BaseExpression) -> bool:
    """Whether ``owner.softmax()`` is a method of a tensor rather than a function of a module."""
    match owner:
        case cst.Name(value="torch" | "F" | "nn" | "functional" | "self"):
            return False
        case cst.Attribute(attr=cst.Name(value="functional" | "nn" | "special")):
            return False
        case cst.Attribute(value=cst.Name(value="self")):
            return False
    return True
