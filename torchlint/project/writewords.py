"""Pseudo-words of code that writes into what may be a tensor that somebody else has.

Writes do not count that surely meet no tensor, nor those into a tensor that a function has made and
does not read before it has written all: no operation can have kept it.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from torchlint.project import trails
from torchlint.project.ownnames import PLAIN_WRITES, Kind, OwnNames, is_whole, kind_of
from torchlint.project.skimming import has_any
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    Write = tuple[ast.AST, ast.expr]
    """A statement or call, and what it writes into."""

AUGMENTED = "+="
"""The pseudo-word of a region that writes by ``+=`` and its kin, or ``x[i] =``."""

TRAILING_UNDERSCORE = "_()"
"""The pseudo-word of a region that calls a name with a trailing underscore, such as ``relu_``."""

_WRITE = Pattern(
    # Possessive, as nearly all lines fail to match, and do so at the first try.
    # After a colon stands a body on the same line, or else an annotation, which is no write.
    r"(?:^|[;:])[ \t]*+[\w.]++(?:\[.*\])?[\w.]*+(?:\[.*\])?[ \t]*+(?:[-+*/|&@^%]|\*\*|//)=(?!=)"
    r"|(?:^|;)[ \t]*+[\w.]++(?:\[.*\])[ \t]*+=(?!=)"
    r"|^[ \t]*+(?:if|elif|else|for|while|with|try)\b.*:[ \t]*[\w.]+(?:\[.*\])[ \t]*=(?!=)"
)
_SIGN = Pattern(r"[-+*/|&@^%\]][ \t]*+=(?!=)")
_SIGNS = ("+=", "-=", "*=", "/=", "|=", "&=", "^=", "%=", "@=", "]=", "] =", "]  ", "]\t")
"""What stands in every text that writes into something."""

_STRING = r"[rbfu]{0,2}(?:\"[^\"\n]*\"|'[^'\n]*')"
_OF_OTHERS = Pattern(
    # Under a key that is a string, or more of a list, string or tuple: not worth parsing for.
    rf"[ \t]*+[\w.]++(?:\[[^\n;]*\])?\[[ \t]*{_STRING}[ \t]*\][ \t]*=(?!=)[^;]*$"
    r"|[ \t]*+[\w.]++[ \t]*\+=[ \t]*(?:\[|[rbfu]{0,2}['\"]|\((?:[^(),;\n]|\([^();\n]*\))*,)[^;]*$"
)
_UNDERSCORED = Pattern(r"_\((?<=[a-z0-9]_\()")

_NO_WRITES = frozenset({"requires_grad_", "share_memory_"})
_PLAIN_SIGNS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    signs = has_any(text, _SIGNS) and any(map(_is_write, _assigning(text)))
    underscores = "_(" in text and _UNDERSCORED.search(text) is not None
    if not signs and not underscores:
        return
    code = trails.parsed(text)
    kinds = {True, False} if code is None else set(_by_method(list(_writes(code)), OwnNames(code)))
    if signs and False in kinds:
        yield AUGMENTED
    if underscores and True in kinds:
        yield TRAILING_UNDERSCORE


def _is_write(line: str) -> bool:
    return _WRITE.search(line) is not None and not _OF_OTHERS.match(line)


def _assigning(text: str) -> Iterator[str]:
    """The lines that may write into something."""
    end = 0
    for found in _SIGN.finditer(text):
        if found.start() >= end:
            end = text.find("\n", found.end()) + 1 or len(text)
            yield text[text.rfind("\n", 0, found.start()) + 1 : end]


def _writes(code: trails.Code) -> Iterator[Write]:
    for assign in code.all(ast.Assign):
        yield from ((assign, item) for each in assign.targets for item in _items(each))
    yield from ((node, node.target) for node in code.all(ast.AugAssign))
    for annotated in code.all(ast.AnnAssign):
        yield from ((annotated, item) for item in _items(annotated.target))
    for loop in code.loops:
        yield from ((item, item) for item in _items(loop.target))
    for entered in code.all(ast.withitem):
        if entered.optional_vars is not None:
            yield from ((item, item) for item in _items(entered.optional_vars))
    for call in code.all(ast.Call):
        match call.func:
            case ast.Attribute(value=value, attr=name) if name[-1:] == "_":
                if name not in _NO_WRITES:
                    yield call, value
            case ast.Name(id=name) if name[-1:] == "_":
                yield call, call.func


def _items(target: ast.expr) -> Iterator[ast.Subscript]:
    """The items that a target gives a value to."""
    match target:
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _items(part)
        case ast.Starred(value=inner):
            yield from _items(inner)
        case ast.Subscript():
            yield target


def _by_method(writes: list[Write], own: OwnNames) -> Iterator[bool]:
    """For each write that may meet a tensor of others, whether it is one by a method."""
    into: defaultdict[str, list[tuple[ast.AST, ast.Name]]] = defaultdict(list)
    for write, target in writes:
        if (name := _base(write, target)) is not None:
            into[name.id].append((write, name))
    is_own = {
        name: own.kind(name) is Kind.TENSOR and own.is_written_first(name, each)
        for name, each in into.items()
    }
    for write, target in writes:
        base = _base(write, target)
        alone = is_own[base.id] if base is not None else kind_of(target) is Kind.TENSOR
        if not _meets_no_tensor(write, target, own) and not (alone and _keeps_nothing(write)):
            yield isinstance(write, ast.Call)


def _base(write: ast.AST, target: ast.expr) -> ast.Name | None:
    """The name of the tensor that is written into, if it has one."""
    match target:
        case ast.Name():
            return target
        case ast.Subscript(value=ast.Name() as name, slice=index):
            # A method writes into what an index has given, which may be a copy.
            return None if isinstance(write, ast.Call) and not _is_cut(index) else name
    return None


def _is_cut(index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return all(isinstance(part, (ast.Slice, ast.Constant)) for part in parts)


def _meets_no_tensor(write: ast.AST, target: ast.expr, own: OwnNames) -> bool:
    match write, target:
        case ast.AugAssign(op=ast.Add(), value=ast.List() | ast.JoinedStr()), _:
            return True
        case ast.AugAssign(op=ast.Add(), value=ast.Tuple() | ast.Constant(value=str())), _:
            return True
        case ast.AugAssign(value=value), ast.Name(id=name):
            kind = own.kind(name)
            return kind is Kind.COLLECTION or (kind is Kind.COUNT and is_whole(value))
        case ast.Assign() | ast.AnnAssign(), ast.Subscript(slice=ast.Constant(value=str())):
            return True
        case ast.Assign(value=ast.Constant(value=value)), ast.Subscript(value=ast.Attribute()):
            # A switch, or a place that is cleared: no tensor of numbers.
            return not isinstance(value, (int, float)) or isinstance(value, bool)
        case ast.Assign() | ast.AnnAssign(), ast.Subscript(value=ast.Name(id=name)):
            return own.kind(name) is Kind.COLLECTION
    return False


def _keeps_nothing(write: ast.AST) -> bool:
    """Whether a write keeps neither the tensor nor what becomes of it for its backward."""
    match write:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in PLAIN_WRITES
        case ast.AugAssign(op=operator):
            return isinstance(operator, _PLAIN_SIGNS)
    return not isinstance(write, ast.Call)
