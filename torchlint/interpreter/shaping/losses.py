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

OF_CLASSES = frozenset({"cross_entropy", "nll_loss"})
"""What takes as its target the class of each sample, or chances of all classes."""

_ALIKE = frozenset({"binary_cross_entropy", "binary_cross_entropy_with_logits"})
_BROADCAST = frozenset(
    "mse_loss l1_loss smooth_l1_loss huber_loss kl_div poisson_nll_loss soft_margin_loss "
    "gaussian_nll_loss multilabel_soft_margin_loss hinge_embedding_loss".split()
)
ELEMENTWISE = _ALIKE | _BROADCAST
"""Losses of each element, and what it is compared with."""

_DISTANCES = frozenset({"triplet_margin_loss", "triplet_margin_with_distance_loss"})


def loss(request: Request) -> Shape | None:
    """No dimension, or one value for each of what is compared."""
    reduction = request.value("reduction")
    asked = reduction is not None and reduction not in (Const("mean"), Const("sum"))
    compared = _COMPARISONS.get(request.name, _unseen)(request)
    ranks = shapes.rank(request.shape()), shapes.rank(request.shape("target"))
    if request.name in OF_CLASSES and ranks == (1, 1):
        # One class, in a list, which not all of them take.
        return None
    if asked and reduction != Const("none"):
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
    given = "input" if "input" in request.inputs else "log_input"
    found = broadcast(request, request.shape(given), request.shape("target"), given, "target")
    return None if request.name == "multilabel_soft_margin_loss" else found


def _together(request: Request) -> Shape | None:
    """Several tensors of one rank, which are compared with each other."""
    names = [name for name in request.inputs if name in _OPERANDS]
    found = [request.shape(name) for name in names]
    if len(found) < 2 or any(not shapes.is_whole(shape) for shape in found):
        return None
    first, *others = names
    shape = found[0]
    for name, other in zip(others, found[1:], strict=True):
        if other is not None and found[0] is not None and len(other) != len(found[0]):
            request.refuse(Why.RANK, name, wanted=len(found[0]), given=len(other), by=first)
        shape = broadcast(request, shape, other, first, name)
    return None


_OPERANDS = frozenset("anchor positive negative input1 input2".split())


def _cosine(request: Request) -> Shape | None:
    """A target for each pair of vectors."""
    _together(request)
    shape, target = request.shape("input1"), request.shape("target")
    ranks = shapes.rank(shape), shapes.rank(target)
    if ranks[0] is not None and ranks[0] > 2:
        request.refuse(Why.RANK, "input1", wanted=(1, 2), given=ranks[0])
    if ranks[0] is not None and ranks[1] is not None and ranks[0] - 1 != ranks[1]:
        request.refuse(Why.RANK, "target", wanted=max(ranks[0] - 1, 0), given=ranks[1], by="input1")
    if shapes.rank(shape) == 2 and shapes.rank(target) == 1 and shape and target:
        if 1 in {shape[0], target[0]}:
            return None
        request.need(target[0], shape[0], "target", 0, "input1")
    return None


def _ranked(request: Request) -> Shape | None:
    """A target for each pair of scores."""
    _together(request)
    shape, target = request.shape("input1"), request.shape("target")
    if shapes.is_whole(shape) and shapes.is_whole(target):
        broadcast(request, shape, target, "input1", "target")
    return None


def _one_each(request: Request) -> Shape | None:
    """A class for each row of scores."""
    shape, target = _rows(request), request.shape("target")
    if shapes.rank(shape) == 2 and shape is not None:
        if target == ():
            # One class without a list does for one row.
            request.need(shape[0], 1, "input", 0, "target")
        else:
            request.fit("target", (shape[0],), by="input")
    elif shapes.rank(shape) == 1 and shapes.rank(target) == 1 and target is not None:
        request.need(target[0], 1, "target", 0, "input")
    return None


def _rows(request: Request) -> Shape | None:
    """Scores in rows, or in one."""
    shape = request.shape()
    rank = shapes.rank(shape)
    if rank is not None and rank > 2:
        request.refuse(Why.RANK, wanted=(1, 2), given=rank)
    return shape


def _of_each(request: Request) -> Shape | None:
    """A target for each of the scores, in a shape that stays when they are put together."""
    _rows(request)
    _alike(request)
    return None


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
    **dict.fromkeys(OF_CLASSES, _classes),
    **dict.fromkeys(_DISTANCES, _together),
    "cosine_embedding_loss": _cosine,
    "margin_ranking_loss": _ranked,
    "multi_margin_loss": _one_each,
    "multilabel_margin_loss": _of_each,
}
