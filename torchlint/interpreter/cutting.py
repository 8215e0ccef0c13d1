"""What a result without graph was cut off from, and what a result in a graph leaves out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import contents
from torchlint.interpreter.cuts import By, Cut, Number, together
from torchlint.interpreter.processes import COMPUTED
from torchlint.interpreter.values import (
    UNKNOWN,
    Certainty,
    Either,
    Mapping,
    Node,
    Sequence,
    Tensor,
    Tuple,
    Unknown,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Mapping as Named

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.generated import Saved

UNCLEAR = Node("unclear", None, certainty=Certainty.UNSEEN, opaque=True)
"""Stands for the graph of a value of which nothing is known."""

_OPERANDS = frozenset(
    "input other target tensors weight bias mat1 mat2 vec vec2 exponent end value source src "
    "tensor1 tensor2 x1 x2 anchor positive negative query key batch1 batch2 operands log_probs "
    "third fourth".split()
)
"""Parameters that take tensors; what others are given decides nothing about the graph."""


def parts(machine: Machine, value: Value) -> Iterator[Value]:
    """A value, or what is in it if it is a collection or may be one of several.

    In a collection that something unseen has, or that is still empty, there may be anything.
    """
    pending, seen = [value], set()
    while pending:
        current = pending.pop()
        match current:
            case Tuple(items=items) | Either(options=items):
                pending.extend(items)
                continue
        record = machine.get(current)
        if not isinstance(record, (Sequence, Mapping)):
            yield current
            continue
        held = contents.held(record)
        if record.escaped or not held:
            yield UNKNOWN
        if id(record) not in seen:
            seen.add(id(record))
            pending.extend(held)


def one_of(machine: Machine, value: Either) -> Value:
    """One of several values, or of what is in them where one is a collection."""
    if not any(
        isinstance(one, (Tuple, Either)) or isinstance(machine.peek(one), (Sequence, Mapping))
        for one in value.options
    ):
        return value
    held = tuple(dict.fromkeys(parts(machine, value)))
    return UNKNOWN if UNKNOWN in held else Either(held)


def is_unclear(machine: Machine, inputs: Named[str, Value]) -> bool:
    """Whether an operand is something of which nothing is known, which may have a graph."""
    return any(
        # What is made of a rank may be made of something unknown as well.
        isinstance(part, Unknown) or machine.peek(part) == COMPUTED
        for name, value in inputs.items()
        if name in _OPERANDS or name[:1] == "_"
        for part in parts(machine, value)
    )


def left_out(machine: Machine, values: Iterable[Value]) -> tuple[Cut, ...]:
    """The cuts of those values that have no graph."""
    found: list[Cut] = []
    for value in values:
        for part in parts(machine, value):
            if isinstance(part, Number):
                found.extend(part.cuts)
            else:
                record = machine.get(part)
                if isinstance(record, Tensor) and record.node is None:
                    found.extend(record.cuts)
    return together(found)


def ended(
    machine: Machine, op: str, spot: Spot, nodes: Iterable[Node | None], cuts: tuple[Cut, ...]
) -> tuple[Cut, ...]:
    """The cuts of a result without graph: those of the operands, and the grad mode's own."""
    if machine.live.grad is not False:
        return cuts
    known = tuple(node for node in nodes if node is not None)
    if not known:
        return cuts
    parents = (*known, *(cut.of for cut in cuts))
    certainties = {parent.certainty for parent in parents}
    surest = next(level for level in Certainty if level in certainties)
    would_be = Node(op, spot, parents, surest, rounds=machine.rounds)
    return (Cut(By.NO_GRAD, machine.live.switched or spot, would_be),)


def read_out(machine: Machine, values: Iterable[Value], by: By, spot: Spot) -> tuple[Cut, ...]:
    """The cuts of what is read out of values: where they have a graph, it is cut here."""
    found: list[Cut] = []
    for value in values:
        for part in parts(machine, value):
            record = machine.get(part)
            if isinstance(part, Number):
                found.extend(part.cuts)
            elif isinstance(record, Tensor):
                found.extend(of_tensor(record, by, spot))
    return together(found)


def of_tensor(tensor: Tensor, by: By, spot: Spot) -> tuple[Cut, ...]:
    """The cuts of what is made of a tensor without its graph.

    What has to be detached on the way to NumPy leaves the graph there.
    """
    if tensor.node is not None:
        return (Cut(by, spot, tensor.node),)
    if by is By.NUMPY:
        return tuple(Cut(by, spot, cut.of) for cut in tensor.cuts)
    return tensor.cuts


def forget(machine: Machine, value: Value | None) -> None:
    """A tensor in no graph may be in one from now on."""
    tensor = machine.get(value) if value is not None else None
    if value is not None and isinstance(tensor, Tensor) and tensor.node is None:
        machine.set(value, replace(tensor, node=UNCLEAR, cuts=()))


def without(tensor: Tensor, by: By, spot: Spot) -> Tensor:
    """The same tensor, out of its graph."""
    cuts = of_tensor(tensor, by, spot)
    return replace(tensor, node=None, leaf=False, retains=False, cuts=cuts)


def frees(
    saved: Saved | None,
    tensors: Named[str, list[Tensor]],
    named: Iterable[str],
    owner: Node | None,
) -> bool:
    """Whether an operation surely keeps something that a walk back through it frees.

    Where one operand alone has a graph, it requires grad if the result does.
    """
    if saved is None:
        return False
    within = {name for name, group in tensors.items() if any(t.node is not None for t in group)}
    if owner is not None:
        within.add("parameters")
    wanting = {
        name
        for name in within
        if len(within) == 1
        or name == "parameters"
        or any(t.node is not None and t.node.certainty is Certainty.SURE for t in tensors[name])
    }
    given = {*named, "parameters"}
    kept = any(causes & wanting for name, causes in saved.inputs.items() if name in given)
    return kept or bool(saved.output & wanting)
