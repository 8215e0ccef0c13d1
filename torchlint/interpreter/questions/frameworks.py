"""What frameworks own of a training loop, and is done past them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen, Unexpected
from torchlint.interpreter.events.frameworks import ManagedBackward, Prepared
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.values import Spot
from torchlint.project import samplers
from torchlint.torch_api import kinds, removed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.methods import Method, Write


def unmanaged_backwards(trace: Trace) -> Iterator[tuple[Backward, Prepared]]:
    """Backwards into modules that Accelerate has prepared, and that it does not get to see."""
    managed = {event.spot for event in trace.of(ManagedBackward)}
    for backward in trace.of(Backward):
        reached = owners_of(backward.node)[0] if backward.spot not in managed else frozenset()
        for prepared in trace.of(Prepared):
            if not reached.isdisjoint(prepared.objects):
                yield backward, prepared
                break


def dropped(trace: Trace) -> Iterator[Prepared]:
    """Preparations whose result nobody takes."""
    discarded = {event.spot for event in trace.of(Discarded)}
    return (prepared for prepared in trace.of(Prepared) if prepared.spot in discarded)


def refused_writes(trace: Trace) -> Iterator[tuple[Write, str]]:
    """Assignments to what Lightning's modules let nobody set any more, and since when."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        index, definition = family.index, family.definition
        if not kinds.is_lightning(index, definition) or "?" in family.externals or family.is_magic:
            continue
        releases = index.releases(definition.outline, "pytorch_lightning")
        for name, (release, _) in removed.READ_ONLY.items():
            if releases.reach(release) and not family.has_member(name):
                writes = family.writes(name, (definition,))
                yield from ((write, release) for write in writes if not write.how)


def untold(trace: Trace) -> Iterator[tuple[Method, str, str]]:
    """Methods that wait for an argument which Lightning does not hand them, and since when.

    A step of the training may not even take it.
    """
    for seen in trace.of(ClassSeen):
        family = seen.family
        definition = family.definition
        if not kinds.is_lightning(family.index, definition) or "?" in family.externals:
            continue
        releases = family.index.releases(definition.outline, "pytorch_lightning")
        for argument, (release, hooks) in removed.UNTOLD.items():
            for name in sorted(hooks & definition.members.keys()):
                method = family.own(name)
                if method is None or not releases.reach(release):
                    continue
                if argument in (method.taken if name == "training_step" else method.needed):
                    yield method, argument, release


def sources_handed_up(trace: Trace) -> Iterator[Spot]:
    """Where samplers hand something to the constructor of torch's, which takes nothing now."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        constructor = family.own("__init__") if seen.kind == "sampler" else None
        if constructor is None or len(family.lineage) > 1 or family.externals != {kinds.SAMPLER}:
            continue
        if trace.releases.reach(removed.SAMPLES_NOTHING):
            region = constructor.definition.region
            yield from (Spot(region, call) for call in samplers.handed_up(constructor.node))


def unexpected(trace: Trace) -> Iterator[Unexpected]:
    """Parts of torch's modules that do not take what a release that is supported hands them."""
    return (each for each in trace.of(Unexpected) if trace.releases.reach(each.since))
