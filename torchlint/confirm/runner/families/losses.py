"""Claims about what losses and normalisations are given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..claims import MODEL, Raises, Sees

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..claims import Sighting
    from ..tally import Answer

_FUNCTIONAL = "torch.nn.functional."
_TOLERANCE = 1e-3
SOFTMAXES = (
    "torch.softmax torch.log_softmax torch.Tensor.softmax torch.Tensor.log_softmax "
    "torch.nn.functional.softmax torch.nn.functional.log_softmax torch.nn.functional.softmin"
)
_SIGMOIDS = "torch.sigmoid torch.Tensor.sigmoid torch.Tensor.sigmoid_"
_LOGARITHMS = "torch.log torch.Tensor.log torch.Tensor.log_"


def sums_to_one(values: Tensor) -> bool:
    """Whether values are non-negative, and sum to one along some dimension."""
    if not values.dim() or not bool((values >= -_TOLERANCE).all()):
        return False
    sums = (values.double().sum(dim) for dim in range(values.dim()) if values.shape[dim] > 1)
    return any(bool(((total - 1).abs() < _TOLERANCE).all()) for total in sums)


def in_unit_interval(values: Tensor) -> bool:
    """Whether all values lie between zero and one."""
    return bool((values >= 0).all()) and bool((values <= 1).all())


def _given(call: Sighting, position: int = 0, name: str = "input") -> Tensor | None:
    found = call.given(position, name)
    return found if isinstance(found, Tensor) and found.is_floating_point() else None


def _extremes(values: Tensor) -> str:
    return f"{float(values.min()):.3g} to {float(values.max()):.3g}"


def _no_logarithms(call: Sighting) -> Answer:
    """The logarithm of a probability is never above zero."""
    given = _given(call)
    if given is None or not given.numel():
        return None
    if bool((given > 10 * _TOLERANCE).any()):
        return f"the input ranges from {_extremes(given)}: no logarithm of a probability is above 0"
    return False if sums_to_one(given.exp()) else None


nll_without_log_softmax = Sees(
    _FUNCTIONAL + "nll_loss", _no_logarithms, times=3, vary=True, matters=MODEL
)

bce_on_logits = Raises("all elements of input should be between 0 and 1", matters=MODEL)


def _kl_div(call: Sighting) -> Answer:
    """Which of the arguments is not what the settings say."""
    target = _given(call, 1, "target")
    no_logarithms = _no_logarithms(call)
    if no_logarithms or target is None:
        return no_logarithms
    in_logarithms = bool(call.given(5, "log_target", False))
    if in_logarithms and not sums_to_one(target.exp()):
        return f"`log_target=True`, and the target ranges from {_extremes(target)}"
    if not in_logarithms and bool((target < 0).any()):
        return f"the target is to be probabilities, and ranges from {_extremes(target)}"
    if call.given(4, "reduction", "mean") == "mean" and target.dim() > 1:
        return f"the sum is divided by {target.numel()}, and the batch is {len(target)}"
    return False


kl_div_arguments = Sees(_FUNCTIONAL + "kl_div", _kl_div, times=3, vary=True, matters=MODEL)


def _normalised_before(call: Sighting) -> Answer:
    """Whether the input is already what such a function gives."""
    given = _given(call)
    if given is None or not given.numel():
        return None
    name = call.name.rpartition(".")[2].rstrip("_")
    if name == "log":
        return (
            "every value is negative, so that its logarithm is NaN"
            if (bool((given <= 0).all()) and bool((given < 0).any()))
            else False
        )
    if name == "sigmoid":
        return f"the input lies in [0, 1]: {_extremes(given)}" if in_unit_interval(given) else False
    if sums_to_one(given):
        return f"the rows of the input sum to one already, and range from {_extremes(given)}"
    if sums_to_one(given.exp()):
        return "the exponentials of the input's rows sum to one already"
    return False


repeated_normalisation = Sees(
    f"{SOFTMAXES} {_SIGMOIDS} {_LOGARITHMS}",
    _normalised_before,
    times=3,
    vary=True,
    matters=MODEL,
)


def _in(holds: Callable[[Tensor], bool], sentence: str) -> Callable[[Sighting], Answer]:
    """A question whether something holds for a loss's input."""

    def judge(call: Sighting) -> Answer:
        given = _given(call)
        if given is None or not given.numel():
            return None
        return sentence.format(_extremes(given)) if holds(given) else False

    return judge


activation_after_norm_loss = Sees(
    f"{_FUNCTIONAL}cross_entropy {_FUNCTIONAL}binary_cross_entropy_with_logits",
    _in(
        lambda given: not bool((given < 0).any()),
        "with the weights changed between the calls, no logit is below zero ({})",
    ),
    times=3,
    vary=True,
    matters=MODEL,
)

sigmoid_then_bce = Sees(
    _FUNCTIONAL + "binary_cross_entropy",
    _in(in_unit_interval, "the input lies in [0, 1] ({}), whatever the weights are"),
    times=3,
    vary=True,
    matters=MODEL,
)
