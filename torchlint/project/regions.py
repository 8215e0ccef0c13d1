"""Regions: the stretches of a file that are parsed by themselves, when first asked for."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, cast

from torchlint.findings import Place
from torchlint.frozen import dataclass
from torchlint.project.annotations import unannotated
from torchlint.project.children import children
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torchlint.project.outline import Outline

NESTED = "if 1:\n"
"""What stands before an indented region, so that it can be parsed as it is."""

_COMMENT = Pattern(r"^[ \t]*#.*$", re.MULTILINE)
_HEAD = re.compile(rb"(?:async[ \t]+def|def|class)[ \t]+")


class Trees:
    """The regions of a project that are parsed, and how many characters there are in them all."""

    def __init__(self) -> None:
        self.size = 0
        self._parsed: list[Region] = []

    def note(self, region: Region, size: int) -> None:
        """A region of so many characters is parsed."""
        self._parsed.append(region)
        self.size += size

    def forget(self) -> None:
        """Let go of all trees."""
        for region in self._parsed:
            region.forget()
        self._parsed.clear()
        self.size = 0


class Region:
    """Whole lines of a file that hold one or more statements.

    ``first`` and ``last`` are 1-based line numbers; the statements start at column ``indent``.
    ``whole`` is a node that stands for the first statement before anything is parsed, and
    ``docstring`` its first and last line, if it has one on lines of its own.
    """

    # There are as many as functions and statements in a project.
    __slots__ = (
        "_headings",
        "_parents",
        "_statements",
        "_whole",
        "docstring",
        "first",
        "indent",
        "last",
        "outline",
        "scope",
    )

    def __init__(self, outline: Outline, first: int, last: int, indent: int, scope: str) -> None:
        self.outline = outline
        self.first = first
        self.last = last
        self.indent = indent
        self.scope = scope
        self.docstring: tuple[int, int] | None = None
        self._whole: ast.AST | None = None
        self._statements: Sequence[ast.stmt] | None = None
        self._headings: dict[ast.AST, ast.Name] | None = None
        self._parents: dict[ast.AST, ast.AST] | None = None

    @property
    def whole(self) -> ast.AST:
        """The node that stands for the first statement."""
        if self._whole is None:
            self._whole = ast.Pass()
        return self._whole

    @property
    def source(self) -> str:
        """The region's lines, as they stand in the file."""
        return self.outline.lines(self.first, self.last)

    @property
    def text(self) -> str:
        """The same in its usual form, for patterns to look at."""
        return self.outline.in_usual_form(self.source)

    @property
    def is_decorated(self) -> bool:
        """Whether a decorator comes first."""
        return self.outline.lines(self.first, self.first).lstrip().startswith("@")

    @property
    def length(self) -> int:
        """How many lines there are without the docstring."""
        first, last = self.docstring or (1, 0)
        return self.last - self.first - (last - first)

    @property
    def code(self) -> str:
        """The text without its docstring and the lines that hold a comment only."""
        if self.docstring is None:
            text = self.text
        else:
            before, after = self.docstring[0] - 1, self.docstring[1] + 1
            text = self.outline.lines(self.first, before)
            if after <= self.last:
                text += self.outline.lines(after, self.last)
            text = self.outline.in_usual_form(text)
        return _COMMENT.sub("", text) if "#" in text else text

    @property
    def statements(self) -> Sequence[ast.stmt]:
        """The statements of the region; lines keep their indentation, so columns are the file's."""
        if self._statements is None:
            text = self.source
            self.outline.trees.note(self, len(text))
            body = ast.parse(NESTED + text if self.indent else text).body
            body = cast("ast.If", body[0]).body if self.indent else body
            self._statements = unannotated(body, text, in_class=self.indent > 0)
        return self._statements

    @property
    def statement(self) -> Any:
        """The region's first statement."""
        return self.statements[0]

    @property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node of the region stands in, but for its statements."""
        if self._parents is None:
            self._parents = parents = {}
            pending: list[ast.AST] = [*self.statements]
            while pending:
                outer = pending.pop()
                inner = children(outer)
                parents.update(dict.fromkeys(inner, outer))
                pending.extend(inner)
        return self._parents

    def heading(self, node: ast.AST | None = None) -> ast.AST:
        """A node for the name of a function or class, the region's own or one in it.

        What is no definition stands for itself.
        """
        node = self.statement if node is None else node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return node
        headings = self._headings = self._headings or {}
        known = headings.get(node)
        if known is None:
            line = self.outline.lines(node.lineno + self.shift, node.lineno + self.shift)
            found = _HEAD.match(line.encode(), node.col_offset)
            start = found.end() if found is not None else node.col_offset
            known = ast.Name(node.name, ast.Store(), lineno=node.lineno, col_offset=start)
            known.end_lineno, known.end_col_offset = node.lineno, start + len(node.name.encode())
            headings[node] = known
        return known

    @property
    def shift(self) -> int:
        """How many lines of the file stand before what is parsed."""
        return self.first - 1 - (1 if self.indent else 0)

    def place(self, node: ast.AST) -> Place:
        """Where a node of this region stands in the file."""
        stands = cast("ast.expr", self.statement if node is self._whole else node)
        first, last = stands.lineno, stands.end_lineno or stands.lineno
        return Place(
            self.outline.source.path,
            first + self.shift,
            self._column(first, stands.col_offset),
            last + self.shift,
            self._column(last, stands.end_col_offset or 0),
        )

    def _column(self, line: int, offset: int) -> int:
        """The 1-based column of a character, ``offset`` bytes of UTF-8 into a line."""
        text = self.outline.lines(line + self.shift, line + self.shift)
        return (offset if text.isascii() else len(text.encode()[:offset].decode())) + 1

    def source_of(self, node: ast.AST) -> str:
        """The text of a node."""
        place = self.place(node)
        text = self.outline.lines(place.line, place.end_line)
        last = self.outline.lines(place.end_line, place.end_line)
        return text[place.column - 1 : len(text) - len(last) + place.end_column - 1]

    def text_of(self, node: ast.AST) -> str:
        """The same in its usual form."""
        return self.outline.in_usual_form(self.source_of(node))

    def comment_on(self, node: ast.AST) -> str:
        """What is said of a node: behind it in its last line, or alone in the lines before it."""
        place = self.place(node)
        behind = self.outline.lines(place.end_line, place.end_line)[place.end_column - 1 :]
        said = [behind.partition("#")[2]]
        for line in range(place.line - 1, self.first - 1, -1):
            text = self.outline.lines(line, line).strip()
            if not text.startswith("#"):
                break
            said.append(text)
        return "\n".join(reversed(said))

    def forget(self) -> None:
        """Let go of the tree, which is parsed again when it is needed again."""
        self._statements = None
        self._headings = None
        self._parents = None


@dataclass(frozen=True, slots=True)
class Spot:
    """A node of a region: the place of an event, whose position is worked out when reported."""

    region: Region
    node: ast.AST

    def __hash__(self) -> int:
        return hash((id(self.region), id(self.node)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spot) and self.node is other.node
