"""Attributes of objects by names that are values, and all of them as a dictionary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import namespaces, objects
from torchlint.interpreter.values import NONE, UNKNOWN, Const, Instance, Mapping
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function("builtins.setattr")
def _setattr(call: Call) -> Value:
    owner, name, value = (call.get("", position) for position in range(3))
    if owner is None or value is None:
        return NONE
    if isinstance(name, Const) and isinstance(name.value, str):
        objects.set_attribute(call.machine, owner, name.value, value, call.spot)
    else:
        namespaces.told(call.machine, owner)
        call.machine.escape([owner, value])
    return NONE


@function("builtins.vars")
def _vars(call: Call) -> Value:
    owner = call.get("object", 0)
    return (owner and namespaces.of(call.machine, owner)) or UNKNOWN


@method(namespaces.NAMESPACE, "update")
def _update(call: Call) -> Value:
    assert call.receiver is not None
    record = call.machine.get(call.receiver)
    assert isinstance(record, Instance)
    owner, given = record.attributes["of"], call.machine.get(call.get("", 0) or NONE)
    if isinstance(given, Mapping) and given.rest is None and not given.unsure:
        for name, value in given.items:
            objects.set_attribute(call.machine, owner, str(name), value, call.spot)
    else:
        namespaces.told(call.machine, owner)
        call.machine.escape(call.arguments.values())
    return NONE


@method(namespaces.NAMESPACE, "items", "keys", "values", "get", "copy")
def _read(call: Call) -> Value:
    return call.machine.opaque()
