"""Tensors: what operations do to graph, storage, range and device."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    contents,
    copies,
    cutting,
    facts,
    meetings,
    overlaps,
    provenance,
    scalars,
    sequences,
    ties,
    widening,
)
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.common import join_tensors
from torchlint.interpreter.cuts import By
from torchlint.interpreter.values import (
    FOLLOWS,
    Certainty,
    Const,
    Either,
    Instance,
    Mapping,
    Node,
    Opaque,
    Ref,
    Sequence,
    Storage,
    Tensor,
    Tuple,
)
from torchlint.torch_api import generated, numeric, registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Mapping as Mapping_

    from torchlint.interpreter.cuts import Cut
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Spot, Value
    from torchlint.torch_api.generated import Saved


def is_tensor(machine: Machine, value: Value) -> bool:
    """Whether a value is known to be a tensor."""
    if isinstance(value, Either):
        return any(is_tensor(machine, option) for option in value.options)
    return isinstance(machine.get(value), Tensor)


def as_tensor(machine: Machine, value: Value) -> Tensor | None:
    """The facts of a value that is used as a tensor; what was opaque is a tensor from now on."""
    if isinstance(value, Either):
        found = [tensor for option in value.options if (tensor := as_tensor(machine, option))]
        return reduce(join_tensors, found) if found else None
    record = machine.get(value)
    if isinstance(record, Tensor):
        return record
    if not isinstance(record, Opaque) or not isinstance(value, Ref):
        return None
    machine.trace.taken.add(value.address)
    return turned(machine, value, record)


def turned(machine: Machine, value: Ref, record: Opaque) -> Tensor:
    """The facts of what was opaque, and is a tensor from now on."""
    computed = record.node or record.source
    parents = (computed,) if computed is not None else ()
    node = Node("opaque", None, parents, Certainty.UNSEEN, opaque=True, rounds=machine.rounds)
    machine.trace.given.update({node} if record.lent or record.argument else ())
    storage = machine.new(Storage())
    tensor = Tensor(
        None if record.bare and record.node is None else node,
        frozenset({storage.address}),
        device=None if record.device and record.device.kind == "loaded" else record.device,
        scalar=record.plain or record.dim is not None,
        origin=record.origin,
        dtype=record.dtype,
    )
    machine.set(value, tensor)
    return tensor


def flatten(machine: Machine, value: Value) -> Iterator[Value]:
    """The tensors in a value: itself, or the items of a tuple, and of each list and dict in it."""
    pending, seen = [value], set[int]()
    while pending:
        current = pending.pop()
        if isinstance(current, Tuple):
            pending.extend(current.items[::-1])
            continue
        match machine.peek(current):
            case (Sequence() | Mapping()) as record if isinstance(current, Ref):
                if current.address not in seen:
                    seen.add(current.address)
                    pending.extend(contents.held(record)[::-1])
            case Tensor() | Opaque():
                yield current
            case None if isinstance(current, Either):
                yield cutting.one_of(machine, current)


def new_tensor(machine: Machine, node: Node | None, **facts: object) -> Ref:
    """A tensor with memory of its own."""
    storage = machine.new(Storage())
    known = {"since": storage.address, **facts}
    return machine.new(Tensor(node, frozenset({storage.address}), **known))  # type: ignore[arg-type]


def parameter(machine: Machine, owner: int | None, spot: Spot) -> Ref:
    """A parameter of a module."""
    made = _parameter(machine, owner, spot)
    machine.trace.parameters.add(made.address)
    return made


def _parameter(machine: Machine, owner: int | None, spot: Spot) -> Ref:
    node = Node("parameter", spot, owner=owner)
    record = machine.live.heap.get(owner) if owner is not None else None
    device = record.device if isinstance(record, Instance) else None
    if device is not None and device.kind == "home":
        # It may yet be moved, together with the module.
        device = None
    if device is None and machine.trace.together:
        device = FOLLOWS
    if isinstance(record, Instance) and record.frozen:
        frozen = new_tensor(machine, None, device=device)
        tensor = machine.get(frozen)
        assert isinstance(tensor, Tensor)
        assert owner is not None
        machine.frozen.update(dict.fromkeys(tensor.storages, owner))
        return frozen
    if isinstance(record, Instance) and record.frozen is None:
        node = replace(node, certainty=Certainty.UNSEEN)
    return new_tensor(machine, node, device=device, leaf=True)


def grown(
    machine: Machine, op: str, spot: Spot, parents: Iterable[Node | None], **facts: object
) -> Node | None:
    """The graph node of an operation on these nodes; None where nothing is recorded."""
    known = tuple(dict.fromkeys(parent for parent in parents if parent is not None))
    if not known or machine.live.grad is False:
        return None
    certainties = {parent.certainty for parent in known}
    certainty = next(level for level in Certainty if level in certainties)
    if machine.live.grad is None:
        certainty = Certainty.UNSEEN
    return Node(op, spot, known, certainty, rounds=machine.rounds, **facts)  # type: ignore[arg-type]


def apply(
    machine: Machine,
    op: str,
    inputs: tuple[Value, ...] | dict[str, Value],
    spot: Spot,
    *,
    settings: Mapping_[str, Value] | None = None,
    saved: Saved | None = None,
    owner: Node | None = None,
    device: Device | None = None,
    scalar: bool = False,
    opaque: bool = False,
) -> Ref:
    """The result of an out-of-place operation on tensors.

    ``owner`` is the leaf of a layer's parameters, ``settings`` are what the layer was made with.
    """
    named = inputs if isinstance(inputs, dict) else _named(op, inputs)
    known = facts.of(machine, op, {**settings, **named} if settings else named, spot, owner)
    tensors = _operands(machine, named)
    every = [tensor for group in tensors.values() for tensor in group]
    met = meetings.meet(machine, meetings.partners(op, tensors), spot, op)
    saved = saved or generated.saved_function(op)
    scalar = scalar or known.shape == ()
    node, cuts = recorded(
        machine, op, named, tensors, spot, saved, owner, opaque=opaque, scalar=scalar
    )
    result = new_tensor(
        machine,
        node,
        since=_since(every),
        device=device or met,
        origin=max((tensor.origin for tensor in every), default=0),
        scalar=scalar,
        cuts=cuts,
        unreduced=_unreduced(op, every),
        **known.named,
    )
    if node is not None and not known.impossible:
        keep_saved(machine, op, node, tensors, result, saved, owner=owner)
    return provenance.noted(machine, result, op, named, spot, owner)


def _since(operands: Iterable[Tensor]) -> int:
    """The oldest that the shape of what is computed rests on."""
    known = (tensor.since for tensor in operands if tensor.shape is not None)
    return min(known, default=new_address())


def _operands(machine: Machine, inputs: Mapping_[str, Value]) -> dict[str, list[Tensor]]:
    """The tensors among the arguments, by the names of the parameters."""
    return {
        name: [tensor for item in flatten(machine, value) if (tensor := as_tensor(machine, item))]
        for name, value in inputs.items()
        if name not in numeric.SIZES and (name not in numeric.RATES or is_tensor(machine, value))
    }


def recorded(
    machine: Machine,
    op: str,
    inputs: Mapping_[str, Value],
    operands: dict[str, list[Tensor]],
    spot: Spot,
    saved: Saved | None,
    owner: Node | None = None,
    **facts: object,
) -> tuple[Node | None, tuple[Cut, ...]]:
    """The graph node of an operation, or else what has cut its result off."""
    nodes = [*(tensor.node for group in operands.values() for tensor in group), owner]
    if not any(nodes) and cutting.is_unclear(machine, inputs):
        nodes = [cutting.UNCLEAR]
    cuts = cutting.left_out(machine, inputs.values())
    keeps = cutting.frees(saved, operands, inputs, owner)
    node = grown(machine, op, spot, nodes, keeps=keeps, cuts=cuts, **facts)
    return node, () if node is not None else cutting.ended(machine, op, spot, nodes, cuts)


def _unreduced(op: str, operands: list[Tensor]) -> Spot | None:
    """The loss whose values for a batch a result still has one by one."""
    if op.rpartition(".")[2].strip("_") not in _ONE_BY_ONE:
        return None
    return next((t.unreduced for t in operands if t.unreduced is not None), None)


_ONE_BY_ONE = frozenset(
    "add sub mul div truediv pow neg exp log sqrt abs radd rsub rmul rtruediv clamp view reshape "
    "flatten squeeze unsqueeze to".split()
)
"""Operations, by the last part of their name, that give a value for each that they are given."""


def _named(op: str, values: tuple[Value, ...]) -> dict[str, Value]:
    names = generated.parameter_names(op, len(values)) or ("input", "other", "third", "fourth")
    names = (*names, *(f"_{i}" for i in range(len(names), len(values))))
    return dict(zip(names, values, strict=False))


def keep_saved(
    machine: Machine,
    op: str,
    node: Node,
    tensors: dict[str, list[Tensor]],
    result: Ref,
    saved: Saved | None,
    *,
    owner: Node | None = None,
    itself: Tensor | None = None,
) -> None:
    """Note which versions of its inputs and its output an operation keeps for backward."""
    if saved is None:
        return
    wanting = {
        name
        for name, group in tensors.items()
        if any(t.node is not None and t.node.certainty is not Certainty.UNSEEN for t in group)
    }
    if owner is not None:
        wanting.add("parameters")
    if itself is not None and itself.node is not None:
        wanting.add("input")
    for name, causes in saved.inputs.items():
        if causes & wanting:
            for tensor in tensors.get(name, ()):
                _keep(machine, tensor, node)
    if saved.output & wanting:
        record = machine.get(result)
        assert isinstance(record, Tensor)
        _keep(machine, record, node)


def _keep(machine: Machine, tensor: Tensor, node: Node) -> None:
    for address in tensor.storages:
        memory = storage(machine, address)
        machine.live.heap[address] = replace(
            memory, keepers=(*memory.keepers, (node, memory.version, tensor.storages))
        )


def storage(machine: Machine, address: int) -> Storage:
    """The memory at an address."""
    record = machine.live.heap.get(address)
    return record if isinstance(record, Storage) else Storage()


def view(
    machine: Machine, value: Value, op: str, spot: Spot, inputs: Mapping_[str, Value] | None = None
) -> Ref:
    """A view: a new tensor on the memory of another; ``inputs`` are all of its arguments."""
    tensor = as_tensor(machine, value)
    if tensor is None:
        return new_tensor(machine, cutting.UNCLEAR)
    node = grown(machine, op, spot, [tensor.node], opaque=is_opaque(tensor), scalar=tensor.scalar)
    cuts = () if node is not None else cutting.ended(machine, op, spot, [tensor.node], tensor.cuts)
    known = facts.of(machine, op, {"input": value, **(inputs or {})}, spot)
    made = machine.new(
        replace(
            tensor,
            node=node,
            range=known.range,
            dtype=known.dtype,
            shape=known.shape,
            scalar=_stays_scalar(tensor, op) if known.shape is None else known.shape == (),
            leaf=False,
            device=meetings.whereabouts(machine, tensor),
            cuts=cuts,
            unreduced=_unreduced(op, [tensor]),
            retains=False,
            overlap=overlaps.of_view(machine, op, tensor, inputs or {}, spot),
            edge=known.edge,
            spread=known.spread,
            formula=known.formula,
            form=known.form,
            span=known.span,
            repeats=known.repeats,
        )
    )
    ties.viewed(machine, value, made, op)
    return provenance.noted(machine, made, op, {"input": value}, spot)


_ADD_DIMENSIONS = frozenset(
    "unsqueeze view view_as reshape reshape_as expand expand_as unflatten flatten ravel".split()
)


def _stays_scalar(tensor: Tensor, op: str) -> bool:
    return tensor.scalar and facts.plain(op)[0] not in _ADD_DIMENSIONS


def is_opaque(tensor: Tensor) -> bool:
    """Whether something unseen gave the tensor."""
    return tensor.node is not None and tensor.node.opaque


def indexed(machine: Machine, owner: Value, index: Value, spot: Spot) -> Value:
    """``tensor[index]``: a view for numbers and slices, a copy for a tensor."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    rows = len(parts) == 1
    number = index.value if isinstance(index, Const) else None
    scalars.indexed(machine, owner, index, spot)
    sequences.taken(machine, owner, index, spot)
    copies_surely = copies.taken_by(machine, index)
    if copies_surely or any(is_tensor(machine, part) for part in parts):
        tensor = as_tensor(machine, owner)
        assert tensor is not None
        registry.applied(machine, "index", {"input": owner, "mask": index}, spot)
        op = "rows(copied)" if rows else "index"
        settings = {"index": index}
        taken = apply(machine, op, {"input": owner}, spot, device=tensor.device, settings=settings)
        return copies.mark(machine, taken, spot) if copies_surely else taken
    taken = view(machine, owner, "rows" if rows else "select", spot, {"index": index})
    copies.may_be_taken(machine, taken, parts)
    return meetings.loosened(machine, taken) if type(number) is int else taken


def without_graph(machine: Machine, op: str, inputs: Mapping_[str, Value], spot: Spot) -> Ref:
    """The result of an operation that has no gradient, such as a comparison."""
    tensors = [tensor for value in inputs.values() if (tensor := as_tensor(machine, value))]
    known = facts.of(machine, op, inputs, spot)
    return new_tensor(
        machine,
        None,
        device=widening.settled(meetings.meet(machine, tensors, spot, op), known.dtype),
        origin=max((tensor.origin for tensor in tensors), default=0),
        range=known.range,
        dtype=known.dtype,
        shape=known.shape,
        since=_since(tensors),
        cuts=cutting.read_out(machine, inputs.values(), By.WHOLE, spot),
        edge=known.edge,
        formula=known.formula,
        form=known.form,
        span=known.span,
        repeats=known.repeats,
    )
