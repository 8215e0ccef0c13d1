"""What is sought: names of an API, the files that may mention one, and the lines that may.

A name is told by how it is written: as ``.name`` or behind ``import``, in a file that spells all
parts of it somewhere. ``module.getattr`` is ``getattr(module, …)``.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.project import private
from torchlint.project.index import External
from torchlint.project.outline import Import
from torchlint.project.skimming import lines_with, places_of, word_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Outline
    from torchlint.project.texts import Texts
    from torchlint.sources.packing import Packed

_FROM_TORCH = Pattern(r"from[ \t]+(torch[\w.]*)[ \t]+import[ \t]*(\([^)]*|[^#\n]*)")
_ATTRIBUTE = Pattern(r"\.([^\W\d]\w*)")
_IMPORTED = Pattern(r"import\b\s*\(?([\w\s,]*)")
_NAME = Pattern(r"\w+")
_UNDERSCORE = Pattern(r"\._(?!_)\w*")
_DOTTED_END = Pattern(r"[\w.]+$")
_LONGEST = 80
_ANNOTATED = Pattern(
    r"[ \t]*+(?!(?:else|finally|lambda|try)\b)\w++[ \t]*:[\w.\[\], |]*(?:=[ \t]*None)?,?[ \t]*"
    r"(?:#.*)?\n?"
)
"""A line with nothing but a parameter and what is written of it for readers and type checkers.

A key and a value of a dictionary may look the same, where both are names.
"""

_UNSAID = frozenset({"", "torch"})
_PRIVATE = Pattern(rf"{word_of('_')}(?<!\bself\._)(?!_)\w")
_RENAMED = Pattern(r"\b(\w+)\s+as\s+(\w+)")


class Sought:
    """The names to look for: full ones, methods as ``.name``, and all of torch's private ones.

    A call that is sought for an argument which it is given by keyword is ``name(argument)``.
    """

    def __init__(self, names: Iterable[str], texts: Texts) -> None:
        self.names = frozenset(names)
        self.arguments = frozenset(map(_told, self.names)) - {""}
        self.private = private.EVERY in self.names
        self._spelled: defaultdict[Packed, list[str]] = defaultdict(list)
        self._known: dict[Outline, list[str]] = {}
        ends = _by_end(self.names)
        for end in texts.concordance.words & ends.keys():
            for name in ends[end]:
                for text in texts.with_all(_parts(name)):
                    self._spelled[text].append(name)

    def may_be_in(self, outline: Outline) -> bool:
        """Whether a file may mention one."""
        return bool(self._within(outline)) or (self.private and _may_be_private(outline))

    def _within(self, outline: Outline) -> list[str]:
        """The names that a file spells all parts of, and the last as an attribute or import."""
        known = self._known.get(outline)
        if known is None:
            spelled = self._spelled.get(outline.source.packed, [])
            reached = _reached(outline.text) if spelled else set()
            known = self._known[outline] = [name for name in spelled if _last(name) in reached]
        return known

    def lines(self, index: Index, outline: Outline) -> list[int]:
        """The lines of a file where it may mention one, in order."""
        within = self._within(outline)
        marks = {_told(name) or _last(name) for name in within} | set(self._bound(index, outline))
        text = outline.text
        if within:
            named = {_last(name) for name in within}
            lines = lines_with(text, (" as ",))
            renamed = (pair for line in lines for pair in _RENAMED.findall(text, *line))
            marks.update(new for old, new in renamed if old in named)
        found = [start for mark in marks for start in places_of(mark, text)]
        if self.private and _may_be_private(outline):
            found += (each.start() for each in _PRIVATE.finditer(text))
        numbers = dict.fromkeys(map(outline.line_at, sorted(found)))
        return [line for line in numbers if not _ANNOTATED.fullmatch(outline.lines(line, line))]

    def _bound(self, index: Index, outline: Outline) -> Iterator[str]:
        """What a file calls the names that it gets from another one."""
        for name, bound in outline.bindings.items():
            if isinstance(bound, Import):
                found = index.binding(outline, name)
                if isinstance(found, External) and found.name in self.names:
                    yield name


@lru_cache(maxsize=8)  # They are the same for all runs with the same rules.
def _by_end(names: frozenset[str]) -> dict[str, list[str]]:
    """The names by their last parts."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for name in names:
        found[_last(name)].append(name)
    return found


def _parts(name: str) -> frozenset[str]:
    """The words without which a file cannot mention a name."""
    parts = name.partition("(")[0].split(".")
    return frozenset({*parts, _told(name)} - _UNSAID)


def _last(name: str) -> str:
    return name.partition("(")[0].rpartition(".")[2]


def _told(name: str) -> str:
    """What a method has to be told, if that is part of its name."""
    return name.partition("(")[2].strip('")')


def _reached(text: str) -> set[str]:
    """What stands behind a dot in a text, or behind ``import``; and what asks by a name."""
    imported = (name for names in _IMPORTED.findall(text) for name in _NAME.findall(names))
    by_name = {"getattr"} if "getattr(" in text else set()
    return {*_ATTRIBUTE.findall(text), *imported, *by_name}


def _may_be_private(outline: Outline) -> bool:
    """Whether a file spells a private name of torch: in an import, or below what it imports."""
    text = outline.text
    for found in _UNDERSCORE.finditer(text):
        spelled = _DOTTED_END.search(text, max(0, found.start() - _LONGEST), found.end())
        first, _, rest = spelled[0].partition(".") if spelled else ("", "", "")
        bound = outline.bindings.get(first)
        if isinstance(bound, Import):
            first = f"{bound.module}.{bound.attribute}"
        if first.startswith("torch") and private.is_private(f"{first.rstrip('.')}.{rest}"):
            return True
    return any(
        private.is_private(f"{imported[1]}.{name}")
        for imported in _FROM_TORCH.finditer(text)
        for name in re.findall(r"\b_\w+", imported[2])
    )
