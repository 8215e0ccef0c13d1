"""Provenance: which operations gave a tensor its shape, one after the other."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import facts, shapes
from torchlint.interpreter.values import Ref, Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.trace import Chain, Trace
    from torchlint.interpreter.values import Node, Spot, Value

_MOST = 4
_LONGEST = 48


@dataclass(frozen=True, slots=True)
class Made:
    """What made a tensor of some shape: an operation, of the tensor at an address, if of any.

    A layer was ``built`` somewhere.
    """

    op: str
    spot: Spot
    shape: Shape
    given: int | None = None
    built: Spot | None = None


def noted(
    machine: Machine,
    made: Ref,
    op: str,
    inputs: Mapping[str, Value],
    spot: Spot,
    owner: Node | None = None,
) -> Ref:
    """Note what made a tensor, if its shape is known; gives that tensor."""
    record = machine.get(made)
    if isinstance(record, Tensor) and record.shape is not None:
        first = next(iter(inputs.values()), None)
        given = first.address if isinstance(first, Ref) else None
        built = owner.spot if owner is not None else None
        machine.trace.made[made.address] = Made(op, spot, record.shape, given, built)
    return made


def passed_on(machine: Machine, value: Value | None, same: Ref) -> Ref:
    """Note that what is the same tensor by another name was made where that was."""
    made = machine.trace.made.get(value.address) if isinstance(value, Ref) else None
    if made is not None:
        machine.trace.made[same.address] = made
    return same


def chain(trace: Trace, value: Value | None) -> Chain:
    """The places where a tensor came by its shape, the first one first."""
    found: list[tuple[Spot, str]] = []
    made = trace.made.get(value.address) if isinstance(value, Ref) else None
    while made is not None and len(found) < _MOST:
        before = trace.made.get(made.given) if made.given is not None else None
        if before is None or before.shape != made.shape:
            what = name(facts.plain(made.op)[1], made.spot, made.built)
            found.append((made.spot, f"{what} gives {shapes.written(made.shape)}"))
        made = before
    return tuple(reversed(found))


_FLATTENING = frozenset({"flatten", "ravel", "view", "reshape"})


def story(trace: Trace, value: Value | None) -> str:
    """The last layer or operation that gave a tensor another shape, in words; empty if unknown."""
    made = trace.made.get(value.address) if isinstance(value, Ref) else None
    end = ""
    if made is not None and facts.plain(made.op)[0] in _FLATTENING and len(made.shape) == _ROWS:
        end = f", flattened to {shapes.written(made.shape)}"
        made = _before(trace, made)
    before = _before(trace, made)
    while made is not None and before is not None and before.shape == made.shape:
        made, before = before, _before(trace, before)
    if made is None:
        return ""
    what = name(facts.plain(made.op)[1], made.spot, made.built)
    given = f" for {shapes.written(before.shape)}" if before is not None else ""
    return f"{what} gives {shapes.written(made.shape)}{given}{end}"


_ROWS = 2


def _before(trace: Trace, made: Made | None) -> Made | None:
    """What made the tensor that something was made of."""
    return trace.made.get(made.given) if made is not None and made.given is not None else None


def name(op: str, spot: Spot, built: Spot | None) -> str:
    """What readers call an operation: the attribute that holds a layer, or how it is built."""
    if built is None or built.node is spot.node:
        if op == facts.ASSIGNMENT:
            return "the assignment"
        return "the index" if isinstance(spot.node, ast.Subscript) else f"`{op}`"
    called = getattr(spot.node, "func", None)
    held = _holder(built)
    if held and isinstance(called, ast.Attribute) and called.attr == held:
        return f"`{held}`"
    text = " ".join(built.region.source_of(built.node).split())
    return f"`{text}`" if len(text) <= _LONGEST else f"`{op}`"


def _holder(built: Spot) -> str:
    """The attribute that a layer is assigned to, where it is built."""
    for statement in built.region.statements:
        for node in ast.walk(statement):
            match node:
                case ast.Assign(targets=[ast.Attribute(attr=attribute)], value=value) if (
                    value is built.node
                ):
                    return attribute
    return ""
