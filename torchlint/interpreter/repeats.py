"""Repeats: whether the whole numbers in a tensor come more than once, such as classes in a batch.

What is drawn, counted off or won in each row of many may come twice, and what numbers places or is
in order does not. Of what is in between nothing is claimed.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import copies, shapes, sizing, spans
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.dtypes import is_float, is_integer
from torchlint.interpreter.events.autograd import RepeatedWrite
from torchlint.interpreter.ranges import JOINS
from torchlint.interpreter.values import Const, Either, Ref, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spot, Value


class Manner(Enum):
    """How numbers come.

    ``FREE`` ones come as they may, and with any other; ``REGULAR`` ones repeat by a rule, so that
    there may be no two pairs alike of them and others; ``DISTINCT`` ones are mostly no two alike.
    """

    FREE = auto()
    REGULAR = auto()
    DISTINCT = auto()


@dataclass(frozen=True, slots=True)
class Repeats:
    """How the numbers of a tensor come, where that was decided, and by what, in words."""

    manner: Manner
    spot: Spot
    reason: str


_WINNERS = frozenset({"argmax", "argmin"})
"""What gives one place of each row along a dimension."""

_WITH_WINNERS = frozenset("max min median nanmedian mode kthvalue".split())
"""What gives such places beside the values there."""

_DISTINCT = frozenset(
    "arange linspace logspace randperm argsort nonzero argwhere unique "
    "unique_consecutive meshgrid cartesian_prod combinations tril_indices triu_indices".split()
)
_BINNED = frozenset({"bucketize", "searchsorted"})
_COPIED = frozenset("repeat tile repeat_interleave expand expand_as".split())
_QUOTIENTS = frozenset({"floordiv", "floor_divide"})
_DIVISIONS = frozenset("div divide true_divide truediv".split())
_SCALED = frozenset({*_DIVISIONS, *_QUOTIENTS, "mul", "rmul", "multiply"})
_ROUNDED = frozenset("round floor ceil trunc".split())
_ELEMENTWISE = frozenset(
    "add radd sub rsub subtract mul rmul multiply neg mod remainder".split()
) | {*_DIVISIONS, *_QUOTIENTS, *_ROUNDED}
_NO_OPERANDS = frozenset({"input", "rounding_mode", "alpha", "decimals"})
_CASTS = frozenset("to long int short byte char type".split())
_KEPT = frozenset(
    "contiguous clone cuda cpu detach alias view reshape flatten ravel squeeze unsqueeze transpose "
    "permute movedim swapaxes t T mT view_as reshape_as unflatten flip roll positive float double "
    "clamp clip getitem requires_grad abs sort msort".split()
)
_NEIGHBOURS = "numbers next to each other are rounded to one"
_CHOSEN = frozenset("rows select index masked_select index_select".split())


def of_value(machine: Machine, value: Value | None) -> Repeats | None:
    """How the numbers of a tensor come."""
    record = machine.get(value) if value is not None else None
    return record.repeats if isinstance(record, Tensor) else None


def made(operation: Operation, given: list[Value]) -> Repeats | None:
    """How the numbers of what a factory makes come."""
    name, spot = operation.name, operation.spot
    if name == "randint":
        return Repeats(Manner.FREE, spot, "`randint` draws each number for itself")
    if name in {"tensor", "as_tensor", "asarray"}:
        data = operation.inputs.get("data", given[0] if given else None)
        return of_value(operation.machine, data) or of_data(operation.machine, data, spot)
    return _distinct(operation) if name in _DISTINCT else None


def of_data(machine: Machine, data: Value | None, spot: Spot) -> Repeats | None:
    """How numbers come that are written out; of several rows each may have a number once."""
    numbers = list(spans.numbers(machine, data))
    if not numbers or None in numbers:
        return None
    if len({*numbers}) == len(numbers):
        return Repeats(Manner.DISTINCT, spot, "each number is written once")
    rows = data is not None and shapes.rank(sizing.of_data(machine, data)) != 1
    return None if rows else Repeats(Manner.FREE, spot, "a number is written twice here")


def of_labels(spot: Spot) -> Repeats:
    """How the labels of a dataset come that has many samples of each class."""
    return Repeats(Manner.FREE, spot, "it holds the labels of a batch of samples from here")


def noted(operation: Operation) -> None:
    """Note that what a loss takes as its target holds the class of each of a batch."""
    machine, target = operation.machine, operation.inputs.get("target")
    scores = shapes.of_value(machine, operation.inputs.get("input"))
    record = machine.get(target) if target is not None else None
    if not isinstance(target, Ref) or not isinstance(record, Tensor):
        return
    is_known = record.repeats is not None or is_float(record.dtype) or record.shape == ()
    if not is_known and shapes.size(scores, 0) != 1:
        reason = "it holds a class for each of a batch, as this takes it"
        machine.set(target, replace(record, repeats=Repeats(Manner.FREE, operation.spot, reason)))


def places(operation: Operation, of: Ref) -> Ref:
    """Note how the places come that ``max`` along a dimension and its kin give beside values."""
    record = operation.machine.get(of)
    assert isinstance(record, Tensor)
    found = _winners(operation) if operation.name in _WITH_WINNERS else None
    if operation.name == "topk":
        found = _best(operation)
    operation.machine.set(of, replace(record, repeats=found or _distinct(operation)))
    return of


def result(operation: Operation, shape: Shape | None, dtype: str | None) -> Repeats | None:
    """How the numbers of an operation's result come."""
    name, inputs = operation.name, operation.inputs
    given = of_value(operation.machine, inputs.get("input"))
    if name in _WINNERS:
        return _winners(operation)
    if name in _DISTINCT:
        return _distinct(operation)
    if name in JOINS:
        return _joined(operation)
    distinct = _of_distinct(operation)
    if distinct is not None and name not in _COPIED:
        return distinct
    if name == "multinomial":
        return _drawn(operation)
    if name in _COPIED:
        return _copied(operation, given)
    if name in _CHOSEN:
        return _chosen(operation, given, shape)
    several = shapes.least_rank(shape) > 0
    if several and name in _BINNED:
        return Repeats(Manner.FREE, operation.spot, f"`{name}` puts many numbers into few bins")
    if name in _CASTS or name in _KEPT:
        return given or (_cast(operation, dtype) if several else None)
    if given is None:
        return _rounded(operation) if several else None
    return given if _is_computed_alike(operation, given) else _apart(given)


def _apart(given: Repeats | None) -> Repeats | None:
    """What is left of numbers that repeat by a rule, once they are taken apart: none alike."""
    if given is None or given.manner is Manner.FREE:
        return None
    return replace(given, manner=Manner.DISTINCT)


def _of_distinct(operation: Operation) -> Repeats | None:
    """How the numbers come of an operand that has no two alike: what is computed of it has none.

    What is looked up may repeat, wherever it is looked up.
    """
    looks_up = operation.name in _CHOSEN or operation.name in _BINNED
    values = [operation.inputs.get("input")] if looks_up else operation.inputs.values()
    found = [one for value in values if (one := of_value(operation.machine, value)) is not None]
    distinct = next((one for one in found if one.manner is Manner.DISTINCT), None)
    beside = found if of_value(operation.machine, operation.inputs.get("input")) is None else ()
    return distinct or next(filter(None, map(_apart, beside)), None)


def _distinct(operation: Operation) -> Repeats:
    return Repeats(Manner.DISTINCT, operation.spot, f"`{operation.label}` gives each once")


def _winners(operation: Operation) -> Repeats | None:
    """One place of each row: there are several rows where a dimension is told and another left."""
    if not _is_of_rows(operation):
        return None
    reason = f"`{operation.label}` gives one place of each row, and rows may agree"
    return Repeats(Manner.FREE, operation.spot, reason)


def _best(operation: Operation) -> Repeats | None:
    """The best places of each row, which are no two alike."""
    if not _is_of_rows(operation):
        return None
    reason = f"`{operation.label}` gives places of each row, and rows may agree"
    return Repeats(Manner.REGULAR, operation.spot, reason)


def _is_of_rows(operation: Operation) -> bool:
    """Whether something is asked along one of several dimensions."""
    record = operation.machine.get(operation.inputs.get("input", Const(None)))
    named = ("dim", "axis", "other") if operation.name != "topk" else ("dim",)
    dim = next((operation.inputs[key] for key in named if key in operation.inputs), None)
    if dim is None and operation.name == "topk":
        dim = Const(-1)
    if not isinstance(record, Tensor) or not isinstance(dim, Const) or type(dim.value) is not int:
        return False
    if shapes.rank(record.shape) is None:
        # What a model gives is for a batch.
        of_batch = dim.value == -1 and record.origin > 0
        return of_batch or dim.value > 0 or shapes.least_rank(record.shape) > 1
    at = shapes.position(record.shape, dim.value)
    rows = [size for place, size in enumerate(record.shape or ()) if place != at]
    return bool(rows) and spans.count(tuple(rows)) != 1


def _drawn(operation: Operation) -> Repeats | None:
    if operation.inputs.get("replacement") != Const(True):
        return None
    return Repeats(Manner.FREE, operation.spot, "`multinomial` draws with replacement")


def _copied(operation: Operation, given: Repeats | None) -> Repeats | None:
    """What is there several times; what repeats by itself goes on to."""
    if given is not None and given.manner is Manner.FREE:
        return given
    reason = f"`{operation.label}` gives each several times"
    return Repeats(Manner.REGULAR, operation.spot, reason)


def _chosen(operation: Operation, given: Repeats | None, shape: Shape | None) -> Repeats | None:
    """Some of the numbers, of which several have to be left, or those that such places hold."""
    index = operation.inputs.get("index", operation.inputs.get("mask"))
    by = of_value(operation.machine, index)
    if by is not None and by.manner is Manner.FREE:
        return by
    if given is None or given.manner is not Manner.FREE:
        return _apart(given)
    several = shapes.least_rank(shape) > 0 or operation.name in {"masked_select", "index_select"}
    several = several or (index is not None and _leaves_several(operation.machine, index))
    return given if several else None


def _leaves_several(machine: Machine, index: Value) -> bool:
    cut = isinstance(index, Const) and isinstance(index.value, slice)
    return cut or copies.taken_by(machine, index)


def _cast(operation: Operation, dtype: str | None) -> Repeats | None:
    """What is scaled or rounded, and cast to whole numbers then."""
    record = operation.machine.get(operation.inputs.get("input", Const(None)))
    if not isinstance(record, Tensor) or not is_float(record.dtype):
        return None
    whole = is_integer(dtype) or operation.name in {"to", "type"}
    formula = record.formula
    if not whole or formula is None or formula.op not in _SCALED:
        return None
    return Repeats(Manner.FREE, operation.spot, _NEIGHBOURS)


def _joined(operation: Operation) -> Repeats | None:
    """What all parts have in common; beside parts with no two alike there are no two pairs."""
    first = next(iter(operation.inputs.values()), None)
    record = operation.machine.get(first) if first is not None else None
    items: Iterable[Value] = first.items if isinstance(first, Tuple) else ()
    if isinstance(record, Sequence):
        items = record.items
    found = [of_value(operation.machine, item) for item in items]
    known = [one for one in found if one is not None]
    manners = {one.manner for one in known}
    if len(known) == len(found) and len(manners) == 1:
        return known[0]
    return next(filter(None, map(_apart, known)), None)


def _rounded(operation: Operation) -> Repeats | None:
    """What is rounded to whole numbers, or divided to them."""
    divides = operation.name in _DIVISIONS and "rounding_mode" in operation.inputs
    if operation.name in _ROUNDED:
        return Repeats(Manner.FREE, operation.spot, _NEIGHBOURS)
    if divides or operation.name in _QUOTIENTS:
        reason = "numbers next to each other are divided to one"
        return Repeats(Manner.REGULAR, operation.spot, reason)
    return None


def _is_computed_alike(operation: Operation, given: Repeats) -> bool:
    """Whether equal numbers give equal ones: beside others there are but such that come alike."""
    if operation.name not in _ELEMENTWISE:
        return False
    others = [value for key, value in operation.inputs.items() if key not in _NO_OPERANDS]
    found = [
        of_value(operation.machine, value)
        for value in others
        if not _is_number(operation.machine, value)
    ]
    return all(one is not None and one.manner is given.manner is Manner.FREE for one in found)


def _is_number(machine: Machine, value: Value) -> bool:
    return isinstance(value, (Const, Number)) or sizing.seems_a_number(machine, value)


def added(machine: Machine, holder: Value, index: Value, spot: Spot) -> None:
    """``tensor[index] += value`` adds once at an index that comes more than once: an event."""
    if isinstance(holder, Either) or not isinstance(machine.get(holder), Tensor) or machine.choices:
        return
    parts = index.items if isinstance(index, Tuple) else (index,)
    picking = [part for part in parts if not _is_number(machine, part)]
    found = [_of_index(machine, part, spot) for part in picking]
    known = [one for one in found if one is not None and one.manner is not Manner.DISTINCT]
    if not known or len(known) < len(found):
        return
    if len(known) == 1 or all(one.manner is Manner.FREE for one in known):
        machine.emit(RepeatedWrite, spot, made=known[0].spot, reason=known[0].reason)


def _of_index(machine: Machine, part: Value, spot: Spot) -> Repeats | None:
    """How the numbers of an index come, where there may be more than one."""
    record = machine.get(part)
    if isinstance(record, Sequence):
        return of_data(machine, part, spot) if record.kind == "list" else None
    if not isinstance(record, Tensor) or isinstance(part, Either):
        return None
    single = record.scalar or spans.count(record.shape) == 1
    return None if single or record.dtype == "bool" else record.repeats
