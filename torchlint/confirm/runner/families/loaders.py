"""Claims about loaders: what they refuse, and what comes out of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from ..claims import MODEL, NOTHING, After, Raises

if TYPE_CHECKING:
    from ..claims import Aftermath
    from ..protocol import Job, Observation
    from ..tally import Answer

_ARGUMENTS = frozenset({"settings", "flag", "count", "rate"})

loader_argument_conflict = Raises(
    "mutually exclusive with|needs num_workers > 0|could only be specified in multiprocessing"
    "|can only be used with multi-process|with IterableDataset: expected unspecified",
    (ValueError,),
    matters=MODEL | _ARGUMENTS,
)


class _Again:
    """Follows the iterators that a loop goes over, to see one that gives nothing.

    The line of the loop is passed once for each item, and once more at its end.
    """

    def __init__(self) -> None:
        self._met: list[Any] = []
        self._items = 0

    def __call__(self, seen: Aftermath) -> Answer:
        """Whether the loop has ended without any item, over an iterator."""
        loop = seen.statement
        if not isinstance(loop, ast.For) or seen.frame is None:
            return None
        source: Any = seen.value(_plain(loop.iter))
        if source is None:
            return None
        if iter(source) is not source:
            return False
        if loop.body[0].lineno <= seen.frame.f_lineno <= (loop.body[-1].end_lineno or 0):
            self._items += 1
            return None
        items, self._items = self._items, 0
        again = any(source is met for met in self._met)
        self._met.append(source)
        if items:
            return None
        before = "that it has gone over before" if again else "that was made before"
        return f"the loop is over a {type(source).__name__} {before}, and has no rounds"


def _plain(node: ast.expr) -> ast.expr:
    """What a loop is over, without what numbers it or shows its progress."""
    while isinstance(node, ast.Call) and node.args:
        node = node.args[0]
    return node


def exhausted_loader(job: Job) -> Observation:
    """TL614: a loop over an iterator that has come to its end."""
    return After("(?!)", judge=_Again(), matters=NOTHING)(job)
