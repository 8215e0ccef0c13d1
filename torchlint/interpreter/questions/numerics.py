"""What is computed of values at the edge of their range."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from torchlint.interpreter import formatting
from torchlint.interpreter.edges import COMPLEMENT, EdgeKind
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.numerics import Floored, Hazard, Ranked, Tested
from torchlint.interpreter.values import Certainty
from torchlint.project import around

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot

H = TypeVar("H", bound=Hazard)


def hazards(trace: Trace, kind: type[H]) -> Iterator[H]:
    """What the program gives to an operation that cannot take it, and never looks at.

    Neither the values that decide nor what comes of them.
    """
    found = trace.of(kind)
    if not found:
        return
    looked_at: set[Spot] = set()
    for event in trace.of(Tested):
        looked_at |= event.origins
    for hazard in found:
        if looked_at.isdisjoint(hazard.edge.origins) and hazard.spot not in looked_at:
            yield hazard


def differentiated(trace: Trace, spot: Spot, *, by_anyone: bool = False) -> bool:
    """Whether a backward, or the caller's of a forward, goes through what is computed at a spot.

    ``by_anyone`` is to say that the caller of a function may do so, with what it has handed over.
    """
    roots = [*trace.results, *(event.node for event in trace.of(Backward))]
    if by_anyone:
        roots += trace.returned
    return any(
        root is not None
        and any(
            node.spot == spot and (by_anyone or node.certainty is not Certainty.UNSEEN)
            for node in trace.reach(root)
        )
        for root in roots
    )


def only_ranked(trace: Trace, spot: Spot) -> bool:
    """Whether logarithms are put in order, and nothing is ever differentiated through them."""
    if all(event.taken != spot for event in trace.of(Ranked)):
        return False
    return not differentiated(trace, spot, by_anyone=True)


def is_expected(trace: Trace, edge: Edge) -> bool:
    """Whether something shows that a value gets to its edge.

    That a row has nothing to count is expected where a count of the same is kept from zero.
    """
    if edge.kind is not EdgeKind.COUNT or edge.usual is None:
        return True
    return any(event.origins == edge.origins for event in trace.of(Floored))


def is_of_the_numbers(edge: Edge, spot: Spot) -> bool:
    """Whether a function says by its name that it leaves out what is NaN, as ``nanmean`` does.

    Of nothing that is left it gives NaN, like those of torch and NumPy.
    """
    if edge.kind is not EdgeKind.COUNT or edge.what != "isnan":
        return False
    function = spot.region.statement
    return isinstance(function, ast.FunctionDef) and "nan" in function.name.lower()


def is_only_told(spot: Spot) -> bool:
    """Whether what is computed at a spot is put into a text as it stands, or printed.

    What stands by itself is what a notebook shows.
    """
    way = around.path(spot.region, spot.node)[:-1]
    return any(map(_tells, way)) or isinstance(way[-1] if way else None, ast.Expr)


def _tells(outer: ast.AST) -> bool:
    match outer:
        case ast.Call(func=ast.Name(id="print") | ast.Attribute(attr="format")):
            return True
    return isinstance(outer, formatting.FIELDS)


class Zero(NamedTuple):
    """An edge at zero in words: what is zero, where, and what to say of where it comes from."""

    of: str
    where: str
    note: str


def zero(edge: Edge) -> Zero:
    """An edge at zero, for a sentence."""
    what = edge.what
    match edge.kind:
        case EdgeKind.PROBABILITY if COMPLEMENT in edge.detail:
            return Zero("what is left of one", f"{what} rounds to 1", f"{what} applied here")
        case EdgeKind.PROBABILITY:
            return Zero("a probability", f"{what} rounds to 0", f"{what} applied here")
        case EdgeKind.RECTIFIED:
            return Zero(
                f"what {what} lets through", "it lets nothing through", f"{what} applied here"
            )
        case EdgeKind.REDUCED:
            where = f"{what} lets nothing through"
            return Zero("what is left of many values", where, f"{what} applied here")
        case EdgeKind.FLAGS:
            return Zero("a condition", "it does not hold", "the condition is here")
        case EdgeKind.COUNT if edge.usual:
            where = "the condition holds nowhere in a row"
            return Zero("a count of each row", where, "what is counted is decided here")
        case EdgeKind.COUNT:
            return Zero("a count", "the condition holds nowhere", "what is counted is decided here")
        case EdgeKind.INDICES:
            return Zero(f"what {what} counts", "it starts, at 0", "the numbers come from here")
        case EdgeKind.TWIN:
            where = "things meet themselves"
            return Zero("a distance", where, "one tensor is compared with itself here")
    return Zero(f"a {what}", "all values are zero, or all the same", f"{what} taken here")
