"""Ways back through graphs, from results to what they were computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.values import Node


def back(starts: Iterable[Node], through: Callable[[Node], bool] | None = None) -> Iterator[Node]:
    """Nodes and what they were computed from, each once, the nearest of a way first.

    Behind nodes that ``through`` does not hold for nothing is looked for.
    """
    pending = list(starts)
    seen = set(pending)
    while pending:
        node = pending.pop()
        yield node
        if through is None or through(node):
            fresh = [parent for parent in node.parents if parent not in seen]
            seen.update(fresh)
            pending.extend(fresh)


class Passages:
    """What every walk back from a node comes through, as far as can be seen.

    A walk goes on to all that an operation was given, but to one of what a join stands for. Sets of
    nodes are bits of numbers, as there are as many of them as nodes.
    """

    def __init__(self) -> None:
        self._nodes: list[Node] = []
        self._passed: dict[Node, int] = {}

    def shared(self, one: Node, other: Node) -> list[Node]:
        """What walks from both come through, the nearest first."""
        passed, found = self._of(one) & self._of(other), []
        while passed:
            at = passed.bit_length() - 1
            found.append(self._nodes[at])
            passed ^= 1 << at
        return found

    def _of(self, start: Node) -> int:
        pending = [start]
        while pending:
            node = pending[-1]
            ahead = [each for each in _ahead(node) if each not in self._passed]
            if ahead:
                pending.extend(ahead[::-1])
                continue
            pending.pop()
            if node not in self._passed:
                self._passed[node] = self._behind(node) | 1 << len(self._nodes)
                self._nodes.append(node)
        return self._passed[start]

    def _behind(self, node: Node) -> int:
        passed = [self._passed[each] for each in _ahead(node)]
        if node.op == "join" and len(passed) < 2:
            # What else it stands for is out of sight.
            return 0
        common = passed[0] if passed else 0
        for each in passed[1:]:
            common = common & each if node.op == "join" else common | each
        return common


def _ahead(node: Node) -> tuple[Node, ...]:
    return () if node.opaque and node.op != "join" else node.parents
