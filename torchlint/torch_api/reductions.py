"""What losses were told before they had `reduction`, and what it stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.values import FALSE, NONE, TRUE, UNKNOWN, Const

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.values import Value

OLD = ("size_average", "reduce")

SINCE = "0.4.1"
"""The first release that has `reduction`."""

_CLASSES = (
    "BCELoss BCEWithLogitsLoss CosineEmbeddingLoss CrossEntropyLoss HingeEmbeddingLoss KLDivLoss "
    "L1Loss MSELoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss "
    "MultiMarginLoss NLLLoss PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss"
).split()
_FUNCTIONS = (
    "binary_cross_entropy binary_cross_entropy_with_logits cosine_embedding_loss cross_entropy "
    "hinge_embedding_loss kl_div l1_loss margin_ranking_loss mse_loss multi_margin_loss "
    "multilabel_margin_loss multilabel_soft_margin_loss nll_loss poisson_nll_loss smooth_l1_loss "
    "soft_margin_loss triplet_margin_loss"
).split()

LOSSES = frozenset(f"torch.nn.{name}" for name in _CLASSES) | frozenset(
    f"torch.nn.functional.{name}" for name in _FUNCTIONS
)
"""What takes the old arguments, and warns."""


def names() -> frozenset[str]:
    """The losses, each with an old argument that it is given."""
    return frozenset(f"{loss}({argument})" for loss in LOSSES for argument in OLD)


def meant(given: Mapping[str, Value]) -> str:
    """The reduction that the old arguments stand for; nothing where one is not known, or none is.

    Who gives None gives nothing: that is how a loss of the program's own hands on what it was told.
    """
    told = [given[name] for name in OLD if name in given]
    if not told or any(value not in {TRUE, FALSE} for value in told):
        return ""
    if given.get("reduce") == FALSE:
        return "none"
    return "sum" if given.get("size_average") == FALSE else "mean"


def settled(settings: Mapping[str, Value]) -> Mapping[str, Value]:
    """The settings of a loss, with the reduction that it is told under old names."""
    told = {name: settings[name] for name in OLD if settings.get(name, NONE) != NONE}
    if not told:
        return settings
    stands_for = meant(told)
    return {**settings, "reduction": Const(stands_for) if stands_for else UNKNOWN}


def without(inputs: Mapping[str, Value]) -> dict[str, Value]:
    """What a loss is given, but for its reduction."""
    return {name: value for name, value in inputs.items() if name not in {"reduction", *OLD}}
