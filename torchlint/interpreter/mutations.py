"""Changes in place: new versions of memory, and who keeps the old ones."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    descents,
    edges,
    facts,
    filling,
    formulas,
    leaves,
    meetings,
    overlaps,
    ranges,
    tensors,
)
from torchlint.interpreter.cuts import By
from torchlint.interpreter.events.graph import Masked, Mutation
from torchlint.interpreter.values import Const, Ref
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Node, Spot, Tensor, Value
    from torchlint.torch_api.generated import Saved

_GRADIENTS = Pattern(r"requires_grad|is_grad_enabled")
_IN_PLACE = Pattern(r"in_?place", re.IGNORECASE)


def write(machine: Machine, owner: Value, index: Value, value: Value, spot: Spot) -> None:
    """Carry out ``tensor[index] = value``."""
    tensor = tensors.as_tensor(machine, value)
    # Setting items copies across devices, so that what is set meets nothing.
    source = machine.new(replace(tensor, device=None)) if tensor is not None else value
    given = {"input": owner, "indices": index, "value": value}
    registry.applied(machine, "Tensor.__setitem__", given, spot)
    how, others = "an indexed assignment", {"value": source}
    mutate(machine, owner, "Tensor.__setitem__", others, spot, how, mask=index)


_COPYING = frozenset({"Tensor.copy_", "Tensor.__setitem__"})
"""What copies from any device to any other."""


def mutate(
    machine: Machine,
    value: Value,
    op: str,
    others: dict[str, Value],
    spot: Spot,
    how: str,
    *,
    saved: Saved | None = None,
    sure: bool = True,
    mask: Value | None = None,
) -> None:
    """Change a tensor in place: its memory gets a new version, its graph another node.

    ``sure`` is False where settings decide whether anything is changed; a ``mask`` says where.
    """
    tensor = tensors.as_tensor(machine, value)
    if tensor is None or not isinstance(value, Ref):
        return
    if op not in _COPYING:
        _meet(machine, tensor, op, others, spot)
    masked = _masked(machine, value, others.get("mask", mask), others.get("value"))
    keepers = _changed(machine, tensor)
    filling.write(machine, value, spot, alike=_is_fill(op, others))
    descents.written(machine, spot)
    if leaves.origin(tensor) is None or machine.live.grad is False:
        overlaps.write(machine, tensor, op, spot, how)
    if leaves.origin(tensor) is not None:
        leaves.write(machine, tensor, spot, how)
    elif machine.live.grad is not False and not _is_without_grad(machine):
        machine.emit(
            Mutation,
            spot,
            tensor=tensor,
            how=how,
            keepers=keepers,
            opaque=tensors.is_opaque(tensor),
            optional=any("inplace" in guard for guard in machine.guards),
            announced=_is_announced(machine),
            sure=sure,
            weighed=machine.activation.is_tested(_GRADIENTS.search),
            masked=masked,
        )
    if not tensor.leaf:
        _regrow(machine, value, tensor, op, others, spot, saved)


def _meet(machine: Machine, tensor: Tensor, op: str, others: dict[str, Value], spot: Spot) -> None:
    given = {name: list(_tensors(machine, other)) for name, other in others.items()}
    partners = meetings.partners(op, given)
    meetings.meet(machine, [tensor, *partners], spot)
    meetings.meet_in_place(machine, tensor, op, partners, spot)


def _masked(machine: Machine, value: Ref, mask: Value | None, put: Value | None) -> Masked | None:
    """Where a mask lets a tensor be changed: it may be where that was equal to a number."""
    asked = formulas.of(machine, mask)
    if asked is None:
        return None
    number = held = None
    match put:
        case Const(value=int() | float() as known):
            number = float(known)
    match asked:
        case formulas.Formula(op="eq", operands=(whole, float() as known)):
            held = known if whole == formulas.of(machine, value) else None
    return Masked(asked, number, held)


def _is_without_grad(machine: Machine) -> bool:
    """Whether a flag has led here that the project sets where no gradient is asked for."""
    return any(
        machine.index.says(
            machine.outline,
            "is_grad_enabled",
            rf"\b{re.escape(name)}[ \t]*=(?!=)[^\n]*\bnot\b[^\n]*\bis_grad_enabled\(",
        )
        for name in {guard.rpartition(".")[2] for guard in machine.guards if guard}
    )


def _is_announced(machine: Machine) -> bool:
    """Whether a function that runs, or its class, has it in its name that it works in place."""
    functions = [each.function for each in machine.activations if each.function is not None]
    owners = [each.owner.name for each in functions if each.owner is not None]
    return any(_IN_PLACE.search(name) for name in (*(each.name for each in functions), *owners))


def _is_fill(op: str, others: dict[str, Value]) -> bool:
    """Whether an operation leaves one number everywhere, which a training may start from."""
    name = facts.plain(op)[0]
    return name == "zero" or (name == "fill" and filling.is_start(others.get("value")))


def _regrow(
    machine: Machine,
    value: Ref,
    tensor: Tensor,
    op: str,
    others: dict[str, Value],
    spot: Spot,
    saved: Saved | None,
) -> None:
    """Give the changed tensor its new place in the graph, if it has one."""
    named = {name: list(_tensors(machine, other)) for name, other in others.items()}
    inputs = {"input": value, **others}
    saved = saved or generated.saved_function(op)
    operands = {"input": [tensor], **named}
    node, cuts = tensors.recorded(machine, op, inputs, operands, spot, saved, scalar=tensor.scalar)
    known = facts.of(machine, op, inputs, spot)
    range_ = ranges.held(known.range, tensor.dtype)
    if known.edge is None and any(cut.by in _SHARING for cut in tensor.cuts):
        # The values of what is still in the graph are no longer at their edge.
        edges.tested(machine, tensor)
    origin = max(each.origin for each in (tensor, *itertools.chain(*named.values())))
    changed = replace(
        tensor,
        range=range_,
        edge=known.edge,
        formula=None,
        span=None,
        repeats=None,
        origin=origin,
    )
    if facts.plain(op)[0] in _RESHAPING:
        machine.size_names.pop(value.address, None)
        changed = replace(changed, shape=known.shape, form=known.form)
    if node is None:
        machine.set(value, replace(changed, cuts=cuts))
        return
    machine.set(value, replace(changed, node=node, cuts=()))
    tensors.keep_saved(machine, op, node, {"input": [], **named}, value, saved, itself=tensor)


_SHARING = frozenset({By.DATA, By.DETACH})
"""What gives a tensor without a graph the memory of one that has it."""

_RESHAPING = frozenset(
    "t transpose swapaxes swapdims squeeze unsqueeze resize resize_as as_strided set".split()
)
"""What changes a tensor's dimensions, and not its values."""


def _tensors(machine: Machine, value: Value) -> Iterator[Tensor]:
    for item in tensors.flatten(machine, value):
        tensor = tensors.as_tensor(machine, item)
        if tensor is not None:
            yield tensor


def _changed(machine: Machine, tensor: Tensor) -> tuple[Node, ...]:
    """Give the tensor's memory a new version; gives who surely keeps the old one."""
    keepers: list[Node] = []
    certain = True
    for address in tensor.storages:
        storage = tensors.storage(machine, address)
        # What keeps one of several memories does not surely keep this one.
        hits = [
            node
            for node, version, storages in storage.keepers
            if version == storage.version and storages <= tensor.storages
        ]
        certain = certain and bool(hits) and not storage.fuzzy
        keepers.extend(hits)
        machine.live.heap[address] = replace(storage, version=storage.version + 1)
    return tuple(dict.fromkeys(keepers)) if certain else ()
