"""Edges: the exact values that computing brings some of a tensor's values to, such as zero.

Only what the computation itself brings about counts. What data may hold does not.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter.events.numerics import Quotient, Tested
from torchlint.interpreter.values import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


class EdgeKind(Enum):
    """What some of the values are."""

    PROBABILITY = auto()
    """Zero, where a softmax or sigmoid has rounded to it."""
    SATURATED = auto()
    """One, where a tanh has rounded to it."""
    RECTIFIED = auto()
    """Zero, where something was cut off there."""
    REDUCED = auto()
    """Zero, where all that was summed is."""
    FLAGS = auto()
    """Zero, where a condition does not hold."""
    POSITIONS = auto()
    """Zero, where a position is beyond a length."""
    COUNT = auto()
    """Zero, where a condition holds nowhere; ``detail`` has the origins of each part of a sum."""
    INDICES = auto()
    """Zero, which is where counting starts."""
    TWIN = auto()
    """Zero, where things are compared with themselves."""
    GRAM = auto()
    """Inner products of things with each other; ``detail`` tells that they were subtracted."""
    NORM = auto()
    """Zero, perhaps: a norm or deviation of things that are not known to be zero."""
    TABLE = auto()
    """What settings alone decide, without data: the same in every run."""
    ONES = auto()
    """One everywhere, or the constant that ``detail`` gives."""
    TRIANGLE = auto()
    """One in a triangle, zero beside it: ``detail`` says whether the upper, and from where."""
    OUTER = auto()
    """Zero in the whole row of what a mask leaves out; ``detail`` is true where that is turned."""
    MASKED = auto()
    """Minus infinity in a whole row."""
    INFINITE = auto()
    """Infinite, or not a number; ``detail`` gives the kind of what it was divided by."""


@dataclass(frozen=True, slots=True)
class Edge:
    """What some values of a tensor are, by the operation that brought them there.

    ``origins`` are where the values come from that decide whether it happens. ``usual`` tells of a
    condition that a row is expected to have something that it holds for, or, if false, that it does
    not hold for; and of a count that each row of such a condition was counted, or, if false, that
    such counts were added up.
    """

    kind: EdgeKind
    by: Spot
    what: str
    origins: frozenset[Spot]
    detail: tuple[object, ...] = ()
    usual: bool | None = None


COMPLEMENT = "complement"
"""The detail of a probability that was taken from one, which rounds to zero much sooner."""

TURNED = "turned"
"""The detail of a condition that was negated."""

ZEROS = frozenset(
    {EdgeKind.PROBABILITY, EdgeKind.RECTIFIED, EdgeKind.REDUCED, EdgeKind.FLAGS}
    | {EdgeKind.COUNT, EdgeKind.INDICES, EdgeKind.TWIN, EdgeKind.NORM}
)
"""The kinds of which some values are zero."""

_FIXED = frozenset({EdgeKind.FLAGS, EdgeKind.INDICES, EdgeKind.TWIN} | (set(EdgeKind) - ZEROS))
"""The kinds that come about whatever the values are."""


def stored(edge: Edge | None) -> Edge | None:
    """What is left of an edge in a table that is computed once, from nothing but settings.

    Its values are the same in every run: that something is cut off there rarely happens in it.
    """
    return edge if edge is not None and edge.kind in _FIXED else None


def either(one: Edge | None, other: Edge | None) -> Edge | None:
    """The edge of what is one of two, where both are of a kind: what decides either decides it."""
    if one is None or other is None or one == other:
        return one if one == other else None
    alike = one.kind is other.kind and one.detail == other.detail and one.usual is other.usual
    return replace(one, origins=one.origins | other.origins) if alike else None


def tested(machine: Machine, tensor: Tensor | None) -> None:
    """The program looks whether values are at their edge, and will act on it."""
    if tensor is not None and tensor.edge is not None:
        machine.emit(Tested, tensor.edge.by, origins=tensor.edge.origins)


def measured(machine: Machine, value: Value, spot: Spot) -> None:
    """The program asks how many were chosen, which is how often a condition holds."""
    tensor = machine.get(value)
    formula = tensor.formula if isinstance(tensor, Tensor) else None
    chosen_by = formula.chosen_by if formula is not None else None
    if chosen_by is not None:
        asked = machine.trace.conditions
        origins = frozenset(asked[part] for part in chosen_by.parts() if part in asked)
        machine.emit(Tested, spot, origins=origins)


def replaced(machine: Machine, value: Value) -> None:
    """Chosen values of what was computed get others: those at the edge may be among them."""
    mended(machine, [value])
    tensor = machine.get(value)
    if isinstance(tensor, Tensor) and tensor.node is not None and tensor.node.spot is not None:
        machine.emit(Tested, tensor.node.spot, origins=frozenset({tensor.node.spot}))


def mended(machine: Machine, values: Iterable[Value], by: EdgeKind | None = None) -> None:
    """What is infinite among some values is replaced, or may be; only what a kind has made so."""
    for value in values:
        tensor = machine.get(value)
        if isinstance(tensor, Tensor) and tensor.edge is not None:
            edge = tensor.edge
            if edge.kind is EdgeKind.INFINITE and (by is None or by in edge.detail):
                tested(machine, tensor)


def counted(edge: Edge) -> tuple[object, ...]:
    """The origins of each part of a sum of counts, all of which are zero where it is."""
    return () if TURNED in edge.detail else edge.detail or (edge.origins,)


def written(machine: Machine, index: Value, value: Value) -> None:
    """Chosen values are set to a quotient: to none, where the divisor counts those chosen."""
    mask, quotient = machine.get(index), machine.get(value)
    if not (isinstance(mask, Tensor) and isinstance(quotient, Tensor)):
        return
    if mask.edge is None or mask.formula is None or quotient.edge is None:
        return
    # It is the condition itself, not its negation.
    condition = frozenset({machine.trace.conditions.get(mask.formula)})
    by = quotient.edge.by
    counts = any(
        divided.spot == by
        and divided.edge.kind is EdgeKind.COUNT
        and condition in counted(divided.edge)
        for divided in machine.trace.of(Quotient)
    )
    if counts and mask.edge.origins == condition:
        machine.emit(Tested, by, origins=frozenset({by}))


def made(name: str, kind: EdgeKind, spot: Spot, *detail: object) -> Edge:
    """The edge that an operation brings about."""
    return Edge(kind, spot, name, frozenset({spot}), detail)
