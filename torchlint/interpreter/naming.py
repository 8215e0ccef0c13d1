"""What a file names: its mentions of an API become events, without the file being interpreted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import FALSE, NONE, TRUE, UNKNOWN, Const
from torchlint.project.mentions import mentions
from torchlint.project.regions import Region

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.mentions import Mention, Sought
    from torchlint.project.outline import Outline

    Parents = tuple[cst.CSTNode, ...]

_CONSTANTS = {"None": NONE, "True": TRUE, "False": FALSE}


def read(machine: Machine, outline: Outline, sought: Sought) -> None:
    """Write an event for each mention of a name that is sought."""
    for mention in mentions(machine.index, outline, sought):
        region = _region(outline, mention)
        found = _find(region, mention) if region is not None else None
        if region is not None and found is not None:
            machine.region = region
            _emit(machine, mention, found)


def _region(outline: Outline, mention: Mention) -> Region | None:
    """The region that a mention stands in: the innermost function, else the statement."""
    if mention.imported is not None:
        first, last = mention.imported
        text = outline.lines(first, last)
        region = Region(outline, first, last, len(text) - len(text.lstrip()), "")
        try:
            _ = region.syntax
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


def _find(region: Region, mention: Mention) -> Parents | None:
    """The node of a mention, and what it stands in, from the inside out."""
    wanted = mention.line, mention.column, mention.end_line, mention.end_column
    pending: list[Parents] = [(node,) for node in region.statements]
    while pending:
        path = pending.pop()
        node = path[0]
        if isinstance(node, (cst.Name, cst.Attribute, cst.ImportAlias)):
            place = region.place(node)
            if (place.line, place.column, place.end_line, place.end_column) == wanted:
                return path
        pending.extend((child, *path) for child in node.children)
    return None


def _emit(machine: Machine, mention: Mention, path: Parents) -> None:
    node, around = path[0], path[1] if len(path) > 1 else None
    at, use, arguments, discarded = node, Use.HANDED_ON, Arguments(), False
    match around:
        case cst.Call(func=func, args=given) if func is node:
            at, use, arguments = around, Use.CALLED, _given(given)
            discarded = len(path) > 2 and isinstance(path[2], cst.Expr)
            if len(path) > 2 and isinstance(path[2], cst.Decorator):
                use = Use.DECORATES
        case cst.Decorator():
            use = Use.DECORATES
        case _ if mention.imported is not None:
            use = Use.IMPORTED
    machine.emit(
        Named,
        machine.spot(at),
        name=mention.name,
        use=use,
        guarded=mention.guarded,
        arguments=arguments,
        discarded=discarded,
    )


def _given(arguments: Iterable[cst.Arg]) -> Arguments:
    """The arguments of a call as far as they are literals."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    more = False
    for argument in arguments:
        if argument.star:
            more = True
        elif argument.keyword is not None:
            keywords[argument.keyword.value] = _literal(argument.value)
        else:
            positional.append(_literal(argument.value))
    return Arguments(tuple(positional), keywords, more)


def _literal(node: cst.BaseExpression) -> Value:
    match node:
        case cst.Name(value=name):
            return _CONSTANTS.get(name, UNKNOWN)
        case cst.SimpleString() | cst.Integer() | cst.Float():
            return Const(node.evaluated_value)
    return UNKNOWN
