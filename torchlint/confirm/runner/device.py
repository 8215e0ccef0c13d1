"""What experiments ask of an accelerator, be it simulated or there.

A dispatch mode sees every operation: where its operands are, whether torch refuses it for that, and
what becomes of the tensors that the flagged code makes.
"""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode

from .trials import tensors

if TYPE_CHECKING:
    from collections.abc import Callable

    from .places import Project
    from .protocol import Target

CPU, DEVICE = "cpu", "cuda:0"

MIXED = (
    r"[Ee]xpected .* to (?:be on|have) the same device|not (?:at the same|on the expected) device"
    r"|should be either on cpu or on the same device|argument should be a 1D CPU int64 tensor"
    # A convolution tells of types, in which the device is.
    r"|Input type \(torch\.(?:cuda\.\w+\) and weight type \(torch\.\w+\)"
    r"|\w+\) and weight type \(torch\.cuda\.)"
)
"""What torch says where an operation gets tensors of both devices."""

Operands = list[tuple[torch.Tensor, str]]
"""Tensors that an operation is given, each with the name of the parameter."""

_HERE = os.path.dirname(os.path.abspath(__file__))
_TORCH = os.path.dirname(os.path.abspath(torch.__file__)) + os.sep
# Frames between an operation and whoever asked for it.
_BETWEEN = (
    *(os.path.join(_HERE, name) for name in ("device.py", "accelerator.py", "present.py")),
    _TORCH + "_compile.py",
    _TORCH + "overrides.py",
    os.path.join(_TORCH, "_dynamo", ""),
    os.path.join(_TORCH, "utils", "_device.py"),
    os.path.join(_TORCH, "utils", "_python_dispatch.py"),
)


class Device:
    """A device, on while its block runs; nothing is looked for before :meth:`watch`.

    From then on, tensors that the flagged code creates without a device are followed into what is
    computed from them: ``created`` is whether there was one, ``refused`` the error of an operation
    that got tensors of both devices, ``met`` whether a flagged one was among its operands,
    ``settled`` whether one was moved to the device or lawfully used with what is there.
    """

    name: str
    """What the device is, for the evidence."""

    def __init__(self, project: Project, target: Target) -> None:
        self._project = project
        self._target = target
        self._alive: list[Any] = []
        self.rest()

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        self._begin(self._stack)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _begin(self, stack: ExitStack) -> None:
        """Switch on what the block needs."""
        stack.enter_context(_Operations(self))

    def rest(self) -> None:
        """Look for nothing, and forget what was seen."""
        self._watching = self._put = self._whole = False
        self._flagged: set[int] = set()
        self.created = self.met = self.settled = False
        self.refused: RuntimeError | None = None

    def watch(self, put: bool = False, *, whole: bool = False) -> None:
        """Start to look; with ``put``, the flagged tensors are created on the device.

        If a ``whole`` program runs, parameters that it has not moved are on the CPU.
        """
        self.rest()
        self._watching, self._put, self._whole = True, put, whole

    def where(self, tensor: torch.Tensor) -> str:
        """The device that a tensor is on."""
        raise NotImplementedError

    def place(self, value: Any, device: str) -> Any:
        """The value with its tensors on a device, as if they had been made there."""
        raise NotImplementedError

    def placed(self, made: dict[str, Any]) -> dict[str, Any]:
        """What is made up for a function, on the device, also the weights of models."""
        raise NotImplementedError

    def flag(self, tensor: torch.Tensor) -> torch.Tensor:
        """The tensor to have in place of one that was there before.

        It is followed as if the flagged code created it now.
        """
        raise NotImplementedError

    def check(self, operation: str, operands: Operands) -> None:
        """Refuse the operation if it mixes devices in a way that torch does not allow."""

    def perform(
        self,
        func: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        operands: Operands,
    ) -> Any:
        """Do an operation that is not refused."""
        return func(*args, **kwargs)

    def made(self, out: Any, operands: Operands) -> Any:
        """The results of an operation, once it is noted whether the flagged code made them."""
        if not operands:
            return self._created(out) if isinstance(out, torch.Tensor) else out
        given = {storage(tensor) for tensor, _ in operands}
        new = [tensor for tensor in tensors(out) if storage(tensor) not in given]
        self._passed_on(new, [tensor for tensor, _ in operands])
        return out

    def _created(self, tensor: torch.Tensor) -> torch.Tensor:
        """A tensor that was made of none, where it is to be."""
        raise NotImplementedError

    def _passed_on(self, new: list[torch.Tensor], operands: list[torch.Tensor]) -> None:
        """Note where tensors are that were computed from others, and whether from flagged ones."""
        raise NotImplementedError

    def _is_flagged(self) -> bool:
        """Whether the flagged code, and not torch on its behalf, does what is happening."""
        return self._watching and self._project.is_at(self._target) and not by_torch()

    def _follow(self, tensor: torch.Tensor) -> None:
        self.created = True
        self._keep(tensor)
        self._flagged.add(storage(tensor))

    def _keep(self, tensor: torch.Tensor) -> None:
        """A storage's number is its own for as long as something refers to it."""
        self._alive.append(StorageWeakRef(tensor.untyped_storage()))  # type: ignore[no-untyped-call]


def storage(tensor: torch.Tensor) -> int:
    """The number of the memory that a tensor lies in."""
    try:
        return int(tensor.untyped_storage()._cdata)
    except (NotImplementedError, RuntimeError):  # sparse tensors have none of their own
        return id(tensor)


def by_torch() -> bool:
    """Whether torch's own Python code asked for what is happening, not the user's."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_BETWEEN):
        frame = frame.f_back  # type: ignore[assignment]
    return frame is not None and frame.f_code.co_filename.startswith(_TORCH)


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Every operation, after torch has taken composite ones apart."""

    def __init__(self, device: Device) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._on = device

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = func._schema.name.partition("::")[2]
        operands = [
            (tensor, argument.name)
            for value, argument in zip(args, func._schema.arguments, strict=False)
            for tensor in tensors(value)
        ]
        operands += [(tensor, word) for word, value in kwargs.items() for tensor in tensors(value)]
        self._on.check(name, operands)
        out = self._on.perform(func, args, kwargs, operands)
        # What `torch.tensor` makes of data is first seen when it is lifted.
        return self._on.made(out, [] if name.startswith("lift") else operands)
