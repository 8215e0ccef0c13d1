"""Claims about numbers that float16 does not hold (TL318)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from ..protocol import OPEN, SHOWN, Observation
from ..sightings import Asked, Sightings
from ..ways import Question, investigate

if TYPE_CHECKING:
    from ..claims import Sighting
    from ..protocol import Job
    from ..tally import Answer

_SUMS = "add subtract sub"
_METHODS = (
    "add add_ __add__ __radd__ __iadd__ sub sub_ subtract __sub__ __rsub__ __isub__ mul mul_ "
    "multiply __mul__ __rmul__ __imul__ where masked_fill masked_fill_ index_fill index_fill_ "
    "fill_ new_full clamp clamp_ clip clip_ clamp_min clamp_min_ clamp_max clamp_max_ __setitem__"
)
_FUNCTIONS = (
    "torch.add torch.sub torch.subtract torch.mul torch.multiply torch.where torch.masked_fill "
    "torch.index_fill torch.full torch.full_like torch.clamp torch.clip torch.clamp_min "
    "torch.clamp_max torch.nn.functional.pad torch.nn.functional.normalize "
    "torch.nn.functional.cosine_similarity torch.nn.CosineSimilarity"
)
_NAMES = (*_FUNCTIONS.split(), *(f"torch.Tensor.{name}" for name in _METHODS.split()))
_OVERFLOW = "without overflow"


def _halves(values: tuple[Any, ...]) -> list[Tensor]:
    return [one for one in values if isinstance(one, Tensor) and one.dtype is torch.float16]


def _numbers(call: Sighting) -> list[float]:
    """The numbers that a call is given, those included that a module was built with."""
    given = [*call.args, *call.kwargs.values()]
    given += [one.eps for one in call.args if isinstance(one, torch.nn.CosineSimilarity)]
    return [float(one) for one in given if type(one) in (int, float)]


def _lost(call: Sighting) -> Answer:
    """A number that a call with a tensor of float16 makes nothing of, or infinity."""
    halves = _halves(call.before)
    if not halves:
        return None
    for number in _numbers(call):
        held = float(torch.tensor(number, dtype=torch.float16))
        changed = call.args[0] if "__setitem__" in call.name else call.result
        if number and not held and _is_idle(call, halves[0]):
            return f"the tensor is float16, in which {number:g} is {held:g}"
        if abs(held) == float("inf") != abs(number) and bool(torch.isinf(changed).any()):
            return f"the tensor is float16, in which {number:g} is {held:g}, and the result has it"
    return None


def _is_idle(call: Sighting, half: Tensor) -> bool:
    """Whether a sum is what the number was added to; bounds and epsilons are zero anyhow."""
    short = call.name.rpartition(".")[2].strip("_")
    if short.lstrip("ir") not in _SUMS.split():
        return True
    result = -call.result if short == "rsub" else call.result
    return torch.equal(result, half)


class Lost(Sightings):
    """Sees the calls, and those among them that are refused."""

    refused = ""

    def see(self, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hear why a call is refused."""
        try:
            return super().see(name, function, args, kwargs)
        except RuntimeError as error:
            if _OVERFLOW in str(error) and not self._busy and self._project.is_at(self._target):
                self.refused = f"it raises: {error}"
            raise

    def has_seen_enough(self) -> bool:
        """One refusal tells."""
        return bool(self.refused) or super().has_seen_enough()

    def conclude(self, ended: bool) -> Observation:
        """What the calls come to."""
        if self.refused:
            return Observation(SHOWN, evidence=self.refused)
        seen = super().conclude(ended)
        if seen.outcome == OPEN and self._calls:
            return Observation(OPEN, reason="what was computed there was not float16")
        return seen


def epsilon_below_half(job: Job) -> Observation:
    """TL318: a number that is zero, infinite or refused in float16."""
    asked = Asked(_NAMES, _lost, times=1)
    return investigate(job, Question(watch=lambda project, _: Lost(project, job.target, asked)))
