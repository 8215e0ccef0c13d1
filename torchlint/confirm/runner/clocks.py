"""TL813: whether the flagged read of a clock waits for the device.

Behind what the program asks of the device it is given work of a known length. A read that nothing
waits for comes before that work is done, however little the program itself asks for.
"""

from __future__ import annotations

import importlib
import sys
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.cuda import is_available
from torch.utils._python_dispatch import TorchDispatchMode

from .claims import NOTHING, Claim
from .device import DEVICE, storage
from .present import at_hand
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .trials import tensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from .device import Device
    from .loading import Program
    from .places import Project
    from .protocol import Job, Target

_CLOCKS = "time.time time.perf_counter time.monotonic time.process_time timeit.default_timer"
# Some 100 milliseconds of two billion cycles a second; more of it is given before half is over.
_CYCLES, _SOON = 200_000_000, 0.05
_MOST = 20
# If it is done at so many reads, the program has waited, and was not just slow to come there.
_READS = 2


class Clocks(Observer):
    """Gives the device work of its own, and looks for it at the flagged read."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._device = at_hand(project, target)
        self._runs = self._given = self._waited = 0
        self._gave = self._began = 0.0
        self._stream: Any = None
        self._elsewhere = False
        self._seen = ""

    def watching(self) -> AbstractContextManager[Any]:
        """Clocks are wrapped, and what the device is asked to do is seen."""
        self._runs += 1
        stack = ExitStack()
        stack.enter_context(self._device)
        for name in _CLOCKS.split():
            module, _, last = name.rpartition(".")
            owner = importlib.import_module(module)
            wrapped = self._wrapped(getattr(owner, last))
            stack.enter_context(mock.patch.object(owner, last, wrapped))
        stack.enter_context(_Work(self._device, self.asked))
        return stack

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """What is made up is on the device."""
        return self._device.placed(made)

    def asked(self) -> None:
        """The device was asked for something: there is to be work behind it that is not done."""
        stream = torch.cuda.current_stream()
        self._elsewhere |= self._stream not in (None, stream)
        self._stream, now = stream, perf_counter()
        if now - self._gave > _SOON:
            self._given += 1
            self._gave = now
            torch.cuda._sleep(_CYCLES)  # type: ignore[no-untyped-call]

    def has_seen_enough(self) -> bool:
        """A read that does not wait tells, and so do some that do."""
        return bool(self._seen) or self._given >= _MOST or self._waited >= _READS

    def conclude(self, ended: bool) -> Observation:
        """What the reads come to."""
        if self._seen:
            return Observation(SHOWN, evidence=self._seen)
        if self._waited >= _READS:
            return Observation(
                ABSENT,
                evidence=f"on {self._device.name} all is done that was asked for, at each of "
                f"{self._waited} reads of the clock",
            )
        return Observation(OPEN, reason="the clock was not read after work of the device")

    def _wrapped(self, clock: Callable[..., Any]) -> Callable[..., Any]:
        def read(*args: Any) -> Any:
            if self._project.owns(sys._getframe(1).f_code.co_filename):
                if self._project.is_at(self._target):
                    self._judge()
                # What was asked for before this read is not within what ends at the next.
                self._stream, self._elsewhere, self._began = None, False, perf_counter()
            return clock(*args)

        return read

    def _judge(self) -> None:
        """Look whether there is work left; of what was asked of another stream nothing is said."""
        if self._stream is None or self._elsewhere:
            return
        now = perf_counter()
        if self._stream.query():
            # The first run waits for what is loaded into the device as well, and for its memory.
            self._waited += self._runs > 1
            return
        self._stream.synchronize()
        told, took = now - self._began, perf_counter() - self._began
        self._seen = (
            f"on {self._device.name}, which is given more work behind that of the program, the "
            f"clock is read after {1000 * told:.1f} ms, and all is done after {1000 * took:.1f} ms"
        )


class _Work(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Tells of operations that the device does while the program goes on."""

    def __init__(self, device: Device, tell: Callable[[], None]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._device = device
        self._tell = tell

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        if self._is_work(func, tensors([args, kwargs]), tensors(out)):
            self._tell()
        return out

    def _is_work(self, func: Any, given: list[torch.Tensor], made: list[torch.Tensor]) -> bool:
        """What is copied from the CPU is waited for; to look at a tensor or get memory is none."""
        if not given or any(self._device.where(one) != DEVICE for one in [*given, *made]):
            return False
        if func._schema.is_mutable and torch.Tag.inplace_view not in func.tags:
            return True
        known = {storage(one) for one in given}
        is_new = any(storage(one) not in known for one in made)
        return is_new and "empty" not in func._schema.name


@dataclass(frozen=True)
class _Waits(Claim):
    @property
    def repeats(self) -> int:
        """Twice more, after all is loaded."""
        return 1 + _READS

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Gives the device work."""
        return Clocks(project, job.target)


_waits = _Waits(matters=NOTHING)


def timing_without_synchronize(job: Job) -> Observation:
    """TL813: the device is not done when the clock is read; only a real one can show it."""
    if not is_available():
        return Observation(OPEN, reason="no accelerator is here that could be ahead of the clock")
    return _waits(job)
