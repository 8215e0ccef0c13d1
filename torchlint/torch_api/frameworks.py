"""What wraps and switches: grad modes, amp, torch.compile, checkpoints, modes of modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import absences, modes, opaque, passes
from torchlint.interpreter.switches import UNSEEN
from torchlint.interpreter.values import (
    UNKNOWN,
    Class,
    Const,
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


@function(*modes.AUTOCASTS)
def _autocast(call: Call) -> Value:
    """``torch.autocast("cuda", …)``; the older ones have the device in their names."""
    device = next((kind for kind in ("cuda", "cpu") if f".{kind}." in call.name), None)
    names = ("enabled", "dtype") if device is not None else ("device_type", "dtype", "enabled")
    given = {name: call.get(name, position) for position, name in enumerate(names)}
    if device is not None:
        given["device_type"] = Const(device)
    known = {name: value for name, value in given.items() if value is not None}
    return call.machine.new(Instance(call.name, known, spot=call.spot))


_OF_MODULES = {"eval_mode": "torch.no_grad", "train_mode": "torch.enable_grad"}
"""MONAI's switches of modules, and what else each of them enters."""


@function(*(f"monai.networks{home}.{name}" for home in ("", ".utils") for name in _OF_MODULES))
def _mode_of_modules(call: Call) -> Value:
    """Modules are switched by ``with``, and are in the end what they were before it."""
    for module in call.arguments.positional:
        passes.forget(call.machine, module)
    return call.machine.new(Instance(_OF_MODULES[call.name.rpartition(".")[2]], spot=call.spot))


@function("torch.compile", "torch.jit.script", "torch.jit.trace", "torch.fx.symbolic_trace")
def _compiled(call: Call) -> Value:
    absences.changed(call.machine, call.get("model", 0))
    return call.get("model", 0) or UNKNOWN


@function("torchvision.models.feature_extraction.create_feature_extractor")
@function("torchvision.models._utils.IntermediateLayerGetter")
def _extracted(call: Call) -> Value:
    """A model made of the layers of another one lies where that does, and shares all it has."""
    opaque.lend(call.machine, call.arguments, call.spot)
    made = call.machine.new(Instance(call.name, spot=call.spot, modes=UNSEEN))
    call.machine.escape([made])
    return made
