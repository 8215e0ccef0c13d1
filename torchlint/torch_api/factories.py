"""Factories: what makes tensors from none, parameters, and what follows a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    cutting,
    dtypes,
    facts,
    formulas,
    leaves,
    making,
    provenance,
    ranges,
    repeats,
    sizing,
    spans,
    tensors,
    trips,
    widening,
)
from torchlint.interpreter.cuts import By, Cut, Number
from torchlint.interpreter.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Certainty,
    Const,
    Instance,
    Node,
    Opaque,
    Ref,
    Tensor,
    options_of,
)
from torchlint.torch_api import generated, operations, placing, registry, weights
from torchlint.torch_api.flags import MISSPELT
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Device, Value


def _make(call: Call) -> Value:
    """``torch.zeros(...)``: a tensor on the device that is given, or the default one."""
    machine = call.machine
    data = call.get("data", 0)
    if call.name in _SAME and data is not None and tensors.is_tensor(machine, data):
        return tensors.apply(machine, "to", (data,), call.spot, device=_placed(call))
    is_number = data is not None and sizing.seems_a_number(machine, data)
    scalar = (is_number or isinstance(data, (Const, Number))) and call.name in _COPIES
    scalar = scalar and not (isinstance(data, Number) and data.dtype is not None)
    cuts: tuple[Cut, ...] = ()
    if data is not None and call.name in _COPIES:
        cuts = cutting.read_out(machine, (data,), By.COPY, call.spot)
    node = leaf_asked_for(call, cuts or _unclear(call, data))
    if node is None and data == UNKNOWN and call.name in _SAME:
        node = cutting.UNCLEAR
    _count(call)
    known = making.facts(call)
    scalar = scalar or known["shape"] == ()
    device = _placed(call)
    if known["dtype"] != "float32" or known["shape"] == ():
        device = widening.cast(device, None)
    leaves.required(machine, known["dtype"], call.get("requires_grad"), call.spot)
    made = tensors.new_tensor(
        machine,
        node,
        device=device,
        scalar=scalar,
        leaf=node is not None,
        cuts=() if node is not None else cuts,
        **known,
    )
    weights.taken(machine, data, made, call.spot)
    return provenance.noted(machine, made, call.name, {}, call.spot)


def _unclear(call: Call, data: Value | None) -> tuple[Cut, ...]:
    """A copy of what is not known is not in the graph of that, whatever it was computed from."""
    if data is None or call.name not in _COPIES or not _is_unknown(call, data):
        return ()
    return (Cut(By.COPY, call.spot, cutting.UNCLEAR),)


def _count(call: Call) -> None:
    """What came in as a tensor, and is counted by, is a number, or a tensor without dimensions."""
    if call.name.rpartition(".")[2] not in _COUNTED:
        return
    for value in call.arguments.positional:
        given = call.machine.get(value)
        if isinstance(given, Tensor) and given.argument and given.shape is None:
            call.machine.set(value, replace(given, scalar=True, shape=()))


_COUNTED = frozenset("zeros ones empty rand randn arange linspace logspace eye randperm".split())
"""Factories all of whose arguments without a name are numbers."""


def leaf_asked_for(call: Call, cuts: tuple[Cut, ...] = ()) -> Node | None:
    """The node of a new tensor that is, or may be, told to require grad."""
    wanted = call.get("requires_grad")
    if not MISSPELT.isdisjoint(call.arguments.keywords):
        wanted = UNKNOWN
    if wanted is None or (isinstance(wanted, Const) and not wanted.value):
        return None
    sure = Certainty.SURE if wanted == TRUE else Certainty.UNSEEN
    return Node("leaf", call.spot, (), sure, rounds=call.machine.rounds, cuts=cuts)


_SAME = frozenset({"torch.as_tensor", "torch.asarray"})
"""Factories that give the tensor itself that they are given."""

_COPIES = frozenset({"torch.tensor", *_SAME})
"""Factories that copy the values that they are given, and nothing else of them."""

_STAY = frozenset({"torch.normal", "torch.tensor", "torch.as_tensor", "torch.asarray"})
"""Factories that make a tensor where the tensor is that they are given."""


_DATA = ("data", "obj", "mean", "std")
"""How they call what they are given."""


def _placed(call: Call) -> Device | None:
    if call.name in _STAY and "device" not in call.arguments.keywords:
        keywords = call.arguments.keywords
        data = [*call.arguments.positional, *(keywords[key] for key in _DATA if key in keywords)]
        for value in data:
            tensor = call.machine.get(value)
            if isinstance(tensor, Tensor):
                return tensor.device
        made = trips.made_of(call.machine, data[:1], placing.made(call))
        # Made of what may be a number, it may be without dimensions, and meet what is anywhere.
        is_default = made is not None and made.kind == "default"
        return None if is_default and any(_is_unknown(call, each) for each in data[:1]) else made
    return placing.made(call)


def _is_unknown(call: Call, data: Value) -> bool:
    """Whether nothing is known of what a tensor is made of, but a name."""
    return any(
        each == UNKNOWN or isinstance(call.machine.get(each), Opaque) for each in options_of(data)
    )


_NEAR = frozenset({"default", "home", "cpu"})
"""Kinds of places of what is surely on the CPU, unless all is made elsewhere."""


def _follow(call: Call) -> Value:
    """``torch.zeros_like(x)``: a tensor where another one is."""
    given = call.get("input", 0)
    tensor = tensors.as_tensor(call.machine, given) if given is not None else None
    device = tensor.device if tensor is not None else None
    if "device" in call.arguments.keywords:
        device = None
    node = leaf_asked_for(call)
    if node is not None and (device is None or device.kind not in _NEAR):
        call.machine.trace.afar.add(node)
    inputs = {"input": given, **call.arguments.keywords} if given is not None else {}
    fill = call.get("fill_value", 1)
    if fill is not None:
        inputs["fill_value"] = fill
    known = facts.of(call.machine, call.name.rpartition(".")[2], inputs, call.spot)
    leaves.required(call.machine, known.dtype, call.get("requires_grad"), call.spot)
    return tensors.new_tensor(
        call.machine,
        node,
        device=device,
        leaf=node is not None,
        range=known.range,
        dtype=known.dtype,
        shape=known.shape,
        span=known.span,
        repeats=known.repeats,
    )


function(*(f"torch.{name}" for name in generated.factory_names()))(_make)
function(*(f"torch.{name}" for name in generated.like_names()))(_follow)


@function("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer")
def _parameter(call: Call) -> Value:
    cuts = cutting.read_out(call.machine, call.arguments.positional[:1], By.COPY, call.spot)
    node = None
    data, wanted = call.get("data", 0), call.get("requires_grad", 1) or TRUE
    given = call.machine.get(data) if data is not None else None
    if not call.name.endswith("Buffer") and wanted != FALSE:
        sure = Certainty.SURE if wanted == TRUE else Certainty.UNSEEN
        node = Node("parameter", call.spot, (), sure, cuts=cuts)
        if isinstance(given, Tensor):
            leaves.required(call.machine, given.dtype, wanted, call.spot)
    made = tensors.new_tensor(
        call.machine,
        node,
        leaf=node is not None,
        shape=given.shape if isinstance(given, Tensor) else None,
        dtype=given.dtype if isinstance(given, Tensor) else None,
        cuts=() if node is not None else cuts,
    )
    if not call.name.endswith("Buffer"):
        call.machine.trace.parameters.add(made.address)
        _note_memory(call, data, made)
        _note_place(call, data, made)
    return made


def _note_place(call: Call, data: Value | None, made: Ref) -> None:
    """A parameter is where that is which its values were computed from."""
    formula = formulas.of(call.machine, data)
    given = call.machine.get(data) if data is not None else None
    if formula is not None and isinstance(given, Tensor):
        call.machine.trace.beside[made.address] = (formula, given.device)


def _note_memory(call: Call, data: Value | None, made: Ref) -> None:
    """What a parameter is made of another one's, or of its data, shares memory with that."""
    given = call.machine.get(data) if isinstance(data, Ref) else None
    if not isinstance(data, Ref) or not isinstance(given, Tensor):
        return
    memories = call.machine.trace.memories
    if data.address in memories:
        memories[made.address] = memories[data.address]
    elif given.leaf and given.node is not None and given.node.owner is not None:
        memories[made.address] = given.node.owner


@function("torch.Tensor", "torch.FloatTensor", "torch.DoubleTensor", "torch.HalfTensor")
@function("torch.LongTensor", "torch.IntTensor", "torch.ShortTensor", "torch.CharTensor")
@function("torch.ByteTensor", "torch.BoolTensor")
def _copied(call: Call) -> Value:
    """An old way to make a tensor, which takes the values and leaves the graph.

    What a class makes of a tensor is an alias of that, its type and graph included.
    """
    data = call.arguments.positional[0] if call.arguments.positional else None
    first = call.machine.get(data) if data is not None else None
    if data is not None and isinstance(first, Tensor):
        return tensors.apply(call.machine, "view_as", (data,), call.spot)
    cuts = cutting.read_out(call.machine, call.arguments.positional[:1], By.COPY, call.spot)
    node = cutting.UNCLEAR if data == UNKNOWN or isinstance(first, Opaque) else None
    made = tensors.new_tensor(
        call.machine,
        node,
        cuts=() if node is not None else cuts,
        device=trips.made_of(call.machine, call.arguments.positional[:1], placing.made(call)),
        dtype=dtypes.legacy(call.name.rpartition(".")[2]),
        shape=making.legacy_shape(call),
        span=spans.of_data(call.machine, call.get("data", 0), call.spot),
        repeats=repeats.of_data(call.machine, call.get("data", 0), call.spot),
    )
    return provenance.noted(call.machine, made, call.name, {}, call.spot)


@function("torch.device", "torch.accelerator.current_accelerator")
def _device(call: Call) -> Value:
    kind = call.get("type", 0)
    given = call.machine.get(kind) if kind is not None else None
    if kind is not None and isinstance(given, Instance) and given.cls == "torch.device":
        return kind
    attributes = {"type": kind} if kind is not None else {}
    return call.machine.new(Instance("torch.device", attributes, spot=call.spot))


@function("torch.set_default_device", "torch.set_default_tensor_type")
def _set_default_device(call: Call) -> Value:
    call.machine.live.default_device = True
    return Const(None)


@function("torch.from_numpy", "torch.frombuffer")
def _from_numpy(call: Call) -> Value:
    cuts = cutting.left_out(call.machine, call.arguments.values())
    device = trips.made_of(call.machine, call.arguments.positional[:1], placing.made(call))
    given = call.arguments.positional[0] if call.arguments.positional else None
    dtype = given.dtype if isinstance(given, Number) else None
    if call.name.endswith("frombuffer"):
        dtype = dtypes.named(call.get("dtype"))
    range_ = None
    if isinstance(given, Number) and given.picture:
        range_ = ranges.spread(call.spot, "from_numpy")
    shape = given.shape if isinstance(given, Number) else None
    made = tensors.new_tensor(
        call.machine, None, device=device, cuts=cuts, dtype=dtype, range=range_, shape=shape
    )
    weights.taken(call.machine, given, made, call.spot)
    return made


@function("torch.nn.functional.one_hot")
def _one_hot(call: Call) -> Value:
    inputs = operations.bound(call, "nn.functional.one_hot", None)
    for name, position in (("tensor", 0), ("num_classes", 1)):
        value = call.get(name, position)
        if value is not None:
            inputs[name] = value
    registry.applied(call.machine, "nn.functional.one_hot", inputs, call.spot)
    return tensors.without_graph(call.machine, "nn.functional.one_hot", inputs, call.spot)
