"""Functions that do not do the same in training and in evaluation, and have to be told the mode."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.interpreter import forwards, syntax
from torchlint.interpreter.events.layers import Unconditional
from torchlint.interpreter.values import NONE, TRUE, Const, Instance, Opaque, Ref
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_F = "torch.nn.functional"
_MEANT = Pattern(r"\balways\b|on purpose|intention|deliberate|non.?deterministic", re.IGNORECASE)


_SAID = Pattern(
    r"\balways?\b[^.]*\bdropout|\bdropout\b[^.]*\balways?\b"
    r"|\bdropout\b[^.]*\b(?:even|also|both)\b[^.]*\b(?:eval|inference|test)",
    re.IGNORECASE,
)


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
    record, forward = call.machine.get(rate), forwards.running(call.machine)
    module = forward.receiver if forward is not None else None
    if not isinstance(record, Opaque) or not isinstance(rate, Ref) or not isinstance(module, Ref):
        return False
    if _is_zero(call.machine, module, rate):
        return False
    # What the module was built with; a rate that its forward is handed is the caller's.
    return bool(record.name) and not (record.argument and rate.address > module.address)


def _is_zero(machine: Machine, module: Ref, rate: Ref) -> bool:
    """Whether a test of the rate itself, or of a flag that tells, says that nothing is dropped."""
    record = machine.get(module)
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return False
    named = {name for name, value in record.attributes.items() if value == rate}
    if not named:
        return False
    is_zero = rf"self\.(?:{'|'.join(sorted(named))})\s*(?:==|<=)\s*0(?:\.0*)?(?![.\d])"
    family = machine.index.family(record.cls)
    flags = [
        rf"(?<!not )self\.{write.name}\b"
        for method in family.methods(family.lineage)
        for write in method.writes
        if write.value is not None and re.search(is_zero, write.spot.region.text_of(write.value))
    ]
    says = Pattern("|".join([is_zero, *flags])).search
    return any(activation.is_tested(says, returns=True) for activation in machine.activations)


def _told(call: Call) -> None:
    """Note a call that no mode decides on, where a module is applied."""
    machine = call.machine
    if forwards.running(machine) is None or forwards.asks_for_mode(machine):
        return
    if _MEANT.search(call.spot.region.comment_on(call.spot.node)) or _is_documented(machine):
        return
    short = call.name.rpartition(".")[2]
    machine.emit(Unconditional, call.spot, name=short, mode=_mode(machine))


def _is_documented(machine: Machine) -> bool:
    """Whether the function or its class says that it drops in evaluation as well."""
    function = machine.activation.function
    if function is None or isinstance(function.node, ast.Lambda):
        return False
    owner = function.owner.region.statement if function.owner is not None else None
    documented = [function.node, *([owner] if isinstance(owner, ast.ClassDef) else [])]
    return any(_SAID.search(ast.get_docstring(node) or "") for node in documented)


def _mode(machine: Machine) -> str:
    """How the mode of the module is written in the function that is running."""
    function = machine.activation.function
    if function is None or function.owner is None or isinstance(function.node, ast.Lambda):
        return ""
    parameters = syntax.positional(function.node)
    if not parameters:
        return ""
    name = parameters[0].arg
    record = machine.get(machine.variables().names.get(name, NONE))
    if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
        return f"{name}.training"
    return ""
