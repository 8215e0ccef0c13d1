"""What values at an edge must not be given to, and what shows that the program looks after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import edges, numbers, tensors
from torchlint.interpreter.edges import ZEROS, EdgeKind
from torchlint.interpreter.events.numerics import (
    Floored,
    Logarithm,
    MaskedSoftmax,
    Quotient,
    Ranked,
    Root,
)
from torchlint.interpreter.values import NONE, Tensor
from torchlint.torch_api import edging
from torchlint.torch_api.registry import hear, watch

if TYPE_CHECKING:
    from torchlint.interpreter.edges import Edge
    from torchlint.torch_api.registry import Applied, Call

_NEAR_ZERO = 0.01
_NO_LOGARITHM = frozenset({EdgeKind.FLAGS, EdgeKind.NORM})
"""Conditions are given to a logarithm on purpose: it makes masks of them that are added."""


def _input(applied: Applied, position: int = 0) -> Tensor | None:
    values = list(applied.inputs.values())
    if position >= len(values):
        return None
    return tensors.as_tensor(applied.machine, values[position])


def _edge(applied: Applied, position: int = 0) -> Edge | None:
    """The edge of what the program gives an operation, where it is zero."""
    tensor = _input(applied, position)
    edge = tensor.edge if tensor is not None else None
    return edge if edge is not None and edge.kind in ZEROS else None


@watch("log", "log2", "log10")
def _log(applied: Applied) -> None:
    edge = _edge(applied)
    if edge is not None and edge.kind not in _NO_LOGARITHM:
        applied.machine.emit(Logarithm, applied.spot, edge=edge)


@watch("truediv", "itruediv", "div", "divide", "true_divide")
def _divide(applied: Applied) -> None:
    edge = _edge(applied, 1)
    if edge is not None:
        applied.machine.emit(Quotient, applied.spot, edge=edge)


@watch("reciprocal")
def _reciprocal(applied: Applied) -> None:
    edge = _edge(applied)
    if edge is not None:
        applied.machine.emit(Quotient, applied.spot, edge=edge)


@watch("sqrt", "rsqrt")
def _sqrt(applied: Applied) -> None:
    edge = _edge(applied)
    if edge is not None:
        applied.machine.emit(Root, applied.spot, edge=edge)


@watch("pow")
def _pow(applied: Applied) -> None:
    values = list(applied.inputs.values())
    exponent = edging.number(values[1]) if len(values) == 2 else None
    if exponent is not None and 0 < exponent < 1:
        _sqrt(applied)


@watch("softmax", "Softmax", "log_softmax", "LogSoftmax")
def _softmax(applied: Applied) -> None:
    tensor = _input(applied)
    if tensor is not None and tensor.edge is not None and tensor.edge.kind is EdgeKind.MASKED:
        applied.machine.emit(MaskedSoftmax, applied.spot, edge=tensor.edge)


@watch("any", "all", "item", "tolist", "count_nonzero", "nonzero", "maximum")
def _looks(applied: Applied) -> None:
    edges.tested(applied.machine, _input(applied))


@hear("tensor", "size", "numel", "nelement")
@hear("function", "builtins.len")
def _measures(call: Call) -> None:
    value = call.receiver if call.receiver is not None else call.get("obj", 0)
    if value is not None:
        edges.measured(call.machine, value, call.spot)


@watch("nan_to_num", "isnan", "isinf", "isfinite", "where", "masked_fill", "clamp", "clip", "index")
@watch("clamp_min", "clamp_max", "nansum", "nanmean", "nanmedian", "exp", "softmax", "Softmax")
def _mends(applied: Applied) -> None:
    """What is infinite is found, replaced or left out, or made a zero of again."""
    for position in range(len(applied.inputs)):
        tensor = _input(applied, position)
        edge = tensor.edge if tensor is not None else None
        if edge is not None and edge.kind is EdgeKind.INFINITE:
            edges.tested(applied.machine, tensor)


@watch("argmax", "argmin", "topk", "argsort", "sort", "max", "min")
def _ranks(applied: Applied) -> None:
    tensor = _input(applied)
    edge = tensor.edge if tensor is not None else None
    if edge is not None and edge.kind is EdgeKind.INFINITE and not edge.detail:
        applied.machine.emit(Ranked, applied.spot, taken=edge.by)


@watch("add", "radd", "iadd", "clamp", "clip", "clamp_min")
def _floors(applied: Applied) -> None:
    """A positive number is the least that is left, or added."""
    edge = _edge(applied)
    floor = edging.number([NONE, *applied.inputs.values()][-1 if len(applied.inputs) < 3 else 2])
    if edge is not None and floor is not None and floor > 0:
        applied.machine.emit(Floored, applied.spot, origins=edge.origins)


@hear("function", *(f"torch.{name}" for name in "arange zeros ones empty full rand".split()))
def _sizes(call: Call) -> None:
    """Of what has as many elements as were counted, there is nothing where none were."""
    for value in call.arguments.positional:
        for part in tensors.flatten(call.machine, value):
            record = call.machine.get(part)
            edges.tested(call.machine, record if isinstance(record, Tensor) else None)


@watch("eq", "ne", "lt", "le", "gt", "ge")
def _compares(applied: Applied) -> None:
    """Compared with something that tells zeros from others."""
    bound = edging.number([NONE, *applied.inputs.values()][-1])
    if bound is not None and abs(bound) > _NEAR_ZERO:
        near = frozenset({EdgeKind.COUNT, EdgeKind.REDUCED, EdgeKind.INFINITE})
    else:
        near = (ZEROS - {EdgeKind.FLAGS}) | {EdgeKind.INFINITE}
    for position in (0, 1):
        tensor = _input(applied, position)
        if tensor is not None and tensor.edge is not None and tensor.edge.kind in near:
            edges.tested(applied.machine, tensor)


@watch("eq", "ne")
def _equal(applied: Applied) -> None:
    """``torch.eq(x, nan)``; what an operator compares is told where it stands."""
    values = list(applied.inputs.values())
    if len(values) == 2 and "__" not in applied.op:
        equal = applied.op.rpartition(".")[2] == "eq"
        numbers.compared(applied.machine, values[0], values[1], applied.spot, equal)
