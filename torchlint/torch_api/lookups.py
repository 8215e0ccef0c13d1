"""What is looked up by number in a table: rows of an embedding, elements of a tensor, classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import choosing, facts, shapes, sizing, spans
from torchlint.interpreter.dimensions import at_least
from torchlint.interpreter.events.shapes import Beyond
from torchlint.interpreter.values import NONE, Const, Tensor, Tuple
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Applied


_ALONG = frozenset(
    "gather index_select scatter scatter_add scatter_reduce index_add index_copy index_fill".split()
)
_FROM_THE_END = frozenset({"index_fill", "index"})
"""What counts numbers below zero from the end."""


@watch("embedding", "Embedding", "EmbeddingBag")
def _rows(applied: Applied) -> None:
    """Rows of a table."""
    size = sizing.dimension(applied.machine, applied.inputs.get("num_embeddings"))
    if "weight" in applied.inputs and "num_embeddings" not in applied.inputs:
        weight = shapes.of_value(applied.machine, applied.inputs["weight"])
        size = weight[0] if weight is not None and shapes.rank(weight) == 2 else None
    _look_up(applied, applied.inputs.get("input"), size)


@watch("one_hot")
def _classes(applied: Applied) -> None:
    value = applied.inputs.get("num_classes")
    size = sizing.dimension(applied.machine, value)
    if size != -1:
        _look_up(applied, applied.inputs.get("tensor", applied.inputs.get("input")), size)


@watch(*_ALONG)
def _along(applied: Applied) -> None:
    """Elements along a dimension of a tensor."""
    dim = applied.inputs.get("dim")
    shape = shapes.of_value(applied.machine, applied.inputs.get("input"))
    if isinstance(dim, Const) and type(dim.value) is int:
        _look_up(applied, applied.inputs.get("index"), shapes.size(shape, dim.value))


@watch("index")
def _indexed(applied: Applied) -> None:
    """``tensor[index]`` with tensors in the index, each for one dimension."""
    index = applied.inputs.get("mask")
    shape = shapes.of_value(applied.machine, applied.inputs.get("input"))
    parts = index.items if isinstance(index, Tuple) else (index,)
    for at, part in _placed(applied, parts):
        _look_up(applied, part, shapes.size(shape, at))


def _placed(applied: Applied, parts: tuple[Value | None, ...]) -> Iterator[tuple[int, Value]]:
    """The tensors in an index, and the dimension that each is for."""
    at = 0
    for part in parts:
        record = applied.machine.get(part) if part is not None else None
        if isinstance(record, Tensor):
            if record.dtype not in {"int64", "int32"}:
                return
            assert part is not None
            yield at, part
        elif not isinstance(part, Const) or part == Const(...):
            return
        at += part != NONE


def _look_up(applied: Applied, value: Value | None, size: Dim) -> None:
    """Compare what is looked up with what there is."""
    machine = applied.machine
    span = spans.of_value(machine, value)
    if span is None or size is None or machine.tries:
        return
    if not facts.come_together(machine, value):
        return
    op = applied.op.rpartition(".")[2]
    if span.may_be_beyond(size) or span.is_surely_beyond(size):
        sure = span.is_surely_beyond(size)
        choosing.venture(machine, Beyond, applied.spot, op=op, size=size, span=span, sure=sure)
    elif span.reached and isinstance(span.low, int) and span.low < 0:
        least = -span.low - 1 if op.strip("_") in _FROM_THE_END else size
        if at_least(least, size):
            told = {"op": op, "size": size, "span": span, "sure": True, "below": True}
            choosing.venture(machine, Beyond, applied.spot, **told)
