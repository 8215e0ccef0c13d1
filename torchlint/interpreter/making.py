"""Making: the range, dtype and shape of what a factory makes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import (
    bounding,
    dimensions,
    dtypes,
    edges,
    layouts,
    ranges,
    repeats,
    shapes,
    sizing,
    spans,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.edges import EdgeKind
from torchlint.interpreter.ranges import Operation
from torchlint.interpreter.values import Const, Sequence, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_FILLED = frozenset("zeros ones empty rand randn".split())
_COUNTING = frozenset("arange linspace logspace".split())
_OF_DATA = frozenset({"tensor", "as_tensor", "asarray", "scalar_tensor"})


@dataclass(frozen=True, slots=True)
class _Order:
    """What a factory is asked for: its plain name, and its arguments."""

    call: Call
    name: str

    @property
    def given(self) -> list[Value]:
        """The arguments without a name."""
        return list(self.call.arguments.positional)

    def sizes(self, values: list[Value]) -> Shape | None:
        """The sizes that are given by name, or else by these values."""
        named = self.call.arguments.keywords.get("size")
        return sizing.sizes(self.call.machine, values if named is None else [named])


def facts(call: Call) -> dict[str, object]:
    """What is known of the tensor that a factory makes, by the names of the tensor's facts."""
    order = _Order(call, call.name.rpartition(".")[2].removeprefix("new_"))
    inputs: dict[str, Value] = {**call.arguments.keywords}
    fill = call.get("fill_value", 1)
    if order.name == "full" and fill is not None:
        inputs["fill_value"] = fill
    operation = Operation(call.machine, order.name, inputs, call.spot, order.name)
    dtype = _dtype(order)
    return {
        "range": ranges.held(_drawn(order) or bounding.result(operation), dtype),
        "dtype": dtype,
        "shape": (shape := _shape(order)),
        "span": spans.made(operation, order.given, shape),
        "repeats": repeats.made(operation, order.given),
        "edge": _edge(order),
        "form": layouts.of_factory(order.name),
    }


def legacy_shape(call: Call) -> Shape | None:
    """The shape of what ``torch.FloatTensor`` makes: of sizes one by one, or of a list of data."""
    machine, given = call.machine, call.arguments.positional
    if call.arguments.open or call.arguments.keywords or not given:
        return None
    record = machine.get(given[0])
    is_array = isinstance(given[0], Number) and given[0].array
    if len(given) == 1 and (is_array or isinstance(record, Sequence)):
        return sizing.of_data(machine, given[0])
    single = sizing.dimension(machine, given[0], counts=False) is not None
    if len(given) > 1 or single or isinstance(given[0], Const):
        return sizing.sizes(machine, list(given))
    return record.shape if isinstance(record, Tensor) else None


def _drawn(order: _Order) -> Range | None:
    """The range of whole numbers that are drawn, or that a picture has which came as an array."""
    call, given = order.call, order.given
    if order.name in _OF_DATA:
        data = call.get("data", 0)
        is_picture = isinstance(data, Number) and data.picture
        return ranges.spread(call.spot, order.name) if is_picture else None
    if order.name != "randint":
        return None
    ends = [call.get("low", 0), call.get("high", 1)]
    if len(given) == 2:
        ends = [Const(0), given[0]]
    match ends:
        case [Const(value=int() as low), Const(value=int() as high)] if low < high:
            return ranges.spread(call.spot, order.name, low, high - 1)
    return None


def _edge(order: _Order) -> Edge | None:
    """What is counted starts at zero, or elsewhere; what is filled is one constant everywhere."""
    name, spot = order.name, order.call.spot
    if name == "arange" and (len(order.given) == 1 or order.given[:1] == [Const(0)]):
        return edges.made(name, EdgeKind.INDICES, spot)
    if name in _COUNTING:
        return edges.made(name, EdgeKind.TABLE, spot)
    filled = Const(1.0) if name == "ones" else order.call.get("fill_value", 1)
    if name in {"ones", "full"} and isinstance(filled, Const):
        return edges.made(name, EdgeKind.ONES, spot, filled.value)
    return None


def _shape(order: _Order) -> Shape | None:
    call, given = order.call, order.given
    if call.arguments.open:
        return None
    if order.name in _FILLED:
        return order.sizes(given)
    if order.name in _OF_DATA:
        data = call.get("data", 0)
        return sizing.of_data(call.machine, data) if data is not None else None
    if order.name == "full":
        return order.sizes(given[:1])
    if order.name == "randint":
        return order.sizes(given[-1:])
    if order.name == "randperm":
        count = call.get("n", 0)
        return sizing.sizes(call.machine, [count]) if count is not None else None
    if order.name == "arange":
        return (_counted(order),)
    if order.name in {"linspace", "logspace"}:
        steps = call.get("steps", 2)
        return (sizing.dimension(call.machine, steps) if steps is not None else None,)
    if order.name == "normal":
        return _normal(order)
    if order.name == "eye":
        rows = call.get("n", 0)
        both = rows, call.get("m", 1) or rows
        return tuple(sizing.dimension(call.machine, one) for one in both)
    return None


def _counted(order: _Order) -> Dim:
    """How many numbers there are from a start to an end."""
    call, given = order.call, order.given
    ends = [call.get(name, at) for at, name in enumerate(("start", "end", "step"))]
    if len(given) == 1 and "end" not in call.arguments.keywords:
        ends = [None, given[0], call.get("step")]
    dims = [None if end is None else sizing.dimension(call.machine, end) for end in ends]
    for at, default in ((0, 0), (2, 1)):
        dims[at] = default if ends[at] is None else dims[at]
    start, end, step = dims
    if not isinstance(step, int) or step < 1:
        return None
    count = dimensions.ceil_divide(dimensions.subtract(end, start), step)
    return None if isinstance(count, int) and count < 0 else count


def _normal(order: _Order) -> Shape | None:
    """Numbers in a size that is told, or one for each mean and deviation."""
    call = order.call
    size = call.get("size", 2)
    if size is not None:
        return sizing.sizes(call.machine, [size])
    found = [shapes.of_value(call.machine, call.get(name, at)) for at, name in _MOMENTS]
    return shapes.broadcast(*found)


_MOMENTS = ((0, "mean"), (1, "std"))


def _dtype(order: _Order) -> str | None:
    call = order.call
    asked = call.arguments.keywords.get("dtype")
    if asked is not None and asked != Const(None):
        return dtypes.named(asked)
    if order.name in _FILLED or order.name in {"eye", "linspace", "logspace"}:
        return "float32"
    if order.name in {"randint", "randperm", "tril_indices", "triu_indices"}:
        return "int64"
    if order.name in _OF_DATA:
        data = call.get("data", 0)
        return dtypes.of_data(call.machine, data) if data is not None else None
    if order.name == "full":
        fill = call.get("fill_value", 1)
        return dtypes.of_data(call.machine, fill) if fill is not None else None
    if order.name == "arange":
        kinds = {dtypes.of_data(call.machine, value) for value in order.given}
        if "float32" in kinds:
            return "float32"
        return "int64" if kinds == {"int64"} else None
    return None
