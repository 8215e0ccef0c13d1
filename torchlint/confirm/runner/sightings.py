"""Watches single calls of torch at the flagged place: what goes in, and what comes out."""

from __future__ import annotations

import functools
import importlib
import sys
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode, get_testing_overrides

from .places import called_by_torch
from .present import at_hand
from .protocol import OPEN, Observation
from .recorder import Observer
from .shaken import Shaken
from .tally import Answer, Tally
from .trials import tensors

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

    from .places import Project
    from .protocol import Target


@dataclass
class Sighting:
    """One call: ``args`` and ``kwargs`` as they were given, ``result`` as it came back.

    The receiver of a method or a module's call is the first of ``args``. ``before`` holds copies
    of the tensors in ``args`` from before the call, and everything else as it is. ``steps`` counts
    the steps of optimizers so far, and ``reads`` the operations that were given what the call
    before gave; ``memory`` is the predicate's own, ``statement`` the one that the target is
    in. ``by_torch`` says that torch's own code makes the call on behalf of what stands there,
    ``device`` what accelerator the program finds, if there is to be one.
    """

    name: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    before: tuple[Any, ...] = ()
    result: Any = None
    memory: dict[str, Any] = field(default_factory=dict)
    steps: int = 0
    reads: int = 0
    statement: ast.stmt | None = None
    by_torch: bool = False
    device: str = ""

    @property
    def receiver(self) -> Any:
        """What the method or module was called on."""
        return self.args[0]

    def given(self, position: int, name: str, default: Any = None) -> Any:
        """An argument by position or by name."""
        return self.args[position] if position < len(self.args) else self.kwargs.get(name, default)


@dataclass(frozen=True)
class Asked:
    """What is asked of calls: of which, what, and how often it takes to tell.

    A call that fails in a way that is among the ``failing`` is judged too, and has no result.
    """

    names: tuple[str, ...]
    judge: Callable[[Sighting], Answer]
    times: int
    vary: bool = False
    on_device: bool = False
    failing: tuple[type[Exception], ...] = ()


class Sightings(Observer):
    """Asks a predicate about the calls of some functions at the flagged place.

    The name of a kind of module means the calls of such modules, that of any other class the
    building of its objects, which then are the receiver.

    With ``on_device`` the program finds an accelerator, on which all is that is made up for a
    function; on a simulated one nothing is refused.
    With a ``lead`` the calls of another statement in the same file are seen as well.
    With ``vary`` the models' weights and inputs are changed between the calls, and calls that were
    all given the same values decide nothing.
    """

    def __init__(
        self,
        project: Project,
        target: Target,
        asked: Asked,
        statement: ast.stmt | None = None,
        lead: ast.stmt | None = None,
    ) -> None:
        super().__init__()
        self._statement = statement
        self._target = target
        self._places = [target] if lead is None else [target, _lines(target, lead)]
        self._project = project
        self._asked = asked
        self._names = asked.names
        self._tally = Tally(asked.times)
        self._shaken = Shaken(self) if asked.vary else None
        self._device = at_hand(project, target) if asked.on_device else None
        self._first: list[Tensor] | None = None
        self.is_varied = not asked.vary
        self._busy = False
        self._calls = 0
        self._steps = self._reads = 0
        self._last: Any = None
        self._memory: dict[str, Any] = {}

    def watching(self) -> AbstractContextManager[Any]:
        """Functions that torch lets be overridden are seen by a mode, others are wrapped."""
        stack = ExitStack()
        if self._device is not None:
            stack.enter_context(self._device)
        if self._shaken is not None:
            stack.enter_context(self._shaken)
        functions: dict[Any, str] = {}
        for name in self._names:
            owner, last = _owner(name)
            found = getattr(owner, last)
            # That attributes are set is seen as well, though it is not among what is listed.
            if found in get_testing_overrides() or last == "__set__":
                functions[found] = name
            elif isinstance(found, type) and issubclass(found, nn.Module):
                wrapper = self._wrapper(nn.Module.__call__, name, found)
                stack.enter_context(mock.patch.object(nn.Module, "__call__", wrapper))
            else:
                if isinstance(found, type):
                    owner, last, found = found, "__init__", found.__init__  # type: ignore[misc]
                stack.enter_context(mock.patch.object(owner, last, self._wrapper(found, name)))
        if functions:
            stack.enter_context(_Mode(functions, self))
        return stack

    def see(
        self,
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Make the call, and judge it where it stands at the flagged place."""
        if self._busy or not any(map(self._project.is_at, self._places)):
            return function(*args, **kwargs)
        with self._apart():
            before = tuple(_copied(argument) for argument in args)
        try:
            out = function(*args, **kwargs)
        except self._asked.failing:
            self._judge(name, args, kwargs, before, None)
            raise
        self._judge(name, args, kwargs, before, out)
        if self._shaken is not None:
            self._shaken.rise()
        return out

    def _judge(
        self,
        name: str,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        before: tuple[Any, ...],
        out: Any,
    ) -> None:
        self._calls += 1
        seen = Sighting(
            name,
            args,
            kwargs,
            before,
            out,
            self._memory,
            self._steps,
            self._reads,
            self._statement,
            called_by_torch(),
            self._device.name if self._device is not None else "",
        )
        self._last, self._reads = out, 0
        with self._apart():
            self._compare(list(_tensors(before)))
            self._tally.take(self._asked.judge(seen))

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """What is made up is on the accelerator, if there is to be one."""
        return made if self._device is None else self._device.placed(made)

    def pass_by(self, args: tuple[Any, ...]) -> None:
        """Another operation is given something."""
        if self._last is not None and any(item is self._last for item in tensors(args)):
            self._reads += 1

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Count the steps."""
        self._steps += 1

    def has_seen_enough(self) -> bool:
        """Some calls tell."""
        return self._tally.is_full and self.is_varied

    def conclude(self, ended: bool) -> Observation:
        """What the calls come to."""
        if not self._calls:
            return Observation(OPEN, reason=f"no call of `{self._names[0]}` was seen there")
        if not self.is_varied:
            return Observation(OPEN, reason="the call is given the same values every time")
        return self._tally.observation(f"calls of `{self._names[0].rpartition('.')[2]}`")

    def _compare(self, given: list[Tensor]) -> None:
        if self._first is None:
            self._first = given
        elif not self.is_varied:
            pairs = zip(given, self._first, strict=False)
            self.is_varied = any(
                one.shape != other.shape or not torch.equal(one, other) for one, other in pairs
            )

    def _wrapper(
        self, function: Callable[..., Any], name: str, kind: type | None = None
    ) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            if kind is not None and not isinstance(args[0], kind):
                return function(*args, **kwargs)
            return self.see(name, function, args, kwargs)

        return wrapper

    def _apart(self) -> AbstractContextManager[Any]:
        """What the observer itself computes is not watched, and leaves no graph."""
        stack = ExitStack()
        stack.enter_context(mock.patch.object(self, "_busy", True))
        stack.enter_context(torch.no_grad())
        return stack


class _Mode(TorchFunctionMode):
    def __init__(self, functions: dict[Any, str], sightings: Sightings) -> None:
        super().__init__()
        self._functions = functions
        self._sightings = sightings

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        name = self._functions.get(func)
        if name is None:
            self._sightings.pass_by(args)
            return func(*args, **(kwargs or {}))
        return self._sightings.see(name, func, args, kwargs or {})


def _owner(name: str) -> tuple[Any, str]:
    """What holds the function of a dotted name."""
    first, *path, last = name.split(".")
    owner: Any = importlib.import_module(first)
    for part in path:
        owner = getattr(owner, part)
    return owner, last


def _lines(target: Target, statement: ast.stmt) -> Target:
    """The lines of a statement, in the file of a target."""
    end = statement.end_lineno or statement.lineno
    return replace(target, line=statement.lineno, column=1, end_line=end, end_column=sys.maxsize)


def _copied(value: Any) -> Any:
    if not isinstance(value, Tensor) or nn.parameter.is_lazy(value):
        return value
    return value.detach().clone()


def _tensors(values: tuple[Any, ...]) -> Iterator[Tensor]:
    return (value for value in values if isinstance(value, Tensor))
