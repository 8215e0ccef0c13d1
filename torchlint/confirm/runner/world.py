"""A world of two processes that run the user's program together, without a network.

The second one is a fork of the first. What torch starts to connect them is replaced by a wire,
launchers by a call, and what each of them has seen is brought together when the program ends.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.nn.parallel import DistributedDataParallel

from .experiments import describe
from .peers import BACKEND, Diary, Meeting, Peers
from .recorder import Observer, Stop
from .wire import HungUpError, SilenceError, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from .places import Project
    from .protocol import Target

SIZE = 2
_FAREWELL = 4.0


class Together(Observer):
    """Watches a program in two processes; ``diaries`` are theirs once it has ended."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self.project, self.target = project, target
        self.diary = Diary(0)
        self.diaries: list[Diary] = []

    def watching(self) -> AbstractContextManager[Any]:
        """The second process is there for as long as the program runs."""
        return World(self)

    def wrapped(self, stack: ExitStack) -> None:
        """Switch on, in both processes, what else is to be watched."""

    def obstacle(self) -> str:
        """Why the two processes tell nothing, empty where they do."""
        if len(self.diaries) < SIZE:
            return "the second of two processes has not ended well"
        return next((each.unclear or each.failed for each in self.diaries), "")


class World:
    """Where the program finds itself to be one of two processes."""

    def __init__(self, observer: Together) -> None:
        self._observer = observer
        self._stack = ExitStack()
        self._child = 0

    def __enter__(self) -> World:
        near, far = Wire.pair()
        left = signal.getitimer(signal.ITIMER_REAL)[0]
        self._child = os.fork()
        rank = 0 if self._child else 1
        for descriptor in far if self._child else near:
            os.close(descriptor)
        if not self._child and left:
            signal.setitimer(signal.ITIMER_REAL, left)
        self._wire = Wire(*(near if self._child else far))
        observer = self._observer
        observer.diary = Diary(rank)
        observer.diaries = []
        self._meeting = Meeting(observer.project, observer.target, self._wire, observer.diary)
        self._replace(rank)
        observer.wrapped(self._stack)
        return self

    def __exit__(self, *_: object) -> None:
        error = sys.exc_info()[1]
        diary = self._observer.diary
        if error is not None and not isinstance(error, (Stop, SystemExit)):
            diary.failed = describe(error)
        if not self._child:
            self._bid_farewell(diary)
        with contextlib.suppress(Exception):
            if dist.is_initialized():
                dist.destroy_process_group()
        self._stack.close()
        self._observer.diaries = [diary, *self._others(diary)]

    def _bid_farewell(self, diary: Diary) -> None:
        """The second process says what it has seen, and is gone."""
        try:
            diary.notes.pop("their diary", None)
            self._wire.send("diary", diary)
            self._wire.close(_FAREWELL)
        finally:
            os._exit(0)

    def _others(self, mine: Diary) -> list[Diary]:
        known = mine.notes.pop("their diary", None)
        found = [known] if known is not None else []
        try:
            if not found:
                mine_too = Diary(mine.rank)
                self._wire.send("diary", mine_too)
                found = [self._wire.receive("diary", seconds=_FAREWELL)[1]]
        except (HungUpError, SilenceError):
            pass
        self._wire.close(0)
        until = time.monotonic() + 1
        while os.waitpid(self._child, os.WNOHANG)[0] == 0:
            if time.monotonic() > until:
                os.kill(self._child, signal.SIGKILL)
                os.waitpid(self._child, 0)
                break
            time.sleep(0.01)
        return found

    def _replace(self, rank: int) -> None:
        groups: list[int] = []

        def make(store: Any, rank: int, size: int, timeout: Any) -> Peers:
            groups.append(len(groups))
            return Peers(self._meeting, rank, size, len(groups))

        if hasattr(dist.Backend, BACKEND.upper()):
            dist.Backend._plugins[BACKEND.upper()] = dist.Backend._BackendPlugin(make, False)
        else:
            dist.Backend.register_backend(BACKEND, make, devices=["cpu"])
        patch = self._stack.enter_context
        variables = {"RANK": rank, "LOCAL_RANK": rank, "GROUP_RANK": 0, "WORLD_SIZE": SIZE}
        variables |= {"LOCAL_WORLD_SIZE": SIZE, "MASTER_PORT": 29500}
        texts = {name: str(value) for name, value in variables.items()}
        patch(mock.patch.dict(os.environ, {**texts, "MASTER_ADDR": "localhost"}))
        patch(mock.patch.object(dist, "init_process_group", _starting(rank)))
        for name in ("spawn", "start_processes"):
            patch(mock.patch.object(mp, name, _calling(rank)))
        old = DistributedDataParallel.__init__
        patch(mock.patch.object(DistributedDataParallel, "__init__", _on_any_device(old)))


def _starting(rank: int) -> Callable[..., None]:
    start = dist.init_process_group

    def started(*_: Any, **__: Any) -> None:
        store = dist.HashStore()  # type: ignore[attr-defined]
        start(BACKEND, store=store, rank=rank, world_size=SIZE)

    return started


def _calling(rank: int) -> Callable[..., None]:
    """Launching processes is running what each of them runs."""

    def called(fn: Callable[..., Any], args: Sequence[Any] = (), *_: Any, **__: Any) -> None:
        fn(rank, *args)

    return called


def _on_any_device(old: Callable[..., None]) -> Callable[..., None]:
    def built(wrapper: Any, module: torch.nn.Module, *_: Any, **options: Any) -> None:
        for name in ("device_ids", "output_device"):
            options.pop(name, None)
        old(wrapper, module, **options)

    return built
