"""Sizing: the dimensions that values of the program are, and the values that dimensions are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import dimensions, shapes
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.cuts import PLAIN, Number
from torchlint.interpreter.shapes import MORE, ends, is_whole, least_rank, position, spread
from torchlint.interpreter.values import Const, Either, Opaque, Ref, Sequence, Tensor, Tuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_OPERATORS = {
    "Add": dimensions.add,
    "Sub": dimensions.subtract,
    "Mult": dimensions.multiply,
    "FloorDiv": dimensions.floor_divide,
    "Mod": dimensions.modulo,
}


def dimension(machine: Machine, value: Value | None, *, counts: bool = True) -> Dim:
    """The dimension that a value is where it is used as one; None where that is not known.

    What comes in from out of sight has a name; unless it ``counts``, as what is surely a positive
    whole number, there is no telling.
    """
    match value:
        case Const(value=bool()):
            return None
        case Const(value=int() as number):
            return number
        case Number(dim=dim):
            return dim
        case Ref(address=address):
            record = machine.get(value)
            if isinstance(record, Opaque):
                if record.dim is not None or not counts:
                    return record.dim
                return dimensions.name_of(record.name or "n", address)
    return None


def computed(machine: Machine, operator: str, left: Value, right: Value) -> Dim:
    """The dimension that the result of plain arithmetic is."""
    operation = _OPERATORS.get(operator)
    if operation is None:
        return None
    one, other = dimension(machine, left), dimension(machine, right)
    return None if one is None or other is None else operation(one, other)


def value_of(dim: Dim) -> Value:
    """The whole number that a dimension is."""
    if dim is None:
        return PLAIN
    return Const(dim) if isinstance(dim, int) else Number(dim=dim)


def as_value(machine: Machine, tensor: Value) -> Value:
    """What ``tensor.shape`` gives: all sizes, or what tells them once they are asked for."""
    record = machine.get(tensor)
    shape = record.shape if isinstance(record, Tensor) else None
    if shape is not None and shapes.is_known(shape):
        return Tuple(tuple(map(value_of, shape)))
    return Number(sizes=tensor.address) if isinstance(tensor, Ref) else PLAIN


def unpacked(machine: Machine, sizes: Number, labels: list[str] | None) -> list[Value] | None:
    """The sizes of a tensor that are unpacked into names, which tells how many there are."""
    tensor, shape = _sized(machine, sizes)
    if tensor is None or labels is None or least_rank(shape) > len(labels):
        return None
    dims = spread(shape, len(labels))
    if len(dims) != len(labels):
        return None
    known = tuple(
        _named(machine, sizes, at, label) if dim is None else dim
        for at, (dim, label) in enumerate(zip(dims, labels, strict=True))
    )
    _tell(machine, sizes, known)
    return [value_of(dim) for dim in known]


def listed(machine: Machine, sizes: Number) -> tuple[Value, ...] | None:
    """The sizes of a tensor one by one, which all have names from then on."""
    tensor, shape = _sized(machine, sizes)
    if tensor is None or not is_whole(shape):
        return None
    known = tuple(
        _named(machine, sizes, at, f"size({at})") if dim is None else dim
        for at, dim in enumerate(shape)
    )
    _tell(machine, sizes, known)
    return tuple(map(value_of, known))


def length(machine: Machine, tensor: Value | None) -> Dim:
    """The first size of a tensor that has a name, which is what ``len`` gives."""
    record = machine.get(tensor) if isinstance(tensor, Ref) else None
    if not isinstance(record, Tensor) or not record.shape:
        return None
    first = record.shape[0]
    return first if first != MORE and not isinstance(first, int) else None


def rank(machine: Machine, sizes: Number) -> int | None:
    """How many sizes a tensor has."""
    return shapes.rank(_sized(machine, sizes)[1])


def size(machine: Machine, sizes: Number, dim: int, label: str = "") -> Value:
    """One of the sizes of a tensor, which has a name from then on."""
    tensor, shape = _sized(machine, sizes)
    if tensor is None:
        return PLAIN
    at = position(shape, dim)
    label = label or f"size({dim})"
    if at is not None:
        known = shape[at]
        if known is None:
            known = _named(machine, sizes, at, label)
            _tell(machine, sizes, (*shape[:at], known, *shape[at + 1 :]))
        return value_of(known)
    head, tail = ends(shape)
    name = _named(machine, sizes, dim, label)
    if is_whole(shape) or (tail if dim >= 0 else head):
        # It may be one of those that are known from the other end.
        return Number(dim=name) if not is_whole(shape) else PLAIN
    if dim >= 0:
        head = (*head, *(None,) * (dim - len(head)), name)
    else:
        tail = (name, *(None,) * (-dim - 1 - len(tail)), *tail)
    _tell(machine, sizes, (*head, MORE, *tail))
    return Number(dim=name)


def _named(machine: Machine, sizes: Number, dim: int, label: str) -> str:
    """The name of a size, which is the same wherever it is asked for."""
    assert sizes.sizes is not None
    names = machine.size_names.setdefault(sizes.sizes, {})
    return names.setdefault(dim, dimensions.new_name(label))


def _sized(machine: Machine, sizes: Number) -> tuple[Tensor | None, Shape]:
    record = machine.live.heap.get(sizes.sizes) if sizes.sizes is not None else None
    if not isinstance(record, Tensor):
        return None, (MORE,)
    return record, (MORE,) if record.shape is None else record.shape


def _tell(machine: Machine, sizes: Number, shape: Shape) -> None:
    """Note what is known of a tensor's shape now."""
    assert sizes.sizes is not None
    learn(machine, Ref(sizes.sizes), shape)


def learn(machine: Machine, tensor: Value, shape: Shape, *, said: bool = False) -> None:
    """Note what has turned out of the shape of a tensor, or is ``said`` of it at this point."""
    record = machine.get(tensor)
    if isinstance(record, Tensor) and record.shape != shape:
        since = new_address() if said and record.shape is None else record.since
        machine.set(tensor, replace(record, shape=shape, since=since))


def sizes(machine: Machine, values: Iterable[Value], *, counts: bool = True) -> Shape | None:
    """The sizes that are written out, one by one or in a tuple; -1 stays what it is."""
    given = list(values)
    if len(given) == 1 and not isinstance(given[0], (Const, Number)):
        record = machine.get(given[0])
        if isinstance(given[0], Tuple):
            given = list(given[0].items)
        elif isinstance(record, Sequence) and record.rest is None:
            given = list(record.items)
        elif not isinstance(record, Opaque) or record.dim is None or _may_be_tuple(record):
            return None  # It may be all sizes in one; what was computed as a size is a single one.
    elif len(given) == 1 and isinstance(given[0], Number) and given[0].dim is None:
        # The sizes of a tensor, or of something else.
        found = listed(machine, given[0])
        if found is None:
            return None
        given = list(found)
    return tuple(dimension(machine, value, counts=counts) for value in given)


def _may_be_tuple(record: Opaque) -> bool:
    """Whether what was computed as a size may as well be tuples that were put together."""
    return not record.plain and dimensions.is_sum(record.dim)


_COUNTS = frozenset(
    "in_features out_features num_embeddings embedding_dim num_features in_channels out_channels "
    "hidden_size input_size num_groups embed_dim".split()
)
"""Settings of layers that are one whole number."""


def count(machine: Machine, settings: dict[str, Value]) -> None:
    """What a layer is told to have so many of is a number from then on."""
    for name in _COUNTS & settings.keys():
        value = settings[name]
        if _is_open(machine, value):
            settings[name] = Number(dim=dimensions.new_name(name))
        record = machine.get(value)
        if isinstance(record, Opaque) and record.dim is None:
            machine.set(value, replace(record, dim=dimension(machine, value)))


def _is_open(machine: Machine, value: Value) -> bool:
    """Whether a value is one of several numbers, or one of which nothing is known."""
    if isinstance(value, Number):
        return value.dim is None and value.single
    return isinstance(value, Either) and one_of(machine, value)


def one_of(machine: Machine, value: Either) -> bool:
    """Whether a value may be any of several numbers, some of which are not known."""
    unknown = False
    for option in value.options:
        record = machine.peek(option)
        plain = isinstance(record, Opaque) and record.argument and not record.attributes
        if not plain and not (isinstance(option, Number) and not option.array):
            if not isinstance(option, Const) or type(option.value) is not int:
                return False
        else:
            unknown = True
    return unknown


def seems_a_number(machine: Machine, value: Value) -> bool:
    """Whether a value that came in from out of sight is said to be a number, or used as one."""
    record = machine.get(value)
    return isinstance(record, Opaque) and (record.plain or record.dim is not None)


def are_numbers(machine: Machine, values: Iterable[Value]) -> bool:
    """Whether all of some values surely are numbers, and no arrays."""
    return all(
        value.dim is not None
        if isinstance(value, Number)
        else isinstance(value, Const) or seems_a_number(machine, value)
        for value in values
    )


def of_data(machine: Machine, value: Value) -> Shape | None:
    """The shape of ``torch.tensor(value)``."""
    if isinstance(value, Const):
        return ()
    if isinstance(value, Number):
        return value.shape
    if isinstance(value, Tuple):
        items: tuple[Value, ...] = value.items
    else:
        match machine.get(value):
            case Tensor(shape=shape):
                return shape
            case Sequence(items=found, rest=None) if found:
                items = found
            case Sequence(kind="list", items=found, rest=rest) if rest is not None:
                every = {of_data(machine, each) for each in (*found, rest)}
                one = every.pop()
                return (None, *one) if one is not None and not every else None
            case _:
                return None
    inner = of_data(machine, items[0]) if items else None
    return (len(items), *inner) if inner is not None else None


def item(machine: Machine, sizes: Value, dim: int) -> Value:
    """One of the sizes that ``tensor.shape`` gives."""
    if isinstance(sizes, Tuple):
        return sizes.items[dim] if -len(sizes.items) <= dim < len(sizes.items) else PLAIN
    return size(machine, sizes, dim) if isinstance(sizes, Number) else PLAIN


def is_settled(machine: Machine) -> bool:
    """Whether what is computed now does not add up from round to round of a loop."""
    return machine.rounds == machine.activation.rounds


def is_plain(part: slice) -> bool:
    """Whether the ends of a slice are numbers, if there are any."""
    return all(end is None or type(end) is int for end in (part.start, part.stop, part.step))
