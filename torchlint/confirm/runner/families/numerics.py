"""Claims about numbers that leave the range in which an operation is of use."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..claims import NOTHING, Raises, Sees
from ..protocol import OPEN, SHOWN, Observation
from ..roles import MODEL
from ..sightings import Asked, Sightings
from ..trials import tensors
from ..ways import Question, investigate

if TYPE_CHECKING:
    from ..claims import Sighting
    from ..loading import Program
    from ..places import Project
    from ..protocol import Job, Target
    from ..recorder import Observer
    from ..tally import Answer

_RUNS = 4
_NEAR = 8


@dataclass(frozen=True)
class Reaches(Sees):
    """Something that one call shows, while weights and inputs grow from call to call."""

    numbers: bool | None = field(default=True, kw_only=True)

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at the calls; one is enough."""
        asked = Asked(tuple(self.names.split()), self.judge, 1, vary=True)
        sightings = Sightings(project, job.target, asked)
        # A zero among the program's own numbers shows as much as one among larger ones.
        sightings.is_varied = True
        return sightings

    @property
    def repeats(self) -> int:
        """A script that calls it once is run again with larger weights."""
        return _RUNS


def _methods(*names: str) -> str:
    return " ".join(f"torch.{name} torch.Tensor.{name}" for name in names)


def _zeros(value: Any) -> int:
    """How many values are exactly zero."""
    return int((value == 0).sum()) if isinstance(value, Tensor) else int(value == 0)


def _infinite_logarithm(call: Sighting) -> Answer:
    given, result = call.before[0], call.result
    zeros = _zeros(given)
    if not zeros or not bool(torch.isneginf(result).any()):
        return None
    return f"{zeros} of {given.numel()} values are exactly 0, and their logarithm is -inf"


def _infinite_quotient(call: Sighting) -> Answer:
    reverse = call.name.rpartition(".")[2] in {"reciprocal", "__rtruediv__", "__rdiv__"}
    divisor = call.before[0] if reverse else call.given(1, "other")
    if isinstance(divisor, Tensor) and divisor is not call.before[0]:
        divisor = divisor.detach()
    zeros, result = _zeros(divisor), call.result
    if not zeros or bool(torch.isfinite(result).all()):
        return None
    count = divisor.numel() if isinstance(divisor, Tensor) else 1
    kind = "NaN" if bool(torch.isnan(result).any()) else "infinite"
    return f"{zeros} of {count} divisors are exactly 0, and the result is {kind} there"


log_unguarded = Reaches(_methods("log", "log2", "log10"), _infinite_logarithm, matters=MODEL)

division_unguarded = Reaches(
    _methods("div", "divide", "true_divide", "reciprocal")
    + " torch.Tensor.__truediv__ torch.Tensor.__rtruediv__ torch.Tensor.__rdiv__"
    + " torch.Tensor.div_ torch.Tensor.__itruediv__",
    _infinite_quotient,
    matters=MODEL,
)


def _names_of_softmax() -> str:
    return _methods("softmax", "log_softmax") + (
        " torch.nn.functional.softmax torch.nn.functional.log_softmax"
        " torch.nn.Softmax torch.nn.LogSoftmax"
    )


def _masked_whole(call: Sighting) -> Answer:
    given = call.given(1, "input") if isinstance(call.receiver, torch.nn.Module) else call.before[0]
    masked = torch.isneginf(given)
    if not bool(masked.any()) or not isinstance(call.result, Tensor):
        return None
    rows = int(torch.isnan(call.result).all(dim=-1).sum())
    whole = int(masked.all(dim=-1).sum())
    if not rows or not whole:
        return False
    return f"{whole} of {given[..., 0].numel()} rows hold nothing but -inf, and come out as NaN"


fully_masked_softmax = Sees(_names_of_softmax(), _masked_whole, matters=MODEL)


class Returning(Sightings):
    """Looks at the gradients that come back to what was computed at the flagged place."""

    def __init__(self, project: Project, target: Target, names: str) -> None:
        asked = Asked(tuple(names.split()), lambda call: None, 1, vary=True)
        super().__init__(project, target, asked)
        self.found = ""

    def returned(self, value: Any) -> None:
        """What a function gives is differentiated, as its caller would."""
        total = [item.sum() for item in tensors(value) if item.requires_grad]
        if total:
            torch.autograd.backward(torch.stack(total).sum())

    def has_seen_enough(self) -> bool:
        """One such gradient tells."""
        return bool(self.found)

    def conclude(self, ended: bool) -> Observation:
        """Whether such a gradient came back."""
        if self.found:
            return Observation(SHOWN, evidence=self.found)
        return Observation(OPEN, reason="no infinite gradient came back to what is computed there")


class Roots(Returning):
    """Roots of exact zeros, and the gradients that come back to them, and to what they come of."""

    def __init__(self, project: Project, target: Target, names: str) -> None:
        super().__init__(project, target, names)
        self._arrived = ""

    def see(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Listen to the gradient of what the root is taken of."""
        result = super().see(name, function, args, kwargs)
        given = args[0]
        at_target = self._project.is_at(self._target)
        if at_target:
            self._arrived = ""  # What came back to an earlier root is over.
        if at_target and given.requires_grad and not self._busy and _zeros(given):
            where = given.detach() == 0
            given.register_hook(lambda gradient: self._arrive(gradient, where))
            for leaf in _leaves(given):
                leaf.register_hook(self._end)
        return result

    def _arrive(self, gradient: Tensor, where: Tensor) -> None:
        bad = ~torch.isfinite(gradient[where])
        if bool(bad.any()):
            value = "NaN" if bool(torch.isnan(gradient[where][bad]).any()) else "infinite"
            self._arrived = (
                f"the root is taken of {int(where.sum())} exact zeros, and the gradient that "
                f"comes back to {int(bad.sum())} of them is {value}"
            )

    def _end(self, gradient: Tensor) -> None:
        # A ReLU may have stopped it: then it has done no harm.
        if self._arrived and not bool(torch.isfinite(gradient).all()):
            self.found = self._arrived


class LeftOut(Returning):
    """What is chosen among, and the operations before it that make NaN of a gradient of zero."""

    def see(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Listen to the operations that lead to what is chosen among."""
        if not self._busy and self._project.is_at(self._target):
            given = [item for item in tensors((*args, *kwargs.values())) if item.requires_grad]
            for node in _before([item.grad_fn for item in given]):
                node.register_hook(functools.partial(self._passed, node.name()))
        return super().see(name, function, args, kwargs)

    def _passed(self, name: str, gives: tuple[Any, ...], given: tuple[Any, ...]) -> None:
        if len(given) != 1 or given[0] is None:
            return
        zero = given[0] == 0
        for gradient in tensors(gives):
            spoilt = torch.isnan(gradient) & zero if gradient.shape == zero.shape else zero & ~zero
            if bool(spoilt.any()) and bool(torch.isfinite(given[0]).all()):
                self.found = (
                    f"for {int(spoilt.sum())} of {zero.numel()} values the gradient is zero when "
                    f"it comes back, and NaN once it has passed `{name}`"
                )


def _leaves(value: Tensor) -> list[Any]:
    """The tensors without a history that one was computed from."""
    if value.grad_fn is None:
        return [value]
    seen: set[Any] = set()
    pending: list[Any] = [value.grad_fn]
    leaves: list[Any] = []
    while pending:
        node = pending.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if hasattr(node, "variable"):
            leaves.append(node.variable)
        pending.extend(before for before, _ in node.next_functions)
    return leaves


def _before(nodes: list[Any]) -> list[Any]:
    """The operations of a graph that are nearest to its end."""
    seen: dict[Any, None] = {}
    for _ in range(_NEAR):
        seen.update(dict.fromkeys(node for node in nodes if hasattr(node, "next_functions")))
        nodes = [node for each in nodes if each is not None for node, _ in each.next_functions]
        nodes = [node for node in nodes if node not in seen]
    return list(seen)


def sqrt_at_zero(job: Job) -> Observation:
    """TL309: the gradient of a root of zero."""
    return _returning(job, Roots, f"{_methods('sqrt', 'rsqrt', 'pow')} torch.Tensor.__pow__")


def where_nan_gradient(job: Job) -> Observation:
    """TL118: a gradient of zero that becomes NaN on its way back."""
    names = _methods("where", "masked_fill", "masked_select")
    items = "torch.Tensor.__getitem__ torch.Tensor.__setitem__"
    return _returning(job, LeftOut, f"{names} torch.Tensor.masked_fill_ {items}")


def _returning(job: Job, observer: type[Returning], names: str) -> Observation:
    question = Question(
        watch=lambda project, program: observer(project, job.target, names),
        matters=MODEL,
        repeats=_RUNS,
    )
    return investigate(job, question)


def _equals_nan(call: Sighting) -> Answer:
    bound = call.given(1, "other")
    value = float(bound) if isinstance(bound, Tensor) and bound.numel() == 1 else bound
    given, result = call.before[0], call.result
    if not isinstance(value, float) or value == value or not given.is_floating_point():
        return None
    equal = "eq" in call.name
    unlike = torch.full_like(given, float("nan"))
    again = unlike == bound if equal else unlike != bound
    if bool((result == equal).any()) or bool((again == equal).any()):
        return False
    return f"the comparison is {not equal} throughout, and stays so where every value is NaN"


nan_equality = Sees(
    _methods("eq", "ne") + " torch.Tensor.__eq__ torch.Tensor.__ne__", _equals_nan, matters=NOTHING
)

loss_class_called_with_data = Raises(
    "Boolean value of Tensor with more than one value|delta must be a float|positional argument",
    (RuntimeError, TypeError),
    matters=MODEL,
)

loss_from_data = Raises(
    "0-dim tensor|dimension 0 with size 0|array is 0-dimensional", (IndexError,), matters=MODEL
)
