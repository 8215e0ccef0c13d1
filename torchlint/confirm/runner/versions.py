"""Which tensors were kept for backward, and which lines changed them afterwards.

Views share their storage, so storages are compared, not tensors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.autograd.graph import saved_tensors_hooks
from torch.utils._python_dispatch import TorchDispatchMode

if TYPE_CHECKING:
    from collections.abc import Container

    from .places import Project
    from .protocol import Target


@dataclass(frozen=True)
class Mutation:
    """An operation that wrote into a storage, and whether the flagged code asked for it."""

    operation: str
    storage: int
    version: int
    flagged: bool
    grad_mode: bool


@dataclass
class Kept:
    """A tensor that an operation kept for backward, at the version that it had then."""

    index: int
    tensor: torch.Tensor
    version: int
    storage: int
    mutations_before: int


@dataclass(frozen=True)
class Overwritten:
    """A kept tensor that backward wanted and that had changed, and what changed it."""

    index: int
    shape: tuple[int, ...]
    expected: int
    found: int
    by: tuple[Mutation, ...]

    @property
    def flagged(self) -> bool:
        """Whether the flagged code took part."""
        return any(mutation.flagged for mutation in self.by)


class OverwrittenError(RuntimeError):
    """Backward wanted a kept tensor that has changed and is not to be forgiven."""


class MutationLog(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Every write into a tensor, in order."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._project = project
        self._target = target
        self.mutations: list[Mutation] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        if func._schema.is_mutable:
            flagged = self._project.is_at(self._target)
            for tensor in _written(func, args, kwargs):
                # The version is raised above this level, once the operation is done.
                version = tensor._version + 1
                name = func._schema.name.partition("::")[2]
                self.mutations.append(
                    Mutation(name, storage(tensor), version, flagged, torch.is_grad_enabled())
                )
        return out


def storage(tensor: torch.Tensor) -> int:
    """What tells a tensor's memory from another's."""
    return int(tensor.untyped_storage()._cdata)


def _written(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[torch.Tensor]:
    found: list[Any] = []
    for position, argument in enumerate(func._schema.arguments):
        if argument.alias_info is None or not argument.alias_info.is_write:
            continue
        value = args[position] if position < len(args) else kwargs.get(argument.name)
        found += value if isinstance(value, (list, tuple)) else [value]
    return [item for item in found if isinstance(item, torch.Tensor)]


class KeptLog:
    """Watches what is kept for backward while :attr:`hooks` are on.

    Kept tensors whose index is in ``forgiven`` are copied when they are kept, as if nothing had
    been changed in place. With ``strict``, backward fails on the others as it would by itself.
    """

    def __init__(
        self, log: MutationLog, forgiven: Container[int] = (), strict: bool = False
    ) -> None:
        self._log = log
        self._forgiven = forgiven
        self._strict = strict
        self._count = 0
        self.overwritten: list[Overwritten] = []

    @property
    def hooks(self) -> saved_tensors_hooks:
        """The context in which forward and backward are to run."""
        return saved_tensors_hooks(self._pack, self._unpack)

    def _pack(self, tensor: torch.Tensor) -> Any:
        index = self._count
        self._count += 1
        if index in self._forgiven:
            with torch.no_grad():
                return tensor.detach().clone()
        mutations = len(self._log.mutations)
        return Kept(index, tensor, tensor._version, storage(tensor), mutations)

    def _unpack(self, kept: Any) -> torch.Tensor:
        if not isinstance(kept, Kept):
            return kept  # type: ignore[no-any-return]
        now = kept.tensor._version
        if now != kept.version:
            later = self._log.mutations[kept.mutations_before :]
            by = tuple(
                item
                for item in later
                if item.storage == kept.storage and item.version > kept.version
            )
            shape = tuple(kept.tensor.shape)
            self.overwritten.append(Overwritten(kept.index, shape, kept.version, now, by))
            if self._strict:
                raise OverwrittenError(f"kept tensor {kept.index} was changed in place")
        return kept.tensor


class Everything:
    """Contains every index."""

    def __contains__(self, index: object) -> bool:
        return True
