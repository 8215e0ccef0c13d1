"""Calls that have nothing to do with torch: long ones are left out where an object is on its own.

A constructor that reads its settings takes more nodes for that than for its layers, and each of the
classes that share it takes them again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import budgets
from torchlint.interpreter.values import (
    Bound,
    Either,
    Function,
    Instance,
    Opaque,
    Parameters,
    Partial,
    Ref,
    Tuple,
    Zipped,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Value

_LONG = 25
"""So many lines are walked at any rate: what they give may be a size."""

_RELATED = Pattern(
    r"\b(?:torch|nn|np|numpy)\b|\b[Tt]ensor|_tensor|register_|backward|requires_grad"
    r"|\.(?:to|cuda|cpu|eval|train|step)\("
)
"""What a function has in its text that is about tensors, layers or training."""


def leave_out(machine: Machine, function: Function, arguments: Arguments) -> bool:
    """Leave a call out if it is long and not about torch, and take what it would cost off the run.

    If that went to the calls after it, as many nodes would be walked as with it.
    """
    length = function.region.length
    if length <= _LONG or function.definition is None or _makes_a_dataset(machine, function):
        return False
    if machine.spare is not None:
        if not budgets.helps(machine, function) or budgets.nodes(length) > machine.spare:
            return False
    elif machine.depth != budgets.FORWARD_DEPTH or any(
        _is_related(machine, value) for value in arguments.values()
    ):
        return False
    if _RELATED.search(function.region.text):
        return False
    if machine.spare is not None:
        machine.spare -= budgets.nodes(length)
    else:
        machine.budget -= budgets.nodes(length) // 2
    return True


def _makes_a_dataset(machine: Machine, function: Function) -> bool:
    """Whether a function is the constructor of a dataset: whoever loads that asks what it holds."""
    owner = function.owner if function.name == "__init__" else None
    return owner is not None and kinds.is_dataset(machine.index, owner)


def _is_related(machine: Machine, value: Value) -> bool:
    """Whether a value may be a tensor or a module, or hold one."""
    match value:
        case Tuple(items=items) | Either(options=items):
            return any(_is_related(machine, item) for item in items)
        case Function(closure=closure):
            return closure is not None
        case Bound() | Parameters() | Partial() | Zipped():
            return True
        case Ref():
            return _refers_to_related(machine, value)
    return False


def _refers_to_related(machine: Machine, value: Ref) -> bool:
    match machine.peek(value):
        case Opaque(node=node, modes=modes):
            return node is not None or bool(modes)
        case Instance(cls=cls):
            return isinstance(cls, str) or kinds.is_module(machine.index, cls)
    return True
