"""TL810: values that a device had, that NumPy was given, and that the device is given back."""

from __future__ import annotations

import importlib
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from .claims import NOTHING, Claim
from .device import DEVICE, Device
from .present import at_hand
from .recorder import Observer
from .tally import Tally
from .trials import tensors

if TYPE_CHECKING:
    from .loading import Program
    from .places import Project
    from .protocol import Job, Observation, Target

_MAKES = ("array", "asarray", "ascontiguousarray", "asanyarray")


@dataclass
class _Luggage:
    """The memories of tensors whose values were on the device; ``packed`` as NumPy gave them."""

    brought: set[int] = field(default_factory=set)
    packed: set[int] = field(default_factory=set)
    alive: list[Tensor] = field(default_factory=list)

    def mark(self, which: set[int], value: Any) -> None:
        """Remember the tensors in a value, and keep their memory from being used again."""
        for tensor in tensors(value):
            which.add(_memory(tensor))
            self.alive.append(tensor.detach())


def _memory(tensor: Tensor) -> int:
    return int(tensor.untyped_storage()._cdata)


class Trips(Observer):
    """Follows values from an accelerator through NumPy, and back at the flagged place."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._tally = Tally(1)
        self._steps = self._trips = 0
        self._device = at_hand(project, target)

    def watching(self) -> AbstractContextManager[Any]:
        """Arrays of values from the device are of a class of their own, as is what they give."""
        stack = ExitStack()
        on = stack.enter_context(self._device)
        try:
            numpy = importlib.import_module("numpy")
        except ImportError:
            return stack
        kind = _array_class(numpy)
        for name in _MAKES:
            new = _keeping(getattr(numpy, name), kind)
            stack.enter_context(mock.patch.object(numpy, name, new))
        follow = _Follow(self, on, kind)
        # A function that tells no mode that it was called.
        stack.enter_context(mock.patch.object(torch, "from_numpy", follow.from_numpy))
        stack.enter_context(follow)
        return stack

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """Count the steps."""
        self._steps += 1

    def moved(self, tensor: Tensor, carried: bool) -> None:
        """Something is moved to the device, by whatever code."""
        if not self._project.is_at(self._target):
            return
        if not carried:
            self._tally.take(False)
            return
        self._trips += 1
        size = tensor.numel() * tensor.element_size()
        self._tally.take(
            f"on {self._device.name} {self._trips} arrays were copied to it, with {self._steps}"
            f" steps of an optimizer in between, the last of {size} bytes, and their values had "
            "been there before"
        )

    def has_seen_enough(self) -> bool:
        """Some trips tell."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What it all comes to."""
        return self._tally.observation("copies to the device")


def _array_class(numpy: Any) -> Any:
    """Arrays of which NumPy's functions make such arrays again."""

    class Carried(numpy.ndarray):  # type: ignore[misc]
        __array_priority__ = 1.0

        def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
            out = super().__array_function__(func, types, args, kwargs)
            return out.view(Carried) if type(out) is numpy.ndarray else out

    return Carried


def _keeping(make: Any, kind: Any) -> Any:
    """A function that makes an array, and one of the class of what it is given."""

    def keeping(given: Any = None, *args: Any, **kwargs: Any) -> Any:
        out = make(given, *args, **kwargs)
        parts = given if isinstance(given, (list, tuple)) else [given]
        return out.view(kind) if any(isinstance(part, kind) for part in parts) else out

    return keeping


class _Follow(TorchFunctionMode):
    def __init__(self, trips: Trips, on: Device, kind: Any) -> None:
        super().__init__()
        self._trips = trips
        self._on = on
        self._kind = kind
        self._luggage = _Luggage()
        self._from_numpy = torch.from_numpy

    def from_numpy(self, array: Any) -> Tensor:
        """Remember a tensor that shares the memory of an array."""
        out = self._from_numpy(array)
        if isinstance(array, self._kind):
            self._luggage.mark(self._luggage.packed, out)
        return out

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        luggage = self._luggage
        given = tensors((args, kwargs or {}))
        before = [self._on.where(tensor) for tensor in given]
        out = func(*args, **(kwargs or {}))
        if getattr(func, "__name__", "") in ("numpy", "__array__"):
            is_known = bool(given) and _memory(given[0]) in luggage.brought
            return out.view(self._kind) if is_known else out
        made = tensors(out)
        if not made:
            return out
        goes_there = self._on.where(made[0]) == DEVICE
        packed = any(_memory(tensor) in luggage.packed for tensor in given)
        packed = packed or any(isinstance(part, self._kind) for part in args)
        if goes_there and DEVICE not in before and (packed or before):
            self._trips.moved(made[0], packed)
        elif not goes_there:
            known = any(_memory(tensor) in luggage.brought for tensor in given)
            if packed:
                luggage.mark(luggage.packed, out)
            if known or DEVICE in before:
                luggage.mark(luggage.brought, out)
        return out


@dataclass(frozen=True)
class _Trip(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Follows the values."""
        return Trips(project, job.target)


cpu_roundtrip = _Trip(matters=NOTHING)
