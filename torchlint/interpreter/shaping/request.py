"""Requests: what a transfer function is asked, and what it learns of the operands on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from torchlint.frozen import replace
from torchlint.interpreter import dimensions, shapes, sizing
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.shaping.mismatch import Mismatch, RefusedError, Why
from torchlint.interpreter.values import NONE, UNKNOWN, Const, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Value


class Request:
    """An operation whose result's shape is asked for.

    ``learned`` gives the shapes of operands as far as they have to be so for it not to be refused.
    """

    __slots__ = ("inputs", "layer", "learned", "machine", "name", "operation")

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self.machine: Machine = operation.machine
        self.inputs = operation.inputs
        self.name = operation.name
        self.layer = operation.layer
        self.learned: dict[str, Shape] = {}

    # Arguments.

    def value(self, *parameters: str) -> Value | None:
        """The first of these parameters that is given, and not as None."""
        for parameter in parameters:
            found = self.inputs.get(parameter)
            if found is not None and found != NONE:
                return found
        return None

    def rest(self) -> list[Value]:
        """What is given after the tensor, in order."""
        return [value for name, value in list(self.inputs.items())[1:] if name not in _SWITCHES]

    def dim(self, *parameters: str, default: Dim = None, counts: bool = True) -> Dim:
        """The dimension that is given for a parameter; None where it is not known."""
        value = self.value(*parameters)
        if value is None:
            return default
        return sizing.dimension(self.machine, value, counts=counts)

    def number(self, *parameters: str, default: int | None = None) -> int | None:
        """The whole number that is given for a parameter; None where it is not known."""
        found = self.dim(*parameters, default=default)
        return found if isinstance(found, int) else None

    def numbers(self, parameter: str, count: int, default: Dim = None) -> tuple[Dim, ...]:
        """Dimensions that are given together, or one for all of them; None where not known."""
        value = self.value(parameter)
        if value is None:
            return (default,) * count
        items = self.items(value)
        if items is None:
            return (sizing.dimension(self.machine, value, counts=False),) * count
        found = tuple(sizing.dimension(self.machine, item, counts=False) for item in items)
        if len(found) == 1:
            return found * count
        if len(found) != count:
            self.refuse(Why.ARGUMENTS, parameter, wanted=count, given=len(found))
        return found

    def items(self, value: Value | None) -> list[Value] | None:
        """The items of a tuple or list; None for anything else, or where they are not known."""
        if isinstance(value, Tuple):
            return list(value.items)
        record = self.machine.get(value) if value is not None else None
        if isinstance(record, Sequence) and record.rest is None and not record.escaped:
            return list(record.items)
        return None

    def sizes(self, values: list[Value], *, counts: bool = False) -> Shape | None:
        """Sizes that are written out, one by one or in a tuple."""
        return sizing.sizes(self.machine, values, counts=counts)

    def flag(self, *parameters: str, default: bool = False) -> bool | None:
        """A switch; None where it is not known how it is set."""
        value = next((self.inputs[name] for name in parameters if name in self.inputs), None)
        if value is None:
            return default
        return value.value if isinstance(value, Const) and isinstance(value.value, bool) else None

    def text(self, parameter: str, default: str = "") -> str | None:
        """A string; None where it is not known."""
        value = self.value(parameter)
        if value is None:
            return default
        return value.value if isinstance(value, Const) and isinstance(value.value, str) else None

    def within(self, settings: Mapping[str, Value]) -> Request:
        """A request of the settings of a layer that is in this one."""
        return Request(replace(self.operation, inputs=settings))

    # Operands.

    def shape(self, parameter: str = "input") -> Shape | None:
        """The shape of an operand."""
        if parameter in self.learned:
            return self.learned[parameter]
        return shapes.of_value(self.machine, self.inputs.get(parameter))

    def is_tensor(self, value: Value | None) -> bool:
        """Whether a value is known to be a tensor."""
        return value is not None and isinstance(self.machine.get(value), Tensor)

    def operands(self) -> list[tuple[str, Value]]:
        """What is computed with, element by element; something, though a call gives nothing."""
        given = [(name, value) for name, value in self.inputs.items() if name not in _SWITCHES]
        return given or [("input", UNKNOWN)]

    def shape_of(self, value: Value) -> Shape | None:
        """The shape of a value that is an operand: a number has no dimensions."""
        if isinstance(value, Number) and value.single:
            return ()
        return shapes.of_value(self.machine, value)

    def fit(
        self,
        parameter: str,
        pattern: Shape,
        *,
        ranks: tuple[int, ...] = (),
        by: str = "",
        single: tuple[int, ...] = (),
    ) -> Shape:
        """The shape of an operand, which has to be like a pattern, and of one of these ranks.

        These may be those of a ``single`` sample, which has no batch, and of a batch.
        """
        if parameter == "input" and parameter not in self.inputs:
            parameter = "x"
        shape = self.shape(parameter)
        rank = shapes.rank(shape)
        if rank is not None and ranks and rank not in ranks:
            wanted = ranks[0] if len(ranks) == 1 else ranks
            self.refuse(Why.RANK, parameter, wanted=wanted, given=rank, by=by)
        found = shapes.fitted(self._batched(shape, single), pattern)
        if isinstance(found, shapes.Misfit):
            why, at = (Why.RANK if found.dim is None else Why.SIZE), found.dim
            self.refuse(why, parameter, wanted=found.wanted, given=found.given, dim=at, by=by)
        if parameter in self.inputs and _told(found) >= _told(shape):
            self.learned[parameter] = found
        return found

    def _batched(self, shape: Shape | None, ranks: tuple[int, ...]) -> Shape | None:
        """A shape that is a batch for certain, or is taken for one in this run."""
        known = (shapes.MORE,) if shape is None else shape
        if not ranks or shapes.is_whole(known) or shapes.least_rank(known) > max(ranks):
            return shape
        rank, batched = max(ranks), self.machine.batched
        if shapes.least_rank(known) <= min(ranks):
            if batched is None:
                return shape
            self.machine.trace.assumed = True
            rank = rank if batched else min(ranks)
        return shapes.spread(known, rank)

    def refuse(
        self,
        why: Why,
        operand: str = "input",
        *,
        wanted: Dim | tuple[Dim, ...] = None,
        given: Dim = None,
        dim: int | None = None,
        by: str = "",
        detail: str = "",
    ) -> NoReturn:
        """Find that the operation is never possible."""
        shape = self.shape(operand)
        other = self.shape(by) if self.is_tensor(self.inputs.get(by)) else None
        raise RefusedError(Mismatch(why, operand, shape, wanted, given, dim, by, other, detail))

    def need(self, one: Dim, other: Dim, operand: str, dim: int | None = None, by: str = "") -> Dim:
        """A dimension that two operands have to agree in."""
        if dimensions.differ(one, other):
            self.refuse(Why.SIZE, operand, wanted=other, given=one, dim=dim, by=by)
        return one if one is not None and not isinstance(other, int) else other


def _told(shape: Shape | None) -> int:
    """How many dimensions of a shape are known."""
    return 0 if shape is None else sum(dim not in {None, shapes.MORE} for dim in shape)


_SWITCHES = frozenset(
    "alpha out rounding_mode rtol atol equal_nan implicit dtype memory_format inplace".split()
)
"""Parameters that are neither operands nor sizes."""
