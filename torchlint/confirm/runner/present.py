"""The accelerator that is there, where there is one and the job may use it.

In the place of the simulated one: tensors lie in its memory, and it is torch that refuses what
mixes devices.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import torch
from torch.cuda import is_available
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_map

from .accelerator import Accelerator
from .device import CPU, DEVICE, MIXED, Device, storage

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import ExitStack

    from .device import Operands
    from .isolation import Limits
    from .places import Project
    from .protocol import Target

_MIXED = re.compile(MIXED)


def where_it_runs() -> str:
    """Where a job runs that may use an accelerator."""
    return "cuda" if is_available() else CPU


def limit(limits: Limits) -> str:
    """Have torch take no more of the device's memory than a job may use; says so."""
    most = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction(min(1.0, limits.memory / most))
    return f"memory of {DEVICE} {limits.memory // 2**20} MiB (torch only)"


def at_hand(project: Project, target: Target) -> Device:
    """The device that is there, else a simulated one."""
    return Present(project, target) if is_available() else Accelerator(project, target)


def moved(value: Any, device: str) -> Any:
    """A value with the tensors in it on a device, and the modules themselves moved there."""
    kinds = (torch.Tensor, torch.nn.Module)
    return tree_map(lambda each: each.to(device) if isinstance(each, kinds) else each, value)


class Present(Device):
    """The device itself."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target)
        self.name = f"{DEVICE} ({torch.cuda.get_device_name(0)})"
        self._told = False

    def _begin(self, stack: ExitStack) -> None:
        super()._begin(stack)
        stack.enter_context(_Factories(self))

    def where(self, tensor: torch.Tensor) -> str:
        """The device that a tensor is on."""
        return DEVICE if tensor.device.type == torch.device(DEVICE).type else CPU

    def place(self, value: Any, device: str) -> Any:
        """The value on a device."""
        return moved(value, device)

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """What is made up, on the device."""
        return {name: moved(value, DEVICE) for name, value in made.items()}

    def flag(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor to have in its place, which is followed as if it were created now."""
        tensor = tensor.to(DEVICE) if self._put else tensor
        self._follow(tensor)
        return tensor

    def told(self, func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call what is told on which device to make a tensor."""
        before, self._told = self._told, True
        try:
            return func(*args, **kwargs)
        finally:
            self._told = before

    def perform(
        self,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        operands: Operands,
    ) -> Any:
        """Do an operation, and note whether torch refuses it for the flagged tensor's sake."""
        try:
            return func(*args, **kwargs)
        except RuntimeError as error:
            if self._watching and _MIXED.search(str(error)):
                self.refused = error
                there = [tensor for tensor, _ in operands if self.where(tensor) == CPU]
                self.met = any(storage(tensor) in self._flagged for tensor in there)
            raise

    def _passed_on(self, new: list[torch.Tensor], operands: list[torch.Tensor]) -> None:
        if not any(storage(tensor) in self._flagged for tensor in operands):
            return
        for tensor in new:
            if self.where(tensor) == DEVICE:
                self.settled = True
            else:
                self._follow(tensor)

    def _created(self, tensor: torch.Tensor) -> torch.Tensor:
        if not self._is_flagged():
            return tensor
        self.created = True
        if self.where(tensor) == DEVICE:
            self.settled = True
        elif self._put:
            tensor = tensor.to(DEVICE)
            self.settled = True
        elif not self._told:
            self._follow(tensor)
        return tensor


class _Factories(TorchFunctionMode):
    """Tells which tensors the program itself puts somewhere as it makes them."""

    def __init__(self, device: Present) -> None:
        super().__init__()
        self._device = device

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if kwargs.get("device") is None:
            return func(*args, **kwargs)
        return self._device.told(func, args, kwargs)
