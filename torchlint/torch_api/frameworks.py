"""What wraps and switches: grad modes, amp, torch.compile, checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import modes
from torchlint.interpreter.values import (
    UNKNOWN,
    Class,
    Function,
    Instance,
)
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function(*modes.GRAD_MODES)
def _mode(call: Call) -> Value:
    """``torch.no_grad()`` makes a context manager; ``set_grad_enabled(m)`` switches at once."""
    given = call.get("mode", 0)
    if isinstance(given, (Function, Class)):
        return given
    if call.name.endswith("set_grad_enabled"):
        modes.switch(call.machine, call.name, given, call.spot)
    return call.machine.new(Instance(call.name, {} if given is None else {"mode": given}))


@function("torch.cuda.amp.autocast", "torch.autocast", "torch.amp.autocast")
def _object(call: Call) -> Value:
    return call.machine.new(Instance(call.name, spot=call.spot))


@function("torch.compile", "torch.jit.script", "torch.jit.trace", "torch.fx.symbolic_trace")
def _compiled(call: Call) -> Value:
    return call.get("model", 0) or UNKNOWN
