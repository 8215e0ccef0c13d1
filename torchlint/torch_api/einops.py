"""einops: tensors put in another form as a pattern says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import choosing, containers, opaque, patterns, tensors
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.patterns import PatternError
from torchlint.interpreter.shaping import Mismatch, Why
from torchlint.interpreter.shaping.patterned import BY
from torchlint.interpreter.values import Const, Instance, Tuple
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import FUNCTIONS, Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

LAYERS = "einops.layers.torch."
_LAYERS = {"Rearrange": "rearrange", "Reduce": "reduce"}


@function("einops.rearrange", "einops.repeat", "einops.reduce")
def _arranged(call: Call) -> Value:
    """A tensor in another form: perhaps the same memory, but for what is reduced."""
    machine, name = call.machine, call.name.rpartition(".")[2]
    tensor, pattern = _stacked(call), call.get("pattern", 1)
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


def _stacked(call: Call) -> Value | None:
    """The tensor that is arranged: several in a list are one, stacked, and in a tuple none."""
    given = call.get("tensor", 0)
    if isinstance(given, Tuple):
        _refuse(call, "tensor", "several tensors are stacked in a list, and this is a tuple")
        return given
    items = containers.known_items(call.machine, given) if given is not None else None
    if given is None or not items or not all(tensors.is_tensor(call.machine, one) for one in items):
        return given
    inputs: dict[str, Value] = {"tensors": given, "dim": Const(0)}
    return tensors.apply(call.machine, "stack", inputs, call.spot)


@function("einops.einsum")
def _summed(call: Call) -> Value:
    given = call.arguments.positional
    if call.arguments.open or len(given) < 2:
        return opaque.result(call.machine, call.arguments, call.spot)
    inputs = {f"_{at}": value for at, value in enumerate(given)}
    if not any(tensors.is_tensor(call.machine, value) for value in given):
        return opaque.result(call.machine, call.arguments, call.spot)
    return tensors.apply(call.machine, "einops_einsum", inputs, call.spot)


@function(*(f"{LAYERS}{name}" for name in _LAYERS))
def _layer(call: Call) -> Value:
    """A layer that does so; it reads its pattern as it is built."""
    settings = dict(zip(("pattern", "reduction"), call.arguments.positional, strict=False))
    settings |= call.arguments.keywords
    sizes = {name: value for name, value in settings.items() if name not in _TOLD}
    name = _LAYERS[call.name.rpartition(".")[2]]
    sound = _is_sound(call, name, settings.get("pattern"), None if call.arguments.open else sizes)
    if not sound or call.arguments.open:
        return opaque.result(call.machine, call.arguments, call.spot)
    return call.machine.new(Instance(call.name, settings, spot=call.spot))


_TOLD = frozenset({"pattern", "reduction"})


@method(f"{LAYERS}Rearrange", "__call__")
@method(f"{LAYERS}Reduce", "__call__")
def _applied(call: Call) -> Value:
    """What the layer makes of a tensor."""
    layer = call.machine.get(call.receiver) if call.receiver is not None else None
    assert isinstance(layer, Instance)
    assert isinstance(layer.cls, str)
    function = FUNCTIONS[f"einops.{_LAYERS[kinds.name_of(layer.cls)]}"]
    given = Arguments(call.arguments.positional[:1], dict(layer.attributes))
    name = f"einops.{_LAYERS[kinds.name_of(layer.cls)]}"
    return function(replace(call, name=name, arguments=given, receiver=None))


def _is_sound(call: Call, name: str, pattern: Value | None, sizes: dict[str, Value] | None) -> bool:
    """Whether a pattern can be read, which is an event if not."""
    if not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        return True
    try:
        patterns.arrangement(pattern.value, name, sizes)
    except PatternError as error:
        _refuse(call, "pattern", str(error))
        return False
    return True


def _refuse(call: Call, operand: str, detail: str) -> None:
    if not call.machine.tries:
        found = Mismatch(Why.ARGUMENTS, operand, by=BY, detail=detail)
        op = call.name.rpartition(".")[2]
        choosing.venture(call.machine, Refused, call.spot, op=op, mismatch=found, inputs={})
