"""What a reader would call a parameter."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class ParameterNames:
    """Learns the names of parameters from the modules that are called."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._seen: set[int] = set()

    def __enter__(self) -> ParameterNames:
        self._handle = nn.modules.module.register_module_forward_pre_hook(self._called)
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.remove()

    def of(self, parameter: Tensor) -> str:
        """The name in code marks, or the shape where no module has it."""
        name = self._names.get(id(parameter))
        return f"`{name}`" if name else f"a tensor of shape {tuple(parameter.shape)}"

    def _called(self, module: nn.Module, arguments: Any) -> None:
        if id(module) in self._seen or isinstance(module, torch.jit.ScriptModule):
            return
        self._seen.add(id(module))
        for name, parameter in module.named_parameters():
            self._names.setdefault(id(parameter), name)
