"""Lateness: parameters that a module does not have before its first call."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import forwards, tensors
from torchlint.interpreter.events.layers import Derived, Late
from torchlint.interpreter.values import Either, Instance, Node, Ref, Tensor
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds, modules

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def given(
    machine: Machine, owner: Value, before: Value | None, value: Value, spot: Spot, *, adds: bool
) -> None:
    """A module gets what its forward has just built, where it had no such thing ``before``.

    It ``adds`` to those that the module has, or takes the place of one.
    """
    forward = forwards.running(machine)
    if forward is None or not isinstance(value, Ref) or value.address < forward.frame:
        return
    if (
        not isinstance(owner, Ref)
        or owner.address > forward.frame
        or _is_under_construction(machine)
    ):
        return
    if not adds and machine.forks == forward.forks and not forward.returns:
        # It is built in each call, which is another mistake.
        return
    holder = machine.get(owner)
    kind = _kind(machine, value)
    if not kind:
        return
    if before is not None and _kind(machine, before):
        machine.trace.renewed.add(value.address)
        return
    definition = holder.cls if isinstance(holder, Instance) else None
    if not isinstance(definition, Definition) and forward.function is not None:
        definition = forward.function.owner
    if isinstance(definition, Definition):
        family = machine.index.family(definition)
        machine.emit(Late, spot, family=family, made=value.address, kind=kind)


def derived(machine: Machine, parameter: Tensor, value: Value, spot: Spot) -> None:
    """A parameter is given the memory of ``value``: where that follows from others, they train it.

    What has left their graph remembers it.
    """
    layer = parameter.node.owner if parameter.node is not None else None
    given = tensors.as_tensor(machine, value)
    if layer is None or given is None:
        return
    left = (node for cut in given.cuts for node in machine.trace.reach(cut.of))
    if any(node.op == "parameter" and node.owner not in {None, layer} for node in left):
        machine.emit(Derived, spot, layer=layer)


def _is_under_construction(machine: Machine) -> bool:
    """Whether a constructor tries the forward, so that all is there once it is done."""
    return any(
        activation.function is not None and activation.function.name == "__init__"
        for activation in machine.activations
    )


def _kind(machine: Machine, value: Value) -> str:
    """What has parameters that are trained, as one of several may; nothing for anything else."""
    if isinstance(value, Either):
        return next(filter(None, (_kind(machine, option) for option in value.options)), "")
    match machine.get(value):
        case Tensor(leaf=True, node=Node() as node) if _is_parameter(node):
            return "parameter"
        case Instance(cls=cls, frozen=False) if modules.parametrised(machine, value) is not None:
            return kinds.name_of(cls)
    return ""


def _is_parameter(node: Node) -> bool:
    """Whether a node is a parameter, or one on whichever way the program has come."""
    if node.op == "join":
        return bool(node.parents) and all(map(_is_parameter, node.parents))
    return node.op == "parameter"
