"""Claims about autograd's own tools: leaves, flags, grad modes."""

from __future__ import annotations

import ast
import gc
from typing import TYPE_CHECKING

import torch
from torch import nn

from ..claims import MODEL, NOTHING, After, Raises, Sees, Warns, Watches

if TYPE_CHECKING:
    from ..claims import Aftermath, Sighting, Training
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
    if isinstance(module, torch.Tensor):
        return _flag_in_state(module)
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


def _flag_in_state(value: torch.Tensor) -> Answer:
    """Whether a parameter needs a gradient though what has its values was told to need none."""
    if isinstance(value, nn.Parameter):
        return False
    alive = (each for each in gc.get_objects() if issubclass(type(each), nn.Parameter))
    held = [each for each in alive if each.data_ptr() == value.data_ptr()]
    if not held:
        return None
    return any(each.requires_grad for each in held) and (
        "the parameter has `requires_grad` True after it was set to False for what has its values"
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
    if tensor.requires_grad is wanted:  # a mere attribute does not set it: it was so before
        return None if name in vars(tensor) else False
    return f"`requires_grad` is still {tensor.requires_grad} after `{name}` was set to {wanted}"


requires_grad_typo = After(
    r"unexpected keyword argument '\w*(?i:grad)|no attribute '\w*(?i:grad)\w*_'"
    r"|[Oo]nly Tensors of floating point",
    (TypeError, AttributeError, RuntimeError),
    judge=_misspelt,
    matters=MODEL,
)

checkpoint_without_use_reentrant = Warns("use_reentrant parameter should", matters=NOTHING)


def _is_legacy(call: Sighting) -> Answer:
    """Whether torch has taken a hook for one of the old kind."""
    if getattr(call.receiver, "_is_full_backward_hook", None) is not False:
        return False
    name = type(call.receiver).__name__
    return f"torch has marked the backward hooks of {name} as not full, which it has deprecated"


legacy_backward_hook = Sees(
    "torch.nn.Module.register_backward_hook torch.nn.Module.register_full_backward_hook",
    _is_legacy,
    matters=NOTHING,
)


def _searches(training: Training) -> Answer:
    """Whether a backward is run under anomaly detection."""
    if not torch.is_anomaly_enabled():
        return False
    return f"anomaly detection is on in backward {training.counts['before backward']}"


anomaly_detection_left_on = Watches("before backward", _searches, times=2, matters=NOTHING)


def _all_rows(seen: Aftermath) -> Answer:
    """Whether one row was to be written of a tensor whose rows are one."""
    match seen.statement:
        case (
            ast.Assign(targets=[ast.Subscript(value=owner)])
            | ast.AugAssign(target=ast.Subscript(value=owner))
        ):
            tensor = seen.value(owner)
        case _:
            return None
    if not isinstance(tensor, torch.Tensor):
        return None
    one = [at for at in range(tensor.dim()) if tensor.size(at) > 1 and tensor.stride(at) == 0]
    if not one:
        return False
    return f"all {tensor.size(one[0])} entries along dimension {one[0]} are one place in memory"


write_to_expanded = After(
    "more than one element of the written-to tensor", judge=_all_rows, matters=MODEL
)


_HOOKS = {
    "register_forward_hook": "_forward_hooks",
    "register_forward_pre_hook": "_forward_pre_hooks",
    "register_full_backward_hook": "_backward_hooks",
    "register_full_backward_pre_hook": "_backward_pre_hooks",
}


def _more_hooks(call: Sighting) -> Answer:
    """Whether a module has more hooks of a kind than when the last one was registered."""
    kind = _HOOKS[call.name.rpartition(".")[2]]
    now = len(getattr(call.receiver, kind))
    before = call.memory.get(f"{id(call.receiver)}{kind}")
    call.memory[f"{id(call.receiver)}{kind}"] = now
    if before is None:
        return None
    if now <= before:
        return False
    return f"the {type(call.receiver).__name__} has {now} hooks by now, and had {before} before"


hook_leak = Sees(
    " ".join(f"torch.nn.Module.{name}" for name in _HOOKS), _more_hooks, times=2, matters=MODEL
)


def _past_autograd(call: Sighting) -> Answer:
    """Whether a change of what was given would not be counted, or the memory is another."""
    tensor = call.receiver
    if not isinstance(tensor, torch.Tensor) or tensor.is_inference():
        return None
    if call.result is None:
        if tensor.data_ptr() != call.args[1].data_ptr():
            return False
        return f"the memory is another, and version {tensor._version} is still counted"
    before = tensor._version
    # Nothing at all is written, which counts as a change nevertheless.
    call.result.detach().unsqueeze(0)[:0].zero_()
    if tensor._version != before:
        return False
    return f"after a change through `.data` the version of the tensor is still {before}"


data_attribute = Sees(
    "torch.Tensor.data.__get__ torch.Tensor.data.__set__", _past_autograd, matters=NOTHING
)
