"""Checkpoints and hooks, as they are to be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits, tree
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written


@fix
def reentrant(spot: Site) -> Repair | None:
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


@fix
def full_hook(spot: Site) -> Repair | None:
    """``register_backward_hook`` becomes ``register_full_backward_hook``.

    With that, torch refuses to change what the module gives in place, as activations may.
    """
    match spot.node:
        case cst.Call(func=cst.Attribute(attr=name) | (cst.Name() as name)):
            text = name.value.replace("_backward_hook", "_full_backward_hook")
            made = edits.replaced(spot.region, name, text)
            return Repair(f"Use `{text}`", Safety.UNSAFE, made)
    return None


@fix
def detached(spot: Site) -> Repair | None:
    """``x.data`` becomes ``x.detach()`` where it is surely only read."""
    region, node = spot.region, spot.node
    if not isinstance(node, cst.Attribute) or not _is_only_read(region, node):
        return None
    made = edits.replaced(region, node.attr, "detach()")
    return Repair("Use `.detach()`", Safety.SAFE, made)


def _is_only_read(region: Written, node: cst.BaseExpression) -> bool:
    """Whether what is made of an expression at once is something else: a result, a number."""
    outer = tree.parent(region, node)
    match outer:
        case cst.Attribute(attr=name):
            call = tree.parent(region, outer)
            called = isinstance(call, cst.Call) and call.func is outer
            return called and name.value in _READING
        case cst.Arg(star=""):
            call = tree.parent(region, outer)
            if isinstance(call, cst.Call):
                return _called(call.func) in _READING
    return isinstance(outer, (cst.BinaryOperation, cst.ComparisonTarget, cst.Comparison))


def _called(function: cst.BaseExpression) -> str:
    match function:
        case cst.Name(value=name) | cst.Attribute(attr=cst.Name(value=name)):
            return name
    return ""


_READING = frozenset(
    "abs add all allclose any argmax argmin argsort array clone concat cat copy_ count_nonzero "
    "cpu div eq equal exp float ge gt isfinite isinf isnan item le len log lt max mean median min "
    "mul ne norm numel print round sigmoid sign size softmax sort sqrt stack std sub sum "
    "tolist topk var".split()
)
"""Calls that leave their tensors as they are, and give others or numbers; of ``copy_`` that is so
for the argument."""
