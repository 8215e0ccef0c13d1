"""Containers that hold layers and apply none, which are called as if they were a Sequential."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen
from torchlint.interpreter.values import Spot
from torchlint.project.index import External
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Write

_HOLDERS = frozenset({"torch.nn.ModuleList", "torch.nn.ModuleDict"})
_KEPT = Pattern(
    r"\bself\.(\w+)[ \t]*(?::[^=\n]*)?=[ \t]*(?:torch\.)?(?:nn\.)?Module(?:List|Dict)\("
)


def called_holders(trace: Trace) -> Iterator[tuple[Spot, Write]]:
    """Calls in a forward of what is a list or a dict of layers, with where it is made."""
    for seen in trace.of(ClassSeen):
        family, text = seen.family, seen.family.definition.region.text
        called = [each for each in dict.fromkeys(_KEPT.findall(text)) if f"self.{each}(" in text]
        if not called or seen.kind != "module" or family.is_open:
            continue
        for name in called:
            made = _holder(family, name)
            if made is not None:
                yield from ((spot, made) for spot in _calls(family, name))


def _holder(family: Family, name: str) -> Write | None:
    """Where an attribute is given what it surely is: such a container, whichever of several.

    A method of this name is found before it.
    """
    writes = family.writes(name, (*family.lineage, *family.descendants))
    changes = family.may_change(name) or family.has_member(name)
    if changes or not all(_holds(family, write) for write in writes):
        return None
    return next(iter(writes), None)


def _holds(family: Family, write: Write) -> bool:
    meaning = family.index.meaning(write.spot.region.outline, write.called)
    return isinstance(meaning, External) and meaning.name in _HOLDERS


def _calls(family: Family, name: str) -> Iterator[Spot]:
    forward = family.own("forward")
    if forward is None:
        return
    for node in ast.walk(forward.node):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr=attr)):
                if attr == name and of == forward.receiver:
                    yield Spot(forward.definition.region, node)
