"""Steps that overtake a backward: the weights that it needs are others by the time it comes."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.modes import Pass
from torchlint.interpreter.graphs import Passages
from torchlint.interpreter.questions import walks
from torchlint.interpreter.values import Certainty
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.events.training import Step
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Node

_NEAREST = 8
"""So many steps before a walk are looked at."""

_DEEPEST = 3
"""So many times is what may be one of several taken apart."""

_LAYER = "nn."


def weights(trace: Trace) -> Iterator[tuple[Step, Walk, Node]]:
    """Steps that change the weights which a layer keeps for a later walk, and both.

    A graph that has been freed by then is told of as such, and of several values that may be walked
    back from, that of an earlier round need not be meant.
    """
    passages = Passages()
    freed = {walk for walk, _, _ in walks.second(trace)}
    seen = set()
    for walk in walks.walks(trace):
        again = walk.one_of and any(earlier.spot == walk.spot for earlier in walk.before)
        if walk.node is None or walk in freed or again:
            continue
        for step in islice(reversed(walk.stepped), _NEAREST):
            if step.spot not in seen:
                node = _Changes(trace, passages, step).behind(walk.node)
                if node is not None:
                    seen.add(step.spot)
                    yield step, walk, node


class _Changes:
    """What a step has changed that walks come through, each worked out once."""

    def __init__(self, trace: Trace, passages: Passages, step: Step) -> None:
        self._trace = trace
        self._passages = passages
        self._step = step
        self._known: dict[Node, Node | None] = {}

    def behind(self, start: Node, depth: int = 0) -> Node | None:
        """A layer that a walk surely comes through, and whose weights have changed since."""
        if start not in self._known:
            self._known[start] = self._found(start, depth)
        return self._known[start]

    def _found(self, start: Node, depth: int) -> Node | None:
        shared = self._passages.shared(start, start)
        for node in shared:
            if _keeps_weights(node, self._step.holds) and _is_older(self._trace, node, self._step):
                return node
        for node in shared if depth < _DEEPEST else ():
            # Of what may be one of several, each comes through such a layer.
            if node.op == "join" and len(node.parents) > 1:
                found = [self.behind(parent, depth + 1) for parent in node.parents]
                if all(found):
                    return found[0]
        return None


def _keeps_weights(node: Node, held: frozenset[int]) -> bool:
    """Whether a layer of those that an optimizer holds surely keeps its weights for backward."""
    if not node.op.startswith(_LAYER):
        return False
    owned = [each for each in node.parents if each.owner in held]
    if not any(each.certainty is Certainty.SURE for each in owned):
        return False
    saved = generated.saved_module(node.op.removeprefix(_LAYER))
    causes = saved.inputs.get("parameters", frozenset()) if saved is not None else frozenset()
    fed = [each for each in node.parents if each.owner is None]
    is_fed = any(each.certainty is Certainty.SURE and not each.opaque for each in fed)
    return "parameters" in causes or ("input" in causes and is_fed)


def _is_older(trace: Trace, node: Node, step: Step) -> bool:
    """Whether an operation was done before a step, by what is seen to have come of it then."""
    walked = [walk.node for walk in trace.of(Backward) if walk.index < step.index]
    given = [each for done in trace.of(Pass) if done.index < step.index for each in done.nodes]
    return any(node in trace.reach(each) for each in (*walked, *given) if each is not None)
