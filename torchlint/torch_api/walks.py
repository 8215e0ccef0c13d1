"""Walks back through graphs: ``backward`` and ``torch.autograd.grad``, as they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    arraytypes,
    containers,
    cutting,
    dtypes,
    gradients,
    tensors,
    trips,
)
from torchlint.interpreter.cuts import By, Number
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.gradients import Asked
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Certainty,
    Const,
    Node,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


def asked(call: Call, gradient: int, retain: int, create: int) -> Asked:
    """What a call asks of a walk, by the positions of its arguments."""
    retaining = call.get("retain_graph", retain)
    creating = call.get("create_graph", create)
    creates = _flag(creating, default=False)
    keeps = creates if retaining in (None, NONE) else _flag(retaining, default=False)
    if call.arguments.open:
        keeps = creates = None
    given = (call.get(name, gradient) for name in ("gradient", "grad_tensors", "grad_outputs"))
    return Asked(
        retained=keeps is not False,
        literally=retaining == TRUE and creates is False,
        creates=creates is not False,
        seeded=any(value not in (None, NONE) for value in given) or call.arguments.open,
        partly=call.get("inputs") is not None,
    )


def _flag(value: Value | None, *, default: bool) -> bool | None:
    if value is None:
        return default
    return bool(value.value) if isinstance(value, Const) else None


@method("tensor", "backward")
def _backward(call: Call) -> Value:
    tensor = tensors.as_tensor(call.machine, call.receiver) if call.receiver is not None else None
    assert tensor is not None
    return _walk_back(call, [tensor], asked(call, 0, 1, 2))


def _walk_back(call: Call, roots: list[Tensor], wish: Asked) -> Value:
    if call.get("retain_variables") is not None:
        # Torch no longer has it, and raises: of what another torch leaves here nothing is claimed.
        gradients.unseen(call.machine, call.spot)
    else:
        gradients.backward(call.machine, roots, call.spot, wish)
    return NONE


@method("number", "backward")
def _number_backward(call: Call) -> Value:
    assert isinstance(call.receiver, Number)
    chosen = gradients.is_chosen(call.machine)
    call.machine.emit(Backward, call.spot, node=None, number=call.receiver, chosen=chosen)
    return NONE


_STILL_ARRAYS = frozenset("astype copy reshape flatten ravel transpose".split())
_MAKES_ARRAYS = frozenset({"reshape", "flatten", "ravel"})
_OF_TORCH = frozenset(
    "max min mean sum std var argmax argmin argsort cumsum cumprod clip squeeze round dot prod all "
    "any swapaxes item sort".split()
)
"""What else arrays do that tensors do as well."""

_ARRANGING = frozenset("copy reshape flatten ravel transpose squeeze swapaxes".split())
"""What changes neither values nor types."""

_SAME_TYPE = (_STILL_ARRAYS | _OF_TORCH) - frozenset(
    "astype argmax argmin argsort all any item".split()
)
"""What gives floats of the type that there was."""


@method("number", "*")
def _same_number(call: Call) -> Value:
    """What comes of a number or an array is one again."""
    assert isinstance(call.receiver, Number)
    receiver, is_array = call.receiver, call.receiver.array and call.name in _STILL_ARRAYS
    is_array = is_array or call.name in _MAKES_ARRAYS
    dtype = arraytypes.named(call.get("dtype", 0)) if call.name == "astype" else None
    if dtype is None and call.name in _SAME_TYPE and dtypes.is_float(receiver.dtype):
        dtype = receiver.dtype
    picture = receiver.picture and (call.name in _ARRANGING or dtype == "uint8")
    if call.name in _ARRANGING:
        dtype = receiver.dtype
    given = call.arguments.positional if call.name in _OF_TORCH else ()
    known = call.name in _STILL_ARRAYS | _OF_TORCH
    left = trips.carried(call.machine, (receiver, *given)) if known else None
    shape = receiver.shape if call.name in {"astype", "copy"} else None
    return replace(receiver, array=is_array, left=left, dtype=dtype, picture=picture, shape=shape)


@function("torch.autograd.backward")
def _autograd_backward(call: Call) -> Value:
    given = call.get("tensors", 0)
    roots = _tensors(call, given) if given is not None else []
    return _walk_back(call, roots, asked(call, 1, 2, 3)) if roots else NONE


def _tensors(call: Call, value: Value) -> list[Tensor]:
    found = (tensors.as_tensor(call.machine, item) for item in tensors.flatten(call.machine, value))
    return [tensor for tensor in found if tensor is not None]


@function("torch.autograd.grad")
def _autograd_grad(call: Call) -> Value:
    """The gradients, one for each input, which have a graph only if one is asked for."""
    outputs, inputs = call.get("outputs", 0), call.get("inputs", 1)
    if outputs is None or inputs is None:
        return UNKNOWN
    wish = asked(call, 2, 3, 4)
    roots, ends = _tensors(call, outputs), _tensors(call, inputs)
    count = _count(call, inputs)
    whole = count == len(ends)
    gradients.differentiate(call.machine, roots, ends, call.spot, wish, whole=whole)
    nodes = [tensor.node for tensor in (*roots, *ends) if tensor.node is not None]
    node, cuts = None, cutting.read_out(call.machine, (outputs,), By.GRADIENT, call.spot)
    if wish.creates or not roots:
        # Whether a gradient depends on anything that is trained is for the functions to say.
        node = Node("grad", call.spot, tuple(nodes), Certainty.UNSEEN, rounds=call.machine.rounds)
    made = [
        tensors.new_tensor(call.machine, node, cuts=() if node is not None else cuts)
        for _ in range(count or 1)
    ]
    if count is not None:
        return Tuple(tuple(made))
    return call.machine.new(Sequence("tuple", rest=made[0]))


def _count(call: Call, inputs: Value) -> int | None:
    """How many inputs there are, where that is known."""
    if tensors.is_tensor(call.machine, inputs):
        return 1
    items = containers.known_items(call.machine, inputs)
    return None if items is None else len(items)
