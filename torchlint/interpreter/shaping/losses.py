"""Losses: what is compared with what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.shaping.elementwise import broadcast
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Const, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.shaping.request import Request

_CLASSES = ("cross_entropy", "nll_loss")
_ALIKE = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
_BROADCAST = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss soft_margin_loss".split()
)


def loss(request: Request) -> Shape | None:
    """No dimension, or one value for each of what is compared."""
    reduction = request.value("reduction")
    asked = reduction is not None and reduction not in (Const("mean"), Const("sum"))
    old = request.value("size_average") or request.value("reduce")
    compared = _COMPARISONS.get(request.name, _unseen)(request)
    ranks = shapes.rank(request.shape()), shapes.rank(request.shape("target"))
    if request.name in _CLASSES and ranks == (1, 1):
        # One class, in a list, which not all of them take.
        return None
    if (asked and reduction != Const("none")) or old is not None:
        return None
    return compared if asked else ()


def _unseen(request: Request) -> Shape | None:
    return None


def _alike(request: Request) -> Shape | None:
    """The same shape on both sides."""
    shape, target = request.shape(), request.shape("target")
    if shape is None or target is None:
        return shape
    return request.fit("target", shape, by="input")


def _broadcast(request: Request) -> Shape | None:
    return broadcast(request, request.shape(), request.shape("target"), "input", "target")


def _classes(request: Request) -> Shape | None:
    """Scores for each class in the second dimension, or the first where there is one only."""
    shape, target = request.shape(), request.shape("target")
    if shape is None or not shapes.is_whole(shape) or target is None:
        return None
    if not shape:
        request.refuse(Why.RANK, wanted=1, given=0, by="target")
    expected: Shape = () if len(shape) == 1 else (shape[0], *shape[2:])
    if request.name == "cross_entropy" and _may_be_probabilities(request, shape, target):
        if shapes.rank(target) is not None:
            request.fit("target", shape, by="input")
        return None
    if shapes.rank(target) == 1 and len(shape) == 1:
        return None
    request.fit("target", expected, by="input")
    return expected


def _may_be_probabilities(request: Request, shape: Shape, target: Shape) -> bool:
    """Whether a target may give a probability for each class."""
    value = request.inputs.get("target")
    record = request.machine.get(value) if value is not None else None
    if shapes.rank(target) not in (None, len(shape)):
        return False
    return isinstance(record, Tensor) and not (record.dtype or "").startswith(("int", "uint"))


_COMPARISONS = {
    **dict.fromkeys(_ALIKE, _alike),
    **dict.fromkeys(_BROADCAST, _broadcast),
    **dict.fromkeys(_CLASSES, _classes),
}
