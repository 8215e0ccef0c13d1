"""Importing: whether any file of a project takes something from another one."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from torchlint.project.texts import any_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition

_PIPELINE = r"\b(?:Compose|RandomApply|RandomChoice|RandomOrder)\("
"""What torchvision calls what applies transforms of data one after the other, or some of them."""

_MAKING = r"\b(?:ToTensor|PILToTensor|Normalize)\("
"""Transforms that give a tensor of their own, whatever they are given."""


def is_imported(index: Index, cls: Definition) -> bool:
    """Whether a file that imports the one of a class names it, or a class there that speaks of it.

    What is imported is a file, or the package whose ``__init__`` it is.
    """
    outline = cls.outline
    path = PurePath(outline.source.path)
    name = path.parent.name if path.stem == "__init__" else path.stem
    if not name.isidentifier():
        return False
    speaks = Pattern(rf"\b{cls.name}\b")
    users = [
        each.name
        for each in outline.definitions
        if each.is_class and speaks.search(each.region.text)
    ]
    place = rf"\b{name}\b"
    imports = rf"^[ \t]*(?:from[ \t]+\S*{place}|(?:from[ \t]+\S+[ \t]+)?import\b[^\n]*{place})"
    return index.says(outline, any_of([name]), imports, rf"\b(?:{'|'.join(users)})\b")


def is_of_pipelines(index: Index, cls: Definition) -> bool:
    """Whether a class is built as one of several transforms of data, and nowhere else."""
    outline, built = cls.outline, rf"(?<!class ){cls.name}\("
    if not index.says(outline, cls.name, rf"{_PIPELINE}[^\n]*\b{built}"):
        return False
    return not index.says(outline, cls.name, rf"^(?![^\n]*{_PIPELINE})[^\n]*\b{built}")


def is_behind_a_maker(index: Index, cls: Definition) -> bool:
    """Whether a class is built as a transform of data, always behind one that makes its tensor."""
    outline, built = cls.outline, rf"(?<!class ){cls.name}\("
    if not index.says(outline, cls.name, rf"{_MAKING}[^\n]*[\[,] ?{built}"):
        return False
    return not index.says(
        outline, cls.name, rf"^(?![^\n]*{_MAKING}[^\n]*[\[,] ?{built})[^\n]*\b{built}"
    )
