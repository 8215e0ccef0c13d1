"""einops: tensors put in another form as a pattern says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import opaque, patterns, tensors
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.patterns import PatternError
from torchlint.interpreter.shaping import Mismatch, Why
from torchlint.interpreter.shaping.patterned import BY
from torchlint.interpreter.values import Const
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_LAYERS = {"Rearrange": "rearrange", "Reduce": "reduce"}


@function("einops.rearrange", "einops.repeat", "einops.reduce")
def _arranged(call: Call) -> Value:
    """A tensor in another form: perhaps the same memory, but for what is reduced."""
    machine, name = call.machine, call.name.rpartition(".")[2]
    tensor, pattern = call.get("tensor", 0), call.get("pattern", 1)
    positions = {"tensor", "pattern", "reduction"}
    sizes = {key: one for key, one in call.arguments.keywords.items() if key not in positions}
    sound = _is_sound(call, name, pattern, None if call.arguments.open else sizes)
    if not sound or tensor is None or not tensors.is_tensor(machine, tensor):
        return opaque.result(machine, call.arguments, call.spot)
    if pattern is None or call.arguments.open:
        pattern, sizes = Const(None), {}
    settings = {"pattern": pattern, **sizes}
    reduction = call.get("reduction", 2)
    if name == "reduce" and reduction is not None:
        settings["reduction"] = reduction
    if name == "rearrange":
        return tensors.view(machine, tensor, "einops_rearrange", call.spot, settings)
    return tensors.apply(machine, f"einops_{name}", {"input": tensor}, call.spot, settings=settings)


@function("einops.einsum")
def _summed(call: Call) -> Value:
    given = call.arguments.positional
    if call.arguments.open or len(given) < 2:
        return opaque.result(call.machine, call.arguments, call.spot)
    inputs = {f"_{at}": value for at, value in enumerate(given)}
    if not any(tensors.is_tensor(call.machine, value) for value in given):
        return opaque.result(call.machine, call.arguments, call.spot)
    return tensors.apply(call.machine, "einops_einsum", inputs, call.spot)


@function(*(f"einops.layers.torch.{name}" for name in _LAYERS))
def _layer(call: Call) -> Value:
    """A layer that does so; it reads its pattern as it is built."""
    sizes = {k: v for k, v in call.arguments.keywords.items() if k not in {"pattern", "reduction"}}
    name = _LAYERS[call.name.rpartition(".")[2]]
    _is_sound(call, name, call.get("pattern", 0), None if call.arguments.open else sizes)
    return opaque.result(call.machine, call.arguments, call.spot)


def _is_sound(call: Call, name: str, pattern: Value | None, sizes: dict[str, Value] | None) -> bool:
    """Whether a pattern can be read, which is an event if not."""
    if not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        return True
    try:
        patterns.arrangement(pattern.value, name, sizes)
    except PatternError as error:
        if not call.machine.tries and not call.machine.choices:
            found = Mismatch(Why.ARGUMENTS, "pattern", by=BY, detail=str(error))
            op = call.name.rpartition(".")[2]
            call.machine.emit(Refused, call.spot, op=op, mismatch=found, inputs={})
        return False
    return True
