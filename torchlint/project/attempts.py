"""Attempts: loads of a file in a safer way beside one that trusts it."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around
from torchlint.project.files import are_same
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchlint.project.asking import Asking
    from torchlint.project.regions import Region

_TELLS = "weights_only"
_RELEASE = Pattern(r"(?i)version|torch\w*\d|_(?:ge|gt|le|lt)_|signature\(|" + _TELLS)
_RECORDING = frozenset({"torch.jit.script", "torch.jit.trace", "torch.export.export"})
_VERSION_OF = r"(?m)^[ \t]*{}\b[^=\n]*=[^=\n].*(?i:version|torch\w*\d)"


def is_untaught(region: Region, call: ast.AST, argument: str) -> bool:
    """Whether a call is for what does not know an argument, with which it is tried first."""
    return any(
        isinstance(outer, ast.Try)
        and isinstance(inner, ast.ExceptHandler)
        and _catches_unknown(inner)
        and any(item.arg == argument for each in _calls(outer.body) for item in each.keywords)
        for outer, inner in pairwise(around.path(region, call))
    )


def _catches_unknown(handler: ast.ExceptHandler) -> bool:
    """Whether it is caught that a call does not take an argument."""
    return handler.type is not None and "TypeError" in ast.unparse(handler.type)


def is_all_there_is(region: Region, load: ast.Call, asking: Asking) -> bool:
    """Whether a load is for the releases alone that cannot be told: beside it, others are.

    What is told to load all is for those if the same file is loaded safely by others.
    """
    for outer, inner in pairwise(around.path(region, load)):
        match outer:
            case ast.If(test=test, body=body, orelse=orelse) if inner is not test:
                beside: Sequence[ast.AST] = orelse if inner in body else body
                if _tell(beside, load) and _is_of_release(region, test, asking):
                    return True
            case ast.IfExp(test=test) if inner is not test:
                beside = [outer.orelse if inner is outer.body else outer.body]
                if _tell(beside, load) and _is_of_release(region, test, asking):
                    return True
            case ast.Try(body=body) if isinstance(inner, ast.ExceptHandler):
                if _catches_unknown(inner) and _tell(body, load):
                    return True
        if any(
            isinstance(left, ast.If)
            and isinstance(left.body[-1], (ast.Return, ast.Raise))
            and _tell(left.body, load)
            and _is_of_release(region, left.test, asking)
            for left in around.before(outer, inner)
        ):
            return True
    return False


def is_placed_otherwise(region: Region, load: ast.AST) -> bool:
    """Whether another arm, or what is done if this fails, loads the file and says where to."""
    for outer, inner in pairwise(around.path(region, load)):
        beside: Sequence[ast.AST] = ()
        if isinstance(outer, ast.If) and inner is not outer.test:
            beside = outer.orelse if inner in outer.body else outer.body
        elif isinstance(outer, ast.Try) and inner in outer.body:
            beside = outer.handlers
        if any(_says_where(each) and are_same(each, load) for each in _calls(beside)):
            return True
    return False


def is_recorded_otherwise(region: Region, save: ast.AST) -> bool:
    """Whether the other arm of a condition records a model: here it is wanted as it is."""
    return any(
        isinstance(outer, ast.If)
        and inner is not outer.test
        and any(
            region.text_of(call.func) in _RECORDING
            for call in _calls(outer.orelse if inner in outer.body else outer.body)
        )
        for outer, inner in pairwise(around.path(region, save))
    )


def _says_where(call: ast.Call) -> bool:
    return any(item.arg == "map_location" for item in call.keywords)


def is_attempt(region: Region, call: ast.AST) -> bool:
    """Whether something is done about it if a call fails, in whatever way."""
    return any(
        isinstance(outer, ast.Try) and inner in outer.body and any(map(_catches, outer.handlers))
        for outer, inner in pairwise(around.path(region, call))
    )


def _catches(handler: ast.ExceptHandler) -> bool:
    """Whether a handler is for failures that are no more than that, or for those of a pickle."""
    named = "Exception" if handler.type is None else ast.unparse(handler.type)
    return "Exception" in named or "Unpickling" in named or "RuntimeError" in named


def is_probe(region: Region, call: ast.AST) -> bool:
    """Whether a call is all that is tried: it is to show whether it raises."""
    for outer, inner in pairwise(around.path(region, call)):
        match outer:
            case ast.Try(body=[only], handlers=[_, *_]) if only is inner:
                return isinstance(only, ast.Expr) and only.value is call
    return False


def is_second(region: Region, load: ast.Call) -> bool:
    """Whether the same file is loaded safely first, and this way only if that fails."""
    return _first_try(region, load) is not None


def is_asked_for(region: Region, load: ast.Call) -> bool:
    """Whether who has failed to load a file safely has to ask for this by a flag."""
    first = _first_try(region, load)
    return first is not None and any(
        isinstance(outer, ast.If) and inner is not outer.test and _is_flag(outer.test)
        for outer, inner in pairwise(around.path(region, load))
        if not any(node is first for node in ast.walk(outer))
    )


def _first_try(region: Region, load: ast.Call) -> ast.Try | None:
    """The attempt to load the same file safely that comes before; None without one."""
    path = around.path(region, load)
    for outer, inner in pairwise(path):
        tries = [node for node in around.before(outer, inner) if isinstance(node, ast.Try)]
        if isinstance(outer, ast.Try) and inner not in outer.body:
            tries.append(outer)
        for first in tries:
            if any(_is_safe(node, load) for node in _calls(first.body)):
                return first
    return None


def _is_safe(call: ast.Call, load: ast.Call) -> bool:
    """Whether a call loads weights alone, of the same file."""
    told = next((item.value for item in call.keywords if item.arg == _TELLS), None)
    return isinstance(told, ast.Constant) and told.value is True and are_same(call, load)


def _tell(nodes: Iterable[ast.AST], load: ast.Call) -> bool:
    """Whether something is loaded there and told of weights; safely, if this load is told too."""
    if any(item.arg == _TELLS for item in load.keywords):
        return any(_is_safe(call, load) for call in _calls(nodes))
    return any(item.arg == _TELLS for call in _calls(nodes) for item in call.keywords)


def _is_of_release(region: Region, test: ast.expr, asking: Asking) -> bool:
    """Whether a condition asks for a release, or for what was asked of one before."""
    if _RELEASE.search(ast.unparse(test)) or asking.is_of_release(test):
        return True
    names = [node.id for node in ast.walk(test) if isinstance(node, ast.Name)]
    text = region.outline.text
    return any(re.search(_VERSION_OF.format(re.escape(name)), text) for name in names)


def _is_flag(test: ast.expr) -> bool:
    """Whether a condition is a setting, or what is said of some."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _is_flag(inner)
        case ast.BoolOp(values=values):
            return all(map(_is_flag, values))
    return isinstance(test, (ast.Name, ast.Attribute))


def _calls(nodes: Iterable[ast.AST]) -> Iterator[ast.Call]:
    for node in nodes:
        yield from (child for child in ast.walk(node) if isinstance(child, ast.Call))
