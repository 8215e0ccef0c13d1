"""Methods of tensors that move, cast and copy, and those that tell sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    callers,
    cutting,
    dtypes,
    formulas,
    making,
    provenance,
    ranges,
    shapes,
    sizing,
    squeezing,
    tensors,
    widening,
)
from torchlint.interpreter.amounts import Amount, Of
from torchlint.interpreter.cuts import PLAIN, By, Number
from torchlint.interpreter.values import UNKNOWN, Const, Instance, Ref, Storage, Tensor
from torchlint.torch_api import placing
from torchlint.torch_api.registry import Call, hear, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


def _tensor(call: Call) -> Tensor:
    assert call.receiver is not None
    tensor = tensors.as_tensor(call.machine, call.receiver)
    assert tensor is not None
    return tensor


@method("tensor", "to", "cuda", "cpu", "type_as")
def _move(call: Call) -> Value:
    """A tensor elsewhere: it may be the same one, so what it shares with its source stays open."""
    tensor = _tensor(call)
    if _is_there(call):
        assert call.receiver is not None
        return call.receiver
    dtype = _asked(call, tensor)
    device = placing.target(call, tensor.device)
    if dtypes.is_integer(dtype) and dtype != tensor.dtype:
        return _cut(call, replace(tensor, device=device), dtype)
    if _is_told_type(call):
        device = widening.cast(device, dtype)
    return _moved(call, tensor, replace(tensor, device=device, dtype=dtype, overlap=None))


def _is_there(call: Call) -> bool:
    """Whether a parameter is moved to where that is from which it was made: it is given itself."""
    machine, given, receiver = call.machine, call.arguments, call.receiver
    if _stays_on_cpu(call):
        return True
    if call.name in {"to", "cuda"} and _is_of_a_module(machine, receiver):
        return not any(map(dtypes.named, given.values()))
    beside = machine.trace.beside.get(receiver.address) if isinstance(receiver, Ref) else None
    wanted = machine.get(call.get("device", 0) or UNKNOWN)
    if beside is None or call.name != "to" or len(list(given.values())) != 1 or given.open:
        return False
    if not isinstance(wanted, Instance) or "of" not in wanted.attributes:
        return False
    other = wanted.attributes["of"]
    formula, record = formulas.of(machine, other), machine.get(other)
    if other == receiver:
        return True
    if formula is None or not isinstance(record, Tensor):
        return False
    made_of, device = beside
    return device == record.device and not {*made_of.leaves()}.isdisjoint(formula.leaves())


def _stays_on_cpu(call: Call) -> bool:
    """Whether a parameter is moved to an argument that is the CPU in all that builds its module."""
    machine, given, receiver = call.machine, list(call.arguments.values()), call.receiver
    record = machine.peek(receiver) if isinstance(receiver, Ref) else None
    if call.name != "to" or len(given) != 1 or call.arguments.open:
        return False
    made = isinstance(receiver, Ref) and receiver.address in machine.trace.parameters
    here = isinstance(record, Tensor) and (record.device is None or record.device.kind == "cpu")
    return made and here and callers.give_cpu(machine, given[0])


def _is_of_a_module(machine: Machine, receiver: Value | None) -> bool:
    """Whether a parameter is made of those that a module has, which are where it was moved."""
    record = machine.peek(receiver) if receiver is not None else None
    node = record.node if isinstance(record, Tensor) else None
    cuts = node.cuts if node is not None and node.op == "parameter" else ()
    made_of = (each for cut in cuts for each in machine.trace.reach(cut.of))
    return any(each.op == "parameter" and each.owner is not None for each in made_of)


def _is_told_type(call: Call) -> bool:
    """Whether a method that moves is told a type as well, known or not."""
    given = call.arguments.positional
    return "dtype" in call.arguments.keywords or not all(
        placing.is_device(call.machine, value) for value in given
    )


def _asked(call: Call, tensor: Tensor) -> str | None:
    """The type that is asked for; the one there is where none is."""
    if call.name in {"cuda", "cpu"}:
        return tensor.dtype
    given = [("", value) for value in call.arguments.positional]
    for name, value in (*given, *call.arguments.keywords.items()):
        asked, other = dtypes.named(value), call.machine.get(value)
        if asked is not None:
            return asked
        if isinstance(other, Tensor):
            return other.dtype
        if name in {"", "dtype"} and not placing.is_device(call.machine, value):
            return None
    return tensor.dtype


@method("tensor", *"float double half bfloat16 long int short bool byte char type".split())
def _cast(call: Call) -> Value:
    """A cast: to an integer type the graph ends, to a float type it goes on."""
    if call.name == "type" and not (list(call.arguments.values()) or call.arguments.open):
        # That is a question, and the answer a text.
        return UNKNOWN
    tensor = _tensor(call)
    asked = dtypes.named(call.get("dtype", 0)) if call.name == "type" else None
    dtype = asked or dtypes.cast(call.name)
    tensor = replace(tensor, device=widening.cast(tensor.device, dtype))
    if call.name == "type" and call.arguments.positional:
        tensor = replace(tensor, device=placing.typed(call, tensor.device, known=asked is not None))
    if dtypes.is_integer(dtype):
        return _cut(call, tensor, dtype)
    return _moved(call, tensor, replace(tensor, dtype=dtype, overlap=None))


@method("tensor", "cfloat", "cdouble")
def _complex(call: Call) -> Value:
    tensor = _tensor(call)
    device = widening.cast(tensor.device, widening.COMPLEX)
    return _moved(call, tensor, replace(tensor, device=device, dtype=None, overlap=None))


def _cut(call: Call, tensor: Tensor, dtype: str | None) -> Value:
    """A tensor of integers, which have no gradient."""
    assert call.receiver is not None
    made = tensors.without_graph(call.machine, "to", {"input": call.receiver}, call.spot)
    record = call.machine.get(made)
    assert isinstance(record, Tensor)
    range_ = ranges.cut_to_bytes(record.range) if dtype == "uint8" else record.range
    facts = replace(record, dtype=dtype, scalar=tensor.scalar, device=tensor.device, range=range_)
    return call.machine.new(facts)


def _moved(call: Call, tensor: Tensor, facts: Tensor) -> Value:
    """A tensor that is the same one or a copy, so that what is done to it is done to either."""
    opaque = tensors.is_opaque(tensor)
    node = tensors.grown(call.machine, "to", call.spot, [tensor.node], opaque=opaque)
    storages = tensor.storages | {call.machine.new(Storage()).address}
    form = None if "memory_format" in call.arguments.keywords else facts.form
    moved = replace(facts, node=node, storages=storages, leaf=False, argument="", form=form)
    return provenance.passed_on(call.machine, call.receiver, call.machine.new(moved))


@method("tensor", *"new_zeros new_ones new_full new_empty new_tensor new".split())
def _new(call: Call) -> Value:
    tensor = _tensor(call)
    known = making.facts(call)
    asked = call.arguments.keywords.get("dtype")
    known["dtype"] = tensor.dtype if asked is None else dtypes.named(asked)
    given = call.arguments.positional if call.name == "new_tensor" else ()
    cuts = cutting.read_out(call.machine, given, By.COPY, call.spot)
    return tensors.new_tensor(call.machine, None, device=tensor.device, cuts=cuts, **known)


@method("tensor", "size")
def _size(call: Call) -> Value:
    dim = call.get("dim", 0)
    assert call.receiver is not None
    _tensor(call)
    sizes = sizing.as_value(call.machine, call.receiver)
    if dim is None:
        return sizes
    at = dim.value if isinstance(dim, Const) else None
    size = sizing.item(call.machine, sizes, at) if isinstance(at, int) else PLAIN
    if isinstance(size, Number) and at == 0:
        return replace(size, amount=Amount(Of.SIZE, call.spot))
    return size


@hear("tensor", "tolist", "numpy", "__array__")
@hear("function", "builtins.len")
def _nested(call: Call) -> None:
    """What has no dimensions gives one number where a list is meant, and has no length."""
    value = call.receiver if call.receiver is not None else call.get("obj", 0)
    if value is not None:
        squeezing.taken(call.machine, value, call.spot)


@method("tensor", "dim", "ndimension")
def _rank(call: Call) -> Value:
    if call.receiver is not None:
        squeezing.asked(call.machine, call.receiver, call.spot)
    rank = shapes.rank(_tensor(call).shape)
    return PLAIN if rank is None else Const(rank)
