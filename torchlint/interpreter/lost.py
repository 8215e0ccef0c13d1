"""Methods that are named where they should be called, and names that are lost to their results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.interpreter import gradients, optimizers
from torchlint.interpreter.events.lost import Renamed, Uncalled
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import NONE, Bound, Instance, Tensor
from torchlint.torch_api import generated, kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_SWITCHES = frozenset(
    "train eval zero_grad cuda cpu half float double bfloat16 requires_grad_".split()
)
INCOMPATIBLE_KEYS = "torch.nn.modules.module._IncompatibleKeys"
"""What loading a state gives: a report on the keys that did not match."""


def named(machine: Machine, method: Bound, spot: Spot) -> None:
    """A method stands as a statement; within a ``try`` that may be to see whether it exists."""
    owner = _owner(machine, method)
    if owner is not None and isinstance(spot.node, cst.Attribute) and not machine.tries:
        machine.emit(Uncalled, spot, name=str(method.method), owner=owner)
        _meant(machine, str(method.method), spot)


def _meant(machine: Machine, name: str, spot: Spot) -> None:
    """Go on as if the method may have been called: what follows from it is the same mistake."""
    match name:
        case "zero_grad":
            gradients.maybe_cleared(machine)
        case "step":
            optimizers.unseen_step(machine, spot)
        case "backward":
            gradients.unseen(machine, spot)


def _owner(machine: Machine, method: Bound) -> str | None:
    """What a method with an effect of its own is of; None for all others."""
    name = method.method
    if not isinstance(name, str):
        return None
    match machine.get(method.receiver):
        case Optimizer() if name in {"step", "zero_grad"}:
            return "optimizer"
        case Tensor() if name == "backward" or (name.endswith("_") and name[:1] != "_"):
            return "tensor"
        case Instance(cls=str() as cls) if generated.is_scheduler(cls) and name == "step":
            return "scheduler"
        case Instance() as module if name in _SWITCHES and kinds.is_module(
            machine.index, module.cls
        ):
            return "module"
    return None


def saved(machine: Machine, value: Value, spot: Spot) -> None:
    """A value is saved: a method that gives a state was meant to be called."""
    if isinstance(value, Bound) and value.method == "state_dict":
        machine.emit(Uncalled, spot, name="state_dict", owner="module", saved=True)


def assigned(machine: Machine, node: cst.Assign, value: Value) -> None:
    """An assignment gives the name of an object to a method of it, or to what the method gives."""
    match node.value:
        case cst.Call(func=cst.Attribute(value=owner, attr=attr)):
            called = True
        case cst.Attribute(value=owner, attr=attr):
            called = False
        case _:
            return
    target = node.targets[0].target
    same = type(target) is type(owner) and target.deep_equals(owner)
    alone = called and isinstance(owner, cst.Call)
    if len(node.targets) > 1 or not (same or alone):
        return
    record = machine.get(value)
    kind = None
    if not called:
        kind = _owner(machine, value) if isinstance(value, Bound) else None
    elif attr.value == "load_state_dict":
        report = isinstance(record, Instance) and record.cls == INCOMPATIBLE_KEYS
        kind = "module" if report else "optimizer" if value == NONE else None
    if kind in {"module", "optimizer"}:
        spot = machine.spot(node.value)
        machine.emit(Renamed, spot, method=attr.value, owner=kind, called=called, alone=alone)
