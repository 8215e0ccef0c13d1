"""Calls of the constructor of a base: those that ``super`` sends astray, and those left out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.classes import ClassSeen
from torchlint.interpreter.questions.missing import MODULE
from torchlint.interpreter.values import Spot
from torchlint.project import classwords, flow
from torchlint.project.children import children
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method

_NAMED = Pattern(r"\bsuper\(\s*(\w+)\s*,")


def misdirected(trace: Trace) -> Iterator[tuple[Spot, str, str]]:
    """Calls that name a class which the object is none of, with that name and its own class."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        known = {each.name for each in family.lineage}
        named = set(_NAMED.findall(family.definition.region.source)) - known
        if named and "?" not in family.externals and not family.is_magic:
            for spot, name in _of_others(family, named):
                yield spot, name, family.definition.name


def _of_others(family: Family, named: set[str]) -> Iterator[tuple[Spot, str]]:
    families = [family, *map(family.index.family, family.descendants)]
    theirs = {each for one in families for each in one.lineage}
    for method in family.methods((family.definition,)):
        for call in _calls(method.node):
            match call.args:
                case [ast.Name(id=name), ast.Name(id=of)] if name in named:
                    other = family.index.meaning(family.definition.outline, name)
                    is_class = isinstance(other, Definition) and other.is_class
                    if is_class and of == method.receiver and other not in theirs:
                        yield Spot(method.definition.region, call), name


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """The calls of ``super`` in a method, but for those of classes within it."""
    for child in children(node):
        if isinstance(child, ast.Call) and syntax.is_super(child):
            yield child
        if not isinstance(child, ast.ClassDef):
            yield from _calls(child)


def never_begun(trace: Trace) -> Iterator[tuple[Method, str]]:
    """Constructors of modules that call no other one, and whose classes do not either.

    What gets a layer or a parameter fails there, which is an event of its own.
    """
    for seen in trace.of(ClassSeen):
        family, made = seen.family, seen.family.own("__init__")
        if made is None or seen.kind != "module" or family.externals != MODULE:
            continue
        is_called = family.method("forward") is not None and family.method("__call__") is None
        if family.is_begun or family.is_magic or not is_called:
            continue
        if _begins(made) or made.hands_over or _are_begun_below(family):
            continue
        if not (_is_run_by_name(family) or _is_to_be_written(family, made)):
            yield made, family.definition.name


def _is_to_be_written(family: Family, made: Method) -> bool:
    """Whether there is nothing of a class but its name yet."""
    forward = family.method("forward")
    parts = [each.node.body for each in (made, forward) if each is not None]
    return not family.descendants and all(map(flow.does_nothing, parts))


def _begins(made: Method) -> bool:
    """Whether a constructor may call another one, raises in the end, or is left to an event."""
    region = made.definition.region
    named = "super" in region.text or region.text.count("__init__") > 1
    early = any(word == classwords.EARLY for word in classwords.words(region.text))
    return named or early or region.is_decorated or not flow.completes(made.node.body)


def _are_begun_below(family: Family) -> bool:
    """Whether a subclass sees to it by itself."""
    below = family.descendants
    return any("Module.__init__" in each.region.text for each in below) or any(
        family.index.family(each).externals != MODULE for each in below
    )


def _is_run_by_name(family: Family) -> bool:
    """Whether a text that has the class calls a forward by its name, which needs no set-up."""
    name = family.definition.name
    by_name = rf"(?s:\b{name}\b.*(?<!\bsuper\(\))\.forward\()"
    return family.index.says(family.definition.outline, name, by_name)
