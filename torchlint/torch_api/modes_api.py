"""The classes and functions that switch the grad mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import modes
from torchlint.interpreter.values import Class, Function, Instance
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


def _mode(call: Call) -> Value:
    """``torch.no_grad()`` makes a context manager; ``set_grad_enabled(m)`` switches at once."""
    given = call.get("mode", 0)
    if isinstance(given, (Function, Class)):
        return given
    if call.name.endswith("set_grad_enabled"):
        modes.switch(call.machine, call.name, given)
    attributes = {"mode": given} if given is not None else {}
    return call.machine.new(Instance(call.name, attributes))


def declare() -> None:
    """Declare what switches the grad mode."""
    function(*modes.GRAD_MODES)(_mode)
