"""Reach: what graphs that lead out of sight may come to there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.graphs import back
from torchlint.interpreter.holdings import is_stray, owners_of

if TYPE_CHECKING:
    from collections.abc import Set

    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node


def passes_by(trace: Trace, node: Node, owners: Set[int], escaped: Set[int]) -> bool:
    """Whether a graph surely does not lead to the parameters of these modules.

    What comes in from the caller, such as a batch, leads to nothing that was built in this run, and
    had not ``escaped`` by then.
    """
    reached, whole = owners_of(node)
    if not reached.isdisjoint(owners):
        return False
    return whole or (are_own(trace, owners, escaped) and is_of_callers(trace, node))


def is_of_callers(trace: Trace, node: Node) -> bool:
    """Whether a graph leads out of sight only by what the caller has given."""
    return not any(
        is_stray(each) or (_is_unseen(each) and each not in trace.given) for each in back([node])
    )


def are_own(trace: Trace, modules: Set[int], escaped: Set[int]) -> bool:
    """Whether modules were all built in this run, and nothing out of sight has got hold of them."""
    mine = all(each >= trace.begun and each not in trace.lasting for each in modules)
    return mine and modules.isdisjoint(escaped)


def _is_unseen(node: Node) -> bool:
    """Whether what a result was computed by is out of sight; views of such a result are not."""
    return node.opaque and (node.op == "opaque" or not node.parents)
