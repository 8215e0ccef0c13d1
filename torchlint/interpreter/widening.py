"""Widening: tensors of float32 that meet what is of a narrower type, in a module of that type.

A factory that is told a device and no type makes float32, whatever the type of the module. Device
kinds carry that: ``told`` came from such a factory, and ``widened`` is what has come of it and of
what follows the module's type. A cast ends it, and what was cast to such a type itself, with all
that came of it, is made no wider.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dtypes, expressions, syntax
from torchlint.interpreter.events.devices import Combined, Typeless, Widened
from torchlint.interpreter.values import FOLLOWS, Device, Tensor
from torchlint.project import portability
from torchlint.project.factories import FLOATS
from torchlint.project.texts import any_of
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.project.outline import Outline
    from torchlint.torch_api.registry import Call

COMPLEX = "complex"
"""Stands for the types of complex numbers, whose parts are of 32 bits at least."""

_KINDS = frozenset({"told", "widened"})
_FOLLOWING = _KINDS | {"follows"}
_WIDE = frozenset({"float32", "float64", COMPLEX})

WIDE = Device("follows", wide=True)

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

_TRANSFORM = Pattern(r"fft\.\w*fft[2n]?")
"""A Fourier transform: it refuses bfloat16, and half but on some devices, so that all is wide."""


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
    if isinstance(record, Tensor) and _is_wide(record):
        return None
    call.machine.emit(Typeless, call.spot, floats=floats)
    return Device("told", call.spot)


def met(machine: Machine, sized: list[Tensor], spot: Spot, op: str) -> Device | None:
    """The device of a result, where one of the tensors is such a one, or was cast to be as wide."""
    plain = op.removeprefix("Tensor.__").removesuffix("(alike)").removesuffix("__")
    plain = plain.removeprefix("nn.functional.")
    if _TRANSFORM.fullmatch(plain) and any(map(_is_followed, sized)):
        return WIDE
    ours = [t.device for t in sized if t.device is not None and t.device.kind in _KINDS]
    if not ours:
        return WIDE if any(t.device == WIDE for t in sized) else None
    device = max(ours, key=lambda one: one.kind == "widened")
    others = [t for t in sized if t.device is not None and t.device.kind not in _KINDS]
    # Integers are never the wider type, and of what is nowhere known it is not known either.
    others = [other for other in others if not dtypes.is_integer(other.dtype)]
    if not others:
        return device
    if any(map(_is_wide, others)):
        return WIDE
    if plain in _REFUSING:
        _note(machine, device, spot)
    if plain not in _PROMOTING:
        return FOLLOWS
    machine.emit(Combined, spot, factory=device.spot)
    return Device("widened", device.spot)


def _is_followed(tensor: Tensor) -> bool:
    """Whether a tensor is where the module is, of its type or not."""
    return tensor.device is not None and tensor.device.kind in _FOLLOWING


def _is_wide(tensor: Tensor) -> bool:
    """Whether a tensor is of a wide type on purpose, whatever that of the module is."""
    return tensor.dtype in _WIDE or tensor.device == WIDE


def settled(device: Device | None, dtype: str | None) -> Device | None:
    """The device of a result, whose type may have been settled."""
    return cast(device, dtype) if dtypes.is_integer(dtype) else device


def cast(device: Device | None, dtype: str | None) -> Device | None:
    """The device of a tensor whose type somebody has asked for, known or not."""
    if device is None or device.kind not in _FOLLOWING:
        return device
    if device.kind == "told":
        return None
    return WIDE if dtype in _WIDE else FOLLOWS


def returned(machine: Machine, value: Value, spot: Spot) -> None:
    """A forward gives a value to its caller."""
    record = machine.get(value)
    if not isinstance(record, Tensor) or record.scalar or record.device is None:
        return
    if record.device.kind == "widened":
        _note(machine, record.device, spot, returned=True)


def _note(machine: Machine, device: Device, spot: Spot, *, returned: bool = False) -> None:
    assert device.spot is not None
    narrow = machine.index.texts.narrow and _is_cast_with(machine, device.spot.region.outline)
    machine.emit(Widened, spot, factory=device.spot, narrow=narrow, returned=returned)


def _is_cast_with(machine: Machine, outline: Outline) -> bool:
    """Whether a file that casts modules to a narrow type names one of this file, or is it."""
    classes = any_of(
        each.name
        for each in outline.definitions
        if each.is_class and kinds.is_module(machine.index, each)
    )
    return machine.index.says(outline, classes, portability.CASTS_MODULES)
