"""Selection: which parts of a project the enabled rules can say anything about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region
    from torchlint.registry import Rule

_SHORTEST = 4
"""Names of callees that are shorter are too common to tell who calls whom."""


@dataclass(slots=True)
class Selection:
    """The functions and files to start from.

    ``functions`` use a word of a rule that looks at functions, or call what does; ``classes`` have
    a method that uses a word of any rule; ``modules`` are files whose top level does either.
    """

    functions: list[Definition]
    classes: list[Definition]
    modules: list[Outline]


def select(outlines: Iterable[Outline], rules: Iterable[Rule]) -> Selection:
    """Search every region for the rules' words."""
    rules = list(rules)
    words = frozenset[str]().union(*(rule.words for rule in rules)) if rules else frozenset()
    sought = frozenset[str]().union(*(rule.words for rule in rules if rule.callers))
    units = [unit for outline in outlines for unit in _units(outline)]
    reached = _callers(units, sought)
    functions, classes, modules = [], {}, {}
    for unit in units:
        if unit.definition is None:
            if unit in reached:
                modules[id(unit.outline)] = unit.outline
            continue
        if unit in reached:
            functions.append(unit.definition)
        owner = unit.definition.nested_in
        if owner is not None and (unit in reached or not unit.words.isdisjoint(words)):
            classes[id(owner)] = owner
    return Selection(functions, list(classes.values()), list(modules.values()))


@dataclass(frozen=True, slots=True, eq=False)
class _Unit:
    """A function, or a statement of a file's top level, with the words it uses."""

    outline: Outline
    definition: Definition | None
    words: frozenset[str]

    @property
    def called(self) -> str:
        """The name by which it is called from elsewhere: a method goes by its class."""
        if self.definition is None:
            return ""
        owner = self.definition.nested_in
        return owner.name if owner is not None else self.definition.name


def _units(outline: Outline) -> Iterable[_Unit]:
    for definition in outline.definitions:
        if not definition.is_class:
            yield _Unit(outline, definition, outline.words_of(definition.region))
    for region in outline.statements:
        if _matters(region):
            yield _Unit(outline, None, outline.words_of(region))


def _matters(region: Region) -> bool:
    """Whether a top-level statement is more than a docstring."""
    return not region.text.lstrip().startswith(('"', "'", "r'", 'r"'))


def _callers(units: list[_Unit], words: frozenset[str]) -> set[_Unit]:
    """The units that use one of the words, and what calls them from outside of methods."""
    reached = {unit for unit in units if not unit.words.isdisjoint(words)}
    names = {unit.called for unit in reached}
    while True:
        names = {name for name in names if len(name) >= _SHORTEST}
        fresh = {
            unit
            for unit in units
            if unit not in reached
            and (unit.definition is None or unit.definition.nested_in is None)
            and not unit.words.isdisjoint(names)
        }
        if not fresh:
            return reached
        reached |= fresh
        names = {unit.called for unit in fresh}
