"""Grad mode, default device and autocast: what ``with`` statements and decorators switch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchlint.interpreter import dtypes, expressions, recording, syntax
from torchlint.interpreter.events.autograd import IdleMode
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Class,
    Const,
    Function,
    Instance,
    Ref,
    Spot,
    options_of,
)
from torchlint.project import around
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine, Suspended
    from torchlint.interpreter.state import Switches
    from torchlint.interpreter.values import Value

OFF = frozenset(
    {"torch.no_grad", "torch.inference_mode", "torch.autograd.no_grad"}
    | {"torch.autograd.inference_mode", "torch.autograd.grad_mode.no_grad"}
)
_ON = frozenset({"torch.enable_grad", "torch.autograd.enable_grad"})
_SET = frozenset({"torch.set_grad_enabled", "torch.autograd.set_grad_enabled"})

GRAD_MODES = OFF | _ON | _SET
"""The classes whose objects switch the grad mode while they are entered."""

_MODES = Pattern(r"\b(?:no_grad|inference_mode|enable_grad|set_grad_enabled)\b")

AUTOCASTS = frozenset(
    {"torch.autocast", "torch.amp.autocast", "torch.amp.autocast_mode.autocast"}
    | {"torch.cuda.amp.autocast", "torch.cuda.amp.autocast_mode.autocast", "torch.cpu.amp.autocast"}
)
_OWN_TYPES = {"cuda": "float16", "cpu": "bfloat16"}
"""The type that layers compute in where none is asked for, by the kind of device."""


def expects_failure(item: ast.withitem) -> bool:
    """Whether what stands below ``with`` may fail without harm, or is there to be seen to fail."""
    return around.sees_failure(item) or around.manager(item) == "suppress"


def entered(machine: Machine, manager: Value, spot: Spot) -> Value:
    """What entering a context manager gives, after it has switched what it switches."""
    if isinstance(manager, External) and manager.name in GRAD_MODES:
        machine.emit(IdleMode, spot, mode=manager.name, entered=True)
    if isinstance(manager, External) and manager.name in _ON:
        # It raises for want of a call, after which nothing is known to be without graph.
        switch(machine, manager.name, None, spot)
    for option in options_of(manager):
        _cast(machine, option)
    if isinstance(manager, Ref) and manager.address in machine.suspended:
        _resume(machine, machine.suspended[manager.address])
    record = machine.get(manager)
    if not isinstance(record, Instance) or not isinstance(record.cls, str):
        return manager if record is not None else UNKNOWN
    if record.cls in GRAD_MODES:
        switch(machine, record.cls, record.attributes.get("mode"), spot)
    elif record.cls == "torch.device":
        machine.live.default_device = True
    return manager


def _resume(machine: Machine, suspended: Suspended) -> None:
    """Switch what a generator that is a context manager has switched where it yields.

    What torch's decorators switch for a generator is as before where it yields.
    """
    began, ways = suspended
    if began is None or not ways:
        return
    here: tuple[Any, ...] = machine.live.switches
    changed = [
        [own if at == then else at for own, then, at in zip(here, began, way, strict=True)]
        for way in ways
    ]
    grads, spots, devices, casts, recorders = map(list, zip(*changed, strict=True))
    grad = grads[0] if len({*grads}) == 1 else None
    cast = casts[0] if len({*casts}) == 1 else None
    machine.live.put_back((grad, spots[0], any(devices), cast, recorders[0]))


def _cast(machine: Machine, manager: Value) -> None:
    """Enter an autocast; one that is switched on by a setting out of sight may be on."""
    record = machine.get(manager)
    if not isinstance(record, Instance) or record.cls not in AUTOCASTS:
        return
    given = record.attributes
    if given.get("enabled") == FALSE:
        machine.live.autocast = None
        return
    asked = given.get("dtype", NONE)
    kind = given.get("device_type")
    if asked == NONE and isinstance(kind, Const):
        machine.live.autocast = _OWN_TYPES.get(str(kind.value).partition(":")[0], dtypes.FLOATING)
    else:
        machine.live.autocast = dtypes.named(asked) or dtypes.FLOATING


def dropped(machine: Machine, manager: Value, spot: Spot) -> None:
    """A grad mode that is made, or only named, and not entered is an event."""
    record = machine.get(manager)
    name = manager.name if isinstance(manager, External) else ""
    if isinstance(record, Instance) and isinstance(record.cls, str):
        name = record.cls
    if name in OFF | _ON and isinstance(spot.node, (ast.Call, ast.Attribute)):
        machine.emit(IdleMode, spot, mode=name, entered=False)


def switch(machine: Machine, name: str, mode: Value | None, spot: Spot) -> None:
    """Switch the grad mode as one of ``GRAD_MODES`` does."""
    enabled: bool | None
    if mode is None:
        enabled = name in _ON
    elif isinstance(mode, Const):
        enabled = bool(mode.value) is not (name in OFF)
    else:
        enabled = None
    machine.live.grad = enabled
    machine.live.switched = spot


def left(machine: Machine, activation: Activation, before: Switches) -> None:
    """Put back what a function has switched, but for the grad mode that a statement has set.

    That holds from there on, for whoever called it. A generator and a decorator put it back.
    """
    grad, switched = machine.live.grad, machine.live.switched
    machine.live.put_back(before)
    own = activation.began == before and not activation.yields and grad != before[0]
    if own and switched is not None and _is_statement(switched):
        machine.live.grad, machine.live.switched = grad, switched


def _is_statement(spot: Spot) -> bool:
    """Whether a call is all that its statement does."""
    return any(isinstance(outer, ast.Expr) for outer in around.path(spot.region, spot.node)[-2:-1])


def decorated(machine: Machine, function: Function) -> None:
    """Switch what the decorators of a function switch before its body runs."""
    if isinstance(function.node, ast.Lambda):
        return
    recording.entered(machine, function)
    for decorator in function.node.decorator_list:
        expression = decorator
        arguments: list[Value] = []
        if isinstance(decorator, ast.Call):
            arguments = [expressions.evaluate(machine, one) for one in syntax.given(decorator)]
            expression = decorator.func
        if not isinstance(expression, (ast.Name, ast.Attribute)):
            continue
        value = expressions.evaluate(machine, expression)
        if isinstance(value, External):
            recording.decorated(machine, value.name, decorator)
        if isinstance(value, External) and value.name in AUTOCASTS:
            _cast(machine, expressions.evaluate(machine, decorator))
        elif isinstance(value, External) and value.name in GRAD_MODES:
            spot = Spot(function.region, decorator)
            switch(machine, value.name, arguments[0] if arguments else None, spot)
        elif isinstance(record := machine.get(value), Instance) and record.cls in GRAD_MODES:
            entered(machine, value, Spot(function.region, decorator))
        elif any(_may_switch(machine, option) for option in options_of(value)):
            machine.live.grad = None


def _may_switch(machine: Machine, decorator: Value) -> bool:
    """Whether a decorator that is not gone into, or one of several, may switch the grad mode."""
    match decorator:
        case Function(region=region) | Class(definition=Definition(region=region)):
            return _MODES.search(region.source) is not None
    record = machine.get(decorator)
    return isinstance(record, Instance) and record.cls in GRAD_MODES
