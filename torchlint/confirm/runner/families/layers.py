"""Claims about layers and the containers that they are put into."""

from __future__ import annotations

import ast
import gc
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from ..claims import MODEL, NOTHING, After, Raises, Sees, Sighting, Warns
from ..protocol import OPEN, Observation
from ..settings_of_data import built_of_data
from ..ties import half_tied
from ..unhooked import unhooked

if TYPE_CHECKING:
    from ..claims import Aftermath
    from ..protocol import Job
    from ..tally import Answer


sequential_of_list = Raises(
    r"is not a Module subclass|ModuleList\.(?:__init__\(\) takes|extend should be called)",
    (TypeError,),
    matters=NOTHING,
)


def _built(seen: Aftermath) -> list[nn.Module]:
    """The modules that the names and attributes are bound to which the statement assigns."""
    match seen.statement:
        case (
            ast.Assign(targets=[target])
            | ast.AnnAssign(target=target)
            | ast.AugAssign(target=target)
        ):
            value = seen.value(_loaded(target))
            return _modules(value)
    return []


def _loaded(target: ast.expr) -> ast.expr:
    text = ast.unparse(target)
    return ast.parse(text, mode="eval").body


def _modules(value: Any) -> list[nn.Module]:
    items = (
        list(value) if isinstance(value, (list, tuple, nn.ModuleList, nn.Sequential)) else [value]
    )
    return [item for item in items if isinstance(item, nn.Module)]


def _are_one(seen: Aftermath) -> Answer:
    """Whether modules with parameters of a list that was built there are one and the same."""
    items = [item for item in _built(seen) if next(item.parameters(), None) is not None]
    if len(items) < 2:
        return None
    for item in items:
        same = sum(item is other for other in items)
        if same > 1:
            name, size = type(item).__name__, sum(p.numel() for p in item.parameters())
            return f"{same} items are one `{name}` with {size} parameters in all"
    return False


shared_layer = After("(?!)", (TypeError,), judge=_are_one, matters=NOTHING)


layer_called_as_function = built_of_data

forward_called_directly = unhooked

tuple_in_sequential = Raises(
    r"must be Tensor, not tuple|'tuple' object has no attribute|got \(tuple,",
    (TypeError, AttributeError),
    matters=MODEL,
)

_deprecated = Warns("is now deprecated in favor of", FutureWarning, matters=NOTHING)
_nothing_applied = Raises("'NoneType' object is not callable", (TypeError,), matters=NOTHING)


_FILLS = (
    "uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform "
    "kaiming_normal orthogonal sparse"
).split()


def _is_name(holder: Any) -> bool:
    """Whether what refers to a tensor is a module of either kind: of torch, or of the program."""
    return isinstance(holder, nn.Module) or (isinstance(holder, dict) and "__name__" in holder)


def _fills_copy(call: Sighting) -> Answer:
    """Whether what is filled is a copy of its own: no parameter, and of nobody's memory."""
    tensor = call.given(0, "tensor")
    if not isinstance(tensor, Tensor):
        return None
    if isinstance(tensor, nn.Parameter) or tensor._base is not None or tensor.requires_grad:
        return False
    if any(map(_is_name, gc.get_referrers(tensor))):
        # It may be used by its name later.
        return False
    return f"`{call.name.rpartition('.')[2]}` fills a tensor that is no parameter"


def init_without_effect(job: Job) -> Observation:
    """TL416: the warning, the exception, or a copy that is filled."""
    if job.target.message.endswith("they stay as they are"):
        return Observation(OPEN, reason="what nothing calls does nothing, and no line of it runs")
    if job.target.message.endswith("the parameter stays as it is"):
        return Observation(OPEN, reason="what a name is given leaves no trace in a parameter")
    seen = _deprecated(job)
    for claim in (_nothing_applied, _copy_filled):
        if seen.outcome == "shown":
            break
        other = claim(job)
        seen = other if other.outcome != "open" or seen.outcome == "open" else seen
    return seen


_copy_filled = Sees(
    " ".join(f"torch.nn.init.{name}_" for name in _FILLS), _fills_copy, matters=NOTHING
)


def _activated(call: Sighting) -> Answer:
    """Whether the input is the result of the same activation, or of a ReLU before a softmax."""
    given, result = call.given(0, "input"), call.result
    if not isinstance(given, Tensor) or not isinstance(result, Tensor):
        return None
    before, after = given.grad_fn, result.grad_fn
    if before is None or after is None:
        return None
    if type(before) is type(after) or ("Relu" in before.name() and "Softmax" in after.name()):
        return f"the input of `{call.name.rpartition('.')[2]}` is the result of {before.name()}"
    return None


repeated_activation = Sees(
    " ".join(
        f"torch.nn.functional.{name}"
        for name in (
            "relu leaky_relu elu gelu silu tanh selu softplus mish hardswish softmax log_softmax"
        ).split()
    )
    + " torch.relu torch.tanh torch.softmax torch.log_softmax torch.Tensor.relu torch.Tensor.tanh"
    + " torch.Tensor.softmax torch.Tensor.log_softmax",
    _activated,
    matters=MODEL,
)

weight_tying_broken = After("(?!)", (TypeError,), judge=half_tied, matters=MODEL)


def _bias_is_lost(call: Sighting) -> Answer:
    """Whether the input has a bias in it, which a constant added to each channel stands for."""
    norm, given = call.receiver, call.given(1, "input")
    if not isinstance(given, Tensor) or given.grad_fn is None:
        return None
    channels = given.shape[1]
    held = [getattr(node, "variable", None) for node, _ in given.grad_fn.next_functions if node]
    if not any(isinstance(item, Tensor) and item.shape == (channels,) for item in held):
        return None
    shape = [1, channels, *[1] * (given.dim() - 2)]
    plain = nn.functional.batch_norm(given, None, None, norm.weight, norm.bias, training=True)
    moved = nn.functional.batch_norm(
        given + torch.linspace(-1.0, 1.0, channels).view(shape),
        None,
        None,
        norm.weight,
        norm.bias,
        training=True,
    )
    change = float((plain - moved).abs().max())
    if change > _SMALL:
        return None
    return f"another bias, between -1 and 1, changes what the batch norm gives by {change:.1e}"


_SMALL = 1e-3
bias_before_batch_norm = Sees(
    "torch.nn.BatchNorm1d torch.nn.BatchNorm2d torch.nn.BatchNorm3d",
    _bias_is_lost,
    matters=MODEL,
)
