"""Experiments on graphs that outlive their round (TL801, TL802)."""

from __future__ import annotations

import ast
import itertools
from collections import deque
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

from .forwards import ForwardCount, is_inside
from .protocol import ABSENT, OPEN, SHOWN, Observation, Target, measured
from .recorder import Observer
from .taint import Poison, StandIn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from contextlib import AbstractContextManager

ROUNDS = 6
# Rounds that are told by a backward pass or a batch, and those that are told by the line alone.
ROUNDS_AT_LEAST = 3
PASSES_AT_LEAST = 4
_MOST_NODES = 50_000
_MOST_OBJECTS = 20_000
_PLAIN = (str, bytes, int, float, complex, bool, type(None), type, ModuleType, nn.Module)


@dataclass(frozen=True)
class Sample:
    """What was kept after the flagged lines ran: graph nodes, and between which events that was."""

    nodes: int
    backwards: int
    batches: int
    forwards: int = 0


class KeptGraphs(Observer):
    """Counts the graph nodes that hang on what the flagged lines add to (TL801, TL802)."""

    def __init__(self, tree: ast.Module, target: Target) -> None:
        super().__init__()
        self.kept = kept_expression(tree, target)
        self.samples: list[Sample] = []
        self.stood_in = False
        self.used = False
        self._outlives = False
        self._handed_over = False
        self._backwards = 0
        self._batches = 0
        self._forwards = ForwardCount()
        self._within_forward = False
        self._held: list[Any] = []

    def watching(self) -> AbstractContextManager[Any]:
        """What a model keeps while it is called is told from what it keeps between calls."""
        return self._forwards

    def before_backward(self, roots: tuple[Tensor, ...], at_target: bool) -> None:
        """A backward pass through more than this round's part of what is kept is its purpose."""
        if self._held and not self.used:
            reached = graph_nodes(getattr(root, "grad_fn", None) for root in roots)
            earlier = self._held[:-1]
            self.used = bool(earlier) and all(node in reached for node in earlier)

    def after_backward(self, at_target: bool) -> None:
        """A round of training ends with its backward pass."""
        self._backwards += 1

    def drew_batch(self) -> None:
        """A round of evaluation starts with its batch."""
        self._batches += 1

    def passed_target(self, frame: FrameType) -> None:
        """Look at what is kept now."""
        if self.kept is None:
            return
        try:
            value = eval(self.kept, frame.f_globals, frame.f_locals)
        except Exception:
            return
        self._outlives = not _is_local(self.kept.co_names[0], frame)
        self.stood_in |= isinstance(value, (StandIn, Poison))
        tensors = list(graph_tensors(value))
        nodes = graph_nodes(tensor.grad_fn for tensor in tensors)
        self._remember(tensors)
        inside = is_inside(frame)
        self._within_forward |= inside
        forwards = self._forwards.count if inside else 0
        self.samples.append(Sample(len(nodes), self._backwards, self._batches, forwards))

    def returned(self, value: Any) -> None:
        """What comes back, or stays elsewhere, may be what a caller takes the backward of."""
        held = {node for node in self._held if node is not None}
        returned = {tensor.grad_fn for tensor in graph_tensors(value)}
        self._handed_over = self._outlives or bool(held & graph_nodes(returned))

    def has_seen_enough(self) -> bool:
        """Rounds with backward passes tell; without them the program must come to its end."""
        return self._backwards_between() > ROUNDS and len(self._rounds()) > 2 * ROUNDS

    def conclude(self, ended: bool) -> Observation:
        """Growth from round to round shows it."""
        rounds = self._rounds()
        if self.stood_in or self.kept is None:
            return Observation(OPEN, reason="what is kept is not the program's own object")
        if len(rounds) < self._least():
            return Observation(OPEN, reason=f"the flagged line ran in {len(rounds)} round(s) only")
        if self.used:
            return Observation(ABSENT, evidence="a later backward pass goes through what is kept")
        if not ended and not self._backwards_between():
            return Observation(OPEN, reason="the run was cut before its end")
        seen = self._judge(rounds)
        if seen.outcome == SHOWN and self._handed_over and not self._backwards_between():
            return Observation(OPEN, reason="a caller may take the backward of what is kept")
        return seen

    def _judge(self, rounds: list[int]) -> Observation:
        counts = ", ".join(str(count) for count in rounds[:ROUNDS])
        growth = measured("graph nodes", "round", rounds)
        if _grows(rounds, self._least()):
            return Observation(
                SHOWN,
                evidence=f"{counts} graph nodes hang on it after rounds 1 to {_shown(rounds)}",
                measured=growth,
            )
        if len(set(rounds)) == 1:
            return Observation(
                ABSENT,
                evidence=f"{rounds[0]} graph nodes hang on it after each round",
                measured=growth,
            )
        return Observation(OPEN, reason=f"graph nodes neither grow nor stay: {counts}")

    def _remember(self, tensors: list[Tensor]) -> None:
        """Hold the nodes themselves: a node that is gone may not be mistaken for another."""
        if len(tensors) == 1:
            node = tensors[0].grad_fn
            if not self._held or self._held[-1] is not node:
                self._held = [*self._held[-1:], node]
        else:
            self._held = [tensor.grad_fn for tensor in tensors]

    def _least(self) -> int:
        events = {(sample.backwards, sample.batches) for sample in self.samples}
        return ROUNDS_AT_LEAST if len(events) > 1 else PASSES_AT_LEAST

    def _backwards_between(self) -> int:
        return self.samples[-1].backwards - self.samples[0].backwards if self.samples else 0

    def _rounds(self) -> list[int]:
        """The count at the end of each round."""
        last: dict[tuple[int, int, int], int] = {}
        for sample in self.samples:
            last[(sample.backwards, sample.batches, sample.forwards)] = sample.nodes
        if len(last) > 1 or self._within_forward:
            return list(last.values())
        return [sample.nodes for sample in self.samples]


def _is_local(name: str, frame: FrameType) -> bool:
    """Whether a name is the function's own, and not an argument of it."""
    code = frame.f_code
    arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return name in code.co_varnames and name not in arguments


def _grows(rounds: list[int], least: int) -> bool:
    """Whether every round adds nodes, except those that start afresh as the first did."""
    steps = list(itertools.pairwise(rounds))
    growing = sum(one < other for one, other in steps)
    starting = sum(one >= other == rounds[0] for one, other in steps)
    return growing >= least - 1 and growing + starting == len(steps)


def _shown(rounds: list[int]) -> int:
    return min(len(rounds), ROUNDS)


def graph_tensors(value: Any) -> Iterator[Tensor]:
    """Tensors with a graph that can be reached from an object, each once."""
    waiting = deque([value])
    seen: set[int] = set()
    while waiting and len(seen) < _MOST_OBJECTS:
        found = waiting.popleft()
        if id(found) in seen or isinstance(found, _PLAIN):
            continue
        seen.add(id(found))
        if isinstance(found, Tensor):
            if found.grad_fn is not None:
                yield found
        else:
            waiting.extend(_parts(found))


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, (list, tuple, set, frozenset, deque)):
        return list(value)
    return list(vars(value).values()) if hasattr(value, "__dict__") else ()


def graph_nodes(roots: Iterable[Any]) -> set[Any]:
    """All autograd nodes that the roots keep alive."""
    waiting = [root for root in roots if root is not None]
    seen: set[Any] = set()
    while waiting and len(seen) < _MOST_NODES:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            waiting.extend(following for following, _ in node.next_functions if following)
    return seen


def kept_expression(tree: ast.Module, target: Target) -> Any:
    """What the flagged statement adds to, ready to be evaluated; None where it cannot be told."""
    for node in ast.walk(tree):
        if _lies_at(node, target):
            kept = _kept(node)
            if kept is not None:
                code = ast.fix_missing_locations(ast.Expression(kept))
                return compile(code, "<kept>", "eval")
    return None


def _lies_at(node: ast.AST, target: Target) -> bool:
    line = getattr(node, "lineno", None)
    return line is not None and line == target.line and node.col_offset + 1 >= target.column  # type: ignore[attr-defined]


def _kept(node: ast.AST) -> ast.expr | None:
    """The container of a call or an item assignment, the target of a sum."""
    if isinstance(node, ast.AugAssign):
        return _stable(node.target)
    if isinstance(node, ast.Assign):
        target = node.targets[0]
        item = isinstance(target, ast.Subscript) and not _is_sum(node.value)
        return _stable(target.value if item else target)  # type: ignore[attr-defined]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _stable(node.func.value)
    return None


def _is_sum(value: ast.expr) -> bool:
    return isinstance(value, ast.BinOp)


def _stable(node: ast.expr) -> ast.expr | None:
    """The longest beginning of an expression that can be read again without running anything."""
    chain: list[ast.expr] = []
    part: Any = node
    while isinstance(part, (ast.Attribute, ast.Subscript, ast.Call)):
        chain.append(part)
        part = part.func if isinstance(part, ast.Call) else part.value
    if not isinstance(part, ast.Name):
        return None
    kept: ast.expr = ast.Name(part.id, ast.Load())
    for link in reversed(chain):
        if isinstance(link, ast.Attribute) and not _is_called(link, chain):
            kept = ast.Attribute(kept, link.attr, ast.Load())
        elif isinstance(link, ast.Subscript) and _is_plain(link.slice):
            kept = ast.Subscript(kept, link.slice, ast.Load())
        else:
            break
    return kept


def _is_called(link: ast.expr, chain: list[ast.expr]) -> bool:
    return any(isinstance(other, ast.Call) and other.func is link for other in chain)


def _is_plain(node: ast.AST) -> bool:
    return all(
        isinstance(
            part,
            (
                ast.Name,
                ast.Constant,
                ast.Attribute,
                ast.Tuple,
                ast.UnaryOp,
                ast.USub,
                ast.expr_context,
            ),
        )
        for part in ast.walk(node)
    )
