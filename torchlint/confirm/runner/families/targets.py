"""Claims about the targets of losses, and about softmaxes along the wrong dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor

from ..claims import MODEL, Raises, Sees, Warns, Watches
from ..protocol import OPEN, SHOWN
from .losses import SOFTMAXES

if TYPE_CHECKING:
    from ..claims import Sighting, Training
    from ..protocol import Job, Observation
    from ..tally import Answer

_REFUSED = (
    "expected target dtype|Expected floating point type for target|multi-target not supported|"
    "only batches of spatial targets supported|Expected target size"
)
_ONE_SIDED = " ".join(
    f"torch.nn.functional.{name}"
    for name in (
        "cross_entropy",
        "nll_loss",
        "binary_cross_entropy",
        "binary_cross_entropy_with_logits",
    )
)

cross_entropy_target = Raises(_REFUSED)

_WARNED = Warns("Using a target size .* different to the input size")


def _crossed(call: Sighting) -> Answer:
    """What comes out has more numbers than either of what went in."""
    one, other, result = call.before[0], call.given(1, "other"), call.result
    if not isinstance(other, Tensor) or not isinstance(result, Tensor):
        return None
    if result.numel() <= max(one.numel(), other.numel()):
        return False
    given = f"{tuple(one.shape)} and {tuple(other.shape)}"
    return f"what has the shapes {given} gives {tuple(result.shape)}"


_SEEN_CROSSED = Sees(
    "torch.sub torch.add torch.mul torch.subtract torch.multiply "
    + " ".join(
        f"torch.Tensor.{name}"
        for name in (
            *("add", "sub", "subtract", "mul", "multiply", "__add__", "__sub__", "__mul__"),
            *("__radd__", "__rsub__", "__rmul__"),
        )
    ),
    _crossed,
)


def loss_broadcast(job: Job) -> Observation:
    """Torch warns of the sizes, or what is written out broadcasts to more than it was given."""
    seen = _SEEN_CROSSED(job)
    return seen if seen.outcome != OPEN else _WARNED(job)


def _swapped(call: Sighting) -> Answer:
    """The prediction is what requires a gradient."""
    given, target = call.given(0, "input"), call.given(1, "target")
    if not isinstance(given, Tensor) or not isinstance(target, Tensor):
        return None
    if target.requires_grad and not given.requires_grad:
        return "the second argument requires a gradient, and the first does not"
    return False if given.requires_grad else None


_SEEN_SWAPPED = Sees(_ONE_SIDED, _swapped)
_INTEGERS_REFUSED = Raises(
    f"not implemented for '(Long|Int|Byte|Bool)'|should be between 0 and 1|{_REFUSED}",
    kinds=(RuntimeError, NotImplementedError),
)


def loss_arguments_swapped(job: Job) -> Observation:
    """What is given first is refused, or has no gradient while the second has."""
    seen = _SEEN_SWAPPED(job)
    return seen if seen.outcome != OPEN else _INTEGERS_REFUSED(job)


def _flat(training: Training) -> Answer:
    """After a backward, no parameter that an optimizer holds has a gradient other than zero."""
    if not training.at_target:
        return None
    parameters = [*training.parameters(), *training.held_parameters()]
    gradients = [parameter.grad for _, parameter in parameters if parameter.grad is not None]
    if any(bool((gradient != 0).any()) for gradient in gradients):
        return False
    if not gradients:
        return None
    return f"after backward the gradients of all {len(gradients)} parameters are zero"


_ZERO = Watches("backward", _flat, times=2)
_NO_GRAPH = Raises("does not require grad and does not have a grad_fn")


def non_differentiable_loss(job: Job) -> Observation:
    """Backward raises, or leaves nothing but zeros."""
    seen = _NO_GRAPH(job)
    return seen if seen.outcome == SHOWN else _ZERO(job)


def _sums(values: Tensor, dim: int) -> bool:
    return bool(((values.double().sum(dim) - 1).abs() < 1e-3).all())


def _over_the_batch(call: Sighting) -> Answer:
    """The first dimension sums to one, and the last one does not."""
    result: Any = call.result
    if not isinstance(result, Tensor) or result.dim() < 2 or len(result) < 2:
        return None
    values = result.exp() if bool((result <= 0).all()) else result
    if _sums(values, 0) and not _sums(values, -1):
        return "it sums to one over the first dimension, and not over the last"
    return False


_SUMS = Sees(SOFTMAXES, _over_the_batch, times=1, matters=MODEL)
_IMPLICIT = Warns("Implicit dimension choice")
_DEMANDED = Raises('missing 1 required positional arguments: "dim"', (TypeError,))


def softmax_dim(job: Job) -> Observation:
    """Torch refuses, or warns of, a missing dimension; one that is given is seen by the sums."""
    if "TypeError" in job.target.message:
        return _DEMANDED(job)
    return _IMPLICIT(job) if "`dim`" in job.target.message else _SUMS(job)


def _constant(call: Sighting) -> Answer:
    """Nothing comes out but ones, or zeros."""
    result: Any = call.result
    if not isinstance(result, Tensor) or not result.numel():
        return None
    for value in (0.0, 1.0):
        if bool((result == value).all()):
            return f"in calls with other weights and inputs all that comes out is {value:g}"
    return False


softmax_over_one = Sees(
    f"{SOFTMAXES} torch.nn.functional.cross_entropy", _constant, times=3, vary=True, matters=MODEL
)
