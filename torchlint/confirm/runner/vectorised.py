"""TL804: a loop over rows is run beside the same operations on all rows at once."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import dataclass
from time import perf_counter, thread_time
from types import ModuleType
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.fx.experimental.proxy_tensor import make_fx

from .claims import Claim
from .experiments import describe
from .protocol import OPEN, Observation
from .recorder import Observer
from .rows import LIST, PLACE, TOTAL, NoRowsError, Result, Rows, loops, read, renamed
from .tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from .loading import Program
    from .places import Project
    from .protocol import Job, Target
    from .tally import Answer

_FEW = 8
_ENOUGH = 2.0
_TIMES = 9
_SECONDS = 1.5
_PLACES = 3
_TOLERANCE = 1e-4
_PLAIN = (bool, int, float, str, type(None), torch.dtype, torch.device)


class Unclear(Exception):  # noqa: N818  (nothing is wrong)
    """Why the runs of the loop tell nothing."""


@dataclass
class Pair:
    """The user's loop and the same operations on all rows, as functions of what they change."""

    loop: Callable[[dict[str, Any]], dict[str, Any]]
    whole: Callable[[dict[str, Any]], dict[str, Any]]
    held: dict[str, Any]
    rounds: int

    def fresh(self) -> dict[str, Any]:
        """Copies of what is changed."""
        return {name: _copied(value) for name, value in self.held.items()}


class Race(Observer):
    """Whenever the program arrives at the flagged loop, runs it on copies, in both ways."""

    def __init__(self, target: Target, program: Program) -> None:
        super().__init__()
        self._tally = Tally(1)
        self._node = _flagged(program.tree(target.file), target, program)
        self._why = "the flagged loop did not run" if self._node else "no loop is flagged there"
        self._inside: set[int] = set()
        self._looks = 0
        self.reached = self._reached

    def _reached(self, frame: FrameType) -> None:
        node = self._node
        if node is None:
            return
        line = frame.f_lineno
        if not node.lineno <= line <= (node.end_lineno or line):
            self._inside.discard(id(frame))
        elif line <= (node.iter.end_lineno or line) and id(frame) not in self._inside:
            self._inside.add(id(frame))
            if self._looks < _PLACES:
                self._looks += 1
                self._look(node, frame)

    def _look(self, node: ast.For, frame: FrameType) -> None:
        try:
            self._tally.take(_raced(_pair(read(node), frame)))
        except (NoRowsError, Unclear) as error:
            self._why = str(error)
        except Exception as error:
            self._why = f"all rows at once could not be computed: {describe(error)}"

    def has_seen_enough(self) -> bool:
        """Some runs tell."""
        return self._looks >= _PLACES

    def conclude(self, ended: bool) -> Observation:
        """What the runs come to."""
        if not self._tally.has_answers:
            return Observation(OPEN, reason=self._why)
        return self._tally.observation("runs of the loop")


def _flagged(tree: ast.AST, target: Target, program: Program) -> ast.For | None:
    """The loop over what is flagged."""
    lines = program.texts.read(target.file).splitlines()
    before = len(lines[target.line - 1][: target.column - 1].encode())
    here = (target.line, before)
    found = (one for one in loops(tree) if (one.iter.lineno, one.iter.col_offset) == here)
    return next(found, None)


def _pair(rows: Rows, frame: FrameType) -> Pair:
    """Both ways, with the values of the frame."""
    if torch._C._len_torch_function_stack() or torch._C._len_torch_dispatch_stack():
        raise Unclear("no time is taken where other code listens to each operation")
    names = {**frame.f_globals, **frame.f_locals}
    held = {name: _value(names, name) for name in rows.held}
    sources = [held[name] if name in held else _value(names, name) for name in rows.sources]
    for name in rows.fixed:
        _check_fixed(names, name)
    if not all(isinstance(value, Tensor) and value.dim() for value in sources):
        raise Unclear("it does not go over the rows of tensors")
    _check_held(rows, held, sources)
    rounds = _rounds(rows, names, dict(zip(rows.sources, sources, strict=True)))
    if rounds <= _FEW:
        raise Unclear(f"{rounds} rounds are too few to tell")
    loop, one = _loop(rows, names), _round(rows, names)
    whole = _whole(rows, one, sources, rounds)
    return Pair(loop, whole, held, rounds)


def _value(names: dict[str, Any], name: str) -> Any:
    """What a dotted name means."""
    first, *rest = name.split(".")
    if first not in names:
        raise Unclear(f"`{first}` has no value yet")
    value = names[first]
    for part in rest:
        value = getattr(value, part)
    return value


def _check_fixed(names: dict[str, Any], name: str) -> None:
    """What is the same in all rounds is a number or the like, or a function of torch's."""
    owner = name.rpartition(".")[0]
    module = _value(names, owner) if owner else None
    if isinstance(module, ModuleType) and module.__name__.partition(".")[0] == "torch":
        return
    value = _value(names, name)
    if not isinstance(value, _PLAIN) and not (isinstance(value, Tensor) and value.numel() == 1):
        raise Unclear(f"`{name}` is neither a number nor torch's")


def _check_held(rows: Rows, held: dict[str, Any], sources: list[Tensor]) -> None:
    """What the loop changes can be copied, and is nothing else that it reads."""
    for result in rows.results:
        value = held[result.owner]
        fits: dict[str, tuple[type, ...]] = {
            PLACE: (Tensor,),
            TOTAL: (Tensor, int, float),
            LIST: (list,),
        }
        if not isinstance(value, fits[result.kind]):
            raise Unclear(f"`{result.owner}` is no {result.kind} that could be compared")
        for name, source in zip(rows.sources, sources, strict=True):
            if name != result.owner and isinstance(value, Tensor) and _share(value, source):
                raise Unclear("what the loop changes shares memory with what it reads")


def _share(one: Tensor, other: Tensor) -> bool:
    return one.untyped_storage().data_ptr() == other.untyped_storage().data_ptr()


def _rounds(rows: Rows, names: dict[str, Any], sources: dict[str, Tensor]) -> int:
    """How many rounds there are."""
    counts = [len(sources[name]) for name in rows.iterated]
    if rows.count is not None:
        code = compile(ast.Expression(rows.count), "<flagged>", "eval")
        counts.append(int(eval(code, names)))
    if any(len(source) < min(counts) for source in sources.values()):
        raise Unclear("there are fewer rows than rounds")
    return min(counts)


def _loop(rows: Rows, names: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The loop as it stands, on copies of what it changes."""
    short = {name: f"_held{number}" for number, name in enumerate(rows.held)}
    body = [renamed(rows.node, short)]
    values = ast.Tuple([ast.Name(name, ast.Load()) for name in short.values()], ast.Load())
    run = _function([*short.values()], [*body, ast.Return(values)], names)

    def loop(held: dict[str, Any]) -> dict[str, Any]:
        return dict(zip(short, run(*(held[name] for name in short)), strict=True))

    return loop


def _round(rows: Rows, names: dict[str, Any]) -> Callable[..., tuple[Tensor, ...]]:
    """What a round computes of its rows."""
    count = len(rows.results)
    left: list[ast.expr] = [ast.Name(f"_left{number}", ast.Load()) for number in range(count)]
    body = [*rows.round, ast.Return(ast.Tuple(left, ast.Load()))]
    found: Callable[..., tuple[Tensor, ...]] = _function(rows.arguments(), body, names)
    return found


def _function(arguments: list[str], body: list[ast.stmt], names: dict[str, Any]) -> Any:
    taken = ast.arguments([], [ast.arg(name) for name in arguments], None, [], [], None, [])
    made = ast.FunctionDef("_flagged", taken, body, [])
    tree = ast.fix_missing_locations(ast.Module([made], []))
    space = dict(names)
    exec(compile(tree, "<flagged>", "exec"), space)
    return space["_flagged"]


def _whole(
    rows: Rows, one: Callable[..., tuple[Tensor, ...]], sources: list[Tensor], rounds: int
) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """A round's operations, each applied once to all rows, as `torch.vmap` finds them."""
    operations = torch.vmap(one)
    # Where they cannot be written down, finding them anew each time only takes longer.
    with suppress(Exception):
        operations = make_fx(operations)(*(source[:rounds] for source in sources))

    def whole(held: dict[str, Any]) -> dict[str, Any]:
        given = [
            held[name][:rounds] if name in held else source[:rounds]
            for name, source in zip(rows.sources, sources, strict=True)
        ]
        left = operations(*given)
        for result, value in zip(rows.results, left, strict=True):
            held[result.owner] = _joined(result, held[result.owner], value, rounds)
        return held

    return whole


def _joined(result: Result, held: Any, value: Tensor, rounds: int) -> Any:
    """What the loop would have left."""
    if result.kind == PLACE:
        held[(slice(rounds), *map(_literal, result.rest))] = value
        return held
    return value if result.kind == LIST else held + value.sum(0)


def _literal(part: ast.expr) -> Any:
    """A part of a subscript."""
    if isinstance(part, ast.Slice):
        ends = (part.lower, part.upper, part.step)
        return slice(*(None if end is None else ast.literal_eval(end) for end in ends))
    return ast.literal_eval(part)


def _copied(value: Any) -> Any:
    if isinstance(value, Tensor):
        return value.clone()
    return list(value) if isinstance(value, list) else value


def _raced(pair: Pair) -> Answer:
    """Equal results, and times that noise does not explain."""
    apart = _apart(pair, pair.loop(pair.fresh()), pair.whole(pair.fresh()))
    if apart is None:
        return False
    slow, fast = _fastest(pair)
    if slow < _ENOUGH * fast:
        ratio = f"{slow / fast:.1f} times as fast"
        raise Unclear(f"{pair.rounds} rows at once are computed {ratio}, which may be chance")
    return (
        f"{pair.rounds} rounds took {1000 * slow:.3f} ms, and the same operations on all rows at "
        f"once {1000 * fast:.3f} ms: {slow / fast:.1f} times as fast, with results that are "
        f"{f'equal to {apart:.0e}' if apart else 'equal'}"
    )


def _fastest(pair: Pair) -> tuple[float, float]:
    """The shortest time of each of both ways, which take turns, in one thread.

    Several wait for each other where others want the processor, at every operation of the loop.
    """
    times: tuple[list[float], list[float]] = ([], [])
    until = perf_counter() + _SECONDS
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        while len(times[0]) < 2 or (len(times[0]) < _TIMES and perf_counter() < until):
            for way, taken in zip((pair.loop, pair.whole), times, strict=True):
                held = pair.fresh()
                began = _now()
                way(held)
                taken.append(_now() - began)
    finally:
        torch.set_num_threads(threads)
    return min(times[0]), min(times[1])


def _now() -> float:
    """The time of this thread, in seconds; where there is a device, what it has taken is done."""
    if not torch.cuda.is_available():
        return thread_time()
    torch.cuda.synchronize()
    return perf_counter()


def _apart(pair: Pair, loop: dict[str, Any], whole: dict[str, Any]) -> float | None:
    """How far the results are apart; None where that is more than rounding."""
    most = 0.0
    for name, held in pair.held.items():
        one, other = loop[name], whole[name]
        if isinstance(held, list):
            one = torch.stack([torch.as_tensor(item) for item in one[len(held) :]])
        one, other = torch.as_tensor(one).detach(), torch.as_tensor(other).detach()
        if one.shape != other.shape:
            return None
        most = max(most, _differ(one, other))
        close = (
            max(_TOLERANCE, 8 * torch.finfo(other.dtype).eps) if other.is_floating_point() else 0
        )
        size = float(one.double().abs().nan_to_num().max())
        if not torch.allclose(
            one.double(), other.double(), rtol=close, atol=1e-2 * close * size, equal_nan=True
        ):
            return None
    return most


def _differ(one: Tensor, other: Tensor) -> float:
    return float((one.double() - other.double()).abs().nan_to_num().max())


class _Race(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Runs the loop."""
        return Race(job.target, program)


loop_over_tensor = _Race()
