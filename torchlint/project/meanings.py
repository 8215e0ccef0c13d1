"""Meanings: what a name can stand for, and how that is told from all else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project.outline import Definition, Outline

if TYPE_CHECKING:
    from torchlint.project.regions import Region


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the project, by its dotted name in canonical spelling."""

    name: str


@dataclass(frozen=True, slots=True)
class Global:
    """A variable of a module that statements at its top level assign."""

    outline: Outline
    name: str
    regions: tuple[Region, ...]


Meaning = External | Definition | Outline | Global
"""What a name can mean: something external, a function or class, a module, a variable."""


def described(meaning: Meaning | None) -> str:
    """A name for what a name means, that tells it from all else."""
    match meaning:
        case External(name=name):
            return name
        case Definition():
            return f"{meaning.outline.source.path}:{meaning.qualname}"
        case Outline():
            return f"{meaning.source.path}:"
        case Global():
            return f"{meaning.outline.source.path}:{meaning.name}="
    return ""
