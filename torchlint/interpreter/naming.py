"""What a file names: its mentions of an API become events, without the file being interpreted."""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.interpreter import callers, syntax
from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import UNKNOWN, Const, Tuple
from torchlint.project.asking import Asking
from torchlint.project.children import children
from torchlint.project.index import External
from torchlint.project.mentions import is_asking, mentions
from torchlint.project.portability import (
    asks_for_device,
    finds_cuda,
    insists_on_cuda,
    is_by_choice,
    speaks_of_devices,
)
from torchlint.project.regions import Region
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import history, removed
from torchlint.torch_api.names import canonical
from torchlint.torch_api.replacements import replacement

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from torchlint.findings import Place
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.mentions import Mention
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.sought import Sought

    Parents = tuple[ast.AST, ...]
    Stretch = tuple[int, int, int, int]


def read(machine: Machine, outline: Outline, sought: Sought) -> None:
    """Write an event for each mention of a name that is sought."""
    named = mentions(machine.index, outline, sought, history.is_gone)
    of_regions = [(mention, _region(outline, mention)) for mention in named]
    wanted: dict[Region, set[Stretch]] = {}
    for mention, region in of_regions:
        if region is not None:
            wanted.setdefault(region, set()).add(_stretch(mention))
    found = {region: _find(region, stretches) for region, stretches in wanted.items()}
    for mention, region in of_regions:
        if region is not None and _stretch(mention) in found[region]:
            machine.region = region
            _emit(machine, mention, found[region][_stretch(mention)])


def _is_for_others(mention: Mention) -> bool:
    """Whether a name stands where what replaces it was refused, as old releases do."""
    new = replacement(mention.name) if mention.refused else None
    return new is not None and canonical(new.use) in mention.refused


def _stretch(of: Mention | Place) -> Stretch:
    return of.line, of.column, of.end_line, of.end_column


def _region(outline: Outline, mention: Mention) -> Region | None:
    """The region that a mention stands in: the innermost function, else the statement."""
    if mention.imported is not None:
        first, last = mention.imported
        text = outline.lines(first, last)
        region = Region(outline, first, last, len(text) - len(text.lstrip()), "")
        try:
            _ = region.statements
        except SyntaxError:
            return None  # The end of a compound statement, such as ``else: import a``.
        return region
    around = [
        definition
        for definition in outline.definitions
        if definition.region.first <= mention.line <= definition.region.last
    ]
    if around:
        # Methods are listed after their class.
        return around[-1].region
    return next(
        (region for region in outline.statements if region.first <= mention.line <= region.last),
        None,
    )


def _find(region: Region, wanted: Collection[Stretch]) -> dict[Stretch, Parents]:
    """The nodes of mentions, each with what it stands in, from the inside out."""
    lines = sorted({line for line, *_ in wanted})
    found: dict[Stretch, Parents] = {}
    pending: list[Parents] = [(node,) for node in region.statements]
    while pending:
        path = pending.pop()
        node = path[0]
        if isinstance(node, (ast.Name, ast.Attribute, ast.alias)):
            stretch = _stretch(region.place(node))
            if stretch in wanted:
                found.setdefault(stretch, path)
        inside = children(node)
        pending.extend((each, *path) for each in inside if _is_on(each, region.shift, lines))
    return found


def _is_on(node: ast.AST, shift: int, lines: Sequence[int]) -> bool:
    """Whether a node may stand on one of some lines of the file."""
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    if first is None or last is None or getattr(node, "decorator_list", None):
        return True
    at = bisect_left(lines, first + shift)
    return at < len(lines) and lines[at] <= last + shift


def _emit(machine: Machine, mention: Mention, path: Parents) -> None:
    path = _looked_up(path)
    node, outer = path[0], path[1] if len(path) > 1 else None
    at, use, arguments, discarded, taker = node, Use.HANDED_ON, Arguments(), False, ""
    match outer:
        case ast.Call(func=func) if func is node:
            at, use, arguments = outer, Use.CALLED, _given(machine, outer)
            taker = _taker(path)
            discarded = _is_discarded(path[2:])
            if len(path) > 2 and outer in getattr(path[2], "decorator_list", ()):
                use = Use.DECORATES
        case _ if node in getattr(outer, "decorator_list", ()):
            use = Use.DECORATES
        case ast.Assign(targets=targets, value=value) if node in targets:
            use, arguments = Use.SET, Arguments((_literal(machine, value),))
        case _ if mention.imported is not None:
            use = Use.IMPORTED
        case _ if _is_told_apart(path):
            use = Use.TOLD_APART
    around = _around(machine, path)
    machine.emit(
        Named,
        machine.spot(at),
        name=mention.name,
        use=use,
        guarded=mention.guarded
        or _is_for_others(mention)
        or (around is not None and callers.ask(machine.index, around, _is_asking)),
        arguments=arguments,
        discarded=discarded,
        taker=taker,
        releases=machine.index.releases(machine.outline, removed.package(mention.name)),
        chosen=any(is_by_choice(machine.region, inner, outer) for inner, outer in pairwise(path))
        or (around is not None and callers.choose(machine.index, around)),
        conditions=_conditions(machine, path),
        on_cuda=_is_on_cuda(machine, path, around),
        silenced=_is_silenced(machine, path),
        asking=Asking(machine.index, machine.outline),
    )


def _looked_up(path: Parents) -> Parents:
    """The path from what is called, where that is looked up in a table of a module's names."""
    match path:
        case [ast.Attribute(attr="__dict__"), ast.Subscript() as item, ast.Call(func=func), *_]:
            return path[1:] if func is item else path
        case [ast.Name(id="getattr"), ast.Call() as item, ast.Call(func=func), *_]:
            return path[1:] if func is item else path
    return path


def _is_told_apart(path: Parents) -> bool:
    """Whether something is compared with it, or looked up by it, or asked whether it is that.

    Who is given several kinds at once makes none of them.
    """
    match path[:3]:
        case [_, ast.Compare(), *_]:
            return True
        case [kind, ast.Dict(keys=keys), *_]:
            return kind in keys
        case [_, ast.Tuple(elts=[_, _, *_]) as kinds, ast.Call(args=given)]:
            return kinds in given
    return False


def _around(machine: Machine, path: Parents) -> Definition | None:
    """The function that it stands in."""
    definitions = machine.outline.definitions if hasattr(path[-1], "name") else ()
    return next((each for each in definitions if each.region is machine.region), None)


def _is_on_cuda(machine: Machine, path: Parents, around: Definition | None) -> bool:
    """Whether it stands where a tensor has turned out to be on CUDA, or its function's calls do.

    It may as well have been chosen, by a flag. Where the other arm needs CUDA too, that was not
    asked.
    """
    region = machine.region
    for inner, outer in pairwise(path):
        if isinstance(outer, (ast.If, ast.IfExp)) and inner is not outer.test:
            first, second = _arms(outer)
            others = second if inner in first else first
            needs = any("torch.cuda." in region.text_of(each) for each in others)
            found = inner in first and finds_cuda(region, outer.test)
            if found or (not needs and speaks_of_devices(region.text_of(outer.test))):
                return True
    if around is None:
        return False
    return callers.ask(machine.index, around, finds_cuda) or _is_insisted_on(machine, around)


def _is_insisted_on(machine: Machine, function: Definition) -> bool:
    """Whether a function, or the constructor of whose method it is, goes on with CUDA only."""
    return any(
        insists_on_cuda(each.region, each.region.statement)
        for each in (function, callers.constructor(machine.index, function))
        if each is not None
    )


def _arms(choice: ast.If | ast.IfExp) -> tuple[Sequence[ast.AST], Sequence[ast.AST]]:
    if isinstance(choice, ast.IfExp):
        return [choice.body], [choice.orelse]
    return choice.body, choice.orelse


def _is_asking(region: Region, test: ast.expr) -> bool:
    return is_asking(test)


_IGNORED = Pattern(r"\bcatch_warnings\(.*?[\"']ignore[\"']", re.DOTALL)


def _is_silenced(machine: Machine, path: Parents) -> bool:
    """Whether it stands in a ``with`` that ignores warnings, or some of them."""
    return any(
        isinstance(outer, (ast.With, ast.AsyncWith))
        and _IGNORED.search(machine.region.text_of(outer))
        for outer in path
    )


def _conditions(machine: Machine, path: Parents) -> frozenset[tuple[int, bool]]:
    """The line of each condition that it hangs on and that is about no device, and which arm."""
    return frozenset(
        (machine.region.place(outer).line, inner in outer.body)
        for inner, outer in pairwise(path)
        if isinstance(outer, ast.If) and not asks_for_device(machine.region, inner, outer)
    )


def _is_discarded(around: Parents) -> bool:
    """Whether a value that stands in these is a statement's, or goes to a name nobody reads."""
    match around:
        case [ast.Expr(), *_]:
            return True
        case [ast.Assign(targets=[ast.Name(id=name)]) as given, *outer]:
            within = next((one for one in outer if isinstance(one, syntax.FUNCTIONS)), None)
            loops = any(isinstance(one, syntax.LOOPS) for one in outer)
            return within is not None and not loops and not _is_read(within, name, given)
    return False


def _is_read(within: ast.AST, name: str, since: ast.Assign) -> bool:
    """Whether a name of a function is asked for after a statement, or somewhere else at all."""
    end = since.end_lineno, since.end_col_offset
    for node in ast.walk(within):
        match node:
            case ast.Global(names=shared) | ast.Nonlocal(names=shared) if name in shared:
                return True
            case ast.Name(id=found, ctx=ast.Load() | ast.Del()) if found == name:
                if (node.lineno, node.col_offset) > end:
                    return True
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda() if node is not within:
                inner = (each for each in ast.walk(node) if isinstance(each, ast.Name))
                if any(each.id == name for each in inner):
                    return True
    return False


def _taker(path: Parents) -> str:
    """The method that the value of a call is an argument of."""
    match path[2:3]:
        case [ast.Call(func=ast.Attribute(attr=name))]:
            return name
    return ""


def _given(machine: Machine, call: ast.Call) -> Arguments:
    """The arguments of a call as far as they are literals, or names of what is external."""
    stars = any(isinstance(argument, ast.Starred) for argument in call.args)
    plain = [item for item in call.args if not isinstance(item, ast.Starred)]
    return Arguments(
        tuple(_literal(machine, item) for item in plain),
        {item.arg: _literal(machine, item.value) for item in call.keywords if item.arg is not None},
        stars or any(item.arg is None for item in call.keywords),
    )


def _literal(machine: Machine, node: ast.expr) -> Value:
    match node:
        case ast.Constant(value=value) if not isinstance(value, (bytes, complex)):
            return Const(value)
        case ast.Tuple(elts=elements):
            return Tuple(tuple(_literal(machine, element) for element in elements))
        case ast.Name(id=name):
            meant = machine.index.meaning(machine.outline, name)
            return meant if isinstance(meant, External) else UNKNOWN
    return UNKNOWN
