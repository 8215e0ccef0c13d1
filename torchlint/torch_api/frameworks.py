"""What wraps and switches: grad modes, amp, Accelerate, DataParallel, torch.compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, gradients, modes, tensors
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Class,
    Function,
    Instance,
    Tuple,
)
from torchlint.torch_api import walks
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_ACCELERATOR = "accelerate.Accelerator"


@function(*modes.GRAD_MODES)
def _mode(call: Call) -> Value:
    """``torch.no_grad()`` makes a context manager; ``set_grad_enabled(m)`` switches at once."""
    given = call.get("mode", 0)
    if isinstance(given, (Function, Class)):
        return given
    if call.name.endswith("set_grad_enabled"):
        modes.switch(call.machine, call.name, given, call.spot)
    return call.machine.new(Instance(call.name, {} if given is None else {"mode": given}))


@function(_ACCELERATOR, "torch.cuda.amp.autocast", "torch.autocast", "torch.amp.autocast")
def _object(call: Call) -> Value:
    return call.machine.new(Instance(call.name, spot=call.spot))


@method(_ACCELERATOR, "backward")
def _backward(call: Call) -> Value:
    loss = call.get("loss", 0)
    tensor = tensors.as_tensor(call.machine, loss) if loss is not None else None
    if tensor is None:
        call.machine.emit(Backward, call.spot, node=None)
    else:
        gradients.backward(call.machine, [tensor], call.spot, walks.asked(call, 9, 9, 9))
    return NONE


@method(_ACCELERATOR, "prepare")
def _prepare(call: Call) -> Value:
    """What is prepared stays what it is."""
    given = call.arguments.positional
    if call.arguments.open:
        return UNKNOWN
    return given[0] if len(given) == 1 else Tuple(given)


@method(_ACCELERATOR, "accumulate", "no_sync", "autocast", "print", "log", "clip_grad_norm_")
@method(_ACCELERATOR, "clip_grad_value_", "wait_for_everyone", "save_state", "unwrap_model")
@method(_ACCELERATOR, "gather", "gather_for_metrics", "init_trackers", "end_training")
def _accelerator(call: Call) -> Value:
    given = call.get("model", 0)
    if call.name in {"unwrap_model", "gather", "gather_for_metrics"} and given is not None:
        return given
    return UNKNOWN


@function("torch.compile", "torch.jit.script", "torch.jit.trace", "torch.fx.symbolic_trace")
def _compiled(call: Call) -> Value:
    return call.get("model", 0) or UNKNOWN


@function("torch.nn.DataParallel", "torch.nn.parallel.DataParallel")
@function("torch.nn.parallel.DistributedDataParallel")
def _parallel(call: Call) -> Value:
    inner = call.get("module", 0) or UNKNOWN
    return call.machine.new(Instance(call.name, {"module": inner}, spot=call.spot))


@function("torch.utils.checkpoint.checkpoint")
def _checkpoint(call: Call) -> Value:
    callee = call.get("function", 0)
    if callee is None:
        return UNKNOWN
    rest = Arguments(call.arguments.positional[1:])
    return calls.call(call.machine, callee, rest, call.spot)
