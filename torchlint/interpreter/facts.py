"""Facts: what is known of an operation's result beyond its graph, memory and device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import (
    bounding,
    choosing,
    dtypes,
    flattening,
    folding,
    forms,
    formulas,
    layouts,
    overall,
    pinned,
    ranges,
    released,
    reordering,
    repeats,
    shaping,
    sizing,
    spans,
    squeezing,
)
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.ranges import Operation
from torchlint.interpreter.shaping.losses import OF_CLASSES
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Sequence, Tensor, Tuple
from torchlint.torch_api import edging, generated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.forms import Form
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.repeats import Repeats
    from torchlint.interpreter.shaping import Mismatch, Outcome
    from torchlint.interpreter.spans import Span
    from torchlint.interpreter.values import Node, Spot, Spread, Value


@dataclass(frozen=True, slots=True)
class Facts:
    """What a result's values are, of what type, and in what dimensions.

    There is none where the operation is ``impossible``, of what it is given.
    """

    range: Range | None = None
    dtype: str | None = None
    shape: Shape | None = None
    edge: Edge | None = None
    spread: Spread | None = None
    formula: Formula | None = None
    form: Form | None = None
    span: Span | None = None
    repeats: Repeats | None = None
    impossible: bool = False

    @property
    def named(self) -> dict[str, object]:
        """All of them, as a tensor names them."""
        return {
            "range": self.range,
            "dtype": self.dtype,
            "shape": self.shape,
            "edge": self.edge,
            "spread": self.spread,
            "formula": self.formula,
            "form": self.form,
            "span": self.span,
            "repeats": self.repeats,
        }


def of(
    machine: Machine,
    op: str,
    inputs: Mapping[str, Value],
    spot: Spot,
    owner: Node | None = None,
) -> Facts:
    """The facts of an operation's result; ``inputs`` are its arguments, settings included.

    ``owner`` is the leaf of a layer's parameters.
    """
    operation = operation_of(machine, op, inputs, spot)
    dtype = dtypes.result(operation)
    range_ = ranges.held(bounding.result(operation), dtype)
    outcome = shaping.outcome(operation)
    shape = _shape(operation, outcome, owner.spot if owner is not None else None)
    return Facts(
        range_,
        dtype,
        shape,
        edging.result(operation),
        edging.spread(operation),
        formulas.result(operation, range_),
        _form(operation, shape),
        spans.result(operation, shape),
        repeats.result(operation, shape, dtype),
        outcome.mismatch is not None,
    )


def operation_of(machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot) -> Operation:
    """An operation by its name in torch."""
    name, label = plain(op)
    return Operation(machine, name, inputs, spot, label, layer=is_layer(op))


def _form(operation: Operation, shape: Shape | None) -> Form | None:
    """How the dimensions of a result have come about, and how its elements lie."""
    name = operation.name
    whole = overall.result(operation) if name in overall.NAMES else None
    layout = layouts.result(operation, shape) if name in layouts.NAMES else None
    reordered = reordering.result(operation, shape) if name in reordering.NAMES else None
    return forms.made(whole, layout, squeezing.result(operation), reordered)


def _shape(operation: Operation, outcome: Outcome, built: Spot | None) -> Shape | None:
    """The shape of a result; what it tells of the operands is noted, and a mismatch is an event."""
    machine, inputs = operation.machine, operation.inputs
    if outcome.mismatch is not None:
        refused(operation, outcome.mismatch, built)
    flattening.taken(operation, outcome)
    folding.noted(operation)
    if operation.name in pinned.NAMES:
        pinned.noted(operation)
    if operation.name in OF_CLASSES:
        repeats.noted(operation)
    for parameter, shape in outcome.learned.items():
        sizing.learn(machine, inputs[parameter], shape)
    return flattening.given(operation, outcome.shape)


def refused(operation: Operation, mismatch: Mismatch, built: Spot | None = None) -> None:
    """Note a mismatch, unless it is tried, for another release, or of what may never meet."""
    machine, inputs = operation.machine, operation.inputs
    operands = inputs.get(mismatch.operand), inputs.get(mismatch.by)
    if machine.tries or not come_together(machine, *operands):
        return
    if mismatch.names & machine.live.nought:
        return
    if mismatch.why is Why.RANK and mismatch.given == 0 and not released.have_scalars(machine):
        return
    if not released.is_for_another(machine, operation.spot):
        choosing.venture(
            machine,
            Refused,
            operation.spot,
            op=operation.label,
            mismatch=mismatch,
            inputs=inputs,
            built=built,
        )


def come_together(machine: Machine, *operands: Value | None) -> bool:
    """Whether the program surely gets here with these operands.

    Where a call went on undecided, what its caller has handed over may have decided on that.
    """
    entered = machine.decided_since
    records = [machine.get(value) for given in operands for value in _each(machine, given)]
    return all(record.since > entered for record in records if isinstance(record, Tensor))


def _each(machine: Machine, value: Value | None) -> tuple[Value, ...]:
    """What an argument gives: the items of a list, or itself."""
    record = machine.get(value) if value is not None else None
    items = record.items if isinstance(record, Sequence) else ()
    if isinstance(value, Tuple):
        items = value.items
    return items if items or value is None else (value,)


ASSIGNMENT = "an indexed assignment"
"""What writes to some elements, as it is called where it is refused."""


def indexed(machine: Machine, owner: Value, index: Value, value: Value, spot: Spot) -> None:
    """A value is written to elements, which have to be there, and as many."""
    inputs = {"input": owner, "index": index, "value": value}
    operation = Operation(machine, "setitem", inputs, spot, ASSIGNMENT)
    _shape(operation, shaping.outcome(operation), None)


def others(
    machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot
) -> tuple[Shape | None, ...]:
    """The shapes of what an operation gives beside its first result."""
    return shaping.outcome(operation_of(machine, op, inputs, spot)).others


def parts(
    machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot
) -> tuple[Shape, ...] | None:
    """The shapes of the parts that a tensor is split into; None where it is not known how many."""
    name, label = plain(op)
    operation = Operation(machine, name, inputs, spot, label)
    found, mismatch = shaping.parts(operation)
    if mismatch is not None:
        refused(operation, mismatch)
    return found


def is_layer(op: str) -> bool:
    """Whether an operation is a layer's, as in ``nn.Linear``."""
    return op.startswith("nn.") and op.count(".") == 1


def plain(op: str) -> tuple[str, str]:
    """The name of the function that an operation comes down to, and what the source calls it.

    ``nn.ReLU``, ``Tensor.relu_`` and ``nn.functional.relu`` all come down to ``relu``.
    """
    short = op.rpartition(".")[2].partition("(")[0]
    if is_layer(op):
        functional = generated.functional(short)
        return (functional or short).rpartition(".")[2].lower(), short
    return short.strip("_"), short.removeprefix("__").removesuffix("__")


_ALSO_OF_OTHERS = frozenset({"clone", "contiguous", "detach"})
"""Methods by which others are taken for tensors that give the same of themselves."""


def is_like_the_unseen(node: Node | None) -> bool:
    """Whether something was made by such a method of what is not known to be a tensor."""
    return (
        node is not None
        and bool(node.parents)
        and plain(node.op)[0] in _ALSO_OF_OTHERS
        and all(parent.opaque for parent in node.parents)
    )
