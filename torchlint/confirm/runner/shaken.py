"""Models whose weights and inputs are changed between calls, so that nothing holds by chance."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from .batches import scaled
from .forwards import is_nested

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .recorder import Observer

# By how much weights and inputs are changed after each call; signs alternate, so that a range
# of one sign is left as well.
_WEIGHTS = (1.0, 3.0, -3.0, -2.0, 2.0, -1.0)
_INPUTS = (1.0, 10.0, 100.0, 10.0, 1.0, 10.0)


class Shaken:
    """Changes weights and inputs of the models that are called, as the level rises."""

    def __init__(self, observer: Observer) -> None:
        self.level = 0
        self._observer = observer
        self._levels: dict[int, int] = {}
        self._known: list[Tensor] = []
        self._noise = torch.Generator().manual_seed(0)

    def __enter__(self) -> Shaken:
        hook: Any = self._called
        self._handle = nn.modules.module.register_module_forward_pre_hook(hook)
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.remove()
        self._levels.clear()
        self._known.clear()

    def rise(self) -> None:
        """Change everything that is known once more."""
        self.level += 1
        self._shake([*self._known, *(held for _, held in self._observer.held_parameters())])

    def _called(self, module: nn.Module, arguments: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if isinstance(module, nn.modules.loss._Loss) or is_nested(sys._getframe(1)):
            return None
        parameters = list(module.parameters())
        self._shake(parameters)
        if not self.level or not parameters:
            return None
        factor = _INPUTS[min(self.level, len(_INPUTS) - 1)]
        return tuple(scaled(argument, factor) for argument in arguments)

    def _shake(self, parameters: Sequence[Tensor]) -> None:
        for parameter in parameters:
            if id(parameter) not in self._levels:
                self._levels[id(parameter)] = 0
                self._known.append(parameter)
            if self._levels[id(parameter)] < self.level and parameter.is_floating_point():
                self._levels[id(parameter)] = self.level
                self._change(parameter)

    def _change(self, parameter: Tensor) -> None:
        """Through ``.data``, so that a graph that is still to be used does not notice."""
        noise = torch.randn(parameter.shape, generator=self._noise).to(parameter.dtype)
        factor = _WEIGHTS[min(self.level, len(_WEIGHTS) - 1)]
        parameter.data.mul_(factor).add_(noise, alpha=0.3)
