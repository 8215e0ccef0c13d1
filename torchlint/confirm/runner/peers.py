"""A process group of two that talk over a wire, and what each sees of the collectives."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import Tensor

from .recorder import Stop
from .wire import HungUpError, SilenceError, Wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from .places import Project
    from .protocol import Target

BACKEND = "torchlint"
# Its stubs know overloads that nothing in torch calls a group of Python's with.
_GROUP: Any = dist.ProcessGroup
_PATIENCE = 6.0

_REDUCTIONS: list[tuple[Any, Callable[[Tensor, Tensor], Tensor]]] = [
    (dist.ReduceOp.SUM, torch.add),
    (dist.ReduceOp.AVG, lambda one, other: (one + other) / 2),
    (dist.ReduceOp.MAX, torch.maximum),
    (dist.ReduceOp.MIN, torch.minimum),
    (dist.ReduceOp.PRODUCT, torch.mul),
]


@dataclass
class Diary:
    """What one of two processes has seen: what it can say, once it ends, to the other."""

    rank: int
    collectives: int = 0
    at_target: int = 0
    left_alone: str = ""
    waits_at_target: bool = False
    unclear: str = ""
    works: list[bool] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)
    failed: str = ""


@dataclass
class Meeting:
    """One process's side of the wire."""

    project: Project
    target: Target
    wire: Wire
    diary: Diary

    @property
    def is_at_target(self) -> bool:
        """Whether the user's code is at the flagged place."""
        return self.project.is_at(self.target)

    def exchange(self, op: str, group: int, given: Any) -> Any:
        """Hand something over in a collective, for what the other hands over in the same."""
        diary = self.diary
        here = self.is_at_target
        diary.collectives += 1
        diary.at_target += here
        self.wire.send("collective", (op, group, given))
        try:
            kind, message = self.wire.receive("collective", "diary", seconds=_PATIENCE)
        except (HungUpError, SilenceError):
            diary.unclear = f"one of two processes has waited too long in `{op}`"
            raise Stop from None
        if kind == "collective" and message[:2] == (op, group):
            return message[2]
        other = f"has gone to `{message[0]}`" if kind == "collective" else "has ended"
        diary.left_alone = f"waits in `{op}`{self._where()}, and the other {other}"
        diary.waits_at_target = here
        diary.notes["their diary"] = message if kind == "diary" else None
        raise Stop

    def _where(self) -> str:
        frame = self.project.innermost(sys._getframe(1))
        return "" if frame is None else f" at line {frame.f_lineno}"


class Work(dist.Work):
    """The handle of something that is done already; it remembers whether anybody waits for it."""

    def __init__(self, diary: Diary, result: Any, watched: bool) -> None:
        super().__init__()
        self._diary, self._result = diary, result
        self._number = len(diary.works) if watched else -1
        if watched:
            diary.works.append(False)

    def wait(self, timeout: Any = None) -> bool:
        """Somebody waits."""
        if self._number >= 0:
            self._diary.works[self._number] = True
        return True

    def is_completed(self) -> bool:
        """Somebody asks."""
        return self.wait()

    def get_future(self) -> Any:
        """Somebody has hung on what comes after."""
        self.wait()
        future: Any = torch.futures.Future()
        future.set_result(self._result)
        return future


class Peers(_GROUP):  # type: ignore[misc]
    """The collectives of two processes, or of one that is alone in its group."""

    def __init__(self, meeting: Meeting, rank: int, size: int, number: int) -> None:
        super().__init__(rank, size)
        self._meeting, self._rank, self._size, self._number = meeting, rank, size, number

    def _both(self, op: str, given: Any) -> list[Any]:
        """What each of the members gives, in their order."""
        if self._size == 1:
            return [given]
        other = self._meeting.exchange(op, self._number, given)
        return [given, other] if self._rank == 0 else [other, given]

    def _done(self, result: Any) -> Work:
        return Work(self._meeting.diary, result, self._meeting.is_at_target)

    def allreduce(self, tensors: list[Tensor], opts: Any = None) -> Work:
        """Every member gets the reduction."""
        every = self._both("all_reduce", _copies(tensors))
        for position, tensor in enumerate(tensors):
            _fill(tensor, _reduced([given[position] for given in every], opts))
        return self._done(tensors)

    allreduce_coalesced = allreduce

    def reduce(self, tensors: list[Tensor], opts: Any = None) -> Work:
        """The root gets the reduction."""
        every = self._both("reduce", _copies(tensors))
        if opts.rootRank == self._rank:
            _fill(tensors[0], _reduced([given[0] for given in every], opts))
        return self._done(tensors)

    def broadcast(self, tensors: list[Tensor], opts: Any = None) -> Work:
        """Every member gets what the root has."""
        every = self._both("broadcast", _copies(tensors))
        for tensor, value in zip(tensors, every[opts.rootRank], strict=True):
            _fill(tensor, value)
        return self._done(tensors)

    def allgather(
        self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: Any = None
    ) -> Work:
        """Every member gets what all have."""
        every = self._both("all_gather", _copies(inputs))
        for position, row in enumerate(outputs):
            for tensor, given in zip(row, every, strict=True):
                _fill(tensor, given[position])
        return self._done(outputs)

    def _allgather_base(self, output: Tensor, given: Tensor, opts: Any = None) -> Work:
        every = self._both("all_gather_into_tensor", given.detach().clone())
        _fill(output, torch.stack(every).view_as(output))
        return self._done([output])

    def gather(self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: Any = None) -> Work:
        """The root gets what all have."""
        every = self._both("gather", _copies(inputs))
        if opts.rootRank == self._rank:
            for tensor, given in zip(outputs[0], every, strict=True):
                _fill(tensor, given[0])
        return self._done(outputs)

    def scatter(self, outputs: list[Tensor], inputs: list[list[Tensor]], opts: Any = None) -> Work:
        """Every member gets its part of what the root has."""
        every = self._both("scatter", [_copies(row) for row in inputs])
        _fill(outputs[0], every[opts.rootRank][0][self._rank])
        return self._done(outputs)

    def barrier(self, opts: Any = None) -> Work:
        """All have come so far."""
        self._both("barrier", None)
        return self._done([])

    def send(self, tensors: list[Tensor], to: int, tag: int) -> Work:
        """Hand over to the other, without waiting."""
        self._meeting.wire.send("letter", _copies(tensors))
        return self._done(tensors)

    def recv(self, tensors: list[Tensor], source: int, tag: int) -> Work:
        """Wait for what the other sends."""
        try:
            _, sent = self._meeting.wire.receive("letter", seconds=_PATIENCE)
        except (HungUpError, SilenceError):
            self._meeting.diary.unclear = "one of two processes has waited too long to receive"
            raise Stop from None
        for tensor, value in zip(tensors, sent, strict=True):
            _fill(tensor, value)
        return self._done(tensors)

    def getBackendName(self) -> str:  # noqa: N802  (torch calls it so)
        """What torch calls the backend."""
        return BACKEND


def _copies(tensors: list[Tensor]) -> list[Tensor]:
    return [tensor.detach().clone() for tensor in tensors]


def _fill(tensor: Tensor, value: Tensor) -> None:
    with torch.no_grad():
        tensor.copy_(value)


def _reduced(tensors: list[Tensor], opts: Any) -> Tensor:
    wanted = opts.reduceOp if opts is not None else dist.ReduceOp.SUM
    combine = next(combine for op, combine in _REDUCTIONS if wanted == op)
    return tensors[0] if len(tensors) == 1 else combine(tensors[0], tensors[1])
