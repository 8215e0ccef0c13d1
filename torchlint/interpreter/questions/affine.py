"""Affine layers that follow one another."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.interpreter.events.affine import AffineLayer
from torchlint.interpreter.events.modes import Pass
from torchlint.interpreter.questions import graph
from torchlint.interpreter.values import UNKNOWN, Const
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node, Value


def merged(trace: Trace) -> Iterator[tuple[AffineLayer, AffineLayer]]:
    """Pairs of layers of one model that one layer could replace, whatever they have learnt.

    They are built in one place, neither is applied on its own, as a model is, nothing but the
    second uses what the first gives, and the second is given nothing else.
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
        if not _is_always_after(second, first, layers, by_result) or _is_meant(second):
            continue
        if users is None:
            users = graph.users(trace)
        if len(users[first.result]) == 1:
            yield first, second


def _is_always_after(
    second: AffineLayer,
    first: AffineLayer,
    layers: list[AffineLayer],
    by_result: Mapping[Node, AffineLayer],
) -> bool:
    """Whether a layer is given nothing but what the other gives, on whichever way through."""
    for event in layers:
        if event.layer == second.layer:
            before = by_result.get(event.given) if event.given is not None else None
            if before is None or before.layer != first.layer:
                return False
    return True


def _is_meant(second: AffineLayer) -> bool:
    """Whether a comment on a layer says that nothing is to stand before it, or no longer does."""
    return _ADMITTED.search(second.built.region.comment_on(second.built.node)) is not None


_ADMITTED = Pattern(
    r"#\s*(?:[\w.]+\.)?(?:\w*ReLU\w*|GELU|[SC]?ELU|SiLU|Mish|Tanh|Sigmoid|Softplus|Hardswish)\("
    r"|\b(?:no|without)\b.*(?:activation|non-?linear)|checkpoint",
    re.IGNORECASE,
)
"""Activations that are commented out, and how a comment says that there is none."""


def _place(layer: AffineLayer) -> tuple[int, str]:
    """The function, or file, that a layer is built in."""
    return id(layer.built.region.outline), layer.built.region.scope


def _is_wide(first: AffineLayer, second: AffineLayer) -> bool:
    """Whether what lies between two layers is at least as wide as one of their ends."""
    (start, width), (other, end) = first.sizes, second.sizes
    if start == width or other == end:
        return not any(value is None or value == UNKNOWN for value in (start, width, other, end))
    between, *ends = (_number(value) for value in (width, start, end))
    return between is not None and any(end is not None and between >= end for end in ends)


def _number(value: Value | None) -> int | None:
    match value:
        case Const(value=int(number)):
            return number
    return None
