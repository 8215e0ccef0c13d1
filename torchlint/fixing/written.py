"""Regions as they are written: with the comments and the layout that edits have to respect."""

from __future__ import annotations

import ast
from collections import defaultdict
from functools import cached_property, lru_cache, partial, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, cast

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider

from torchlint.findings import Place
from torchlint.frozen import dataclass
from torchlint.interpreter.repairs import UnreadableError
from torchlint.project.regions import NESTED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from torchlint.interpreter.repairs import Mending, Repair
    from torchlint.interpreter.values import Spot
    from torchlint.project.outline import Outline
    from torchlint.project.regions import Region

_KINDS: dict[type[ast.AST], tuple[type[cst.CSTNode], ...]] = {
    ast.Expr: (cst.Expr,),
    ast.Delete: (cst.Del,),
    ast.keyword: (cst.Arg,),
    ast.arg: (cst.Param,),
    ast.alias: (cst.ImportAlias,),
    ast.AsyncFor: (cst.For,),
    ast.AsyncWith: (cst.With,),
    ast.AsyncFunctionDef: (cst.FunctionDef,),
    ast.BinOp: (cst.BinaryOperation,),
    ast.UnaryOp: (cst.UnaryOperation,),
    ast.BoolOp: (cst.BooleanOperation,),
    ast.Compare: (cst.Comparison,),
    ast.Constant: (cst.BaseString, cst.BaseNumber, cst.Name, cst.Ellipsis),
    ast.JoinedStr: (cst.BaseString,),
    ast.Starred: (cst.StarredElement, cst.Arg),
    ast.YieldFrom: (cst.Yield,),
}
"""What libcst calls the nodes that ``ast`` has other names for."""


P = ParamSpec("P")


class Written:
    """A region, parsed by libcst."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self._wrapper = MetadataWrapper(_parsed(region), unsafe_skip_copy=True)
        self._module = self._wrapper.module
        self._positions = self._wrapper.resolve(PositionProvider)
        self._from: defaultdict[tuple[int, int], list[cst.CSTNode]] = defaultdict(list)
        for node, span in self._positions.items():
            self._from[span.start.line, span.start.column].append(node)

    @property
    def outline(self) -> Outline:
        """The file that the region is of."""
        return self.region.outline

    @property
    def text(self) -> str:
        """The region's source."""
        return self.region.source

    @property
    def statements(self) -> Sequence[cst.BaseStatement]:
        """The region's lines of simple statements, and its compound statements."""
        body = self._module.body
        if self.region.indent:
            body = cast("cst.If", body[0]).body.body  # type: ignore[assignment]
        return cast("Sequence[cst.BaseStatement]", body)

    @property
    def statement(self) -> Any:
        """The region's first line or compound statement."""
        return self.statements[0]

    @cached_property
    def _parents(self) -> Mapping[cst.CSTNode, cst.CSTNode]:
        return self._wrapper.resolve(ParentNodeProvider)

    def chain(self, node: cst.CSTNode) -> tuple[cst.CSTNode, ...]:
        """The node and what it stands in, from the inside out; empty if it is not in the region."""
        path = [node]
        while path[-1] not in self.statements:
            outer = self._parents.get(path[-1])
            if outer is None:
                return ()
            path.append(outer)
        return tuple(path)

    def place(self, node: cst.CSTNode) -> Place:
        """Where a node stands in the file."""
        span, shift = self._positions[node], self.region.shift
        return Place(
            self.outline.source.path,
            span.start.line + shift,
            span.start.column + 1,
            span.end.line + shift,
            span.end.column + 1,
        )

    def source_of(self, node: cst.CSTNode) -> str:
        """The text of a node, with the parentheses around it."""
        return self._module.code_for_node(node)

    def _end(self, node: cst.CSTNode) -> tuple[int, int]:
        return _end(self.place(node))

    def node(self, node: ast.AST) -> cst.CSTNode:
        """The node that stands where one of ``ast`` does.

        Where there is none, as for what has no place of its own, a node that no fix is about.
        """
        if node is self.region.whole:
            return cast("cst.CSTNode", self.statement)
        wanted = self.region.place(node)
        kinds = _KINDS.get(type(node)) or (getattr(cst, type(node).__name__),)
        line, column = wanted.line - self.region.shift, wanted.column - 1
        for found in self._from.get((line, column), ()):
            is_compound = isinstance(found, cst.BaseCompoundStatement)
            if isinstance(found, kinds) and (is_compound or self._end(found) == _end(wanted)):
                return found
        # ``ast`` counts the parentheses of tuples and generators as theirs.
        inside = wanted.end_line, wanted.end_column - 1
        for found in self._from.get((line, column + 1), ()):
            if isinstance(found, kinds) and self._end(found) == inside:
                return found
        return cst.Pass()


def _parsed(region: Region) -> cst.Module:
    try:
        return cst.parse_module(NESTED + region.source if region.indent else region.source)
    except (cst.ParserSyntaxError, cst.CSTLogicError) as error:
        raise UnreadableError(region.scope) from error


def _end(place: Place) -> tuple[int, int]:
    return place.end_line, place.end_column


@dataclass(frozen=True, slots=True)
class Site:
    """A node of a region as it is written."""

    region: Written
    node: cst.CSTNode


_written = lru_cache(maxsize=16)(Written)


def site(spot: Spot) -> Site:
    """What is written at a spot."""
    region = _written(spot.region)
    return Site(region, region.node(spot.node))


def fix(
    make: Callable[Concatenate[Site, P], Repair | None],
) -> Callable[Concatenate[Spot, P], Mending]:
    """Make a function of a spot of one of what is written there."""

    @wraps(make)
    def made(spot: Spot, /, *args: P.args, **kwargs: P.kwargs) -> Mending:
        return lambda: make(site(spot), *args, **kwargs)

    return made


def later(make: Callable[P, Repair | None]) -> Callable[P, Mending]:
    """Make a function that works something out of one that says how."""

    @wraps(make)
    def made(*args: P.args, **kwargs: P.kwargs) -> Mending:
        return partial(make, *args, **kwargs)

    return made
