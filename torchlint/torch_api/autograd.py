"""Tools of autograd: checkpoints, hooks on gradients, the search for anomalies."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import callbacks, calls, hooks, names, opaque, released
from torchlint.interpreter.custom import CONTEXT, DIRTY, NON_DIFFERENTIABLE
from torchlint.interpreter.events.autograd import Anomaly, Checkpoint, LegacyHook
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Instance,
    Opaque,
    Partial,
    Ref,
    Tuple,
)
from torchlint.project import attempts
from torchlint.project.index import External
from torchlint.sources.patterns import Pattern
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function("torch.utils.checkpoint.checkpoint")
def _checkpoint(call: Call) -> Value:
    callee = call.get("function", 0)
    _ask_for_way(call)
    if callee is None:
        return UNKNOWN
    rest = Arguments(call.arguments.positional[1:])
    return calls.call(call.machine, callee, rest, call.spot)


@function("torch.utils.checkpoint.checkpoint_sequential")
def _checkpoint_sequential(call: Call) -> Value:
    functions, given = call.get("functions", 0), call.get("input", 2)
    _ask_for_way(call)
    if given is None or not isinstance(call.machine.get(functions or NONE), Instance):
        return opaque.result(call.machine, call.arguments, call.spot)
    return calls.call(call.machine, functions or NONE, Arguments((given,)), call.spot)


_RELEASE = Pattern("version", re.IGNORECASE)
"""How tests ask for the release of torch."""


def _ask_for_way(call: Call) -> None:
    """A checkpoint that leaves open whether backward is re-entered is an event."""
    name = call.name.rpartition(".")[2]
    sequential = name.endswith("sequential") and len(call.arguments.positional) > 3
    is_left_open = call.get("use_reentrant") in {None, NONE} and not call.arguments.open
    if is_left_open and not sequential and not _cannot_be_told(call):
        named = _is_named(call)
        call.machine.emit(Checkpoint, call.spot, function=name, named=named)


def _cannot_be_told(call: Call) -> bool:
    """Whether a checkpoint is for releases that do not know the argument: there is another."""
    return (
        call.machine.activation.is_tested(_RELEASE.search)
        or released.is_asked(call.machine)
        or attempts.is_untaught(call.spot.region, call.spot.node, "use_reentrant")
    )


def _is_named(call: Call) -> bool:
    """Whether the call names torch's function, and not something that may be another as well."""
    node = call.spot.node
    root = names.dotted(node.func).partition(".")[0] if isinstance(node, ast.Call) else ""
    return bool(root) and isinstance(names.lookup(call.machine, root), (External, Partial))


_DETECTING = ("torch.autograd", "torch.autograd.anomaly_mode")


@function(*(f"{module}.set_detect_anomaly" for module in _DETECTING))
def _set_detect_anomaly(call: Call) -> Value:
    return _detects(call, call.get("mode", 0) or NONE)


@function(*(f"{module}.detect_anomaly" for module in _DETECTING))
def _detect_anomaly(call: Call) -> Value:
    return _detects(call, TRUE)


def _detects(call: Call, mode: Value) -> Value:
    if mode in {TRUE, FALSE}:
        asked = bool(call.machine.guards) or _is_test(call)
        call.machine.emit(Anomaly, call.spot, on=mode == TRUE, asked=asked)
    return call.machine.new(Instance(call.name, spot=call.spot))


def _is_test(call: Call) -> bool:
    """Whether a test is running: by the names that pytest and unittest go by."""
    functions = [item.function for item in call.machine.activations if item.function is not None]
    return any(function.name.startswith("test_") for function in functions)


@method("module", *hooks.REGISTERING)
def _hook(call: Call) -> Value:
    assert isinstance(call.receiver, Ref)
    if isinstance(call.machine.get(call.receiver), Opaque):
        call.machine.escape(call.arguments.values())
    callbacks.left(call.machine, call.get("hook", 0))
    return hooks.registered(call.machine, call.receiver, call.spot)


@method("module", "register_backward_hook")
def _legacy_hook(call: Call) -> Value:
    call.machine.emit(LegacyHook, call.spot)
    call.machine.escape(call.arguments.values())
    return UNKNOWN


@function("torch.nn.modules.module.register_module_backward_hook")
def _legacy_global_hook(call: Call) -> Value:
    return _legacy_hook(call)


@method(CONTEXT, "mark_dirty")
def _mark_dirty(call: Call) -> Value:
    return _note(call, DIRTY)


@method(CONTEXT, "mark_non_differentiable")
def _mark_non_differentiable(call: Call) -> Value:
    return _note(call, NON_DIFFERENTIABLE)


@method(CONTEXT, "save_for_backward")
def _save_for_backward(call: Call) -> Value:
    return _note(call, "saved_tensors")


def _note(call: Call, name: str) -> Value:
    """What a context is given is kept in an attribute."""
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    if isinstance(record, Instance) and call.receiver is not None:
        attributes = {**record.attributes, name: Tuple(call.arguments.positional)}
        call.machine.set(call.receiver, replace(record, attributes=attributes))
    return NONE


@method(CONTEXT, "set_materialize_grads", "save_for_forward")
def _mark(call: Call) -> Value:
    return NONE
