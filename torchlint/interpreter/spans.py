"""Spans: between which whole numbers the elements of a tensor lie, such as labels and tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import dimensions, sizing
from torchlint.interpreter.dimensions import add, at_least, multiply, subtract
from torchlint.interpreter.ranges import JOINS
from torchlint.interpreter.values import Const, Ref, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Spot, Value

_RARE = 1e-6
"""What is less likely than this does not happen."""


@dataclass(frozen=True, slots=True)
class Span:
    """The least and the largest number that an element may be, and where they were made.

    ``reached`` says that some element is the least and some is the largest; ``drawn`` that they are
    drawn at random, each number as likely as another, so many of them if that is known.
    """

    low: Dim
    high: Dim
    spot: Spot
    reached: bool = False
    drawn: bool = False
    draws: int | None = None

    def is_surely_beyond(self, size: Dim) -> bool:
        """Whether some number is not below a size, or will not be in any run."""
        if not at_least(self.high, size):
            return False
        if self.reached:
            return True
        low, high = self.low, self.high
        if not (isinstance(low, int) and isinstance(high, int) and isinstance(size, int)):
            return False
        within = max(size - low, 0) / (high - low + 1)
        return self.drawn and self.draws is not None and within**self.draws < _RARE

    def may_be_beyond(self, size: Dim) -> bool:
        """Whether a draw can well give a number that is not below a size."""
        return self.drawn and at_least(self.high, size)


def of_value(machine: Machine, value: Value | None) -> Span | None:
    """The span of a tensor."""
    record = machine.get(value) if value is not None else None
    return record.span if isinstance(record, Tensor) else None


def of_data(machine: Machine, value: Value | None, spot: Spot) -> Span | None:
    """The span of ``torch.tensor(value)``, where all numbers are written out."""
    found = list(numbers(machine, value))
    if not found or any(number is None for number in found):
        return None
    known = [number for number in found if number is not None]
    return Span(min(known), max(known), spot, reached=True)


def numbers(machine: Machine, value: Value | None) -> Iterator[int | None]:
    """The numbers in nested lists; None for what is none, or not known."""
    record = machine.get(value) if value is not None else None
    items: Iterable[Value] | None = None
    if isinstance(value, Tuple):
        items = value.items
    elif isinstance(record, Sequence) and record.rest is None and not record.escaped:
        items = record.items
    if items is not None:
        for item in items:
            yield from numbers(machine, item)
    elif isinstance(value, Const) and type(value.value) is int:
        yield value.value
    else:
        yield None


def made(operation: Operation, given: list[Value], shape: Shape | None) -> Span | None:
    """The span of what a factory makes."""
    machine, spot = operation.machine, operation.spot
    match operation.name:
        case "tensor" | "as_tensor" | "asarray" | "scalar_tensor":
            data = operation.inputs.get("data", given[0] if given else None)
            return of_value(machine, data) or of_data(machine, data, spot)
        case "zeros" | "zeros_like":
            return Span(0, 0, spot, reached=True)
        case "ones" | "ones_like":
            return Span(1, 1, spot, reached=True)
        case "full" | "full_like":
            return of_data(machine, operation.inputs.get("fill_value"), spot)
        case "randperm":
            return _counted(operation, [Const(0), *given[:1]])
        case "arange":
            return _counted(operation, [Const(0), *given] if len(given) == 1 else given)
        case "randint":
            return _drawn(operation, given[:-1] if "size" not in operation.inputs else given, shape)
    return None


def _ends(machine: Machine, given: list[Value]) -> tuple[Dim, Dim] | None:
    ends = [sizing.dimension(machine, value, counts=False) for value in given]
    return (ends[0], ends[1]) if len(ends) == 2 and None not in ends else None


def _counted(operation: Operation, given: list[Value]) -> Span | None:
    """Every number from one to another."""
    ends = _ends(operation.machine, given)
    if ends is None or operation.inputs.keys() & {"start", "end", "step"}:
        return None
    last = subtract(ends[1], 1)
    if not at_least(last, ends[0]):
        return None
    return Span(ends[0], last, operation.spot, reached=True)


def _drawn(operation: Operation, given: list[Value], shape: Shape | None) -> Span | None:
    """Numbers that are drawn, each as likely as another."""
    named = operation.inputs
    bounds = [*given, *(named[name] for name in ("low", "high") if name in named)]
    ends = _ends(operation.machine, bounds if len(bounds) > 1 else [Const(0), *bounds])
    if ends is None or not at_least(subtract(ends[1], 1), ends[0]):
        return None
    span = Span(ends[0], subtract(ends[1], 1), operation.spot, drawn=True)
    return replace(span, draws=count(shape))


def count(shape: Shape | None) -> int | None:
    """How many elements a shape has, where that is a number."""
    whole = dimensions.product(shape) if shape is not None and "..." not in shape else None
    return whole if isinstance(whole, int) else None


def looser(span: Span | None, draws: int | None = None) -> Span | None:
    """The span of some of the elements, which may be any."""
    return replace(span, reached=False, draws=draws) if span is not None else None


def result(operation: Operation, shape: Shape | None) -> Span | None:
    """The span of an operation's result, which has a shape."""
    name = operation.name
    given = of_value(operation.machine, operation.inputs.get("input"))
    if name in JOINS:
        return _joined(operation)
    if name in {"zeros_like", "ones_like", "full_like"}:
        return made(operation, [], shape)
    if given is None or name in _KEEP:
        return given
    if name in _PARTS and _is_blind(operation):
        # What is drawn is as random in a part.
        return looser(given, count(shape))
    transfer = _TRANSFERS.get(name)
    other = operation.inputs.get("other", operation.inputs.get("value"))
    return transfer(given, sizing.dimension(operation.machine, other)) if transfer else None


def _is_blind(operation: Operation) -> bool:
    """Whether elements are taken by where they stand, and not by what they are."""
    index = operation.inputs.get("index", Const(0))
    parts = index.items if isinstance(index, Tuple) else (index,)
    return all(
        isinstance(part, Const) or of_value(operation.machine, part) is not None for part in parts
    )


def _moved(span: Span, by: Dim) -> Span | None:
    low, high = add(span.low, by), add(span.high, by)
    return replace(span, low=low, high=high) if None not in (low, high) else None


def _back(span: Span, by: Dim) -> Span | None:
    return _moved(span, multiply(by, -1))


def _scaled(span: Span, by: Dim) -> Span | None:
    if not isinstance(by, int) or by < 1:
        return None
    low, high = multiply(span.low, by), multiply(span.high, by)
    return Span(low, high, span.spot, reached=span.reached)


def _divided(span: Span, by: Dim) -> Span | None:
    if not isinstance(by, int) or by < 1 or not at_least(span.low, 0):
        return None
    low, high = (dimensions.floor_divide(end, by) for end in (span.low, span.high))
    return Span(low, high, span.spot, reached=span.reached)


def _rest(span: Span, by: Dim) -> Span | None:
    if by is None or not at_least(by, 1):
        return None
    if at_least(span.low, 0) and at_least(subtract(by, 1), span.high):
        return span
    return Span(0, subtract(by, 1), span.spot)


def _joined(operation: Operation) -> Span | None:
    """What tensors one after the other have: the least and the largest of all."""
    first = next(iter(operation.inputs.values()), None)
    record = operation.machine.get(first) if isinstance(first, Ref) else None
    items = first.items if isinstance(first, Tuple) else ()
    if isinstance(record, Sequence) and record.rest is None:
        items = record.items
    found = [of_value(operation.machine, item) for item in items]
    spans = [span for span in found if span is not None]
    if not spans or len(spans) < len(found):
        return None
    largest, least = spans[0], spans[0]
    for span in spans[1:]:
        largest = span if at_least(span.high, largest.high) else largest
        least = span if at_least(least.low, span.low) else least
        if not at_least(largest.high, span.high) or not at_least(span.low, least.low):
            return None
    sure = largest.reached and least.reached
    return Span(least.low, largest.high, largest.spot, reached=sure)


_KEEP = frozenset(
    "contiguous clone to type long int cuda cpu detach alias view reshape flatten ravel squeeze "
    "unsqueeze transpose permute expand expand_as movedim swapaxes t T mT view_as reshape_as "
    "unflatten repeat tile flip roll requires_grad repeat_interleave positive "
    "einops_rearrange einops_repeat".split()
)
_PARTS = frozenset("rows select index item narrow chunk split unbind".split())
_TRANSFERS: dict[str, Callable[[Span, Dim], Span | None]] = {
    **dict.fromkeys(("add", "radd"), _moved),
    **dict.fromkeys(("sub", "subtract"), _back),
    **dict.fromkeys(("mul", "rmul", "multiply"), _scaled),
    **dict.fromkeys(("floordiv", "floor_divide"), _divided),
    **dict.fromkeys(("mod", "remainder"), _rest),
}
"""Operations with a number, of what is within a span."""
