"""Follows the tensors that were computed from what a place of the user's code made."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from torch.overrides import TorchFunctionMode

from .trials import tensors

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from .places import Project
    from .protocol import Target


class Descent(TorchFunctionMode):
    """Marks what the target makes or changes, and whatever comes of that."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._marked: dict[int, weakref.ref[Tensor]] = {}

    def has(self, found: Iterable[Tensor]) -> bool:
        """Whether one of the tensors comes from the target."""
        return any(self._is_marked(tensor) for tensor in found)

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        given = tensors([args, kwargs])
        if self.has(given) or self._project.is_under(self._target):
            for tensor in tensors(out) + (given[:1] if _changes(func) else []):
                self._marked[id(tensor)] = weakref.ref(tensor)
        return out

    def _is_marked(self, tensor: Tensor) -> bool:
        mark = self._marked.get(id(tensor))
        return mark is not None and mark() is tensor


def _changes(func: Any) -> bool:
    """Whether a function changes what it is given first."""
    name: str = getattr(func, "__name__", "")
    return name in ("__set__", "__setitem__") or (name.endswith("_") and not name.endswith("__"))
