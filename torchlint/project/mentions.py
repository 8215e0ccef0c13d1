"""Mentions: where a file names what lies outside the project, read without interpreting anything.

The names of an API are told by where they come from, in whatever function they stand. Only the
statements of which some line may mention a name that is sought are read for them.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.project import flow, private
from torchlint.project.asking import Asking
from torchlint.project.children import children
from torchlint.project.doubts import Doubts, bound, caught, tries_for_missing
from torchlint.project.index import External
from torchlint.project.outline import Alias
from torchlint.sources.patterns import Pattern
from torchlint.torch_api.names import canonical

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.outline import Outline
    from torchlint.project.sought import Sought

_LEAVING = (ast.Return, ast.Continue, ast.Break)
"""How a branch is left by what goes on; that a release is refused says nothing of names."""

_ANNOTATING = frozenset({"typing", "typing_extensions"})
_VERSIONS = Pattern(r"hasattr|version|getattr|available|VERSION|(?:_GE|_LT|TORCH)_?\d|HAS_|has_")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in its canonical spelling, and the stretch of a file where it stands.

    ``guarded`` says that the program asks first whether the name is there. A method is ``.name``,
    or ``.name("told")`` where it is told that, up to a colon; what is sought for an argument that
    it is given by keyword is ``name(argument)``.
    Of what an import statement asks for, ``imported`` has its first and last line. ``refused`` are
    the names of the calls of which a TypeError has led there.
    """

    name: str
    line: int
    column: int
    end_line: int
    end_column: int
    guarded: bool = False
    imported: tuple[int, int] | None = None
    refused: frozenset[str] = frozenset()


def mentions(
    index: Index, outline: Outline, sought: Sought, is_gone: Callable[[str], bool]
) -> list[Mention]:
    """Where a file mentions one of the names, in the order of the text.

    Whatever is in a module that ``is_gone`` is mentioned as that.
    """
    reader = _Reader(index, outline, sought, is_gone)
    reader.read()
    return reader.found


def is_asking(test: ast.expr) -> bool:
    """Whether a test asks whether something is there, or for a release that has it."""
    return bool(_VERSIONS.search(ast.unparse(test)))


def _in_code(outline: Outline, lines: list[int]) -> list[int]:
    """The lines but for those of docstrings."""
    told = {
        line
        for definition in outline.definitions
        if definition.region.docstring is not None
        for line in range(definition.region.docstring[0], definition.region.docstring[1] + 1)
    }
    return [line for line in lines if line not in told] if lines else []


class _Reader:
    """Walks a file, where it may mention a name, with the names that are bound around there."""

    def __init__(
        self, index: Index, outline: Outline, sought: Sought, is_gone: Callable[[str], bool]
    ) -> None:
        self.index, self.outline, self.sought = index, outline, sought
        self.is_gone = is_gone
        self.asking = Asking(index, outline)
        self.scopes: list[dict[str, str]] = []
        self.guarded = False
        self.trying: list[ast.stmt] = []
        self.refused: frozenset[str] = frozenset()
        self.found: list[Mention] = []
        self.doubts = Doubts(index)
        self.lines = _in_code(outline, sought.lines(index, outline))
        self.shift = 0

    def read(self) -> None:
        """Read the file."""
        for region in self.outline.parts():
            if self._may_mention(region.first, region.last):
                self.shift = region.shift
                for node in region.statements:
                    self.visit(node)

    def _may_mention(self, first: int, last: int) -> bool:
        """Whether a name may be mentioned in the lines from one to another."""
        at = bisect_left(self.lines, first)
        return at < len(self.lines) and self.lines[at] <= last

    def _extent(self, node: ast.stmt) -> tuple[int, int]:
        """The first and last line of a statement in the file, with its decorators."""
        first = min(each.lineno for each in (node, *getattr(node, "decorator_list", ())))
        return self.shift + first, self.shift + (node.end_lineno or node.lineno)

    def visit(self, node: ast.AST) -> None:
        """Read a node and what is in it, if that is a statement where there may be a mention."""
        if isinstance(node, ast.stmt) and not self._may_mention(*self._extent(node)):
            return
        if isinstance(node, ast.Call) and node.keywords:
            self._given(node)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node)
            case ast.Lambda():
                self._within(node, {argument.arg: "" for argument in _parameters(node.args)})
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                targets = [name for loop in node.generators for name in _stored(loop.target)]
                self._within(node, dict.fromkeys(targets, ""))
            case ast.Name(ctx=ast.Load()) | ast.Attribute():
                self._expression(node)
            case ast.If() | ast.IfExp() | ast.Try():
                self._guard(node)
            case ast.ExceptHandler():
                self._handler(node)
            case ast.ImportFrom() | ast.Import():
                self._import(node)
            case ast.AnnAssign(value=value):
                # What is written for readers and type checkers uses nothing.
                if value is not None:
                    self.visit(value)
            case ast.Subscript(value=ast.Name() | ast.Attribute() as generic) if (
                self._meaning(_dotted(generic)).partition(".")[0] in _ANNOTATING
            ):
                self.visit(generic)
            case ast.Assign(targets=[ast.Name(id=name)]) if not self.scopes and self._is_kind(name):
                pass
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[tested, _]):
                self.visit(tested)
            case ast.Call(func=ast.Name(id="getattr") as func, args=[module, _]):
                self._note(f"{self._meaning(_dotted(module))}.getattr", func)
                self._children(node)
            case ast.Call(
                func=ast.Attribute(attr=name) as func, args=[ast.Constant(value=str(told)), *_]
            ):
                self._note(f'.{name}("{told.partition(":")[0]}")', func)
                self._children(node)
            case _:
                self._children(node)

    def _children(self, node: ast.AST) -> None:
        never = flow.beyond(node)
        self._in_turn(each for each in children(node) if each not in never)

    def _in_turn(self, nodes: Iterable[ast.AST]) -> None:
        """Read nodes; what follows a branch that leaves is as good as its ``else``."""
        outer = self.guarded
        for node in nodes:
            self.visit(node)
            if isinstance(node, ast.If) and isinstance(node.body[-1], _LEAVING):
                self.guarded = self.guarded or self._asks(node)
        self.guarded = outer

    def _within(self, node: ast.AST, scope: dict[str, str]) -> None:
        self.scopes.append(scope)
        self._children(node)
        self.scopes.pop()

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        for part in (
            *node.decorator_list,
            *node.args.defaults,
            *filter(None, node.args.kw_defaults),
        ):
            self.visit(part)
        scope = {argument.arg: "" for argument in _parameters(node.args)}
        for child in _own(node):
            for name, meaning in _bindings(child):
                scope[name] = "" if scope.get(name, meaning) != meaning else meaning
        self.scopes.append(scope)
        never = flow.beyond(node)
        self._in_turn(each for each in node.body if each not in never)
        self.scopes.pop()

    def _guard(self, node: ast.If | ast.IfExp | ast.Try) -> None:
        asks = tries_for_missing(node) if isinstance(node, ast.Try) else self._asks(node)
        outer = self.guarded, self.trying
        self.guarded = self.guarded or asks
        self.trying = node.body if isinstance(node, ast.Try) else self.trying
        self._children(node)
        self.guarded, self.trying = outer

    def _handler(self, node: ast.ExceptHandler) -> None:
        """Read what is done where something is refused: new names may have been, by old releases,
        for what they were given there.
        """
        outer = self.refused
        if "TypeError" in caught(node.type):
            inner = (child for each in self.trying for child in ast.walk(each))
            named = (child for child in inner if isinstance(child, (ast.Name, ast.Attribute)))
            self.refused |= {self._meaning(_dotted(child)) for child in named}
        self._children(node)
        self.refused = outer

    def _asks(self, node: ast.If | ast.IfExp) -> bool:
        """Whether a condition asks for a name, or for the release that has it."""
        tested = {child.id for child in ast.walk(node.test) if isinstance(child, ast.Name)}
        return (
            self.guarded
            or is_asking(node.test)
            or not tested.isdisjoint(self.doubts.of(self.outline).tried)
            or self.asking.is_of_release(node.test, set().union(*self.scopes))
        )

    def _import(self, node: ast.ImportFrom | ast.Import) -> None:
        module = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.ImportFrom):
            around = "" if node.level else self._around(node.module or "")
            if around:
                # All that it has is gone with it, which one mention tells.
                self._note(around, node.names[0], whole=node)
            if node.level or around:
                return
        for alias in node.names:
            name = module + alias.name
            named = self._around(name) if isinstance(node, ast.Import) else ""
            self._note(named or canonical(name), alias, below=name, whole=node)

    def _around(self, name: str) -> str:
        """What is sought: this, or what is gone with all that was in it, as this was."""
        parts = name.split(".")
        outer = (".".join(parts[:count]) for count in range(2, len(parts)))
        gone = next(
            (each for each in outer if each in self.sought.names and self.is_gone(each)), ""
        )
        return gone or (name if name in self.sought.names else "")

    def _expression(self, node: ast.Name | ast.Attribute) -> None:
        dotted = _dotted(node)
        if isinstance(node, ast.Attribute):
            self._note(f".{node.attr}", node)
        meaning = self._meaning(dotted) if dotted else ""
        if meaning:
            below = dotted.partition(".")[2]
            around = self._around(meaning)
            # What it was imported from has been told where that is gone itself.
            reached = around if len(around) > len(meaning) - len(f".{below}") else meaning
            self._note(reached, node, below=below)
        elif not dotted:
            self._children(node)

    def _given(self, call: ast.Call) -> None:
        """Note what a call is given by keyword, where it is sought for that."""
        for item in call.keywords:
            if item.arg in self.sought.arguments:
                meaning = self._meaning(_dotted(call.func))
                self._note(f"{meaning}({item.arg})", call.func)
                if isinstance(call.func, ast.Attribute):
                    self._note(f".{call.func.attr}({item.arg})", call.func)

    def _is_kind(self, name: str) -> bool:
        """Whether a name of the file's own only says what something is tested for."""
        text = self.outline.text
        tests = re.findall(
            rf"\bis(?:instance|subclass)\([^\n]*,[^\n]*\b{name}\b"
            rf"|\btype\([^\n)]*\) +(?:not +)?in +{name}\b",
            text,
        )
        return bool(tests) and len(tests) + 1 == len(re.findall(rf"\b{name}\b", text))

    def _meaning(self, dotted: str) -> str:
        """The canonical name that an expression stands for; nothing where it is not external."""
        first, _, rest = dotted.partition(".")
        for scope in reversed(self.scopes):
            if first in scope:
                known = scope[first]
                return canonical(f"{known}.{rest}" if rest else known) if known else ""
        if not rest and isinstance(self.outline.bindings.get(first), Alias):
            return ""
        found = self.index.meaning(self.outline, dotted)
        if not isinstance(found, External) or self.doubts.are_of(self.outline, first):
            return ""
        return found.name

    def _note(
        self,
        name: str,
        node: ast.expr | ast.alias,
        below: str = "",
        whole: ast.ImportFrom | ast.Import | None = None,
    ) -> None:
        """Note a name that is sought; of a private one ``below`` has to say so, which is what is
        spelled here, and not where the rest of the name was imported.
        """
        is_private = self.sought.private and _has_underscore(below) and private.is_private(name)
        if name not in self.sought.names and not is_private:
            return
        line, end_line = self._lines(node)
        column = self._column(line, node.col_offset)
        end_column = self._column(end_line, node.end_col_offset or node.col_offset)
        lines = self._lines(whole) if whole is not None else None
        where = line, column, end_line, end_column
        self.found.append(Mention(name, *where, self.guarded, lines, self.refused))

    def _lines(self, node: ast.expr | ast.alias | ast.stmt) -> tuple[int, int]:
        """The first and last line of a node in the file."""
        return self.shift + node.lineno, self.shift + (node.end_lineno or node.lineno)

    def _column(self, line: int, offset: int) -> int:
        """The 1-based column of an offset in bytes."""
        text = self.outline.lines(line, line)
        if not text.isascii():
            offset = len(text.encode()[:offset].decode("utf-8", "replace"))
        return offset + 1


def _has_underscore(dotted: str) -> bool:
    """Whether one of its parts starts with one."""
    return dotted.startswith("_") or "._" in dotted


def _parameters(arguments: ast.arguments) -> Iterator[ast.arg]:
    yield from (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)
    yield from filter(None, (arguments.vararg, arguments.kwarg))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, but not in those that it defines."""
    pending = children(node)
    while pending:
        child = pending.pop()
        yield child
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            pending.extend(children(child))


def _bindings(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that a node binds, with the external name that an import gives them."""
    match node:
        case ast.Import(names=names):
            for alias in names:
                first = alias.name.partition(".")[0]
                yield alias.asname or first, alias.name if alias.asname else first
        case ast.ImportFrom(module=module, level=0, names=names):
            for alias in names:
                yield alias.asname or alias.name, canonical(f"{module}.{alias.name}")
        case _:
            yield from ((name, "") for name in bound(node))


def _stored(target: ast.expr) -> Iterator[str]:
    """The names that a target of a loop binds."""
    for node in ast.walk(target):
        yield from bound(node)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            inner = _dotted(value)
            return f"{inner}.{attribute}" if inner else ""
    return ""
