"""Devices: where ``.to``, ``.cuda`` and ``device=`` put things."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import syntax, widening
from torchlint.interpreter.events.speed import Fetched
from torchlint.interpreter.values import (
    NONE,
    Const,
    Device,
    Either,
    Frame,
    Instance,
    Opaque,
    Ref,
    Tensor,
    options_of,
)
from torchlint.project.index import External
from torchlint.torch_api import kinds, legacy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

_PYTHON_TYPES = frozenset(f"builtins.{name}" for name in ("bool", "int", "float", "complex"))
ACCELERATORS = ("cuda", "mps", "xpu", "hpu", "npu", "xla")


def target(call: Call, present: Device | None = None) -> Device | None:
    """Where a method that moves puts its object; ``present`` where it only casts."""
    device = _target(call, present)
    if device is not None and device.kind == "cpu" and device.spot == call.spot:
        call.machine.emit(Fetched, call.spot)
    return device


def _target(call: Call, present: Device | None) -> Device | None:
    match call.name:
        case "cuda":
            return Device("moved", call.spot, accelerator=True)
        case "cpu":
            return Device("cpu", call.spot)
        case "to" if call.arguments.open:
            return None
        case "type_as":
            return _of(call.machine, call.get("other", 0), call.spot)
    wanted = call.get("device", 0)
    if wanted is None or _is_dtype(call.machine, wanted):
        return present
    device = _of(call.machine, wanted, call.spot)
    if device is None or device.kind != "cpu" or _is_written_out(call) or _is_own(call, wanted):
        return device
    # A variable that says "cpu" in this run is there to say something else in another.
    return Device("moved", call.spot, so_far=True)


def typed(call: Call, present: Device | None, *, known: bool) -> Device | None:
    """Where ``type`` puts a tensor: the types of old say where, and what is unknown may."""
    match call.get("dtype", 0):
        case External(name=name) | Const(value=str() as name) if legacy.dtype(name):
            if legacy.is_on_gpu(name):
                return Device("moved", call.spot, accelerator=True)
            # What the program has given a name may be another type in another run.
            return Device("cpu", call.spot) if _is_spelled(call, name) else None
    return present if known else None


def _is_spelled(call: Call, name: str) -> bool:
    """Whether a call is given a type by the name that torch has for it, or by a text."""
    node = call.spot.node
    last = name.rpartition(".")[2]
    return isinstance(node, ast.Call) and any(
        each.attr == last if isinstance(each, ast.Attribute) else isinstance(each, ast.Constant)
        for each in syntax.given(node)
    )


def _is_written_out(call: Call) -> bool:
    node = call.spot.node
    return isinstance(node, ast.Call) and any(
        isinstance(argument, ast.Call)
        or (isinstance(argument, ast.Constant) and isinstance(argument.value, str))
        for argument in syntax.given(node)
    )


def _is_own(call: Call, wanted: Value) -> bool:
    """Whether a device was made, and so named, where something is moved there.

    Or in a function that leads here, or in the place of one that such a function would choose by
    itself.
    """
    record = call.machine.get(wanted)
    made = record.spot if isinstance(record, Instance) else None
    functions = [a.function for a in call.machine.activations if a.function is not None]
    if made is None:
        return _is_written_in(call.machine, wanted) or _is_instead(call.machine, wanted)
    here = (call.spot.region, *(function.region for function in functions))
    if any(made.region is region for region in here):
        return True
    given = made.region.parents.get(made.node)
    return isinstance(given, ast.keyword) and any(
        given.arg in syntax.defaults(function.node) for function in functions
    )


def _is_written_in(machine: Machine, wanted: Value) -> bool:
    """Whether a function calls what leads here with this, as it is written there."""
    for caller, activation in pairwise(machine.activations):
        node = activation.called.node if activation.called is not None else None
        if caller.function is not None and isinstance(node, ast.Call):
            given = [part.value for part in syntax.given(node) if isinstance(part, ast.Constant)]
            if any(wanted == Const(value) for value in given):
                return True
    return False


def _is_instead(machine: Machine, wanted: Value) -> bool:
    """Whether a function that leads here was given this for a default that is an accelerator."""
    for activation in machine.activations:
        frame = machine.live.heap.get(activation.frame)
        if activation.function is None or not isinstance(frame, Frame):
            continue
        for name, default in syntax.defaults(activation.function.node).items():
            told = default.value if isinstance(default, ast.Constant) else None
            if frame.names.get(name) == wanted and str(told).startswith(ACCELERATORS):
                return True
    return False


def is_device(machine: Machine, value: Value) -> bool:
    """Whether a value says where, and not of what type."""
    record = machine.get(value)
    if isinstance(record, Instance):
        return record.cls == "torch.device"
    if isinstance(value, Either):
        return all(is_device(machine, option) for option in value.options)
    if isinstance(record, Opaque):
        return "device" in record.name
    return isinstance(value, Const) and isinstance(value.value, (str, int))


def _is_dtype(machine: Machine, value: Value) -> bool:
    return isinstance(value, External) and (
        value.name.startswith("torch.") or value.name in _PYTHON_TYPES
    )


def _of(machine: Machine, value: Value | None, spot: Spot) -> Device | None:
    """The device that a value means: a string, a ``torch.device``, a tensor to follow."""
    record = machine.get(value) if value is not None else None
    accelerator: bool | None = False
    if isinstance(record, Tensor):
        return record.device
    if isinstance(record, Instance) and record.cls == "torch.device":
        if "of" in record.attributes:
            return _beside(machine, record.attributes["of"], spot)
        value, accelerator = record.attributes.get("type"), None
    match value:
        case Either(options=options):
            devices = [_of(machine, option, spot) for option in options]
            if any(device is not None and device.accelerator is not False for device in devices):
                accelerator = None
        case Const(value=str() as name):
            if name.startswith("cpu"):
                return Device("cpu", spot)
            return Device("moved", spot, accelerator=name.startswith(ACCELERATORS))
        case Const(value=int() as number) if not isinstance(number, bool):
            return Device("moved", spot, accelerator=True)
    return Device("moved", spot, accelerator)


def _beside(machine: Machine, holder: Value, spot: Spot) -> Device | None:
    """The device of something: what is not known to have been moved there is where that is.

    While an object is built, whoever moves it has not had it in hand yet.
    """
    match machine.get(holder):
        case Tensor(device=Device(kind="default" | "home") as there):
            return there
        case Tensor(device=Device(kind="moved", accelerator=accelerator)):
            return Device("moved", spot, accelerator)
        case Tensor(device=None) if _is_building(machine):
            return None
    return Device("moved", spot)


_MAYBE_AWAY = frozenset({"follows", "moved"})


def read_here(machine: Machine, values: Iterable[Value]) -> None:
    """Tensors are handed to what reads them on the CPU, and raises for those that are elsewhere."""
    for value in values:
        match record := machine.peek(value):
            case Tensor() | Opaque() if record.device and record.device.kind in _MAYBE_AWAY:
                assert isinstance(value, Ref)
                machine.set(value, replace(record, device=None))


def made(call: Call) -> Device | None:
    """Where a factory makes its tensor: by default, if nothing says where."""
    if "device" in call.arguments.keywords or call.arguments.open:
        return widening.made(call) or _made_there(call)
    if call.machine.live.default_device or "out" in call.arguments.keywords:
        return None
    if _is_building(call.machine):
        # The object that is built may be moved as a whole.
        return Device("built", call.spot) if is_building_module(call.machine) else None
    if not _at_work(call.machine):
        return home(call.machine, call.spot)
    return Device("default", call.spot)


def _made_there(call: Call) -> Device | None:
    """Where a factory makes its tensor that is told a device by a variable or by its name.

    Where something else is may be the CPU as well.
    """
    wanted = call.arguments.keywords.get("device", NONE)
    if wanted == NONE or call.arguments.open or call.machine.trace.forward:
        return None
    for option in options_of(wanted):
        record = call.machine.get(option)
        if isinstance(record, Instance) and "of" in record.attributes:
            return None
    device = _of(call.machine, wanted, call.spot)
    return device if device is not None and device.kind == "moved" else None


def home(machine: Machine, spot: Spot) -> Device | None:
    """Where something is that is made ahead of the work, and that nothing has moved: on the CPU.

    A module whose method is run on its own may have been moved by whoever holds it.
    """
    elsewhere = machine.abroad or machine.trace.forward or machine.trace.method
    if machine.live.default_device or elsewhere:
        return None
    return Device("home", spot)


def _is_building(machine: Machine) -> bool:
    return any(
        a.function is not None and a.function.name == "__init__" for a in machine.activations
    )


def is_building_module(machine: Machine) -> bool:
    """Whether a module is being built."""
    return _is_in(machine, "__init__")


def is_in_module(machine: Machine) -> bool:
    """Whether a module is being built, or a forward runs."""
    return _is_in(machine, "__init__", "forward")


def _is_in(machine: Machine, *methods: str) -> bool:
    """Whether a method of a module with one of these names runs."""
    functions = [a.function for a in machine.activations if a.function is not None]
    return any(
        function.name in methods
        and function.owner is not None
        and kinds.is_module(machine.index, function.owner)
        for function in functions
    )


def _at_work(machine: Machine) -> bool:
    """Whether the code that runs is a forward or a step, rather than what sets these up."""
    functions = [a.function for a in machine.activations if a.function is not None]
    if machine.rounds:
        return True
    if not functions:
        return False
    function = functions[-1]
    return bool(syntax.positional(function.node))
