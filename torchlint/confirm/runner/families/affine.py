"""Claims about layers that are affine maps (TL322)."""

from __future__ import annotations

from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch
from torch import nn

from ..protocol import ABSENT, OPEN, SHOWN, Observation
from ..recorder import Observer
from ..roles import MODEL
from ..ways import Question, investigate

if TYPE_CHECKING:
    from ..places import Project
    from ..protocol import Job, Target

_PLACES = 8
_CLOSE = 1e-4


class Merged(Observer):
    """Two linear layers of which the second, built at the target, is fed by the first alone."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self._built: list[nn.Module] = []
        self._gave: list[tuple[torch.Tensor, nn.Linear]] = []
        self._seen = ""
        self._other = False

    def watching(self) -> AbstractContextManager[Any]:
        """The building of linear layers, and the calls of all modules."""
        stack = ExitStack()
        build, call = nn.Linear.__init__, nn.Module.__call__

        def built(layer: nn.Linear, *args: Any, **kwargs: Any) -> None:
            build(layer, *args, **kwargs)
            if self._project.is_at(self._target):
                self._built.append(layer)

        def called(module: nn.Module, *args: Any, **kwargs: Any) -> Any:
            if isinstance(module, nn.Linear) and args and self._is_built(module):
                self._compare(module, args[0])
            result = call(module, *args, **kwargs)
            if isinstance(module, nn.Linear):
                self._gave.append((result, module))
            del self._gave[:-_PLACES]
            return result

        stack.enter_context(mock.patch.object(nn.Linear, "__init__", built))
        stack.enter_context(mock.patch.object(nn.Module, "__call__", called))
        return stack

    def _is_built(self, module: nn.Module) -> bool:
        return any(module is layer for layer in self._built)

    def _compare(self, second: nn.Linear, given: torch.Tensor) -> None:
        """Compare two layers with one that has the product of their weights."""
        first = next((layer for result, layer in self._gave if result is given), None)
        if first is None:
            self._other = True
            return
        with torch.no_grad():
            weight = second.weight.double() @ first.weight.double()
            inputs = torch.randn(_PLACES, first.in_features, dtype=torch.float64)
            zero = torch.zeros_like(inputs)
            both, still = (_through(first, second, one) for one in (inputs, zero))
            apart = float((both - still - inputs @ weight.t()).abs().max())
        if apart < _CLOSE and first.out_features >= min(first.in_features, second.out_features):
            self._seen = (
                f"one layer {first.in_features} -> {second.out_features} with the product of the "
                f"two weights gives the same, to {apart:.0e}"
            )

    def has_seen_enough(self) -> bool:
        """One call tells."""
        return bool(self._seen)

    def conclude(self, ended: bool) -> Observation:
        """What the calls have shown."""
        if self._seen and not self._other:
            return Observation(SHOWN, evidence=self._seen)
        if self._other:
            return Observation(ABSENT, evidence="what it is given comes from no linear layer")
        return Observation(OPEN, reason="the layer was not called")


def _through(first: nn.Linear, second: nn.Linear, inputs: torch.Tensor) -> torch.Tensor:
    hidden = nn.functional.linear(inputs, first.weight.double(), _bias(first))
    return nn.functional.linear(hidden, second.weight.double(), _bias(second))


def _bias(layer: nn.Linear) -> torch.Tensor | None:
    return None if layer.bias is None else layer.bias.double()


def missing_nonlinearity(job: Job) -> Observation:
    """TL322: two layers do what one does."""
    question = Question(watch=lambda project, _: Merged(project, job.target), matters=MODEL)
    return investigate(job, question)
