"""Experiments on what losses that take logits are given (TL301, TL302).

Values in a range may be there by chance. So between two calls of the loss the model's weights are
changed and its inputs scaled: logits leave the range then, and what a softmax or a sigmoid returns
stays.
"""

from __future__ import annotations

import math
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from .protocol import ABSENT, OPEN, SHOWN, Job, Observation, Series, Target, measured
from .recorder import Observer
from .roles import MODEL
from .shaken import Shaken
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .loading import Program
    from .places import Project

CALLS_AT_LEAST = 3
CALLS = 6
_ROWS = 32
_TOLERANCE = {torch.float16: 2e-2, torch.bfloat16: 5e-2}


class LossInputs(Observer):
    """Looks at the input of a loss at the flagged call."""

    def __init__(self, project: Project, target: Target, loss: str) -> None:
        super().__init__()
        self._project = project
        self._target = target
        self.loss = loss
        self.inputs: list[Tensor] = []
        self.calls = 0
        self.foreign = ""
        self._shaken = Shaken(self)

    def watching(self) -> AbstractContextManager[Any]:
        """See the calls, and change weights and inputs between them."""
        watching = ExitStack()
        watching.enter_context(self._shaken)
        watching.enter_context(_Calls(self))
        return watching

    def called(self, name: str, given: Tensor) -> None:
        """A loss function is given something."""
        if not self._project.is_at(self._target):
            return
        if name != self.loss:
            self.foreign = name
            return
        self.calls += 1
        if given.is_floating_point() and bool(torch.isfinite(given).all()):
            self.inputs.append(given.detach().clone())
        self._shaken.rise()

    def has_seen_enough(self) -> bool:
        """A few calls tell."""
        return self.calls >= CALLS

    def conclude(self, ended: bool) -> Observation:
        """Subclasses say what the inputs show."""
        if not self.calls and self.foreign:
            return Observation(OPEN, reason=f"the flagged call is one of `{self.foreign}`")
        if len(self.inputs) < CALLS_AT_LEAST:
            return Observation(OPEN, reason=f"the loss was called {self.calls} time(s) only")
        if all(_same(given, self.inputs[0]) for given in self.inputs):
            return Observation(OPEN, reason="the loss is given the same values in every call")
        return self.judge()

    def _calls(self) -> str:
        return f"in {len(self.inputs)} calls, with the model's weights changed between them,"

    def judge(self) -> Observation:
        """What the inputs of enough calls show."""
        raise NotImplementedError


class ProbabilitiesForLogits(LossInputs):
    """Looks for rows that sum to one, or a sigmoid's values, before cross-entropy (TL301)."""

    def __init__(self, project: Project, target: Target, said: str) -> None:
        super().__init__(project, target, "cross_entropy")
        self._sigmoid = "sigmoid" in said.lower()
        self._logarithms = "log-probabilities" in said

    def judge(self) -> Observation:
        """Rows that sum to one whatever the weights are come from a softmax."""
        if self._logarithms:
            return self._judge_logarithms()
        outside = next((given for given in self.inputs if not _in_unit_interval(given)), None)
        if outside is not None:
            return _outside(outside, "are no probabilities", _measured_sums(outside))
        classes = min(_classes(given) for given in self.inputs)
        if classes < 2:
            return Observation(OPEN, reason="there is one class only")
        if all(_rows_sum_to_one(given) for given in self.inputs):
            return Observation(
                SHOWN,
                evidence=self._softmax_sentence(classes),
                measured=_measured_sums(self.inputs[0]),
            )
        if self._sigmoid:
            return Observation(
                SHOWN, evidence=self._sigmoid_sentence(classes), measured=_measured(self.inputs)
            )
        return Observation(OPEN, reason="inputs lie in [0, 1], but their rows do not sum to one")

    def _judge_logarithms(self) -> Observation:
        """The logarithms of probabilities are what a second log-softmax leaves as it is."""
        raw = next((given for given in self.inputs if not _rows_sum_to_one(given.exp())), None)
        if raw is not None:
            return _outside(raw, "are no log-probabilities", _measured_sums(raw.exp()))
        return Observation(
            SHOWN,
            evidence=f"{self._calls()} "
            "the exponentials of every row sum to one: the loss's own log-softmax changes nothing",
            measured=_measured_sums(self.inputs[0].exp()),
        )

    def _softmax_sentence(self, classes: int) -> str:
        sums = [float(value) for given in self.inputs for value in _extremes(_row_sums(given))]
        return (
            f"{self._calls()} every row of the input is non-negative and sums to one "
            f"({min(sums):.6f} to {max(sums):.6f}): {_cost(classes)}"
        )

    def _sigmoid_sentence(self, classes: int) -> str:
        low, high = _range(self.inputs)
        return (
            f"{self._calls()} all values of the input lie in [{low:.4f}, {high:.4f}]: "
            f"{_cost(classes)}"
        )


class SigmoidForLogits(LossInputs):
    """Looks for values in [0, 1] only before binary cross-entropy with logits (TL302)."""

    def __init__(self, project: Project, target: Target) -> None:
        super().__init__(project, target, "binary_cross_entropy_with_logits")

    def judge(self) -> Observation:
        """Values that stay in the unit interval whatever the weights are come from a sigmoid."""
        outside = next((given for given in self.inputs if not _in_unit_interval(given)), None)
        if outside is not None:
            return _outside(outside, "are no probabilities", _measured(self.inputs))
        low, high = _range(self.inputs)
        if low == high:
            return Observation(OPEN, reason="the input is one constant")
        return Observation(
            SHOWN,
            evidence=f"{self._calls()} "
            f"all values of the input lie in [{low:.4f}, {high:.4f}]: the loss takes them for "
            f"logits, so a perfect 1 still costs {math.log1p(math.exp(-1)):.2f} and a perfect 0 "
            f"{math.log(2):.2f}",
            measured=_measured(self.inputs),
        )


class _Calls(TorchFunctionMode):
    """Tells the observer of calls of torch's loss functions."""

    def __init__(self, observer: LossInputs) -> None:
        super().__init__()
        self._observer = observer

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        kwargs = kwargs or {}
        if func in _LOSSES:
            given = args[0] if args else kwargs.get("input")
            if isinstance(given, Tensor):
                self._observer.called(func.__name__, given)
        return func(*args, **kwargs)


_LOSSES = frozenset(
    [
        nn.functional.cross_entropy,
        nn.functional.nll_loss,
        nn.functional.binary_cross_entropy,
        nn.functional.binary_cross_entropy_with_logits,
    ]
)


def _classes(given: Tensor) -> int:
    return given.shape[1 if given.dim() > 1 else 0] if given.dim() else 1


def _row_sums(given: Tensor) -> Tensor:
    """Sums along the dimension in which they are nearest to one."""
    sums = [given.double().sum(dim) for dim in range(given.dim()) if given.shape[dim] > 1]
    return min(sums, key=lambda total: float((total - 1).abs().max()), default=given.sum())


def _rows_sum_to_one(given: Tensor) -> bool:
    tolerance = _TOLERANCE.get(given.dtype, 1e-3)
    return bool(((_row_sums(given) - 1).abs() < tolerance).all())


def _in_unit_interval(given: Tensor) -> bool:
    tolerance = _TOLERANCE.get(given.dtype, 1e-5)
    return bool((given >= -tolerance).all()) and bool((given <= 1 + tolerance).all())


def _same(one: Tensor, other: Tensor) -> bool:
    return one.shape == other.shape and torch.equal(one, other)


def _extremes(values: Tensor) -> tuple[Tensor, Tensor]:
    return values.min(), values.max()


def _range(inputs: list[Tensor]) -> tuple[float, float]:
    return min(float(given.min()) for given in inputs), max(float(given.max()) for given in inputs)


def _measured_sums(given: Tensor) -> tuple[Series, ...]:
    return measured("sum of the input", "row", _row_sums(given).flatten()[:_ROWS].tolist())


def _measured(inputs: list[Tensor]) -> tuple[Series, ...]:
    return (
        *measured("least value", "call", (float(given.min()) for given in inputs)),
        *measured("greatest value", "call", (float(given.max()) for given in inputs)),
    )


def _cost(classes: int) -> str:
    """The least that cross-entropy can be where the right class is given 1 and all others 0."""
    least = math.log(math.e + classes - 1) - 1
    return f"a perfect prediction still costs {least:.2f} for {classes} classes"


def _outside(given: Tensor, verdict: str, series: tuple[Series, ...]) -> Observation:
    low, high = _range([given])
    return Observation(
        ABSENT,
        evidence=f"inputs {verdict}: in a call they range from {low:.3g} to {high:.3g}",
        measured=series,
    )


def softmax_before_cross_entropy(job: Job) -> Observation:
    """TL301: probabilities reach a loss that takes logits."""
    said = " ".join([job.target.message, *(place.message for place in job.because)])
    return _about_the_model(
        job, lambda project, program: ProbabilitiesForLogits(project, job.target, said)
    )


def sigmoid_before_bce_with_logits(job: Job) -> Observation:
    """TL302: what a sigmoid returns reaches a loss that takes logits."""
    return _about_the_model(job, lambda project, program: SigmoidForLogits(project, job.target))


def _about_the_model(job: Job, watch: Callable[[Project, Program], Observer]) -> Observation:
    question = Question(watch=watch, matters=MODEL, repeats=CALLS_AT_LEAST)
    return investigate(job, question)
