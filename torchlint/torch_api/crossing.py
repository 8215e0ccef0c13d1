"""Columns that meet rows: each number of one is put together with all of the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.losses import Crossed
from torchlint.interpreter.multiples import short
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import EACH
from torchlint.interpreter.values import Certainty, Tensor
from torchlint.torch_api.registry import watch

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node
    from torchlint.torch_api.registry import Applied

_COLUMNS = frozenset({"linear", "addmm", "matmul", "mm", "gather"})
"""What gives a column as it comes, where others are told to."""


@watch("add", "radd", "sub", "rsub", "subtract", "mul", "rmul", "multiply")
def _met(applied: Applied) -> None:
    given = [applied.machine.peek(value) for value in applied.inputs.values()]
    match [record for record in given if isinstance(record, Tensor)]:
        case [one, other]:
            for column, row in ((one, other), (other, one)):
                if _cross(column, row) and _are_prediction_and_target(column, row):
                    applied.machine.emit(Crossed, applied.spot, column=column, row=row)


def _cross(column: Tensor, row: Tensor) -> bool:
    """Whether a column meets a row that is as long, or of which no number says how long it is."""
    match column.shape, row.shape:
        case (long, 1), (length,) if MORE not in {long, length}:
            return length != 1 if long == length else not isinstance(length, int)
    return False


def _are_prediction_and_target(column: Tensor, row: Tensor) -> bool:
    """Whether one of two tensors was surely computed with parameters, and the other was not."""
    if column.node is None:
        return row.node is not None and row.node.certainty is Certainty.SURE
    return row.node is None and column.node.certainty is Certainty.SURE and _is_as_made(column.node)


def _is_as_made(node: Node) -> bool:
    """Whether what gave a column was not told to give one."""
    while (name := short(node.op).lower()) in EACH and node.parents:
        node = node.parents[0]
    return name in _COLUMNS
