"""Numbers that are looked up where there are fewer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import shapes
from torchlint.interpreter.dimensions import differ, written
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.shapes import Beyond, Refused
from torchlint.interpreter.shaping.losses import OF_CLASSES
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.trace import Chain, Trace
    from torchlint.interpreter.values import Spot

_IGNORED = -100
"""The label that losses of classes leave out, unless they are told another."""

_COUNTED = frozenset({"index", "k", "length", "dim"})
"""What a shape is asked for by number."""


@dataclass(frozen=True, slots=True)
class Missing:
    """What is not there, as a sentence; ``sure`` says that it is asked for in every run."""

    spot: Spot
    text: str
    because: Chain = ()
    sure: bool = True


def missing(trace: Trace) -> Iterator[Missing]:
    """Indices, labels and tokens that are not below the number of what they stand for."""
    yield from _in_tables(trace)
    yield from _in_shapes(trace)
    yield from _labels(trace)


def _in_tables(trace: Trace) -> Iterator[Missing]:
    for event in trace.of(Beyond):
        span, size = event.span, written(event.size)
        number = written(span.low if event.below else span.high)
        asked = f"is asked for {number}" if event.sure else f"may be asked for {number}"
        text = f"`{event.op}` {asked}, and has {size}, counted from 0"
        yield Missing(event.spot, text, _made(span.spot, event.spot), event.sure)


def _in_shapes(trace: Trace) -> Iterator[Missing]:
    seen = set()
    for event in trace.of(Refused):
        found = event.mismatch
        if found.why is not Why.RANGE or found.by not in _COUNTED or event.spot in seen:
            continue
        seen.add(event.spot)
        wanted, given = written(_one(found.wanted)), written(found.given)
        shape = f"`{shapes.written(found.shape)}`"
        if found.by == "dim":
            text = f"`{event.op}` is along dimension {given}, and there are {wanted}"
            # What takes several tensors has no one shape.
            text += "" if found.shape is None else f": {shape}"
        elif found.by == "index":
            text = f"index {given} is out of dimension {found.dim} of {shape}, which has {wanted}"
        else:
            what = "elements up to" if found.by == "length" else "the first"
            where = f"in dimension {found.dim}: {shape}"
            text = f"`{event.op}` takes {what} {given} of {wanted} {where}"
        yield Missing(event.spot, text)


def _one(size: Dim | tuple[Dim, ...]) -> Dim:
    return None if isinstance(size, tuple) else size


def _labels(trace: Trace) -> Iterator[Missing]:
    """Labels and class weights of a loss, against the scores that there are."""
    for loss in trace.of(LossCall):
        classes = _class_count(loss)
        if loss.kind not in OF_CLASSES or classes is None or not loss.is_sole:
            continue
        weight = loss.weight
        if weight is not None and shapes.rank(weight.shape) == 1 and weight.shape is not None:
            (count,) = weight.shape
            if differ(count, classes):
                text = f"the loss has weights for {written(count)} classes, and scores for "
                yield Missing(loss.spot, text + written(classes))
                continue
        yield from _label(loss, classes)


def _class_count(loss: LossCall) -> Dim:
    """For how many classes there are scores; None where it is not known."""
    shape, target = loss.input.shape, loss.target
    rank = shapes.rank(shape)
    if rank is None:
        flat = target is not None and shapes.rank(target.shape) == 1
        return shapes.size(shape, -1) if flat else None
    return shapes.size(shape, 1 if rank > 1 else 0) if rank else None


def _label(loss: LossCall, classes: Dim) -> Iterator[Missing]:
    span = loss.target.span if isinstance(loss.target, Tensor) else None
    ignored = loss.settings.get("ignore_index", Const(_IGNORED))
    if span is None or not isinstance(ignored, Const) or ignored.value == span.high:
        return
    sure = span.is_surely_beyond(classes)
    if sure or span.may_be_beyond(classes):
        verb = "is" if sure else "may be"
        text = f"a label {verb} {written(span.high)}, and there are scores for {written(classes)}"
        because = _made(span.spot, loss.spot)
        yield Missing(loss.spot, f"{text} classes, counted from 0", because, sure)
    elif span.reached and isinstance(span.low, int) and span.low < 0 and ignored.value != span.low:
        text = f"a label is {span.low}, and {ignored.value} alone is left out"
        yield Missing(loss.spot, text, _made(span.spot, loss.spot))


def _made(made: Spot, spot: Spot) -> Chain:
    return ((made, "the numbers are made here"),) if made != spot else ()
