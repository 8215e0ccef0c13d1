"""Methods that leave their tensor as it is, for statements that expect them to change it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeGuard

from torchlint.interpreter import dtypes, lost
from torchlint.interpreter.values import Const, Opaque, Tensor
from torchlint.project.dropped import MOVES, OF_ARRAYS, RESULTS
from torchlint.torch_api import generated, placing
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from collections.abc import Collection

    from torchlint.interpreter.values import Node
    from torchlint.torch_api.registry import Call


_TOLD = frozenset({"out", "inplace"})
"""Arguments that say where the result goes, which methods of tensors do not have."""


@hear("tensor", *MOVES, *RESULTS)
@hear("opaque", *MOVES, *RESULTS)
def _dropped(call: Call) -> None:
    told = call.arguments.keywords.keys()
    if call.name in MOVES and _is_there(call):
        return
    if _is_told_in_words(call):
        return
    if told.isdisjoint(_TOLD) and _may_be_tensors(call.name, told):
        lost.dropped(call.machine, call.name, call.receiver, call.spot)


@hear("number", *OF_ARRAYS)
def _array_dropped(call: Call) -> None:
    if _TOLD.isdisjoint(call.arguments.keywords):
        lost.array_dropped(call.machine, call.name, call.spot)


def _is_there(call: Call) -> bool:
    """Whether something is moved to where it was moved before, or is of the type it is cast to.

    That gives the thing itself.
    """
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    if not isinstance(record, (Tensor, Opaque)):
        return False
    types = [dtypes.named(value) for value in call.arguments.values()]
    if any(types):
        return types == [record.dtype] and not call.arguments.open
    if isinstance(record, Tensor) and _is_made_there(call, record.node):
        return True
    here, there = record.device, placing.target(call)
    if here is None or there is None:
        return False
    return here.kind == there.kind == "moved" and here.accelerator is there.accelerator


def _is_made_there(call: Call, node: Node | None) -> bool:
    """Whether a parameter is moved to what the tensor was told by which it was made."""
    match call.spot.node:
        case ast.Call(args=[wanted], keywords=[]) if node is not None and node.op == "parameter":
            inside = ast.walk(node.spot.node) if node.spot is not None else ()
            told = (each.value for each in inside if _tells_device(each))
            return ast.unparse(wanted) in map(ast.unparse, told)
    return False


def _tells_device(node: ast.AST) -> TypeGuard[ast.keyword]:
    return isinstance(node, ast.keyword) and node.arg == "device"


def _is_told_in_words(call: Call) -> bool:
    """Whether a string is among the arguments: of these methods ``type`` alone takes any."""
    given = call.arguments.positional
    words = any(isinstance(each, Const) and isinstance(each.value, str) for each in given)
    return words and call.name not in {"type", *MOVES}


def _may_be_tensors(name: str, told: Collection[str]) -> bool:
    """Whether the method of tensors takes these arguments by name; others are of something else."""
    overloads = generated.signatures(f"Tensor.{name}")
    taken = {parameter for one in overloads for parameter in (*one.positional, *one.keyword_only)}
    return not overloads or taken.issuperset(told)
