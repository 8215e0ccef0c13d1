"""Functions that do not do the same in training and in evaluation, and have to be told the mode."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter.events.layers import Unconditional
from torchlint.interpreter.values import NONE, TRUE, Const, Instance, Opaque, Ref
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Activation, Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_F = "torch.nn.functional"

_ON_PURPOSE = re.compile(r"MC(?![a-z])|(?:^|_)mc(?:$|_)|[Mm]onte|[Bb]ayes|[Uu]ncertain|[Aa]lways")
"""How classes and functions say that they drop in evaluation as well."""

_ASKING = re.compile(r"train|eval|determin|sampl|\bmc", re.IGNORECASE)
"""How tests ask for the mode."""


@hear("function", *(f"{_F}.dropout{dims}" for dims in ("", "1d", "2d", "3d")))
def _dropout(call: Call) -> None:
    if call.get("training", 2) is None and _drops(call, call.get("p", 1)):
        _told(call)


@hear("function", f"{_F}.scaled_dot_product_attention")
def _attention(call: Call) -> None:
    rate = call.get("dropout_p", 4)
    if rate is not None and _drops(call, rate):
        _told(call)


@hear("function", f"{_F}.batch_norm")
def _batch_norm(call: Call) -> None:
    mean = call.get("running_mean", 1)
    if call.get("training", 5) == TRUE and mean is not None and mean != NONE:
        _told(call)


def _drops(call: Call, rate: Value | None) -> bool:
    """Whether a rate, 0.5 where none is given, is surely one by which something is dropped."""
    if call.arguments.open:
        return False
    match rate:
        case None:
            return True
        case Const(value=int() | float() as number):
            return number > 0
    record, module = call.machine.get(rate), _module(call.machine)
    if not isinstance(record, Opaque) or not isinstance(rate, Ref) or module is None:
        return False
    # What the module was built with; a rate that its forward is handed is the caller's.
    return bool(record.name) and not (record.argument and rate.address > module.address)


def _told(call: Call) -> None:
    """Note a call that no mode decides on, where a module is applied."""
    machine = call.machine
    if _module(machine) is None or any(map(_is_decided, machine.activations)):
        return
    short = call.name.rpartition(".")[2]
    machine.emit(Unconditional, call.spot, name=short, mode=_mode(machine))


def _module(machine: Machine) -> Ref | None:
    """The module in whose forward the program is."""
    for activation in machine.activations:
        function = activation.function
        if function is None or function.owner is None or function.name != "forward":
            continue
        if kinds.is_module(machine.index, function.owner) and isinstance(activation.receiver, Ref):
            return activation.receiver
    return None


def _is_decided(activation: Activation) -> bool:
    """Whether a call in progress is under a test of the mode, or says what it is for."""
    function = activation.function
    said = [function.name, function.owner.name] if function and function.owner else []
    if any(map(_ON_PURPOSE.search, said)):
        return True
    tests = (*activation.tests, *activation.left)
    return any(_ASKING.search(test.region.source_of(test.node)) for test in tests)


def _mode(machine: Machine) -> str:
    """How the mode of the module is written in the function that is running."""
    function = machine.activation.function
    if function is None or function.owner is None or isinstance(function.node, cst.Lambda):
        return ""
    parameters = [*function.node.params.posonly_params, *function.node.params.params]
    if not parameters:
        return ""
    name = parameters[0].name.value
    record = machine.get(machine.variables().names.get(name, NONE))
    if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
        return f"{name}.training"
    return ""
