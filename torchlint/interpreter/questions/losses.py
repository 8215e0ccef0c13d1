"""What losses are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.events.losses import LossCall, Normalisation
from torchlint.interpreter.ranges import Kind
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.trace import Trace


_EPSILON = 0.01
"""How far above zero the logarithm of a probability may be for an epsilon that was added to it."""


def losses(trace: Trace, kind: str) -> Iterator[LossCall]:
    """The computations of a loss, by the name of its functional."""
    return (loss for loss in trace.of(LossCall) if loss.kind == kind)


def not_logarithms(range_: Range | None) -> str:
    """What values are that are no log-probabilities; empty where they may be."""
    if range_ is None or range_.kind is Kind.LOG_PROBABILITIES:
        return ""
    if range_.kind is Kind.PROBABILITIES:
        return "probabilities"
    if range_.kind is Kind.UNIT_INTERVAL:
        return "values in [0, 1]"
    return "raw scores" if range_.tight and range_.high > _EPSILON else ""


def probabilities_twice(trace: Trace) -> Iterator[tuple[Normalisation, Range]]:
    """Normalisations of what the same dimension was normalised along before."""
    for event in trace.of(Normalisation):
        before = event.input.range
        if before is None or not before.normalised:
            continue
        if event.name == "sigmoid":
            again = before.kind is not Kind.LOG_PROBABILITIES
        elif event.name == "log":
            again = before.kind is Kind.LOG_PROBABILITIES
        else:
            again = before.kind is not Kind.UNIT_INTERVAL and _same_dim(event, before)
        if again:
            yield event, before


def _same_dim(event: Normalisation, before: Range) -> bool:
    """Whether a softmax is along the dimension that an earlier one was along, as far as is seen."""
    dim = event.dim.value if isinstance(event.dim, Const) else None
    if not isinstance(dim, int) or before.dim is None or dim == before.dim:
        return isinstance(dim, int) and before.dim is not None
    at = shapes.position(event.input.shape, dim)
    if at is not None:
        return at == shapes.position(event.input.shape, before.dim)
    # Of a shape that is not known, the last dimension is mostly the second.
    return {dim, before.dim} == {1, -1}
