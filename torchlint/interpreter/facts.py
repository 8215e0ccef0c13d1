"""Facts: what is known of an operation's result beyond its graph, memory and device."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter import bounding, dtypes, formulas, shaping
from torchlint.interpreter.ranges import Operation
from torchlint.torch_api import edging, generated

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.values import Shape, Spot, Spread, Value


@dataclass(frozen=True, slots=True)
class Facts:
    """What a result's values are, of what type, and in what dimensions."""

    range: Range | None = None
    dtype: str | None = None
    shape: Shape | None = None
    edge: Edge | None = None
    spread: Spread | None = None
    formula: Formula | None = None


def of(machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot) -> Facts:
    """The facts of an operation's result; ``inputs`` are its arguments, settings included."""
    name, label = plain(op)
    operation = Operation(machine, name, inputs, spot, label, layer=is_layer(op))
    range_ = bounding.result(operation)
    return Facts(
        range_,
        dtypes.result(operation),
        shaping.result(operation),
        edging.result(operation),
        edging.spread(operation),
        formulas.result(operation, range_),
    )


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
