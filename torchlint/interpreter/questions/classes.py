"""Classes of modules: what they hide, and what is written of them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import CalledWithoutForward, ClassSeen, Hidden
from torchlint.interpreter.values import Spot
from torchlint.torch_api import contracts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method, Site

_MODULE = frozenset({"torch.nn.Module"})


def hidden(trace: Trace) -> Iterator[Hidden]:
    """What modules hide in plain collections, each collection once."""
    seen = set()
    for event in trace.of(Hidden):
        if event.spot not in seen:
            seen.add(event.spot)
            yield event


def at(site: Site) -> Spot:
    """The spot of a node as ``ast`` has it."""
    return Spot(site.region, site.region.node_at(site.place))


def heading(method: Method) -> Spot:
    """The spot of the name of a method where it is defined."""
    region = method.definition.region
    return Spot(region, getattr(region.statement, "name", region.whole))


def misnamed_forwards(trace: Trace) -> Iterator[Method]:
    """Methods that were meant to be the forward of a module without one, to go by their names."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        if seen.kind == "module" and _has_no_forward(family):
            for name in family.definition.members:
                method = family.own(name)
                if method is not None and _is_near_forward(name) and not _is_used(family, name):
                    yield method
                    break


def lacks_forward(family: Family) -> bool:
    """Whether objects of a module class cannot be called, for all that is written anywhere."""
    return _has_no_forward(family) and "forward" not in family.written and not family.is_open


def _has_no_forward(family: Family) -> bool:
    names = ("forward", "__call__", "_call_impl")
    if family.externals != _MODULE or any(map(family.has_member, names)) or family.is_magic:
        return False
    if family.definition.name.endswith("Mixin") or "forward" in family.written:
        return False
    return not any("forward" in below.members for below in family.descendants)


def _is_near_forward(name: str) -> bool:
    """Whether a name is that of ``forward`` with a slip, or with underscores around it."""
    plain = name.lower().strip("_")
    if plain == "forward":
        return True
    alike = difflib.SequenceMatcher(None, plain, "forward").ratio() >= 12 / 14
    return alike and 6 <= len(plain) <= 8 and not plain[-1].isdigit()


def _is_used(family: Family, name: str) -> bool:
    """Whether anything calls a method by its name, of ``self`` or of something else."""
    related = (*family.lineage, *family.descendants)
    return bool(family.reads(name, related)) or family.is_named_elsewhere(name)


def calls_without_forward(trace: Trace) -> Iterator[CalledWithoutForward]:
    """Calls of modules that have no forward, nor anything that was meant to be it."""
    for event in trace.of(CalledWithoutForward):
        if lacks_forward(event.family) and not any(
            _is_near_forward(name) for name in event.family.definition.members
        ):
            yield event


_GIVING = {"module": "forward", "dataset": "__getitem__"}


def resultless(trace: Trace) -> Iterator[tuple[Method, bool]]:
    """Forwards and ``__getitem__`` that may end without giving what they have computed.

    With each goes whether it gives a value on some other way.
    """
    for seen in trace.of(ClassSeen):
        method = seen.family.own(_GIVING.get(seen.kind, ""))
        if method is None or not method.decorators <= contracts.PLAIN_DECORATORS:
            continue
        if method.drops_its_result:
            yield method, "return" in method.definition.region.text


def overridden(trace: Trace) -> Iterator[tuple[Method, str]]:
    """Methods of ``nn.Module`` that a class redefines so that a usual call of them fails.

    With each goes the call.
    """
    for seen in trace.of(ClassSeen):
        for name in seen.family.definition.members if seen.kind == "module" else ():
            calls = contracts.CALLS.get(name)
            method = seen.family.own(name) if calls else None
            if (
                calls is None
                or method is None
                or not method.decorators <= contracts.PLAIN_DECORATORS
            ):
                continue
            for call in calls:
                # An ``eval`` of its own calls ``train`` as it likes.
                excused = name == "train" and call.count and seen.family.has_member("eval")
                if not excused and not method.accepts(call.count, *call.keywords):
                    yield method, call.why
                    break
            else:
                if contracts.is_other(method):
                    yield method, contracts.OTHER
