"""Claims about autograd's own tools: leaves, flags, grad modes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..claims import MODEL, NOTHING, After, Raises

if TYPE_CHECKING:
    from ..claims import Aftermath
    from ..tally import Answer

inplace_on_leaf = Raises(
    r"leaf Variable that requires grad|out=\.\.\. arguments don't support automatic"
    r"|is a view and is being modified inplace",
    matters=MODEL,
)


def _idle(seen: Aftermath) -> Answer:
    """Whether a mode that stands alone has left things as they were, where that can be told."""
    node = seen.statement.value if isinstance(seen.statement, ast.Expr) else None
    function = node.func if isinstance(node, ast.Call) else node
    if not isinstance(function, (ast.Name, ast.Attribute)):
        return None
    name = function.id if isinstance(function, ast.Name) else function.attr
    if name == "no_grad" and torch.is_grad_enabled():
        return "gradients are recorded as before once the statement has run"
    if name == "inference_mode" and not torch.is_inference_mode_enabled():
        return "inference mode is off once the statement has run"
    if name == "enable_grad" and not torch.is_grad_enabled():
        return "gradients are still not recorded once the statement has run"
    return None


no_grad_without_effect = After(
    "context manager protocol|__enter__",
    (TypeError, AttributeError),
    judge=_idle,
    matters=NOTHING,
)


def _flag_on_module(seen: Aftermath) -> Answer:
    """Whether the parameters of a module are as its new attribute says."""
    match seen.statement:
        case ast.Assign(targets=[ast.Attribute(value=owner, attr="requires_grad")], value=_):
            module = seen.value(owner)
            wanted = getattr(module, "requires_grad", None)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr="requires_grad_"))):
            module, wanted = seen.value(owner), False
        case _:
            return None
    if not isinstance(module, nn.Module) or not isinstance(wanted, bool):
        return None
    parameters = list(module.parameters())
    others = sum(1 for parameter in parameters if parameter.requires_grad is not wanted)
    if not parameters:
        return None
    if not others:
        return False
    return (
        f"{others} of {len(parameters)} parameters of the {type(module).__name__} have "
        f"`requires_grad` {not wanted} after it was set to {wanted}"
    )


requires_grad_on_module = After("(?!)", judge=_flag_on_module, matters=MODEL)


def _misspelt(seen: Aftermath) -> Answer:
    """Whether ``requires_grad`` is another than what was given to its double."""
    match seen.statement:
        case ast.Assign(targets=[ast.Attribute(value=owner, attr=name)]):
            tensor = seen.value(owner)
        case _:
            return None
    if not isinstance(tensor, torch.Tensor) or not isinstance(getattr(tensor, name, None), bool):
        return None
    wanted = getattr(tensor, name)
    if tensor.requires_grad is wanted:
        return False
    return f"`requires_grad` is still {tensor.requires_grad} after `{name}` was set to {wanted}"


requires_grad_typo = After(
    r"unexpected keyword argument '\w*(?i:grad)|no attribute '\w*(?i:grad)\w*_'"
    r"|[Oo]nly Tensors of floating point",
    (TypeError, AttributeError, RuntimeError),
    judge=_misspelt,
    matters=MODEL,
)
