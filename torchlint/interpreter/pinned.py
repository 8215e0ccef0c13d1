"""Pinned: batches whose size stands in the code as a number."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes, squeezing
from torchlint.interpreter.events.shapes import Pinned
from torchlint.interpreter.shaping.request import Request
from torchlint.interpreter.values import Ref, Tensor, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spot, Value

_VIEWS = frozenset({"view", "reshape"})
_RECURRENT = frozenset({"rnn", "gru", "lstm"})
_RANKS = {
    "linear": 2,
    **{f"conv{n}d": n + 2 for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": n + 2 for n in (1, 2, 3)},
}
"""The rank of what layers take, if it is a batch."""

NAMES = _VIEWS | _RECURRENT | _RANKS.keys()
_MOVES = frozenset("to cuda cpu float half double type contiguous requires_grad".split())
_MADE = frozenset("zeros ones randn rand full empty".split())


def noted(operation: Operation) -> None:
    """Note a number where the size of a batch belongs that the program does not fix.

    It is the first size of a view of a batch, or of one that a layer takes as a batch, or the size
    of a first state that a recurrent layer is given together with a batch.
    """
    if operation.machine.choices:
        return
    if operation.name in _VIEWS:
        _of_view(operation)
    elif operation.name in _RECURRENT:
        _of_states(operation)
    else:
        _of_layer(operation)


def _of_view(operation: Operation) -> None:
    """A view of a batch, each sample of which is to be what it was, or one row."""
    shape = shapes.of(operation)
    if shape is None or len(shape) < 2 or _size(operation.spot, 0) is None:
        return
    sizes = Request(operation).sizes(Request(operation).rest())
    number = _literal(operation.spot, 0) or _named(operation, operation.spot, 0, sizes)
    if number is None or number in shape:
        return
    if sizes is None or not _keeps_samples(sizes, shape) or not _is_open(shape[0]):
        return
    if squeezing.is_batch(operation, shape):
        _tell(operation, operation.spot, number)


def _keeps_samples(sizes: Shape, shape: Shape) -> bool:
    """Whether what is asked for behind the first size is a sample, as far as that is known."""
    sample = shape[1:] if shapes.is_whole(shape) else shapes.ends(shape)[1]
    if len(sizes) > len(("batch", "features")) and (not sample or sizes[1] != sample[0]):
        return False
    if -1 in sizes:
        return True
    wanted, given = dimensions.product(sizes[1:]), dimensions.product(sample)
    return not shapes.is_whole(shape) or given is None or wanted == given


def _of_layer(operation: Operation) -> None:
    """A layer that takes a batch is given a view with a number for its first size."""
    value = operation.inputs.get("input")
    made = operation.machine.trace.made.get(value.address) if isinstance(value, Ref) else None
    if made is None or made.given is None or made.op.rpartition(".")[2] not in _VIEWS:
        return
    number = _literal(made.spot, 0)
    if number is not None and len(made.shape) == _RANKS[operation.name]:
        given = operation.machine.live.heap.get(made.given)
        if isinstance(given, Tensor) and _is_given(operation, given):
            _tell(operation, made.spot, number)


def _of_states(operation: Operation) -> None:
    """A recurrent layer is given first states for a number of samples, and a batch."""
    states = operation.inputs.get("hx")
    first = operation.inputs.get("input")
    given = operation.machine.get(first) if first is not None else None
    if states is None or not isinstance(given, Tensor):
        return
    if given.shape is not None and not _is_open(_batch_of(operation, given.shape)):
        return
    if not _is_given(operation, given):
        return
    for state in states.items if isinstance(states, Tuple) else (states,):
        spot = _made_at(operation, state)
        if spot is None:
            continue
        record = operation.machine.get(state)
        sizes = record.shape if isinstance(record, Tensor) else None
        number = _literal(spot, 1) or _named(operation, spot, 1, sizes)
        if number is not None:
            _tell(operation, spot, number, layer=operation.label)


def _named(operation: Operation, spot: Spot, at: int, sizes: Shape | None) -> int | None:
    """The number that a name stands for where the whole program is run, and nothing asks for it."""
    size = _size(spot, at)
    if operation.machine.trace.forward or not isinstance(size, (ast.Name, ast.Attribute)):
        return None
    number = shapes.size(sizes, at)
    if not isinstance(number, int) or number <= 1:
        return None
    name, text = re.escape(ast.unparse(size)), spot.region.outline.source.text
    is_asked = re.search(rf"[!=<>]=\s*{name}\b|[<>]\s*{name}\b|\b{name}\s*(?:[!=<>]=|[<>])", text)
    return None if is_asked else number


def _batch_of(operation: Operation, shape: Shape) -> Dim:
    """The size of the batch that a recurrent layer is given."""
    if not shapes.is_whole(shape):
        return None
    at = 0 if Request(operation).flag("batch_first") else 1
    return shapes.size(shape, at)


def _made_at(operation: Operation, value: Value) -> Spot | None:
    """Where a state was made, before it was moved."""
    made = operation.machine.trace.made
    found = made.get(value.address) if isinstance(value, Ref) else None
    while found is not None and found.given is not None:
        if found.op.rpartition(".")[2] not in _MOVES:
            return None
        found = made.get(found.given)
    if found is None or found.op.rpartition(".")[2] not in _MADE:
        return None
    return found.spot


def _is_given(operation: Operation, tensor: Tensor) -> bool:
    """Whether a tensor comes of what a forward is given, or of a loader with batches that vary."""
    trace = operation.machine.trace
    if tensor.shape is not None and any(map(dimensions.is_batch, tensor.shape)):
        return all(map(_is_open, filter(dimensions.is_batch, tensor.shape)))
    if not trace.forward or tensor.node is None:
        return False
    if tensor.shape is not None and isinstance(tensor.shape[0] if tensor.shape else None, int):
        return False
    return any(node.op == "input" for node in trace.reach(tensor.node))


def _is_open(size: Dim) -> bool:
    """Whether a size is not fixed: neither a number, nor that of a loader with even batches."""
    return not isinstance(size, int) and not dimensions.is_even(size)


def _literal(spot: Spot, at: int) -> int | None:
    """The number that is written for one of the sizes in a call, if it is more than one."""
    match _size(spot, at):
        case ast.Constant(value=int() as number) if number > 1:
            return number
    return None


def _size(spot: Spot, at: int) -> ast.expr | None:
    """What is written for one of the sizes in a call."""
    match spot.node:
        case ast.Call(args=[ast.Tuple(elts=sizes) | ast.List(elts=sizes), *_]):
            pass
        case ast.Call(args=sizes):
            pass
        case _:
            return None
    return next(iter(sizes[at : at + 1]), None)


def _tell(operation: Operation, spot: Spot, number: int, layer: str = "") -> None:
    if not _is_agreed(spot, number):
        operation.machine.emit(Pinned, spot, number=number, layer=layer)


def _is_agreed(spot: Spot, number: int) -> bool:
    """Whether the rest of the file makes data with the number, or drops what is left of them."""
    text = spot.region.outline.text.replace(spot.region.source, "")
    if "drop_last" in text:
        return True
    return re.search(rf"\b(?:rand\w*|zeros|ones)\([^()\n]*\b{number}\b", text) is not None
