"""Watches the objects of a training program: models, optimizers, gradients, from event to event."""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from torch import Tensor, nn

from .forwards import is_nested
from .names import ParameterNames
from .recorder import Observer
from .tally import Answer, Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    import torch

    from .protocol import Observation

MOMENTS = (
    "before backward",
    "backward",
    "before step",
    "step",
    "batch",
    "model",
    "line",
    "end",
)


class Training(Observer):
    """What the program has, as it stands at a moment of a kind; a predicate looks at it then.

    ``moment`` is one of MOMENTS, and ``counts`` says how often each was; ``models`` are those that
    were called by no other, ``roots`` what the last backward starts at, ``stepping`` the optimizer
    of the last step, ``frame`` the user's at the flagged line, ``called`` the model of the last
    call. ``memory`` is the predicate's own, and ``at_target`` says whether the last backward
    stands at the flagged place.
    """

    def __init__(
        self, moments: tuple[str, ...], judge: Callable[[Training], Answer], times: int
    ) -> None:
        super().__init__()
        assert set(moments) <= set(MOMENTS)
        self._moments = moments
        self._judge = judge
        self._tally = Tally(times)
        self.names = ParameterNames()
        self.moment = ""
        self.counts: Counter[str] = Counter()
        self.models: list[nn.Module] = []
        self.called: nn.Module | None = None
        self.roots: tuple[Tensor, ...] = ()
        self.at_target = False
        self.stepping: torch.optim.Optimizer | None = None
        self.frame: FrameType | None = None
        self.memory: dict[Any, Any] = {}

    def parameters(self) -> Iterator[tuple[str, Tensor]]:
        """The parameters of the models that were called, each once, by name."""
        seen: set[int] = set()
        for model in self.models:
            for name, parameter in model.named_parameters():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield name, parameter

    def is_held(self, parameter: Tensor) -> bool:
        """Whether an optimizer of the program holds it."""
        return any(parameter is held for _, held in self.held_parameters())

    def rates(self) -> list[list[float]]:
        """The learning rates of every optimizer's groups."""
        return [[float(group["lr"]) for group in one.param_groups] for one in self.optimizers]

    def watching(self) -> AbstractContextManager[Any]:
        """Models are known once they are called."""
        stack = ExitStack()
        stack.enter_context(self.names)
        hook: Any = self._after_call
        stack.callback(nn.modules.module.register_module_forward_hook(hook).remove)
        return stack

    def before_backward(self, roots: tuple[Tensor, ...], at_target: bool) -> None:
        """A backward is about to start."""
        self.roots, self.at_target = roots, at_target
        self._reach("before backward")

    def after_backward(self, at_target: bool) -> None:
        """A backward is done."""
        self._reach("backward")

    def before_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer is about to step."""
        self.stepping = optimizer
        self._reach("before step")

    def after_step(self, optimizer: torch.optim.Optimizer) -> None:
        """An optimizer has stepped."""
        self.stepping = optimizer
        self._reach("step")

    def drew_batch(self) -> None:
        """A loader has given a batch."""
        self._reach("batch")

    def passed_target(self, frame: FrameType) -> None:
        """The flagged line has run."""
        self.frame = frame
        self._reach("line")

    def has_seen_enough(self) -> bool:
        """Many moments say no more than some."""
        return self._tally.is_full

    def conclude(self, ended: bool) -> Observation:
        """What the moments come to."""
        if ended:
            self._reach("end")
        kinds = " and ".join(f'"{moment}"' for moment in self._moments)
        return self._tally.observation(f"moments of the kind {kinds}")

    def _after_call(self, module: nn.Module, args: Any, output: Any) -> None:
        if is_nested(sys._getframe(1)):
            return
        if not any(module is known for known in self.models):
            self.models.append(module)
        self.called = module
        self._reach("model")

    def _reach(self, moment: str) -> None:
        self.moment = moment
        self.counts[moment] += 1
        if moment in self._moments:
            self._tally.take(self._judge(self))
