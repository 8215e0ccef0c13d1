"""Claims about the tensor types of the first releases."""

from __future__ import annotations

import ast
import warnings
from typing import TYPE_CHECKING, Any

import torch

from ..claims import MODEL, NOTHING, After, Sees

if TYPE_CHECKING:
    from ..claims import Aftermath, Sighting
    from ..protocol import Job, Observation
    from ..tally import Answer


def _named(seen: Aftermath) -> Answer:
    """What an old type that the statement names does, which is not what it may be meant to do."""
    if seen.statement is None:
        return None
    for node in ast.walk(seen.statement):
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            text = ast.unparse(seen.statement).replace("volatile=False", "")
            said = _said(seen.value(node), "volatile" in text)
            if said:
                return said
    return False


def _said(named: Any, volatile: bool) -> str:
    if named is torch.autograd.Variable:
        return _of_variable(volatile)
    if type(named) is type(torch.FloatTensor):
        return _of_type(named)
    return ""


def _of_variable(volatile: bool) -> str:
    """What becomes of a graph, and of a flag."""
    given = torch.ones(1, requires_grad=True) * 2
    if not volatile:
        made = torch.autograd.Variable(given)
        return (
            "" if made.grad_fn is not None else "tried on an x with a graph, `Variable(x)` has none"
        )
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        torch.autograd.Variable(given.detach(), volatile=True)
    return next((f"torch warns: {item.message}" for item in told), "")


def _of_type(named: Any) -> str:
    """Where what it makes is, where everything is to be elsewhere."""
    name = f"{named.__module__}.{named.__name__}"
    try:
        with torch.device("meta"):
            made = named(1)
    except (TypeError, RuntimeError) as error:
        return f"`{name}(1)` raises {type(error).__name__}: {str(error).splitlines()[0]}"
    if made.device.type == "meta":
        return ""
    return f"with another default device, `{name}(1)` is on {made.device} all the same"


_named_there = After(
    r"type torch\.cuda\.\w+Tensor not available|Cannot initialize CUDA",
    (TypeError, RuntimeError),
    judge=_named,
    matters=NOTHING,
    anywhere=True,
)


def _cuts(call: Sighting) -> Answer:
    """Whether what is wrapped there has a graph, and what comes of it has not."""
    given = call.given(1, "data")
    if not isinstance(given, torch.Tensor) or not given.requires_grad:
        return False
    if call.result.grad_fn is not None:
        return False
    last = given.grad_fn.name() if given.grad_fn is not None else "itself as a leaf"
    return f"the tensor that is wrapped has a graph ({last}), and what comes of it has none"


_wrapped_there = Sees("torch.autograd.Variable.__new__", _cuts, matters=MODEL)


def legacy_tensor_type(job: Job) -> Observation:
    """TL509: a graph is lost there, or what is named does not do what it may be meant to."""
    is_of_graph = "out of the graph that it has" in job.target.message
    return (_wrapped_there if is_of_graph else _named_there)(job)
