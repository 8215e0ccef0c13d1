"""Attention that is written out, operation by operation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import facts
from torchlint.interpreter.events.speed import FusedAttention, Weighted
from torchlint.interpreter.questions import graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node

_SCALING = frozenset("mul div truediv imul itruediv divide multiply".split())
_MASKING = frozenset("masked_fill add sub iadd isub where float to type_as".split())
_PRODUCTS = frozenset("matmul bmm".split())
_FAR = 6


def written_out(trace: Trace) -> Iterator[tuple[Weighted, Node]]:
    """Products of a softmax of scaled products, none of which anything else uses.

    Where the same function knows torch's attention too, it has its reasons.
    """
    users: graph.Users | None = None
    aware = {id(event.spot.region) for event in trace.of(FusedAttention)}
    for found in trace.of(Weighted):
        if id(found.spot.region) in aware:
            continue
        path = list(_path(found.weights))
        if not path or _name(path[-1]) not in _PRODUCTS or not _is_scaled(path):
            continue
        if users is None:
            users = graph.users(trace)
        if all(len(users[node]) == 1 for node in path):
            yield found, path[-1]


def _path(weights: Node) -> Iterator[Node]:
    """From the weights back to the product of queries and keys, as long as there is one way."""
    node, normalised = weights, False
    for _ in range(_FAR):
        yield node
        name = _name(node)
        if name in _PRODUCTS and normalised:
            return
        normalised = normalised or name == "softmax"
        allowed = _SCALING | _MASKING | {"softmax"} if normalised else {"dropout"}
        if name not in allowed or len(node.parents) != 1:
            return
        node = node.parents[0]


def _is_scaled(path: list[Node]) -> bool:
    """Whether scores are scaled, or else queries or keys, which are two."""
    product = path[-1]
    if len(product.parents) != 2:
        return False
    if any(_name(node) in _SCALING for node in path):
        return True
    return any(_name(node) in _SCALING for parent in product.parents for node in _views(parent))


def _views(node: Node) -> Iterator[Node]:
    """A node and those before it, along a single way."""
    for _ in range(_FAR):
        yield node
        if len(node.parents) != 1:
            return
        node = node.parents[0]


def _name(node: Node) -> str:
    return facts.plain(node.op)[0].lower()
