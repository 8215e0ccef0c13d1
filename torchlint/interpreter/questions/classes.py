"""Classes of modules: what they hide, and what is written of them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import CalledWithoutForward, ClassSeen, Hidden
from torchlint.interpreter.questions.missing import MODULE
from torchlint.interpreter.values import Spot
from torchlint.project.methods import ADDING
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds, removed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method


def hidden(trace: Trace) -> Iterator[Hidden]:
    """What modules hide in plain collections, each collection once."""
    seen = set()
    for event in trace.of(Hidden):
        if event.spot not in seen:
            seen.add(event.spot)
            if not _is_placeholder(event):
                yield event


def _is_placeholder(hidden: Hidden) -> bool:
    """Whether all that anybody asks of a collection is its length, or what comes in its place."""
    family, name = hidden.family, hidden.name
    methods = list(family.methods((*family.lineage, *family.descendants)))
    reads = [(read, method) for method in methods for read in method.reads if read.name == name]
    asked = [(read, method) for read, method in reads if read.how not in ADDING]
    return (
        bool(asked)
        and all(
            read.how == "len"
            or (method.definition.region is not hidden.spot.region and method.replaces(read))
            for read, method in asked
        )
        and not family.is_reached(name)
    )


def heading(method: Method) -> Spot:
    """The spot of the name of a method where it is defined."""
    region = method.definition.region
    return Spot(region, region.heading())


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


def uncalled_hooks(trace: Trace) -> Iterator[tuple[Method, str]]:
    """Methods of Lightning's modules that its trainer called once, and nothing calls any more."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        if not kinds.is_lightning(family.index, family.definition) or "?" in family.externals:
            continue
        releases = family.index.releases(family.definition.outline, "pytorch_lightning")
        for name, release in removed.hooks().items():
            method = family.own(name) if name in family.definition.members else None
            if method is None or not releases.reach(release):
                continue
            # What Lightning refuses, it refuses whoever else calls it.
            called = name not in removed.REFUSED and _is_used(family, name)
            if not called and _is_asked_for(family, name):
                yield method, release


_RUN = Pattern(r"[tT]rainer|\bLightningCLI\b|\.fit\(")


def _is_asked_for(family: Family, hook: str) -> bool:
    """Whether Lightning comes to ask for a hook: a module without the step is refused for that.

    It asks nothing of a class of a notebook that runs no trainer, since nobody else can import it.
    """
    outline = family.definition.outline
    if not outline.source.is_module and not _RUN.search(outline.text):
        return False
    step = removed.AFTER.get(hook)
    return (
        step is None
        or family.has_member(step)
        or any(step in below.members for below in family.descendants)
    )


def lacks_forward(family: Family) -> bool:
    """Whether objects of a module class cannot be called, for all that is written anywhere."""
    return _has_no_forward(family) and "forward" not in family.written and not family.is_open


def _has_no_forward(family: Family) -> bool:
    names = ("forward", "__call__", "_call_impl")
    if family.externals != MODULE or any(map(family.has_member, names)) or family.is_magic:
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
