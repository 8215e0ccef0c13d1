"""What is saved to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import lost, states
from torchlint.interpreter.values import NONE, Mapping
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function("torch.save")
def _save(call: Call) -> Value:
    """A state, or a dict that holds one."""
    value, node = call.get("obj", 0), call.spot.node
    if value is not None:
        states.used(call.machine, value, call.spot)
    if value is None or not isinstance(node, cst.Call) or not node.args:
        return NONE
    machine, given = call.machine, node.args[0].value
    lost.saved(machine, value, machine.spot(given))
    record = machine.get(value)
    if isinstance(record, Mapping) and isinstance(given, cst.Dict):
        known = dict(record.items)
        for element in given.elements:
            if isinstance(element, cst.DictElement) and isinstance(element.key, cst.SimpleString):
                item = known.get(element.key.raw_value)
                if item is not None:
                    lost.saved(machine, item, machine.spot(element.value))
    return NONE
