"""Walks back through graphs: exceptions, and what is lost where a graph is cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor

from ..claims import MODEL, Raises, Sees, Sighting, Warns
from ..uncut import cut_matters
from ..unretained import retained_for_nothing

if TYPE_CHECKING:
    from ..protocol import Job, Observation
    from ..tally import Answer

_NO_GRAPH = r"does not require grad and does not have a grad_fn|has no attribute 'backward'"
_KINDS = (RuntimeError, AttributeError)

backward_twice = Raises("Trying to backward through the graph a second time", matters=MODEL)
backward_without_graph = Raises(_NO_GRAPH, _KINDS, matters=MODEL)
backward_on_non_scalar = Raises(
    "grad can be implicitly created only for scalar outputs", matters=MODEL
)
grad_of_non_leaf = Warns(r"The \.grad attribute of a Tensor that is not a leaf", matters=MODEL)
retained_graph = retained_for_nothing
graph_cut = cut_matters

_to_numpy = Raises(f"Can't call numpy\\(\\) on Tensor that requires grad|{_NO_GRAPH}", _KINDS)


def numpy_on_loss_path(job: Job) -> Observation:
    """TL123: the exception, or a loss whose gradients are others with the graph left whole."""
    return _to_numpy_or_cut(job)


def missing_create_graph(job: Job) -> Observation:
    """TL124: the exception, or a loss whose gradients are others with the graph left whole."""
    return _either(job, backward_without_graph)


def _to_numpy_or_cut(job: Job) -> Observation:
    return _either(job, _to_numpy)


def _either(job: Job, raises: Raises) -> Observation:
    seen = raises(job)
    return seen if seen.outcome == "shown" else cut_matters(job)


def _leads_to_leaves(call: Sighting) -> Answer:
    """The target of a loss, if its graph ends in something that gradients are stored in.

    Where what it is compared with has no graph, that is the target, whatever it is given as.
    """
    given, target = call.given(0, "input"), call.given(1, "target")
    if not isinstance(target, Tensor):
        return None
    if not target.requires_grad or (isinstance(given, Tensor) and not given.requires_grad):
        return False
    leaves = _leaves(target)
    return f"the target requires grad: the loss sends gradients through it to {leaves} tensor(s)"


def _leaves(tensor: Tensor) -> int:
    pending: list[Any] = [tensor.grad_fn]
    seen: set[Any] = set()
    while pending:
        node = pending.pop()
        if node is not None and node not in seen:
            seen.add(node)
            pending.extend(following for following, _ in node.next_functions)
    return sum(hasattr(node, "variable") for node in seen)


undetached_target = Sees(
    " ".join(
        f"torch.nn.functional.{name}"
        for name in (
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "huber_loss",
            "kl_div",
            "cross_entropy",
            "binary_cross_entropy",
            "binary_cross_entropy_with_logits",
        )
    ),
    _leads_to_leaves,
    matters=MODEL,
)
