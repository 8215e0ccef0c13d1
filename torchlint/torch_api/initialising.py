"""Initialisation: what functions of ``nn.init`` are given, and by which names they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, facts, filling, holdings, syntax
from torchlint.interpreter.events.layers import Initialised, Uniform
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import TRUE, Bound, Const, Function, Instance, Ref, Tensor
from torchlint.project.given import FILLED
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

_NAMES = (
    "uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform "
    "kaiming_normal orthogonal sparse"
).split()
_WIDTHS = {"linear": "out_features"} | dict.fromkeys(
    (f"conv{how}{number}d" for how in ("", "_transpose") for number in (1, 2, 3)), "out_channels"
)
"""The setting that tells how many units layers of a kind have."""

_MANY = 24
_EVEN = frozenset({"constant", "zeros", "ones"})


@hear("function", *(f"torch.nn.init.{name}" for name in _NAMES))
@hear(
    "function", *(f"torch.nn.init.{name}_" for name in (*_NAMES, "zeros", "ones", "trunc_normal"))
)
def _initialise(call: Call) -> None:
    tensor = call.get("tensor", 0)
    record = call.machine.get(tensor) if tensor is not None else None
    copied = record.copied if isinstance(record, Tensor) else None
    lost = copied is not None and _is_statement(call) and _is_in_call(call, copied)
    name = call.name.rpartition(".")[2]
    call.machine.emit(Initialised, call.spot, name=name, lost=lost)
    if tensor is not None:
        number = call.get("val", 1) if name.startswith("constant") else TRUE
        alike = name.strip("_") in _EVEN and filling.is_start(number)
        filling.write(call.machine, tensor, call.spot, alike=alike)


def visit(machine: Machine, model: Ref, function: Value, spot: Spot) -> None:
    """A function is applied to each layer of a model: one that fills weights is followed."""
    inside = holdings.modules_under(machine, frozenset({model.address}), build=_fills(function))
    layers = [inner for inner in inside if isinstance(machine.live.heap.get(inner), Instance)]
    if not _fills(function) or len(layers) > _MANY:
        filling.forget(machine, model)
        return
    for address in layers:
        calls.call(machine, function, Arguments((Ref(address),)), spot)


def _fills(function: Value) -> bool:
    """Whether a function of the project fills weights with one number."""
    if isinstance(function, Bound) and isinstance(function.method, Function):
        function = function.method
    if not isinstance(function, Function):
        return False
    return FILLED in function.region.outline.words_of(function.region)


def applied(
    machine: Machine, callee: Ref, layer: Instance, flow: tuple[Value, Value], spot: Spot
) -> None:
    """A layer is applied, to a tensor and with another: whether its units are alike."""
    if not isinstance(layer.cls, str):
        return
    kind = facts.plain(f"nn.{kinds.name_of(layer.cls)}")[0]
    given, result = (machine.get(value) for value in flow)
    if not machine.trace.homes or not isinstance(result, Tensor) or result.node is None:
        return
    if kind not in _WIDTHS or layer.attributes.get("groups", Const(1)) != Const(1):
        return
    even = layer.frozen is False and filling.is_even(machine, callee, layer)
    machine.emit(
        Uniform,
        spot,
        layer=callee.address,
        even=even,
        alike=even and filling.has_even_bias(machine, callee, layer),
        width=layer.attributes.get(_WIDTHS[kind]),
        given=given.node if isinstance(given, Tensor) else None,
        result=result.node,
    )


def _is_statement(call: Call) -> bool:
    """Whether nothing takes what the call gives."""
    return call.machine.statement is call.spot.node


def _is_in_call(call: Call, copied: Spot) -> bool:
    """Whether a copy is taken in the call itself, so that it has no name."""
    return any(node is copied.node for node in syntax.walk(call.spot.node))
