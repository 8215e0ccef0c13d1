"""Overlaps: expanded tensors, several of whose elements are one place in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import shapes, sizing
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.autograd import OverlapWrite
from torchlint.interpreter.values import Const, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_EXPANDING = frozenset({"expand", "broadcast_to", "expand_as"})
_ALLOWED = frozenset(
    # What sets every element to one value, or warns, or writes no element at all.
    "fill zero fill_diagonal masked_fill masked_scatter index_put index_fill index_add index_copy "
    "put requires_grad detach set resize squeeze unsqueeze t transpose swapaxes swapdims rename "
    "as_strided share_memory setitem".split()
)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Dimensions along which all elements of a tensor are one place, and where it was expanded."""

    spot: Spot
    dims: frozenset[int]


def of_view(
    machine: Machine, op: str, tensor: Tensor, inputs: Mapping[str, Value], spot: Spot
) -> Overlap | None:
    """Which dimensions of a view are one place repeated."""
    short = op.rpartition(".")[2]
    if short in _EXPANDING:
        return _expanded(tensor.shape, _wanted(machine, short, inputs), spot)
    if short in {"rows", "select"} and tensor.overlap is not None and "index" in inputs:
        return indexed(tensor.overlap, inputs["index"])
    return tensor.overlap if short in {"detach", "alias", "view_as_real"} else None


def _wanted(machine: Machine, short: str, inputs: Mapping[str, Value]) -> Shape | None:
    given = [value for name, value in inputs.items() if name not in {"input", "self", "implicit"}]
    if short == "expand_as":
        return shapes.of_value(machine, given[0]) if given else None
    return sizing.sizes(machine, given, counts=False)


def _expanded(before: Shape | None, wanted: Shape | None, spot: Spot) -> Overlap | None:
    if before is None or wanted is None or not shapes.is_whole(before):
        return None
    added = len(wanted) - len(before)
    dims = set()
    for at, size in enumerate(wanted):
        was = before[at - added] if at >= added else 1
        if was == 1 and size not in {1, -1}:
            dims.add(at)
    return Overlap(spot, frozenset(dims)) if dims else None


def indexed(overlap: Overlap, index: Value) -> Overlap | None:
    """What is left of an overlap in ``tensor[index]``, None where that is not known or nothing."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    if len(parts) > 1 + max(overlap.dims) and Const(...) in parts:
        return None
    kept: list[int] = []
    for part in parts:
        match part:
            case Const(value=slice()):
                kept.append(1)
            case _ if _is_place(part):
                kept.append(0)
            case _:
                return None
    left = {
        sum(kept[:dim]) + max(0, dim - len(kept))
        for dim in overlap.dims
        if dim >= len(kept) or kept[dim]
    }
    return Overlap(overlap.spot, frozenset(left)) if left else None


def write(machine: Machine, tensor: Tensor, op: str, spot: Spot, how: str) -> None:
    """A change in place of several elements that are one is an event, where torch refuses it."""
    if tensor.overlap is None or op.rpartition(".")[2].strip("_") in _ALLOWED:
        return
    machine.emit(OverlapWrite, spot, how=how, expanded=tensor.overlap.spot)


_ASSIGNMENT = "an indexed assignment"


def _is_place(part: Value) -> bool:
    """Whether a part of an index is a number of Python's, which picks one row."""
    if isinstance(part, Const):
        return type(part.value) is int
    return isinstance(part, Number) and part.single and part.dtype is None and not part.made


def set_item(machine: Machine, owner: Value, index: Value, spot: Spot) -> None:
    """``tensor[index] = value``: refused if it meets an overlap, else it may reach other rows."""
    tensor = machine.get(owner)
    if not isinstance(tensor, Tensor) or tensor.overlap is None:
        return
    if indexed(tensor.overlap, index) is None:
        change_row(machine, owner, index, spot, _ASSIGNMENT)
    elif _is_plain(index):
        machine.emit(OverlapWrite, spot, how=_ASSIGNMENT, expanded=tensor.overlap.spot)


def change_row(machine: Machine, owner: Value, index: Value, spot: Spot, how: str) -> None:
    """What is written into one of several rows that are one place is in all of them."""
    tensor = machine.get(owner)
    if not isinstance(tensor, Tensor) or tensor.overlap is None:
        return
    if _is_plain(index) and indexed(tensor.overlap, index) is None:
        machine.emit(OverlapWrite, spot, how=how, expanded=tensor.overlap.spot, rows=True)


def _is_plain(index: Value) -> bool:
    """Whether an index is made of numbers and slices."""
    parts = index.items if isinstance(index, Tuple) else (index,)
    return all(
        _is_place(part) or (isinstance(part, Const) and isinstance(part.value, slice))
        for part in parts
    )
