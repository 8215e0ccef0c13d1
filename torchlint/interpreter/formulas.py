"""Formulas: what the values of a tensor were computed by, element for element.

They tell for which values of one tensor a condition on it holds, and what is computed of those
values meanwhile. What is not computed for each element on its own starts a formula.
"""

from __future__ import annotations

import math
import operator
from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.arithmetic import raised
from torchlint.interpreter.values import Certainty, Const, Ref, Storage, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation, Range
    from torchlint.interpreter.values import Spot, Value

_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Formula:
    """An operation and what it is applied to: formulas, numbers, or settings in writing.

    Two that are equal have equal values. Of a tensor as it is ``op`` is empty, and ``operands`` say
    which. ``recorded`` says that gradients come back to it.
    """

    op: str
    operands: tuple[object, ...]
    spot: Spot | None = field(default=None, compare=False)
    range: Range | None = field(default=None, compare=False)
    recorded: bool = field(default=False, compare=False)
    depth: int = field(default=0, compare=False)

    @property
    def formulas(self) -> list[Formula]:
        """Those that it is applied to."""
        return [operand for operand in self.operands if isinstance(operand, Formula)]

    def parts(self) -> Iterator[Formula]:
        """The formula, and those of what was computed for each element on its own."""
        yield self
        if self.op not in _PARTS:
            for operand in self.formulas:
                yield from operand.parts()

    def within(self) -> Iterator[Formula]:
        """The formula, and all that it was computed from, whichever way."""
        yield self
        for operand in self.formulas:
            yield from operand.within()

    @property
    def chosen_by(self) -> Formula | None:
        """The tensor that has chosen these from others: a mask, or indices."""
        is_chosen = self.op == "rows" and len(self.formulas) > 1
        return self.formulas[1] if is_chosen else None

    def leaves(self) -> list[Formula]:
        """The formulas that it starts from."""
        return [part for part in self.parts() if part.op in _PARTS or not part.op]

    def variables(self) -> list[Formula]:
        """What may have a value of its own: what it starts from, and what combines several."""
        return [
            part
            for part in self.parts()
            if part.op in _PARTS or len({*part.leaves()}) > 1 or not part.op
        ]


_SAME = frozenset(
    "view reshape flatten squeeze unsqueeze expand expand_as contiguous float double half clone "
    "detach to type view_as alias".split()
)
"""What gives the same values, perhaps in other dimensions."""

_PARTS = frozenset(
    "rows select sum mean norm vector_norm std var amin amax prod diagonal narrow unique".split()
)
"""What gives the same again if it is asked for in the same way, but not for each element."""

DIVISIONS = frozenset("truediv div divide true_divide".split())
LOGARITHMS = frozenset("log log2 log10".split())
FINITE: dict[str, Callable[[float], bool]] = {
    "isfinite": math.isfinite,
    "isnan": math.isnan,
    "isinf": math.isinf,
}
_OF_NAN = frozenset({*FINITE, "eq", "ne"})
"""What tells what is no number from numbers."""

_UNARY: dict[str, Callable[[float], float]] = {
    **FINITE,
    "abs": abs,
    "absolute": abs,
    "neg": operator.neg,
    "square": lambda value: value * value,
    "reciprocal": lambda value: 1 / value if value else math.inf,
    "sqrt": lambda value: math.sqrt(value) if value >= 0 else math.nan,
    "rsqrt": lambda value: (
        1 / math.sqrt(value) if value > 0 else math.inf if not value else math.nan
    ),
    **dict.fromkeys(
        LOGARITHMS,
        lambda value: math.log(value) if value > 0 else math.nan if value else -math.inf,
    ),
    **dict.fromkeys(("invert", "logical_not", "bitwise_not"), operator.not_),
}
_BINARY: dict[str, Callable[[float, float], float]] = {
    **dict.fromkeys(("add", "radd"), operator.add),
    **dict.fromkeys(("mul", "rmul"), operator.mul),
    **dict.fromkeys(DIVISIONS, lambda one, other: one / other if other else _by_zero(one)),
    "sub": operator.sub,
    "rsub": lambda one, other: other - one,
    "rtruediv": lambda one, other: other / one if one else _by_zero(other),
    "gt": operator.gt,
    "ge": operator.ge,
    "lt": operator.lt,
    "le": operator.le,
    "eq": operator.eq,
    "ne": operator.ne,
}
_JUNCTIONS = {
    **dict.fromkeys(("and", "logical_and", "bitwise_and"), False),
    **dict.fromkeys(("or", "logical_or", "bitwise_or"), True),
}
"""Which value of one operand decides, whatever the other is."""

_SMOOTH = frozenset(
    "pow exp log1p expm1 tanh sigmoid sin cos tan acos arccos asin arcsin atan arctan".split()
)
_ELEMENTWISE = {*_UNARY, *_BINARY, *_JUNCTIONS, *_SMOOTH}


def _by_zero(value: float) -> float:
    return math.inf if value else math.nan


def result(operation: Operation, range_: Range | None) -> Formula | None:
    """The formula of an operation's result; None for what starts one."""
    name, machine = operation.name, operation.machine
    if name in _SAME:
        given = of(machine, operation.inputs.get("input"))
        return replace(given, recorded=False) if given and name == "detach" else given
    if name in _ELEMENTWISE:
        operands = tuple(_operand(machine, value) for value in operation.inputs.values())
    elif name in _PARTS:
        given = of(machine, operation.inputs.get("input"))
        settings = [item for item in operation.inputs.items() if item[0] != "input"]
        operands = (given, *(_setting(machine, name, *item) for item in settings))
        if name == "rows" and not settings:
            # Each round has another one.
            operands = (given, ("of", new_address()))
    else:
        return None
    if not operands or None in operands:
        return None
    formulas = [operand for operand in operands if isinstance(operand, Formula)]
    depth = 1 + max((formula.depth for formula in formulas), default=0)
    if depth > _DEEPEST:
        return None
    recorded = machine.live.grad is not False and any(part.recorded for part in formulas)
    return Formula(name, operands, operation.spot, range_, recorded, depth)


def _operand(machine: Machine, value: Value) -> object:
    if isinstance(value, Const):
        return float(value.value) if isinstance(value.value, (int, float)) else None
    return of(machine, value)


def _setting(machine: Machine, name: str, key: str, value: Value) -> object:
    """A setting that is written out, or a tensor that says which rows are chosen."""
    if name == "rows" and key == "index" and isinstance(value, Ref):
        return of(machine, value)
    written = _written(value)
    return None if written is None else (key, written)


def _written(value: Value) -> object:
    """A setting, as far as it is constant."""
    match value:
        case Const(value=slice() as cut):
            bounds = (cut.start, cut.stop, cut.step)
            return _all_written(map(Const, bounds))
        case Const(value=known):
            return repr(known)
        case Tuple(items=items):
            return _all_written(items)
    return None


def _all_written(values: Iterable[Value]) -> object:
    written = tuple(map(_written, values))
    return None if None in written else written


def of(machine: Machine, value: Value | None) -> Formula | None:
    """The formula of a tensor, which is the tensor itself where no other is known."""
    record = machine.get(value) if value is not None else None
    if not isinstance(record, Tensor) or not isinstance(value, Ref):
        return None
    if record.formula is not None:
        return record.formula
    versions = tuple(_version(machine, address) for address in sorted(record.storages))
    node = record.node
    recorded = node is not None and node.certainty is not Certainty.UNSEEN
    return Formula("", (value.address, versions), range=record.range, recorded=recorded)


def _version(machine: Machine, address: int) -> int:
    memory = machine.live.heap.get(address)
    return memory.version if isinstance(memory, Storage) else 0


def value_where(formula: Formula, leaf: Formula, value: float) -> float | None:
    """The value of a formula where another has a certain one; None where that is not enough."""
    if formula == leaf:
        return value
    name = formula.op
    if not name or name in _PARTS:
        return None
    values = [
        value_where(operand, leaf, value) if isinstance(operand, Formula) else float(str(operand))
        for operand in formula.operands
    ]
    if name in _JUNCTIONS:
        decides = _JUNCTIONS[name]
        if decides in values:
            return decides
        return None if None in values else not decides
    if name in {*DIVISIONS, "rtruediv"} and values[0 if name == "rtruediv" else 1] == 0:
        # Whatever is divided, it gives no number.
        return math.nan if None in values else _BINARY[name](*values)  # type: ignore[arg-type]
    known = [one for one in values if one is not None]
    if len(known) < len(values) or (name not in _OF_NAN and any(map(math.isnan, known))):
        return None
    if name == "pow":
        return _power(*known) if math.isfinite(known[-1]) else None
    if len(known) == 1:
        return _UNARY[name](*known) if name in _UNARY else None
    return _BINARY[name](*known) if name in _BINARY and len(known) == 2 else None


def _power(base: float, exponent: float) -> float:
    if base < 0 and not exponent.is_integer():
        return math.nan
    return raised(base, exponent) if base or exponent >= 0 else math.inf
