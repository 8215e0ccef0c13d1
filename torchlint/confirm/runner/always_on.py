"""Watches a function at the flagged place while the model that calls it is in evaluation mode."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from .forwards import is_nested
from .protocol import OPEN, Observation
from .rates import RAISED, raise_rates
from .roles import MODEL
from .sightings import Asked, Sightings
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .places import Project
    from .protocol import Job, Target
    from .tally import Answer

NAMES = (
    *(f"torch.nn.functional.dropout{dims}" for dims in ("", "1d", "2d", "3d")),
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.batch_norm",
)


class InEvaluation(Sightings):
    """Calls each model that reaches the flagged place once more, in evaluation mode.

    What the function gives there must be the same each time, and leave the statistics alone.
    """

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target, Asked(NAMES, lambda call: None, 1))
        self._reached = self._evaluating = False
        self._raised = self._dropped = False

    def watching(self) -> AbstractContextManager[Any]:
        """Models are called again after each call, and drop something if they can."""
        stack = ExitStack()
        stack.enter_context(super().watching())
        hook: Any = self._called
        handle = nn.modules.module.register_module_forward_hook(hook, with_kwargs=True)
        stack.callback(handle.remove)
        before: Any = self._about_to
        stack.callback(nn.modules.module.register_module_forward_pre_hook(before).remove)
        return stack

    def see(
        self,
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Judge the call where the model is in evaluation mode."""
        if self._busy or not self._project.is_at(self._target):
            return function(*args, **kwargs)
        self._reached = True
        out = function(*args, **kwargs)
        rate = _rate(name, args, kwargs)
        if not self._evaluating:
            self._dropped |= rate > 0
        elif rate or self._dropped:
            with self._apart():
                answer = _differs(name, function, args, kwargs, out)
            self._tally.take(f"{answer}, {RAISED}" if answer and self._raised else answer)
        return out

    def conclude(self, ended: bool) -> Observation:
        """What the calls in evaluation mode come to."""
        if not self._reached:
            return Observation(OPEN, reason="the flagged call did not run")
        return self._tally.observation("calls in evaluation mode")

    def _about_to(self, module: nn.Module, args: Any) -> None:
        if not is_nested(sys._getframe(1)):
            self._raised |= raise_rates(module)

    def _called(self, module: nn.Module, args: Any, kwargs: Any, output: Any) -> None:
        if self._evaluating or not self._reached or is_nested(sys._getframe(1)):
            return
        self._reached, self._evaluating = True, True
        modes = [(part, part.training) for part in module.modules()]
        try:
            module.eval()
            with torch.no_grad(), torch.random.fork_rng():
                module(*args, **kwargs)
        finally:
            self._evaluating = False
            for part, mode in modes:
                part.training = mode


def _rate(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> float:
    """How much a call drops; of one that has statistics instead, all."""
    if name.endswith("batch_norm"):
        return 1.0
    of_attention = name.endswith("attention")
    place, word, usual = (4, "dropout_p", 0.0) if of_attention else (1, "p", 0.5)
    return float(args[place] if len(args) > place else kwargs.get(word, usual))


def _differs(
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    out: Tensor,
) -> Answer:
    """Whether the same call gives something else again, or moves statistics."""
    short = name.rpartition(".")[2]
    mean = args[1] if len(args) > 1 else kwargs.get("running_mean")
    before = mean.clone() if isinstance(mean, Tensor) else None
    again = function(*args, **kwargs)
    if short == "batch_norm":
        if mean is None or before is None:
            return None
        moved = float((mean - before).abs().max())
        if not moved:
            return False
        return f"in evaluation mode `batch_norm` moves the running mean by {moved:.3g}"
    different = int((again != out).sum())
    if not different:
        return False
    return (
        f"in evaluation mode two calls of `{short}` on the same input differ in {different} of "
        f"{out.numel()} elements"
    )


def functional_dropout_always_on(job: Job) -> Observation:
    """TL407: evaluation is random where it should not be."""
    question = Question(
        watch=lambda project, program: InEvaluation(project, job.target), matters=MODEL
    )
    return investigate(job, question)
