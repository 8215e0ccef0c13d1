"""Takers: what those who call a module do with what its forward has squeezed.

They run on their own, where all of them are known. What all of them put into other dimensions at
once has lost nothing, and what comes out the same with all of them makes no difference.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from torchlint.interpreter.events.shapes import RankUsed, Resized, Squeezed, SqueezedReturned
from torchlint.interpreter.values import Spot
from torchlint.project.holders import Holders
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.trace import Trace
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline

    Interpret = Callable[[Outline, Definition, tuple[str, ...]], Machine]
    """Runs a function, or these methods of a class."""

_DEEPEST = 3
"""Through so many modules that only hand it on something is followed."""

_MOST = 6
"""So many callers are looked at."""


class _Fate(IntEnum):
    """What becomes of something with those who get it, the worst last."""

    RESIZED = 0
    EVEN = 1
    LOST = 2


def note(machine: Machine, cls: Definition | None, interpret: Interpret) -> None:
    """Note what those who call a module do with what its forward has squeezed for them."""
    if cls is None or not machine.trace.forward:
        return
    out = [event for event in _handed_out(machine.trace) if not _is_settled(machine.trace, event)]
    fate = _with_all(machine.index, cls, interpret, _DEEPEST) if out else _Fate.LOST
    for event in out:
        if fate is _Fate.RESIZED:
            machine.emit(Resized, event.spot, squeezed=event.squeezed)
        elif fate is _Fate.EVEN:
            machine.emit(RankUsed, event.spot, squeezed=event.squeezed, even=True)


def _handed_out(trace: Trace) -> list[SqueezedReturned]:
    """What leaves a forward with a batch of its own dropped."""
    batches = {event.spot for event in trace.of(Squeezed)}
    return [event for event in trace.of(SqueezedReturned) if event.squeezed in batches]


def _is_settled(trace: Trace, out: SqueezedReturned) -> bool:
    """Whether the forward itself has told by now whether anything is lost."""
    return any(each.squeezed == out.squeezed for each in trace.of(Resized)) or any(
        each.squeezed == out.squeezed and not each.even for each in trace.of(RankUsed)
    )


def _with_all(index: Index, cls: Definition, interpret: Interpret, depth: int) -> _Fate:
    """The worst that becomes of what a module gives, with all who call it."""
    callings = Holders.calls(index, cls) if depth else ()
    callers = {calling.caller: None for calling in callings if calling.caller is not None}
    if not 0 < len(callers) <= _MOST:
        return _Fate.LOST
    worst = _Fate.RESIZED
    for caller in callers:
        owner = caller.nested_in if _is_forward(index, caller) else None
        run = (owner, ("forward",)) if owner is not None else (caller, ())
        machine = interpret(caller.outline, *run)
        spots = [Spot(each.region, each.path[0]) for each in callings if each.caller is caller]
        worst = max(worst, *(_here(machine, spot) for spot in spots))
        out = {event.squeezed for event in machine.trace.of(SqueezedReturned)}
        if worst is not _Fate.LOST and not out.isdisjoint(spots):
            further = _with_all(index, owner, interpret, depth - 1) if owner else _Fate.LOST
            worst = max(worst, further)
        if worst is _Fate.LOST:
            break
    return worst


def _is_forward(index: Index, caller: Definition) -> bool:
    owner = caller.nested_in
    return owner is not None and caller.name == "forward" and kinds.is_module(index, owner)


def _here(machine: Machine, spot: Spot) -> _Fate:
    """What becomes of what a call gives in the function that makes it."""
    trace = machine.trace
    uses = [event for event in trace.of(RankUsed) if event.squeezed == spot]
    if any(not event.even for event in uses):
        return _Fate.LOST
    if any(event.squeezed == spot for event in trace.of(Resized)):
        return _Fate.RESIZED
    if any(event.squeezed == spot for event in trace.of(SqueezedReturned)):
        return _Fate.RESIZED
    return _Fate.EVEN if uses else _Fate.LOST
