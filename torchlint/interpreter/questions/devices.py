"""Devices and types: what is moved and not kept, and what meets on two devices or in two types."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.interpreter import batches, facts, syntax, tensors
from torchlint.interpreter.events.devices import (
    ArrayShared,
    ArrayTaken,
    Combined,
    CopyConstructed,
    Fed,
    LeftBehind,
    Meeting,
    Mismatch,
    StaysBehind,
    Typeless,
    TypesMeet,
    Widened,
)
from torchlint.interpreter.events.lost import Dropped
from torchlint.project import around
from torchlint.project.dropped import MOVES, OF_TENSORS, RESULTS
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Device, Spot
    from torchlint.project.classes import Family


def dropped_moves(trace: Trace) -> Iterator[tuple[Dropped, bool]]:
    """Moves of tensors whose result is dropped, and whether what is moved is one for certain."""
    for event in trace.of(Dropped):
        tensor = event.tensor
        if event.name not in MOVES or (tensor is None and event.address not in trace.taken):
            continue
        # A batch of the project's own may well move where it is.
        if tensor is None or not batches.is_of_its_own_kind(tensor):
            yield event, tensor is not None and not tensors.is_opaque(tensor)


def dropped_results(trace: Trace) -> Iterator[tuple[Dropped, bool]]:
    """Results of methods that change nothing, dropped, and whether they are surely a tensor's."""
    for event in trace.of(Dropped):
        tensor = event.tensor
        sure = event.written or (
            tensor is not None
            and not (tensors.is_opaque(tensor) or facts.is_like_the_unseen(tensor.node))
        )
        alone = event.name in OF_TENSORS or _counts_dimensions(event.spot.node, event.name)
        if alone or (event.name in RESULTS and sure):
            yield event, sure


def _counts_dimensions(node: ast.AST, method: str) -> bool:
    """Whether a call says sizes or places of dimensions as none but one of a tensor does."""
    if not isinstance(node, ast.Call) or node.keywords:
        return False
    numbers = [syntax.whole_number(given) for given in node.args]
    if method == "transpose":
        return len(numbers) == 2 and None not in numbers
    return method in {"view", "expand"} and -1 in numbers


def copied(trace: Trace) -> Iterator[tuple[CopyConstructed, bool]]:
    """Tensors that are made of tensors, and whether those are surely some, not only said to be."""
    arrays = {node for shared in trace.of(ArrayShared) for node in shared.said}
    for event in trace.of(CopyConstructed):
        if arrays.isdisjoint(event.said):
            yield event, not event.said


def meetings(trace: Trace) -> Iterator[tuple[Meeting, bool]]:
    """Tensors made without a device that meet others, and whether those are likely elsewhere.

    Where what comes of it is moved in the same breath, all is on the CPU until then.
    """
    for meeting in trace.of(Meeting):
        known = meeting.other.spot is not None
        yield meeting, meeting.moves and (known or not _is_moved_on(meeting.spot))


def _is_moved_on(met: Spot) -> bool:
    """Whether what is computed is moved by the same statement, or by the next one by its name."""
    for inner, outer in pairwise(reversed(around.path(met.region, met.node))):
        match outer:
            case ast.Call(func=ast.Attribute(attr="to" | "cuda") as moved) if moved is inner:
                given = ", ".join(map(ast.unparse, [*outer.args, *outer.keywords]))
                if _MOVED.match(f".{moved.attr}({given})"):
                    return True
            case ast.Assign(targets=[ast.Name(id=name)]):
                return bool(re.match(rf"{name} = {name}\b.*{_MOVED.pattern}", _next(met, outer)))
    return False


def _next(met: Spot, statement: ast.stmt) -> str:
    """The statement that follows on one, in the same block."""
    body = getattr(met.region.parents.get(statement), "body", [])
    at = body.index(statement) + 1 if statement in body else len(body)
    return ast.unparse(body[at]) if at < len(body) else ""


def mismatches(trace: Trace) -> Iterator[tuple[Spot, Mismatch]]:
    """Where what was moved meets what was not: at the call of the model that was given either.

    The first of them ends the program, so that of each thing left behind one is told.
    """
    calls = {id(met): event for event in trace.of(Fed) for met in event.met}
    told: set[Device] = set()
    for met in trace.of(Mismatch):
        call = calls.get(id(met))
        first = met if call is None else call.met[0]
        if first is met and met.here not in told:
            yield met.spot if call is None else call.spot, met
        told.add(met.here)


def types_that_meet(trace: Trace) -> Iterator[tuple[TypesMeet, Spot | None]]:
    """Tensors that meet what is of another type, and where NumPy's type came in, if it did."""
    taken = trace.of(ArrayTaken)
    for meeting in trace.of(TypesMeet):
        from_ = (array.spot for array in taken if array.storages & meeting.storages)
        yield meeting, next(from_, None) if meeting.given == "float64" else None


_MOVED = Pattern(r"\.(?:cuda\(|to\([^()]*(?:device|cuda|gpu))", re.IGNORECASE)
"""How something is moved to a device."""

_MOVING = frozenset({"_apply", "to", "cuda", "cpu"})

_WHERE = ("device", "type()", "is_cuda")
"""What tells where a tensor is; its type is named after that too."""

_SAME_SHAPE = Pattern(r"\.(?:shape|size\(\)) *[!=]= *\w[\w.]*\.(?:shape\b|size\(\))")
"""A test whether two tensors have the same shape."""


def left_behind(trace: Trace) -> Iterator[tuple[StaysBehind, LeftBehind]]:
    """Plain tensors of modules, each with a place where it meets one that lives elsewhere.

    Classes that see to it when they are moved are left out.
    """
    kept_at = {kept.spot: kept for kept in trace.of(StaysBehind)}
    for meeting in trace.of(LeftBehind):
        kept = kept_at.pop(meeting.factory, None)
        if kept is None or any(map(kept.family.has_member, _MOVING)):
            continue
        family = kept.family
        is_buffer = any(write.how for write in family.writes(kept.name))
        if any(family.asks_for(f"{kept.name}.{where}") for where in _WHERE):
            continue
        if not (kept.begun or family.is_begun):
            continue
        if _is_of_an_earlier_call(family, kept.name, meeting.spot):
            continue
        if _meets_its_like(family, kept.name, meeting.spot):
            continue
        if not is_buffer and not family.is_magic and not family.may_change(kept.name):
            yield kept, meeting


def _is_of_an_earlier_call(family: Family, name: str, met: Spot) -> bool:
    """Whether what meets others may come of a branch above, which an earlier call has taken."""
    line = getattr(met.node, "lineno", 0)
    writes = [write for write in family.writes(name) if write.spot.region is met.region]
    return any(getattr(write.spot.node, "lineno", line) < line for write in writes)


def _meets_its_like(family: Family, name: str, met: Spot) -> bool:
    """Whether something else is put there later, and it meets others behind a test of shapes.

    What stands there at first is to be of no shape that comes in.
    """
    writes = [write for write in family.writes(name) if write.method != "__init__"]
    if not writes:
        return False
    above = met.region.outline.lines(met.region.first, met.region.place(met.node).line)
    return bool(_SAME_SHAPE.search(above))


def widened(trace: Trace) -> Iterator[tuple[Widened, Spot, bool]]:
    """Factories whose type does not follow the module's, and where they first meet what does.

    And whether what they are told to be with is known to be of floats. Where torch refuses them is
    told rather than that they are returned.
    """
    floats = {event.spot: event.floats for event in trace.of(Typeless)}
    met = {event.factory: event.spot for event in reversed(trace.of(Combined))}
    told: set[Spot] = set()
    for event in sorted(trace.of(Widened), key=lambda one: one.returned):
        if event.factory not in told:
            told.add(event.factory)
            where = met.get(event.factory, event.spot)
            yield event, where, floats.get(event.factory, False)
