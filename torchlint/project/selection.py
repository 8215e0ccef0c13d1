"""Selection: which parts of a project the rules can say anything about."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project.index import External
from torchlint.project.sizewords import SIZED_LAYER, built_with
from torchlint.project.words import INPLACE
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region
    from torchlint.registry import Rule

_HEAD = Pattern(r"^[ \t]*(?:async[ \t]+)?def[ \t]", re.MULTILINE)
_SHORTEST = 4
"""Names of callees that are shorter are too common to tell who calls whom."""


@dataclass(slots=True)
class Selection:
    """The functions and files to start from.

    ``functions`` use a word of a rule that looks at functions, or call what does, ``classes`` have
    a method that uses a word of any rule, and ``modules`` are files whose top level does either.
    ``alone`` are those of the functions in which no rule wants to see what callers hand over.
    """

    functions: list[Definition]
    classes: list[Definition]
    modules: list[Outline]
    alone: frozenset[Definition]


def select(
    index: Index,
    outlines: Iterable[Outline],
    others: Iterable[Outline],
    rules: Iterable[Rule],
    is_module: Callable[[Definition], bool],
) -> Selection:
    """Search every region for the rules' words.

    ``others`` are files that do not speak of torch: only the helpers in them can matter.
    """
    rules = list(rules)
    sought = _all(rule.callers for rule in rules)
    alone, own = _all(rule.alone for rule in rules), _all(rule.own for rule in rules)
    direct = alone | _all(rule.words for rule in rules if rule.callers)
    words = alone | own | _all(rule.words for rule in rules)
    inside = _all(rule.inside for rule in rules)
    outlines, others = list(outlines), list(others)
    sized = _sized(outlines) if SIZED_LAYER in inside else frozenset[str]()
    vocabulary = words | inside | sized | _names([*outlines, *others])
    for outline in (*outlines, *others):
        outline.expect(vocabulary)
    units = [unit for outline in outlines for unit in _units(outline)]
    called = _callers(units, sought)
    reached = called | _direct(units, direct)
    reached |= {unit for unit in units if unit.words & own and _is_method_of(unit, is_module)}
    strangers = [unit for outline in others for unit in _units(outline)]
    used = _Uses(index, [*units, *strangers], words, inside)
    built = _all(sized & unit.words for unit in units)
    functions = [each for unit in units if unit in reached and (each := unit.function) is not None]
    classes = [
        each
        for unit in units
        if (each := unit.cls) is not None
        and (
            not unit.words.isdisjoint(sought | direct)
            or built_with(each.name) in built
            or used.be_in(each)
        )
    ]
    modules = {unit.outline: None for unit in units if unit.definition is None and unit in reached}
    lone = frozenset(functions).difference(unit.function for unit in called)
    return Selection(functions, list(dict.fromkeys(classes)), list(modules), lone)


def _all(parts: Iterable[Iterable[str]]) -> frozenset[str]:
    return frozenset[str]().union(*parts)


def _is_method_of(unit: _Unit, is_module: Callable[[Definition], bool]) -> bool:
    owner = unit.definition.nested_in if unit.definition is not None else None
    return owner is not None and is_module(owner)


def _names(outlines: list[Outline]) -> frozenset[str]:
    """The names of all functions and classes, bare and as they are called."""
    names = {definition.name for outline in outlines for definition in outline.definitions}
    return frozenset(names | {f"{name}()" for name in names})


def _sized(outlines: list[Outline]) -> frozenset[str]:
    """By what it is told that an object of a class with bases is built with numbers."""
    definitions = (definition for outline in outlines for definition in outline.definitions)
    return frozenset(built_with(each.name) for each in definitions if each.bases)


class _Uses:
    """Which classes use a word: their forward does, or a method that it leads to, or these call a
    helper.

    Inherited methods count as a class's own. What a layer is told of ``inplace`` when it is built
    counts as a use, and so do words that are sought ``inside`` any method of a class with bases.
    """

    def __init__(
        self, index: Index, units: Iterable[_Unit], words: frozenset[str], inside: frozenset[str]
    ) -> None:
        units = [unit for unit in units if unit.function is not None]
        self._index = index
        self._helpers = _helpers(units, words)
        self._helpers_in: dict[Outline, frozenset[str]] = {}
        self._using, self._sought, self._in_place = (
            frozenset(unit.definition for unit in units if not unit.words.isdisjoint(each))
            for each in (words, inside, {INPLACE})
        )

    def be_in(self, definition: Definition) -> bool:
        """Whether a class uses one."""
        if definition.bases and not self._sought.isdisjoint(definition.members.values()):
            return True
        methods = methods_of(self._index, definition)
        if not self._in_place.isdisjoint(methods.values()) and any(
            method in self._in_place for method in led_to(methods, ["__init__"])
        ):
            return True
        starts = ["forward"] if "forward" in methods else list(definition.members)
        return any(
            method in self._using or self._is_helped(method) for method in led_to(methods, starts)
        )

    def _is_helped(self, method: Definition) -> bool:
        outline = method.outline
        helpers = self._helpers_in.get(outline)
        if helpers is None:
            helpers = self._helpers_in[outline] = self._helpers & outline.bindings.keys()
        return any(_calls(method, name) for name in helpers)


def _calls(method: Definition, name: str) -> bool:
    """Whether a method calls a function: one that only decorates it is not entered."""
    if f"{name}()" not in method.outline.words_of(method.region):
        return False
    return not method.region.is_decorated or f"{name}(" in _below_decorators(method.region.code)


def _below_decorators(code: str) -> str:
    head = _HEAD.search(code)
    return code[head.end() :] if head is not None else code


def methods_of(index: Index, definition: Definition) -> dict[str, Definition]:
    """The methods of a class, inherited ones included."""
    return {
        name: member
        for base in reversed(index.ancestors(definition))
        if not isinstance(base, External)
        for name, member in base.members.items()
        if not member.is_class
    }


def led_to(methods: dict[str, Definition], starts: Iterable[str]) -> Iterator[Definition]:
    """The methods that some of them lead to, these included."""
    pending = [name for name in starts if name in methods]
    seen = set(pending)
    while pending:
        method = methods[pending.pop()]
        yield method
        fresh = (method.outline.own_names_of(method.region) & methods.keys()) - seen
        seen |= fresh
        pending.extend(fresh)


@dataclass(frozen=True, slots=True, eq=False)
class _Unit:
    """A function, the bases of a class, or a statement of a file's top level, and its words."""

    outline: Outline
    definition: Definition | None
    words: frozenset[str]

    @property
    def function(self) -> Definition | None:
        """The function that it is."""
        found = self.definition
        return None if found is None or found.is_class else found

    @property
    def cls(self) -> Definition | None:
        """The class whose bases it is."""
        found = self.definition
        return found if found is not None and found.is_class else None

    @property
    def called(self) -> str:
        """The name by which it is called from elsewhere: a method goes by its class."""
        if self.definition is None:
            return ""
        owner = self.definition.nested_in
        return owner.name if owner is not None else self.definition.name


def _units(outline: Outline) -> Iterable[_Unit]:
    for definition in outline.definitions:
        if definition.is_class:
            used = frozenset(base.rpartition(".")[2] for base in definition.bases)
            for region in definition.assignments.values():
                used |= outline.words_of(region)
            yield _Unit(outline, definition, used)
        else:
            yield _Unit(outline, definition, outline.words_of(definition.region))
    for region in outline.statements:
        if _matters(region):
            yield _Unit(outline, None, outline.words_of(region))


def _matters(region: Region) -> bool:
    """Whether top-level statements are more than a docstring."""
    text = region.text
    return ";" in text or not text.lstrip().startswith(('"', "'", "r'", 'r"'))


def _callers(units: list[_Unit], words: frozenset[str]) -> set[_Unit]:
    """The units that use one of the words, and what calls them.

    Functions and files call by name; methods are followed to their own class's, and to helpers.
    """
    by_word: defaultdict[str, list[int]] = defaultdict(list)
    for number, unit in enumerate(units):
        for word in unit.words:
            by_word[word].append(number)

    def speaking(of: frozenset[str]) -> list[_Unit]:
        numbers = {number for word in of & by_word.keys() for number in by_word[word]}
        return [units[number] for number in sorted(numbers)]

    fresh = speaking(words)
    reached: set[_Unit] = set()
    ways = _Ways(fresh)
    while fresh:
        reached.update(fresh)
        ways.renew(fresh)
        named = speaking(ways.words)
        fresh = [unit for unit in named if unit not in reached and ways.start_in(unit)]
    return reached


class _Ways:
    """How what has been reached is called: functions by name, methods by ``self`` or an object.

    Methods are only followed to functions that use a word themselves, and to such forwards of what
    they build on the spot, as loss functions are.
    A function that names a class deals with its objects where it builds one or calls a method that
    has been reached; else it has the name for an annotation or a test. Files and classes may hand
    on a class that they name.
    """

    def __init__(self, using: Iterable[_Unit]) -> None:
        self._helpers = frozenset(filter(None, map(_helping, using)))
        self._functions: set[str] = set()
        self._classes: set[str] = set()
        self._methods: dict[Definition, set[str]] = {}
        self._of_objects: dict[str, set[str]] = {}

    def renew(self, fresh: Iterable[_Unit]) -> None:
        """Go on with what has just been reached, now that all knows what led to the rest."""
        self._functions, self._classes, self._methods = set(), set(), {}
        for unit in fresh:
            definition = unit.definition
            if definition is None:
                continue
            owner = definition.nested_in
            if owner is not None:
                call = f"{definition.name}()"
                self._methods.setdefault(owner, set()).add(call)
                self._add_class(owner.name, {call})
            elif definition.is_class:
                known = unit.words & self._of_objects.keys()
                self._add_class(definition.name, _all(map(self._calls_of, known)))
            else:
                self._functions.add(_word_of(definition.name))

    @property
    def words(self) -> frozenset[str]:
        """Of what each has a word that may call something of what was reached last."""
        known = self._functions, self._classes, self._helpers, self._of_objects
        return _all([*known, *self._methods.values()])

    def _add_class(self, name: str, calls: Iterable[str]) -> None:
        self._classes.add(_word_of(name))
        self._of_objects.setdefault(name, {f"{name}()"}).update(calls)

    def _calls_of(self, name: str) -> frozenset[str]:
        return frozenset(self._of_objects[name])

    def start_in(self, unit: _Unit) -> bool:
        """Whether a unit may call something of what was reached last."""
        definition = unit.definition
        if definition is not None and definition.nested_in is not None:
            if not unit.words.isdisjoint(self._methods.get(definition.nested_in, ())):
                return True
            # What a constructor builds is called by others.
            return definition.name != "__init__" and not unit.words.isdisjoint(self._helpers)
        if any(not _is_own(unit, word) for word in unit.words & self._functions):
            return True
        if definition is not None and definition.is_class:
            return not unit.words.isdisjoint(self._of_objects)
        named = {word.removesuffix("()") for word in unit.words & self._classes}
        if definition is None:
            return bool(named)
        return any(not unit.words.isdisjoint(self._of_objects[name]) for name in named)


def _is_own(unit: _Unit, word: str) -> bool:
    """Whether a word is the name of a function itself, and nothing that it uses."""
    function = unit.function
    return function is not None and function.name == word and function.region.text.count(word) == 1


def _word_of(name: str) -> str:
    """What tells that a function or class is used: short names stand for much else uncalled."""
    return name if len(name) >= _SHORTEST else f"{name}()"


def _helping(unit: _Unit) -> str:
    """How a method calls a function, or what has a forward; nothing for what it does not follow."""
    function = unit.function
    if function is None or (function.nested_in is not None and function.name != "forward"):
        return ""
    return f"{unit.called}()" if len(unit.called) >= _SHORTEST else ""


def _direct(units: list[_Unit], words: frozenset[str]) -> set[_Unit]:
    """The units that use one of the words, and what calls them by the name of a function or class.

    A class is called for its constructor.
    """
    using = {unit for unit in units if not unit.words.isdisjoint(words)}
    calls = {
        f"{unit.called}()"
        for unit in using
        if unit.definition is not None
        and (unit.definition.nested_in is None or unit.definition.name == "__init__")
    }
    return using | {
        unit
        for unit in units
        if (unit.definition is None or unit.definition.nested_in is None)
        and not unit.words.isdisjoint(calls)
    }


def _helpers(units: list[_Unit], words: frozenset[str]) -> frozenset[str]:
    """Names of functions that use one of the words on behalf of the methods that call them."""
    return frozenset(
        unit.definition.name
        for unit in units
        if unit.definition is not None
        and not unit.definition.is_class
        and unit.definition.nested_in is None
        and len(unit.definition.name) >= _SHORTEST
        and not unit.words.isdisjoint(words)
    )
