"""Operators: what ``x + y`` gives and what ``x += y`` changes, for tensors and for others."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import (
    amounts,
    arraytypes,
    clocks,
    contents,
    cutting,
    mutations,
    pairs,
    parts,
    ranks,
    shapes,
    sizing,
    tensors,
    trips,
    unknowns,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import (
    UNKNOWN,
    Certainty,
    Const,
    Node,
    Opaque,
    Parameters,
    Ref,
    Sequence,
    Spot,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.torch_api import registry

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_OPERATORS = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "truediv",
    "Pow": "pow",
    "MatMult": "matmul",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "BitAnd": "and",
    "BitOr": "or",
    "BitXor": "xor",
    "LShift": "lshift",
    "RShift": "rshift",
}
_WITHOUT_GRADIENT = frozenset({"floordiv", "and", "or", "xor", "lshift", "rshift"})


def binary(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> Value:
    """The value of ``left operator right``."""
    pairs.computed(machine, operator, left, right, spot)
    for operand in (left, right):
        record = machine.get(operand)
        if isinstance(record, Opaque) and record.dtype is not None:
            tensors.as_tensor(machine, operand)
    if not tensors.is_tensor(machine, left) and not tensors.is_tensor(machine, right):
        return _plain(machine, operator, left, right, spot)
    if operator == "Add" and (isinstance(left, Tuple) or isinstance(right, Tuple)):
        # Parts of a tensor, of which one stands for all, go after other items.
        return UNKNOWN
    lists = [one for one in (left, right) if _is_list(machine, one)]
    if operator == "Add" and lists:
        # A tensor cannot be added to a list: what was taken for one is a list too.
        return machine.new(Sequence("list", rest=UNKNOWN, rounds=machine.rounds))
    if operator == "Mult" and lists:
        # A tensor of one whole number repeats a list, as the number does.
        return _repeated(machine, lists[0])
    result = _of_tensors(machine, operator, left, right, spot)
    if all(_may_be_number(machine, operand) for operand in (left, right)):
        # What turned out to be a tensor beside tensors may be a number, and so may this.
        machine.trace.taken.add(result.address)
    return result


def negated(machine: Machine, value: Value, spot: Spot) -> Value:
    """The value of ``-tensor``."""
    registry.applied(machine, "Tensor.__neg__", {"input": value}, spot)
    return tensors.apply(machine, "neg", (value,), spot)


def _may_be_number(machine: Machine, value: Value) -> bool:
    return not isinstance(value, Ref) or value.address in machine.trace.taken


def _is_list(machine: Machine, value: Value) -> bool:
    record = machine.get(value)
    return isinstance(record, Sequence) and record.kind == "list"


def _of_tensors(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> Ref:
    op = _OPERATORS.get(operator)
    registry.applied(machine, f"Tensor.__{op}__", {"input": left, "other": right}, spot)
    if op is None or op in _WITHOUT_GRADIENT:
        return tensors.without_graph(
            machine, f"Tensor.__{op}__", {"input": left, "other": right}, spot
        )
    ones = tensors.as_tensor(machine, left), tensors.as_tensor(machine, right)
    scalar = all(t is None or t.scalar for t in ones)
    inputs = {"input": left, "other": right}
    if not tensors.is_tensor(machine, left):
        inputs, op = {"input": right, "other": left}, f"r{op}"
    # Of operands that are repeated over a batch torch may keep copies, of others themselves.
    suffix = "(alike)" if op == "matmul" else ""
    return tensors.apply(machine, f"Tensor.__{op}__{suffix}", inputs, spot, scalar=scalar)


def _plain(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> Value:
    clocks.elapsed(machine, operator, left, right, spot)
    if operator == "Mult":
        parts.multiplied(machine, left, right, spot)
    one, other = machine.get(left), machine.get(right)
    of_rank = ranks.computed(machine, left, right)
    if of_rank is not None:
        return of_rank
    if isinstance(left, Const) and isinstance(right, Const):
        constant = _constant(machine, operator, left, right)
        if constant is not None:
            return contents.bounded(constant)
    match left, right:
        case _, Const(value=int(one_each)) if (
            operator == "Mod" and one_each == 1 and not isinstance(one, Opaque)
        ):
            # What is counted is whole: every round is the last of its group of one.
            return Const(0)
        case Tuple(items=ones), Tuple(items=others) if operator == "Add":
            return contents.bounded(Tuple(ones + others))
        case Parameters(), Parameters() if operator == "Add":
            return left.and_those(right)
        case (Number() | Const(), Number()) | (Number(), Const()):
            return _number(machine, operator, left, right, spot)
    if isinstance(one, Sequence) and isinstance(other, Sequence) and operator == "Add":
        many = len(one.items) + len(other.items) > contents.MOST_ITEMS
        if one.rest is None and other.rest is None and not many:
            return machine.new(Sequence(one.kind, one.items + other.items, rounds=machine.rounds))
        values = [*one.items, *other.items]
        values += [rest for rest in (one.rest, other.rest) if rest is not None]
        return machine.new(Sequence(one.kind, rest=machine.join_all(values), rounds=machine.rounds))
    if isinstance(one, Sequence) and operator == "Mult":
        return _repeated(machine, left)
    options = [option for value in (left, right) for option in options_of(value)]
    if any(isinstance(machine.get(option), Opaque) for option in options):
        return _unseen(machine, operator, left, right, options, spot)
    return UNKNOWN


def _repeated(machine: Machine, value: Value) -> Value:
    """A list or the like that is multiplied."""
    record = machine.get(value)
    assert isinstance(record, Sequence)
    rest = machine.join_all(contents.held(record))
    return machine.new(Sequence(record.kind, rest=rest, rounds=machine.rounds))


def _unseen(
    machine: Machine, operator: str, left: Value, right: Value, options: list[Value], spot: Spot
) -> Value:
    """What comes of objects that are not known, each of them one of several: maybe a number."""
    records = [machine.get(option) for option in options]
    operands = [record for record in records if isinstance(record, Opaque)]
    seen = len(operands) + sum(isinstance(option, Const) for option in options) == len(options)
    plain = sizing.are_numbers(machine, options)
    bare = seen and all(operand.bare for operand in operands)
    known = any(one.node is not None for one in operands)
    nodes = [one.node or (one.source if known else None) for one in operands]
    node = tensors.grown(machine, "opaque", spot, nodes, opaque=True)
    dim = sizing.computed(machine, operator, left, right)
    origin = max(operand.origin for operand in operands)
    source = unknowns.source(machine, node, spot, operands)
    return machine.new(
        Opaque(node=node, origin=origin, dim=dim, plain=plain, source=source, bare=bare)
    )


def _constant(machine: Machine, operator: str, left: Const, right: Const) -> Value | None:
    """What comes of two constants; None where that is not worked out."""
    one, other = left.value, right.value
    if not isinstance(one, (int, float)) or not isinstance(other, (int, float)):
        return None
    if operator == "Sub" and one == 1 and isinstance(other, float) and not other.is_integer():
        # Nobody counts by what is left of one.
        return Const(one - other)
    if machine.rounds:
        # What a loop counts is not what it has counted after two rounds.
        settled = sizing.is_settled(machine)
        return Number(dim=sizing.computed(machine, operator, left, right) if settled else None)
    match operator:
        case "Add":
            return Const(one + other)
        case "Sub":
            return Const(one - other)
        case "Mult":
            return Const(one * other)
        case "Div" if other:
            return Const(one / other)
        case "FloorDiv" if other:
            return Const(one // other)
        case "Mod" if other:
            return Const(one % other)
        case "Pow":
            return Number()
    return None


def _number(machine: Machine, operator: str, left: Value, right: Value, spot: Spot) -> Number:
    """What comes of numbers and arrays."""
    given = (left, right)
    return Number(
        cutting.left_out(machine, given),
        array=any(isinstance(value, Number) and value.array for value in given),
        left=trips.carried(machine, given),
        amount=amounts.computed(machine, operator, left, right, spot),
        dtype=arraytypes.computed(operator, left, right),
        dim=sizing.computed(machine, operator, left, right),
        made=any(isinstance(value, Number) and value.made for value in given),
        shape=_shape(operator, left, right),
    )


def _shape(operator: str, left: Value, right: Value) -> Shape | None:
    """The shape of what comes of arrays and numbers, item by item or as a product."""
    one, other = (
        value.shape if isinstance(value, Number) else () if isinstance(value, Const) else None
        for value in (left, right)
    )
    if operator == "MatMult":
        return _product(one, other) or None
    return shapes.broadcast(one, other) or None


def _product(one: Shape | None, other: Shape | None) -> Shape | None:
    """The shape of ``one @ other``: a vector has no rows of its own, and no columns."""
    if not one or not other or not (shapes.is_whole(one) and shapes.is_whole(other)):
        return None
    before = shapes.broadcast(one[:-2], other[:-2])
    columns = other[-1:] if len(other) > 1 else ()
    return None if before is None else (*before, *one[-2:-1], *columns)


def augmented(
    machine: Machine, operator: str, before: Value, value: Value, spot: Spot
) -> Value | None:
    """The tensor that ``before += value`` changes in place; None where ``before`` is no tensor."""
    record = machine.get(before)
    if operator == "MatMult":
        return None  # A tensor has no `__imatmul__`: what comes of it is a new one.
    if isinstance(record, Opaque) and record.node is not None and tensors.is_tensor(machine, value):
        tensors.as_tensor(machine, before)
    elif not isinstance(record, Tensor) or operator not in _OPERATORS or _may_be_of_a_tuple(record):
        return None
    op = f"Tensor.__i{_OPERATORS[operator]}__"
    registry.applied(machine, op, {"input": before, "other": value}, spot)
    mutations.mutate(machine, before, op, {"other": value}, spot, sign(operator))
    return before


def _may_be_of_a_tuple(tensor: Tensor) -> bool:
    """Whether it is one of several that an argument was taken apart into, like a tuple."""
    match tensor.node:
        case Node(spot=Spot(node=ast.Assign()), parents=[Node(op="input") as whole]):
            return whole.certainty is Certainty.ASSUMED
    return False


def sign(operator: str) -> str:
    """How an operator is written in ``before += value``."""
    signs = {"Add": "+=", "Sub": "-=", "Mult": "*=", "Div": "/=", "Pow": "**="}
    return signs.get(operator, "an augmented assignment")
