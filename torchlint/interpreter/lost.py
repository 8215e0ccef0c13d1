"""Methods that are named where they should be called, and names that are lost to their results."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import facts, gradients, optimizers, passes, states, syntax
from torchlint.interpreter.events.layers import Rebound
from torchlint.interpreter.events.lost import (
    ArrayDropped,
    Dropped,
    FlagRead,
    LayerDropped,
    Renamed,
    Uncalled,
)
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import NONE, Bound, Function, Instance, Opaque, Ref, Tensor
from torchlint.project import rebinding
from torchlint.project.dropped import MOVES, is_of_module
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_TENSOR = Pattern(r"\bTensor\b")

_SWITCHES = frozenset(
    "train eval zero_grad cuda cpu half float double bfloat16 requires_grad_".split()
)
INCOMPATIBLE_KEYS = "torch.nn.modules.module._IncompatibleKeys"
"""What loading a state gives: a report on the keys that did not match."""


def named(machine: Machine, method: Bound, spot: Spot) -> None:
    """A method stands as a statement; within a ``try`` that may be to see whether it exists."""
    owner = _owner(machine, method) or _own_class(method)
    shown = _is_shown(machine, spot.node)
    if owner is not None and isinstance(spot.node, ast.Attribute) and not (machine.tries or shown):
        machine.emit(Uncalled, spot, name=spot.node.attr, owner=owner)
        _meant(machine, method, spot.node.attr, spot)


def _meant(machine: Machine, method: Bound, name: str, spot: Spot) -> None:
    """Go on as if the method may have been called: what follows from it is the same mistake."""
    match name:
        case "zero_grad":
            gradients.maybe_cleared(machine)
        case "step":
            optimizers.unseen_step(machine, spot)
        case "backward":
            gradients.unseen(machine, spot)
        case "train" | "eval":
            passes.forget(machine, method.receiver)


def _own_class(method: Bound) -> str | None:
    """The class of the project whose method something is; what decorates it may be a property."""
    function = method.method
    if not isinstance(function, Function) or function.owner is None:
        return None
    plain = isinstance(function.node, ast.FunctionDef) and not function.node.decorator_list
    return function.owner.name if plain else None


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


def assigned(machine: Machine, node: ast.Assign, value: Value) -> None:
    """An assignment gives the name of an object to a method of it, or to what the method gives."""
    if isinstance(node.value, (ast.Name, ast.Attribute)):
        states.named(machine, node, value)
    match node.value:
        case ast.Call(func=ast.Attribute(value=owner, attr=attr)):
            called = True
        case ast.Attribute(value=owner, attr=attr):
            called = False
        case _:
            return
    same = syntax.alike(node.targets[0], owner)
    alone = called and isinstance(owner, ast.Call)
    if len(node.targets) > 1 or not (same or alone) or syntax.is_super(owner):
        return
    record = machine.get(value)
    kind = None
    if not called:
        kind = _owner(machine, value) if isinstance(value, Bound) else None
    elif attr == "load_state_dict":
        if same and isinstance(record, Opaque) and isinstance(value, Ref):
            machine.trace.reports[value.address] = machine.spot(node.value)
        report = isinstance(record, Instance) and record.cls == INCOMPATIBLE_KEYS
        kind = "module" if report else "optimizer" if value == NONE else None
    if kind in {"module", "optimizer"}:
        spot = machine.spot(node.value)
        machine.emit(Renamed, spot, method=attr, owner=kind, called=called, alone=alone)


def switched(machine: Machine, receiver: Ref) -> None:
    """Something is switched as only a module is: what its name was given then was a report."""
    spot = machine.trace.reports.pop(receiver.address, None)
    if spot is not None:
        machine.emit(
            Renamed,
            spot,
            method="load_state_dict",
            owner="module",
            called=True,
            alone=False,
            seen=False,
        )


def steps(machine: Machine, node: ast.expr) -> list[ast.expr]:
    """The expressions of a statement, one after the other: a tuple of calls has several."""
    match node:
        case ast.Tuple(elts=calls) if all(isinstance(each, ast.Call) for each in calls):
            return calls if not _is_shown(machine, node) else [node]
    return [node]


def last_step(node: ast.expr) -> ast.expr:
    """The expression whose value a statement drops: in a list that is dropped, each item."""
    match node:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[ast.GeneratorExp() as items]):
            return items.elt
        case ast.ListComp(elt=item):
            return item
    return node


def dropped(machine: Machine, name: str, receiver: Value | None, spot: Spot) -> None:
    """A method is called whose result nobody takes, on something that has a name.

    Within a ``try`` it may be called to see whether it can be, and in a notebook to be shown.
    """
    match spot.node:
        case ast.Call(func=ast.Attribute(value=owner)) as node if (
            isinstance(receiver, Ref) and _is_lost(machine, node) and _is_kept(machine, owner)
        ):
            record = machine.get(receiver)
            tensor = record if isinstance(record, Tensor) else None
            written = _written(owner) is not None
            sure = written or _is_sure(tensor) or _is_said_to_be_one(machine, owner)
            if not sure and _may_be_its_own(machine, owner, name):
                return
            address = receiver.address
            machine.emit(Dropped, spot, name=name, address=address, tensor=tensor, written=written)
            if tensor is not None:
                # Where and of what type it was meant to be, it is not: that is the same mistake.
                machine.set(receiver, replace(tensor, device=None, dtype=None))


def array_dropped(machine: Machine, name: str, spot: Spot) -> None:
    """A method of an array is called that gives another one, which nobody takes."""
    match spot.node:
        case ast.Call(func=ast.Attribute(value=owner)) as node if _is_lost(machine, node):
            if _is_kept(machine, owner):
                machine.emit(ArrayDropped, spot, name=name)


def layer_dropped(machine: Machine, name: str, spot: Spot) -> None:
    """A method of a layer is called that gives another one, which nobody takes."""
    if _is_lost(machine, spot.node):
        machine.emit(LayerDropped, spot, name=name)


def _is_lost(machine: Machine, node: ast.AST) -> bool:
    """Whether nobody takes what a call gives, which is not made to see whether it can be."""
    tried = machine.tries > machine.activation.tries
    return node is machine.statement and not tried and not _is_shown(machine, node)


def _written(owner: ast.expr) -> ast.expr | None:
    """What a call changes in place, by a method that nothing but tensors has, and gives again."""
    match owner:
        case ast.Call(func=ast.Attribute(value=inner, attr=attr)) if attr.endswith("_"):
            return inner if generated.is_method(f"Tensor.{attr}") else None
    return None


def _is_sure(tensor: Tensor | None) -> bool:
    """Whether something is a tensor, and nothing unseen that has turned out to be one."""
    if tensor is None or facts.is_like_the_unseen(tensor.node):
        return False
    roots = [tensor.node] if tensor.node is not None else [cut.of for cut in tensor.cuts]
    return not any(root.opaque for root in roots)


def _is_said_to_be_one(machine: Machine, owner: ast.expr) -> bool:
    """Whether something came in by a parameter that is annotated as a tensor, if it is given."""
    function = machine.activation.function
    if function is None or not isinstance(owner, ast.Name):
        return False
    taken = (*syntax.positional(function.node), *function.node.args.kwonlyargs)
    said = [each.annotation for each in taken if each.arg == owner.id]
    return any(_TENSOR.search(ast.unparse(each)) for each in said if each is not None)


def _may_be_its_own(machine: Machine, owner: ast.expr, name: str) -> bool:
    """Whether a method may be that of something else, which it changes where it is.

    That is so if it is called like a module, if methods are called on it later that tensors do not
    have, or if a class of the project defines such a method, which for a move says little.
    """
    if _is_asked_for(machine, owner, name) or is_of_module(ast.unparse(owner), name):
        return True
    if _has_other_methods(machine, owner):
        return True
    return name not in MOVES and machine.index.says(
        machine.outline, name, rf"^[ \t]+(?:async )?def {name}\(self\b"
    )


def _is_asked_for(machine: Machine, owner: ast.expr, name: str) -> bool:
    """Whether this runs where something has the method: nobody asks that of what is a tensor."""
    asked = rf"\bhasattr\(\s*{re.escape(ast.unparse(owner))}\s*,\s*[\"']{name}[\"']"
    return machine.activation.is_tested(Pattern(asked).search)


def _has_other_methods(machine: Machine, owner: ast.expr) -> bool:
    """Whether the code that follows calls methods on something that no tensor has."""
    region = machine.region
    follows = region.outline.lines(region.place(owner).line + 1, region.last)
    called = re.findall(rf"(?<![\w.]){re.escape(ast.unparse(owner))}\.(\w+)\(", follows)
    return not all(generated.is_method(f"Tensor.{name}") for name in called)


def rebound(machine: Machine, loop: ast.For | ast.AsyncFor) -> None:
    """A loop over parameters may compute new ones that only get the name of the old ones."""
    for assign in rebinding.rebound(machine.region, loop):
        machine.emit(Rebound, machine.spot(assign), name=ast.unparse(assign.targets[0]))


def flag_read(machine: Machine, spot: Spot) -> None:
    """``requires_grad`` is read and nothing is done with it."""
    if spot.node is machine.statement and not machine.tries and not _is_shown(machine, spot.node):
        machine.emit(FlagRead, spot)


def _is_shown(machine: Machine, node: ast.AST) -> bool:
    """Whether what an expression gives is shown, as at the end of a notebook's cells."""
    if len(machine.activations) != 1 or not machine.outline.ends_of_cells:
        return False
    place = machine.region.place(node)
    return place.column == 1 and place.end_line in machine.outline.ends_of_cells


def _is_kept(machine: Machine, node: ast.expr) -> bool:
    """Whether what an expression means is there to be used again.

    What has only been given a name may be there for the call itself, which warms something up.
    """
    match node:
        case ast.Attribute() | ast.Subscript():
            return True
        case ast.Call():
            inner = _written(node)
            return inner is not None and _is_kept(machine, inner)
        case ast.Name(id=name):
            text = machine.region.text if machine.activation.function else machine.outline.text
            return len(re.findall(rf"\b{name}\b(?!\s*=[^=])", text)) > 1
    return False
