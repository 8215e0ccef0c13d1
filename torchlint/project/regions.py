"""Regions: the stretches of a file that are parsed with libcst, when first asked for."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, Any, cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from torchlint.findings import Place

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torchlint.project.outline import Outline

_NESTED = "if 1:\n"
_COMMENT = re.compile(r"^[ \t]*#.*$", re.MULTILINE)


class Region:
    """Whole lines of a file that hold one or more statements.

    ``first`` and ``last`` are 1-based line numbers; the statements start at column ``indent``.
    ``whole`` is a node that stands for the first statement before anything is parsed, and
    ``docstring`` its first and last line, if it has one on lines of its own.
    """

    docstring: tuple[int, int] | None = None

    def __init__(self, outline: Outline, first: int, last: int, indent: int, scope: str) -> None:
        self.outline = outline
        self.first = first
        self.last = last
        self.indent = indent
        self.scope = scope
        self.whole: cst.CSTNode = cst.Pass()
        self._module: cst.Module | None = None
        self._positions: Mapping[cst.CSTNode, CodeRange] | None = None

    @property
    def text(self) -> str:
        """The region's source."""
        return self.outline.lines(self.first, self.last)

    @property
    def code(self) -> str:
        """The region's source without its docstring and the lines that hold a comment only."""
        if self.docstring is None:
            text = self.text
        else:
            before, after = self.docstring[0] - 1, self.docstring[1] + 1
            text = self.outline.lines(self.first, before)
            if after <= self.last:
                text += self.outline.lines(after, self.last)
        return _COMMENT.sub("", text) if "#" in text else text

    @property
    def statements(self) -> Sequence[cst.BaseStatement]:
        """The statements of the region; lines keep their indentation, so columns are the file's."""
        body = self._parse().body
        if not self.indent:
            return cast("Sequence[cst.BaseStatement]", body)
        nest = cast("cst.If", body[0])
        return cast("Sequence[cst.BaseStatement]", nest.body.body)

    @property
    def statement(self) -> Any:
        """The region's first statement."""
        return self.statements[0]

    @property
    def syntax(self) -> ast.stmt:
        """The region's first statement as ``ast`` has it, which is fast to make and is not kept."""
        body = ast.parse(_NESTED + self.text if self.indent else self.text).body
        return cast("ast.If", body[0]).body[0] if self.indent else body[0]

    def node_at(self, place: tuple[int, int, int, int]) -> cst.CSTNode:
        """The outermost node from one line and column to another; the whole where there is none."""
        shift = self._shift
        for node, span in self._spans().items():
            start, end = span.start, span.end
            if place == (
                start.line + shift,
                start.column + 1,
                end.line + shift,
                end.column + 1,
            ):
                return node
        return self.whole

    @property
    def _shift(self) -> int:
        """How many lines of the file stand before what is parsed."""
        return self.first - 1 - (1 if self.indent else 0)

    def _spans(self) -> Mapping[cst.CSTNode, CodeRange]:
        if self._positions is None:
            wrapper = MetadataWrapper(self._parse(), unsafe_skip_copy=True)
            self._positions = wrapper.resolve(PositionProvider)
        return self._positions

    def place(self, node: cst.CSTNode) -> Place:
        """Where a node of this region stands in the file."""
        span = self._spans()[self.statement if node is self.whole else node]
        shift = self._shift
        return Place(
            self.outline.source.path,
            span.start.line + shift,
            span.start.column + 1,
            span.end.line + shift,
            span.end.column + 1,
        )

    def source_of(self, node: cst.CSTNode) -> str:
        """The text of a node."""
        return self._parse().code_for_node(node)

    def forget(self) -> None:
        """Let go of the tree, which is parsed again when it is needed again."""
        self._module = self._positions = None

    def _parse(self) -> cst.Module:
        if self._module is None:
            self.outline.parsed.append(self)
            text = self.text
            self._module = cst.parse_module(_NESTED + text if self.indent else text)
        return self._module
