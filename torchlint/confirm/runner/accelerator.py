"""An accelerator that is not there: tensors keep their values on the CPU, a device follows them.

Which device a tensor is on is noted by its storage. A function mode answers what programs ask and
do (``.device``, ``.to``, ``.cuda``, factories with ``device=``); a dispatch mode refuses operations
that mix devices, with the exceptions that torch makes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch.overrides import TorchFunctionMode

from .device import CPU, DEVICE, Device, by_torch, storage
from .simulated import answers
from .trials import tensors

if TYPE_CHECKING:
    from contextlib import ExitStack

    from .device import Operands
    from .places import Project
    from .protocol import Target

# A tensor that torch made for itself, and would have made where it was needed.
ANYWHERE = "anywhere"

_MIXING = frozenset(
    "_to_copy copy_ set_ detach alias lift lift_fresh lift_fresh_copy record_stream".split()
)
_INDEXING = frozenset(["index", "index_put", "index_put_", "_index_put_impl_", "_unsafe_index"])
# Operands that torch takes on the CPU alone, wherever the others are.
_KEPT = {"_pack_padded_sequence": "lengths"}
_NO_SCALARS = frozenset(
    [
        "cat",
        "stack",
        "mm",
        "bmm",
        "addmm",
        "embedding",
        "index_select",
        "gather",
        "scatter",
        "convolution",
        "nll_loss_forward",
        "native_layer_norm",
    ]
)
_LIKE = frozenset(
    [
        "new_tensor",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty",
        "zeros_like",
        "ones_like",
        "rand_like",
        "randn_like",
        "full_like",
        "empty_like",
        "randint_like",
    ]
)


class DeviceMismatchError(RuntimeError):
    """An operation got tensors of both devices, as torch would have said it."""


class Accelerator(Device):
    """The simulated device; it refuses nothing before :meth:`watch`."""

    name = f"a simulated {DEVICE}"

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target)
        self._devices: dict[int, str] = {}
        self.default = CPU

    def _begin(self, stack: ExitStack) -> None:
        for owner, name, answer in answers():
            self._patch(owner, name, answer)
        self._patch(torch, "set_default_device", self._set_default)
        self._patch(torch, "get_default_device", lambda: torch.device(self.default))
        super()._begin(stack)
        stack.enter_context(_Functions(self))

    def _patch(self, owner: Any, name: str, new: Any) -> None:
        if hasattr(owner, name):
            self._stack.enter_context(mock.patch.object(owner, name, new))

    def _set_default(self, device: Any) -> None:
        self.default = named(device) or CPU

    def where(self, tensor: torch.Tensor) -> str:
        """The device that a tensor is on."""
        return self._devices.get(storage(tensor), CPU)

    def place(self, value: Any, device: str) -> Any:
        """Put all tensors of a value on a device, as if they had been made there."""
        for tensor in tensors(value):
            key = storage(tensor)
            if key not in self._devices:
                self._keep(tensor)
            self._devices[key] = device
            self.settled |= device == DEVICE and key in self._flagged
        return value

    def flag(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor itself, which is followed as if it were created now."""
        self._follow(tensor)
        self.place(tensor, DEVICE if self._put else CPU)
        return tensor

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """What is made up, on the device, and with it the weights of models."""
        models = [each for each in made.values() if isinstance(each, torch.nn.Module)]
        self.place([made, [list(model.parameters()) for model in models]], DEVICE)
        return made

    def place_as_told(self, value: Any, device: str) -> Any:
        """Put what a factory made where the program said; no flagged tensor is without a device."""
        self.place(value, device)
        self._flagged.difference_update(storage(tensor) for tensor in tensors(value))
        return value

    def move(self, tensor: torch.Tensor, device: str) -> torch.Tensor:
        """The tensor itself where it is there already, else a copy on the device."""
        if self.where(tensor) == device:
            return tensor
        copied: torch.Tensor = self.place(tensor.clone(), device)
        return copied

    def check(self, operation: str, operands: Operands) -> None:
        """Refuse the operation if it mixes devices in a way that torch does not allow."""
        if operation in _MIXING or not self._watching:
            return
        for tensor, _ in operands if self._whole else ():
            if isinstance(tensor, torch.nn.Parameter) and self.where(tensor) == ANYWHERE:
                self.place(tensor, CPU)
        self._check_kept(operation, operands)
        counted = [
            (tensor, name) for tensor, name in operands if not self._exempt(operation, tensor, name)
        ]
        on = {
            device: [t for t, _ in counted if self.where(t) == device] for device in (CPU, DEVICE)
        }
        if not (on[CPU] and on[DEVICE]):
            return
        self.met = any(storage(tensor) in self._flagged for tensor in on[CPU])
        shapes = " and ".join(f"{d} {list(on[d][0].shape)}" for d in (CPU, DEVICE))
        self.refused = DeviceMismatchError(
            "Expected all tensors to be on the same device, but found at least two devices, "
            f"{DEVICE} and {CPU}! ({operation} of {shapes})"
        )
        raise self.refused

    def _check_kept(self, operation: str, operands: Operands) -> None:
        kept = _KEPT.get(operation)
        if any(name == kept and self.where(tensor) == DEVICE for tensor, name in operands):
            self.refused = DeviceMismatchError(
                f"'{kept}' argument should be a 1D CPU int64 tensor, but got one on {DEVICE}"
            )
            raise self.refused

    def _exempt(self, operation: str, tensor: torch.Tensor, name: str) -> bool:
        if self.where(tensor) != CPU:
            return False
        if operation in _INDEXING and name == "indices":
            return True
        if name == _KEPT.get(operation):
            return True
        return tensor.dim() == 0 and operation not in _NO_SCALARS

    def _passed_on(self, new: list[torch.Tensor], operands: list[torch.Tensor]) -> None:
        devices = {self.where(tensor) for tensor in operands}
        flagged = any(storage(tensor) in self._flagged for tensor in operands)
        for tensor in new:
            if DEVICE in devices:
                self.settled |= flagged
                self.place(tensor, DEVICE)
            else:
                self.place(tensor, ANYWHERE if devices == {ANYWHERE} else CPU)
                if flagged:
                    self._flagged.add(storage(tensor))

    def _created(self, tensor: torch.Tensor) -> torch.Tensor:
        if self._is_flagged():
            self._follow(tensor)
            self.place(tensor, DEVICE if self._put else CPU)
        else:
            self.place(tensor, ANYWHERE if by_torch() else CPU)
        return tensor


def named(device: Any) -> str | None:
    """The simulated device that a program means, None where it names none."""
    if device is None:
        return None
    text = f"cuda:{device}" if isinstance(device, int) else str(device)
    if text.startswith(("cuda", "mps", "xpu")):
        return DEVICE
    return CPU if text.startswith(CPU) else text


class _Functions(TorchFunctionMode):
    """What programs ask of tensors and tell them, answered for the simulated device."""

    def __init__(self, accelerator: Accelerator) -> None:
        super().__init__()
        self._on = accelerator

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        first = args[0] if args and isinstance(args[0], torch.Tensor) else None
        if first is not None:
            handled, answer = self._asked(func, name, first, args, kwargs)
            if handled:
                return answer
        device = named(kwargs.get("device"))
        if device in (CPU, DEVICE):
            return self._on.place_as_told(func(*args, **{**kwargs, "device": CPU}), device)
        if name in _LIKE and first is not None:
            return self._on.place(func(*args, **kwargs), self._on.where(first))
        out = func(*args, **kwargs)
        if self._on.default != CPU and name in _FACTORIES:
            self._on.place(out, self._on.default)
        return out

    def _asked(
        self, func: Any, name: str, tensor: torch.Tensor, args: tuple[Any, ...], kwargs: Any
    ) -> tuple[bool, Any]:
        """Whether it is a question or an order about devices, and what to give back."""
        here = self._on.where(tensor)
        on_device = here == DEVICE
        if func == torch.Tensor.device.__get__:
            return True, torch.device(DEVICE if on_device else CPU)
        if func == torch.Tensor.is_cuda.__get__:  # type: ignore[attr-defined]
            return True, on_device
        if name == "get_device":
            return True, 0 if on_device else -1
        if name in ("cuda", "cpu"):
            return True, self._on.move(tensor, DEVICE if name == "cuda" else CPU)
        if name == "to":
            return True, self._to(func, tensor, args[1:], kwargs)
        if name == "type_as":
            return True, self._on.move(func(*args), self._on.where(args[1]))
        if name in ("numpy", "__array__") and on_device:
            raise TypeError("can't convert cuda:0 device type tensor to numpy")
        return False, None

    def _to(self, func: Any, tensor: torch.Tensor, args: Any, kwargs: dict[str, Any]) -> Any:
        goal = named(kwargs.pop("device", None))
        rest: list[Any] = []
        for argument in args:
            if isinstance(argument, torch.Tensor):
                goal = self._on.where(argument)
                rest.append(argument.dtype)
            elif isinstance(argument, (torch.device, str)) or type(argument) is int:
                goal = named(argument)
            elif isinstance(argument, torch.dtype):
                rest.append(argument)
        if goal not in (None, CPU, DEVICE, ANYWHERE):
            return func(tensor, goal, *rest)
        kept = {name: kwargs[name] for name in ("dtype", "copy", "memory_format") if name in kwargs}
        out = func(tensor, *rest, **kept) if rest or kept else tensor
        return out if goal is None else self._on.move(out, goal)


_FACTORIES = frozenset(
    [
        "empty",
        "zeros",
        "ones",
        "rand",
        "randn",
        "randint",
        "arange",
        "full",
        "tensor",
        "as_tensor",
        "eye",
        "linspace",
        "logspace",
        "randperm",
        "range",
        "scalar_tensor",
    ]
)
