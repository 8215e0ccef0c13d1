"""NVIDIA Apex: what is prepared for two precisions stays what it is, and so does a scaled loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import absences, holdings
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.values import NONE, UNKNOWN, Tuple
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function("apex.amp.initialize")
def _initialize(call: Call) -> Value:
    models, optimizers = call.get("models", 0), call.get("optimizers", 1)
    if models is None or call.arguments.open or call.arguments.more:
        call.machine.escape(call.arguments.values())
        return UNKNOWN
    absences.changed(call.machine, models)
    return models if optimizers in (None, NONE) else Tuple((models, optimizers))


@function("apex.amp.scale_loss")
def _scale_loss(call: Call) -> Value:
    """Gradients are scaled back before the statement that walks back has come to its end."""
    return call.get("loss", 0) or UNKNOWN


@function("apex.amp.master_params")
def _master_params(call: Call) -> Value:
    """A generator of what an optimizer holds, or of the copies of it in full precision."""
    optimizer = call.get("optimizer", 0)
    held = holdings.parameters_in(call.machine, optimizer) if optimizer is not None else None
    return UNKNOWN if held is None else replace(held, stream=new_address())
