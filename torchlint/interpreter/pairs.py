"""Pairs: what ``max`` along a dimension and its kin give, used as if it were one tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes
from torchlint.interpreter.events.shapes import PairUsed
from torchlint.interpreter.graphs import back
from torchlint.interpreter.values import NONE, Const, Ref, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Value

_WITH_DIM = frozenset("max min median nanmedian".split())
_OF_TORCH = frozenset("topk kthvalue nanmedian".split())
"""Methods that nothing else has that is computed with."""

_OWN = frozenset("values indices count index n_fields n_sequence_fields n_unnamed_fields".split())
"""Attributes of such a pair."""

_TENSORS = frozenset({"input", "other", "target", "index"})
"""Parameters of operations and layers that take one tensor."""

_SIGNS = {
    name: sign
    for names, signs in (
        ("Add Sub Mult Div Pow MatMult FloorDiv Mod", "+ - * / ** @ // %"),
        ("BitAnd BitOr BitXor", "& | ^"),
        ("Eq NotEq Lt LtE Gt GtE", "== != < <= > >="),
    )
    for name, sign in zip(names.split(), signs.split(), strict=True)
}

_COMPARING = frozenset("Eq NotEq Lt LtE Gt GtE".split())


def named(machine: Machine, op: str, inputs: Mapping[str, Value]) -> str:
    """The operation that a pair is surely of; nothing where there may be no torch or no dimension.

    A method may be NumPy's, a list's or xarray's, whose dimensions have names, and the second
    argument another tensor.
    """
    short = op.rpartition(".")[2]
    first = next(iter(inputs.values()), NONE)
    by_keyword = _is_whole(inputs.get("dim")) and not isinstance(first, Tuple)
    by_place = _is_whole(inputs.get("other", inputs.get("axis")))
    if short in _WITH_DIM and not by_keyword and not by_place:
        return ""
    sure = not op.startswith("Tensor.") or by_keyword or short in _OF_TORCH
    return short if sure or _is_surely_one(machine, first) else ""


def _is_whole(value: Value | None) -> bool:
    return isinstance(value, Const) and type(value.value) is int


def _is_surely_one(machine: Machine, value: Value) -> bool:
    """Whether a value is a tensor by what it was computed with, and not an array."""
    record = machine.get(value)
    if not isinstance(record, Tensor) or not isinstance(value, Ref):
        return False
    if value.address in machine.trace.taken:
        return False
    roots = [record.node] if record.node is not None else [cut.of for cut in record.cuts]
    return all(_is_of_torch(machine, root) for root in roots)


def _is_of_torch(machine: Machine, root: Node) -> bool:
    for node in back([root], _may_be_of_others):
        if node.op == "input":
            if machine.trace.forward:
                return True
        elif not node.opaque and node.op != "opaque" and not _may_be_of_others(node):
            return True
    return False


def _may_be_of_others(node: Node) -> bool:
    """Whether it is a method, a view or an operator that others than tensors may have."""
    return not node.opaque and (
        node.op.startswith("Tensor.") or node.op in {"rows", "select", "neg"}
    )


def read(machine: Machine, owner: Value, node: ast.Attribute) -> None:
    """An attribute is read, or a method is called."""
    if isinstance(owner, Tuple) and owner.of and node.attr not in _OWN | set(dir(tuple)):
        _used(machine, machine.spot(node), owner, f"`.{node.attr}`", [node.value], "values")


def computed(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> None:
    """An operator is applied, or two values are compared."""
    sides = ((left, right), (right, left))
    taken = [
        isinstance(value, Tuple) and bool(value.of) and not _is_for_tuples(operator, other)
        for value, other in sides
    ]
    if not any(taken):
        return
    pair, other = sides[taken.index(True)]
    assert isinstance(pair, Tuple)
    match spot.node:
        case ast.BinOp(left=one, right=two) | ast.Compare(left=one, comparators=[two]):
            at = [node for node, is_taken in zip((one, two), taken, strict=True) if is_taken]
        case ast.UnaryOp(operand=one):
            at = [one]
        case _:
            at = []
    want = _compared(machine, pair, other) if operator in {"Eq", "NotEq"} else "values"
    _used(machine, spot, pair, f"`{_SIGNS.get(operator, operator)}`", at, want)


def _is_for_tuples(operator: str, other: Value) -> bool:
    """Whether a tuple may well be given to an operator, with this beside it."""
    if isinstance(other, Tuple):
        return operator == "Add" or operator in _COMPARING
    return operator == "Mult" and not isinstance(other, Ref)


def _compared(machine: Machine, pair: Tuple, other: Value) -> str:
    """Which of a pair may be meant, where it is compared with integers and was made of floats."""
    record, values = machine.get(other), machine.get(pair.items[0])
    if not isinstance(record, Tensor) or not isinstance(values, Tensor):
        return ""
    whole = [one.dtype == "int64" for one in (record, values)]
    floating = values.dtype is not None and dtypes.is_float(values.dtype)
    return "indices" if whole[0] and floating else ""


def given(machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot) -> None:
    """An operation or a layer is about to be applied."""
    for place, (name, value) in enumerate(inputs.items()):
        if isinstance(value, Tuple) and value.of and name in _TENSORS:
            at = _argument(spot, place - op.startswith("Tensor."), name)
            want = {"input": "values", "other": "values", "index": "indices"}.get(name, "")
            short = op.rpartition(".")[2]
            if short in {"embedding", "Embedding", "one_hot"}:
                want = "indices"
            _used(machine, spot, value, f"`{short}`", at, want)
            return


def _argument(spot: Spot, place: int, name: str) -> list[ast.expr]:
    """Where an argument of a call is written."""
    if not isinstance(spot.node, ast.Call):
        return []
    for keyword in spot.node.keywords:
        if keyword.arg == name:
            return [keyword.value]
    plain = not any(isinstance(argument, ast.Starred) for argument in spot.node.args)
    return spot.node.args[place : place + 1] if plain else []


def _used(
    machine: Machine, spot: Spot, pair: Tuple, how: str, at: list[ast.expr], want: str
) -> None:
    if not machine.choices:
        operands = tuple(map(machine.spot, at))
        machine.emit(PairUsed, spot, op=pair.of, how=how, operands=operands, want=want)
