"""State dicts: taken from modules, and loaded into them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.interpreter import filling, names, states
from torchlint.interpreter.events.states import Load
from torchlint.interpreter.lost import INCOMPATIBLE_KEYS
from torchlint.interpreter.values import FALSE, Instance, Ref
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import weights
from torchlint.torch_api.registry import Call, hear, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@method("module", "state_dict")
def _state_dict(call: Call) -> Value:
    assert isinstance(call.receiver, Ref)
    if call.get("keep_vars", 2) not in {None, FALSE}:
        # The parameters themselves, in their graphs.
        return call.machine.opaque()
    return states.taken(call.machine, call.receiver, call.spot)


@method("module", "load_state_dict")
def _load_state_dict(call: Call) -> Value:
    assert isinstance(call.receiver, Ref)
    call.machine.emit(Load, call.spot, module=call.receiver.address)
    filling.forget(call.machine, call.receiver)
    if call.get("assign", 2) not in {None, FALSE}:
        weights.cast(call.machine, call.receiver, None)
    given = call.get("state_dict", 0)
    if given is not None:
        states.used(call.machine, given, call.spot)
        states.restored(call.machine, given, call.spot)
        if call.get("strict", 1) != FALSE:
            states.compare(call.machine, call.receiver, given, call.spot)
    return call.machine.new(Instance(INCOMPATIBLE_KEYS))


@hear("optimizer", "load_state_dict")
@hear("opaque", "load_state_dict")
def _load_other(call: Call) -> None:
    given = call.get("state_dict", 0)
    node = call.spot.node
    called = names.dotted(node.func) if isinstance(node, ast.Call) else ""
    if _OF_NUMBERS.search(called.rpartition(".")[0]):
        return
    if given is not None:
        states.restored(call.machine, given, call.spot)


_OF_NUMBERS = Pattern(r"sched|scaler", re.IGNORECASE)
"""Whose states are numbers, which lie on no device, by the names that they go by."""
