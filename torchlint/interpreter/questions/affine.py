"""Affine layers that follow one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.affine import AffineLayer
from torchlint.interpreter.events.modes import Pass
from torchlint.interpreter.questions import graph
from torchlint.interpreter.values import UNKNOWN, Const

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Value


def merged(trace: Trace) -> Iterator[tuple[AffineLayer, AffineLayer]]:
    """Pairs of layers of one model that one layer could replace, whatever they have learnt.

    They are built in one place, neither is applied on its own, as a model is, and nothing but the
    second uses what the first gives.
    """
    models = {event.model for event in trace.of(Pass)}
    layers = [event for event in trace.of(AffineLayer) if event.layer not in models]
    by_result = {event.result: event for event in layers}
    users: graph.Users | None = None
    for second in layers:
        first = by_result.get(second.given) if second.given is not None else None
        if first is None or _place(first) != _place(second):
            continue
        if first.layer == second.layer or not _is_wide(first, second):
            continue
        if users is None:
            users = graph.users(trace)
        if len(users[first.result]) == 1:
            yield first, second


def _place(layer: AffineLayer) -> tuple[int, str]:
    """The function, or file, that a layer is built in."""
    return id(layer.built.region.outline), layer.built.region.scope


def _is_wide(first: AffineLayer, second: AffineLayer) -> bool:
    """Whether what lies between two layers is at least as wide as one of their ends."""
    (start, width), (other, end) = first.sizes, second.sizes
    if any(value is None or value == UNKNOWN for value in (start, width, other, end)):
        return False
    if start == width or other == end:
        return True
    sizes = [_number(value) for value in (width, start, end)]
    known = [size for size in sizes if size is not None]
    return len(known) == len(sizes) and known[0] >= min(known[1:])


def _number(value: Value | None) -> int | None:
    match value:
        case Const(value=int(number)):
            return number
    return None
