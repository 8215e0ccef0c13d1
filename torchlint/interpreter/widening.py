"""Widening: tensors of float32 that meet what is of a narrower type, in a module of that type.

A factory that is told a device and no type makes float32, whatever the type of the module. Device
kinds carry that: ``told`` came from such a factory, and ``widened`` is what has come of it and of
what follows the module's type. A cast ends it.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes, expressions, syntax
from torchlint.interpreter.events.devices import Combined, Typeless, Widened
from torchlint.interpreter.values import FOLLOWS, Device, Tensor
from torchlint.project.factories import FLOATS

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

_KINDS = frozenset({"told", "widened"})

_PROMOTING = frozenset(
    "add radd sub rsub mul rmul truediv rtruediv div true_divide pow rpow maximum minimum where "
    "cat concat stack hstack vstack lerp atan2 hypot".split()
)
"""Operations that give the wider of two types."""

_REFUSING = frozenset(
    "parameters matmul mm bmm baddbmm addmm mv einsum linear conv1d conv2d conv3d bilinear "
    "scaled_dot_product_attention nn.GRU nn.LSTM nn.RNN nn.GRUCell nn.LSTMCell nn.RNNCell".split()
)
"""Operations that take one type only."""


def made(call: Call) -> Device | None:
    """The device of a float factory that is told where, and not of what type, in a forward."""
    name, given = call.name.rpartition(".")[2], call.arguments.keywords
    if not call.machine.trace.forward or call.arguments.open or name not in FLOATS:
        return None
    if {"dtype", "out"} & given.keys() or call.machine.live.autocast is not None:
        return None
    node = call.spot.node
    told = syntax.named(node, "device") if isinstance(node, ast.Call) else None
    like = told.value if isinstance(told, ast.Attribute) and told.attr == "device" else None
    if like is None:
        return None
    record = call.machine.get(expressions.evaluate(call.machine, like))
    floats = isinstance(record, Tensor) and dtypes.is_float(record.dtype)
    if isinstance(record, Tensor) and record.dtype in {"float32", "float64"}:
        return None
    call.machine.emit(Typeless, call.spot, floats=floats)
    return Device("told", call.spot)


def met(machine: Machine, sized: list[Tensor], spot: Spot, op: str) -> Device | None:
    """The device of a result, where one of the tensors is such a one."""
    ours = [t.device for t in sized if t.device is not None and t.device.kind in _KINDS]
    if not ours:
        return None
    device = max(ours, key=lambda one: one.kind == "widened")
    others = [t for t in sized if t.device is not None and t.device.kind not in _KINDS]
    # Integers are never the wider type, and of what is nowhere known it is not known either.
    others = [other for other in others if not dtypes.is_integer(other.dtype)]
    plain = op.removeprefix("Tensor.__").removesuffix("(alike)").removesuffix("__")
    plain = plain.removeprefix("nn.functional.")
    if not others:
        return device
    if device.spot is None or any(other.dtype in {"float32", "float64"} for other in others):
        return FOLLOWS
    if plain in _REFUSING:
        _note(machine, device, spot)
    if plain not in _PROMOTING:
        return FOLLOWS
    machine.emit(Combined, spot, factory=device.spot)
    return Device("widened", device.spot)


def settled(device: Device | None, dtype: str | None) -> Device | None:
    """The device of a result, whose type may have been settled."""
    if device is None or device.kind not in _KINDS or not dtypes.is_integer(dtype):
        return device
    return cast(device)


def cast(device: Device | None) -> Device | None:
    """The device of a tensor whose type somebody has asked for."""
    if device is None or device.kind not in _KINDS:
        return device
    return FOLLOWS if device.kind == "widened" else None


def returned(machine: Machine, value: Value, spot: Spot) -> None:
    """A forward gives a value to its caller."""
    record = machine.get(value)
    if not isinstance(record, Tensor) or record.scalar or record.device is None:
        return
    if record.device.kind == "widened":
        _note(machine, record.device, spot, returned=True)


def _note(machine: Machine, device: Device, spot: Spot, *, returned: bool = False) -> None:
    assert device.spot is not None
    narrow = machine.index.texts.narrow
    machine.emit(Widened, spot, factory=device.spot, narrow=narrow, returned=returned)
