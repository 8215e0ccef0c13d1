"""The agenda: all units, in an order in which none is interpreted that an earlier one has led to.

Files come first, then functions that no file leads to, then, file by file, classes and what is
looked at without being run: what a file names, and its classes as they are written.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING

from torchlint.analysis.units import Written
from torchlint.interpreter.roots import Root
from torchlint.project.classwords import CARRYING
from torchlint.project.outline import Outline
from torchlint.project.selection import led_to, methods_of, select
from torchlint.project.sought import Sought
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchlint.analysis.units import Outcome, Unit
    from torchlint.project.index import Index, Meaning
    from torchlint.project.outline import Definition
    from torchlint.project.selection import Selection
    from torchlint.registry import Rule


class Agenda:
    """The units, and which of them are still due."""

    def __init__(self, index: Index, units: Sequence[Unit]) -> None:
        self.units = units
        self._index = index
        self._entered: set[Definition] = set()

    def is_due(self, number: int) -> bool:
        """Whether nothing has led to this unit so far."""
        unit = self.units[number]
        if isinstance(unit, Written) or unit.definition is None:
            return True
        if unit.definition in self._entered or self._is_read(unit.definition, unit):
            return False
        return not self._is_built(unit.definition, unit)

    def note(self, outcome: Outcome) -> None:
        """Hear what a unit has led to."""
        self._entered.update(outcome.entered)

    def _is_built(self, definition: Definition, root: Root) -> bool:
        """Whether an object was made of a class of which nothing but the constructor is run."""
        if not definition.is_class or root.methods or kinds.is_module(self._index, definition):
            return False
        return self._index.member(definition, "__init__") in self._entered

    def _is_read(self, definition: Definition, root: Root) -> bool:
        """Whether a Dataset was built and read from, with what it is handed there."""
        if not kinds.is_dataset(self._index, definition):
            return False
        methods = [self._index.member(definition, name) for name in ("__init__", *root.methods)]
        return all(method is None or method in self._entered for method in methods)


def planned(
    index: Index, outlines: list[Outline], others: list[Outline], rules: list[Rule]
) -> Agenda:
    """The units where the rules may find something.

    ``others`` are files that do not speak of torch: only the helpers in them can matter.
    """
    telling = {outline: None for outline in outlines if _tells(index, outline)}
    is_module = functools.partial(kinds.is_module, index)
    selection = select(index, outlines, others, rules, is_module)
    starts = [root for root in _starts(index, selection) if root.outline in telling]
    classes = [root for root in _classes(index, selection) if root.outline in telling]
    readings = list(_readings(index, telling, rules))
    for outline in (*outlines, *others):
        outline.forget_words()
    written = [Written(outline) for outline in telling] if any(r.classes for r in rules) else []
    return Agenda(index, [*starts, *_file_by_file([*classes, *readings, *written], telling)])


def _file_by_file(units: list[Unit], outlines: Iterable[Outline]) -> list[Unit]:
    """The units of each file together, so that it is parsed once for them."""
    places = {outline: place for place, outline in enumerate(outlines)}
    return sorted(units, key=lambda unit: places[unit.outline])


def _tells(index: Index, outline: Outline) -> bool:
    """Whether a file can tell of one that is reported: it is one, or takes a name from one."""
    if outline.source.reported:
        return True
    named = (index.binding(outline, name) for name in outline.bindings)
    modules = (index.module(outline, star.module, star.level) for star in outline.stars)
    return any(_is_reported(meaning) for meaning in (*named, *modules))


def _is_reported(meaning: Meaning | None) -> bool:
    outline = meaning if isinstance(meaning, Outline) else getattr(meaning, "outline", None)
    return outline is not None and outline.source.reported


def _starts(index: Index, selection: Selection) -> list[Root]:
    """The files, and the functions that are no class's business."""
    modules = [Root(outline) for outline in selection.modules]
    functions = []
    for definition in selection.functions:
        owner = definition.nested_in
        is_forward = (
            owner is not None
            and definition.name in {"forward", "__init__"}
            and kinds.is_module(index, owner)
        )
        if not is_forward and definition.name != "__init__":
            alone = definition in selection.alone
            functions.append(Root(definition.outline, definition, alone=alone))
    # Callers come before what they call, so that callees are seen with what they are handed.
    return modules + _callers_first(functions)


def _classes(index: Index, selection: Selection) -> Iterator[Root]:
    """The classes whose methods run on an object that is built for it."""
    # A constructor runs wherever an object is needed: one that is to be looked at brings its class.
    constructors = [item.nested_in for item in selection.functions if item.name == "__init__"]
    built = [item for item in constructors if item is not None and kinds.is_module(index, item)]
    for definition in dict.fromkeys([*selection.classes, *built]):
        methods = _methods(index, definition)
        if methods is not None and _brings(index, definition, methods):
            yield Root(definition.outline, definition, methods)
    run = {item.nested_in for item in selection.functions if item.name != "__init__"}
    for item in constructors:
        # Whoever makes an object is out of sight, and no method of it is run that needs one.
        if item is not None and item not in run and index.externals(item) <= {"object"}:
            yield Root(item.outline, item)


def _methods(index: Index, definition: Definition) -> tuple[str, ...] | None:
    """What is run of the objects of a class; None where there is nothing to look at."""
    if kinds.is_dataset(index, definition):
        return "__getitem__", "__iter__"
    if kinds.is_function(index, definition):
        return "forward", "backward"
    return _forwards(index, definition) if kinds.is_module(index, definition) else None


def _brings(index: Index, definition: Definition, methods: Iterable[str]) -> bool:
    """Whether a class has a part in what is run of it: else all is seen of its bases."""
    if not methods:
        return "__init__" in definition.members
    led = list(led_to(methods_of(index, definition), ["__init__", *methods]))
    named = frozenset[str]().union(*(each.outline.own_names_of(each.region) for each in led))
    return any(each.nested_in is definition for each in led) or not named.isdisjoint(
        definition.assignments
    )


def _forwards(index: Index, definition: Definition) -> tuple[str, ...]:
    """The forward of a class, if it has one: twice where a call meets what the last has left."""
    if not index.member(definition, "forward"):
        return ()
    methods = definition.members.values()
    again = any(CARRYING in definition.outline.words_of(method.region) for method in methods)
    return ("forward", "forward") if again else ("forward",)


def _readings(index: Index, outlines: Iterable[Outline], rules: Iterable[Rule]) -> Iterator[Root]:
    """The files that may use one of the names that rules look for."""
    names = {name for rule in rules for name in rule.names()}
    if index.texts.are_deterministic:
        names.update(name for rule in rules for name in rule.demanding())
    sought = Sought(names, index.texts)
    for outline in outlines:
        if sought.may_be_in(outline):
            yield Root(outline, sought=sought)


def _callers_first(roots: list[Root]) -> list[Root]:
    """Functions behind all that mention them.

    Where some mention each other, those come first that few do, as few mention what calls the rest.
    """
    named = [(root, root.definition) for root in roots if root.definition is not None]
    names = {definition.name for _, definition in named}
    methods = {definition.name for _, definition in named if definition.nested_in is not None}
    mentioning: dict[str, list[int]] = {name: [] for name in names}
    for at, (root, definition) in enumerate(named):
        words = root.outline.words_of(definition.region) & names
        strangers = words & _OF_MODULES - methods
        meant = {name for name in strangers if _is_meant(definition, name)}
        for name in (words - strangers - {definition.name}) | meant:
            mentioning[name].append(at)
    callers = [mentioning[definition.name] for _, definition in named]
    pending = sorted(range(len(named)), key=lambda at: len(callers[at]))[::-1]
    seen: set[int] = set()
    order: dict[int, Root] = {}
    while pending:
        at = pending.pop()
        if at in seen:
            order.setdefault(at, named[at][0])
            continue
        seen.add(at)
        pending += [at, *(caller for caller in reversed(callers[at]) if caller not in seen)]
    return list(order.values())


_OF_MODULES = frozenset({"train", "eval"})
"""Functions that are called as methods of any module are: `model.train()` mentions none of them."""


def _is_meant(definition: Definition, name: str) -> bool:
    """Whether a function speaks of another one by its name, and not of what an object has."""
    if definition.name == name:
        return False
    bases = re.findall(rf"(?:\b(\w+)\.|(?<![\w.])){name}\b", definition.region.code)
    return any(not base or base in definition.outline.bindings for base in bases)
