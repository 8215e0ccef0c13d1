"""Factories: what makes tensors from none, parameters, and what follows a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import batches, calls, facts, making, names, tensors
from torchlint.interpreter.events.data import Loading
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import TRUE, Const, Instance, Node, Tensor, Tuple
from torchlint.project.outline import Definition
from torchlint.torch_api import generated, operations, placing
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Device, Value


def _make(call: Call) -> Value:
    """``torch.zeros(...)``: a tensor on the device that is given, or the default one."""
    machine = call.machine
    data = call.get("data", 0)
    scalar = isinstance(data, Const) and call.name in {"torch.tensor", "torch.as_tensor"}
    scalar = scalar or (isinstance(data, Const) and call.get("size") == Const(()))
    node = None
    if call.get("requires_grad") == TRUE:
        node = Node("leaf", call.spot, rounds=machine.rounds)
    return tensors.new_tensor(
        machine,
        node,
        device=_placed(call),
        scalar=scalar,
        leaf=node is not None,
        **making.facts(call),
    )


_STAY = frozenset({"torch.normal", "torch.tensor", "torch.as_tensor", "torch.asarray"})
"""Factories that make a tensor where the tensor is that they are given."""


def _placed(call: Call) -> Device | None:
    if call.name in _STAY and "device" not in call.arguments.keywords:
        for value in call.arguments.positional:
            tensor = call.machine.get(value)
            if isinstance(tensor, Tensor):
                return tensor.device
    return placing.made(call)


def _follow(call: Call) -> Value:
    """``torch.zeros_like(x)``: a tensor where another one is."""
    given = call.get("input", 0)
    tensor = tensors.as_tensor(call.machine, given) if given is not None else None
    device = tensor.device if tensor is not None else None
    if "device" in call.arguments.keywords:
        device = None
    node = None
    if call.get("requires_grad") == TRUE:
        node = Node("leaf", call.spot, rounds=call.machine.rounds)
    inputs = {**call.arguments.keywords, "input": given} if given is not None else {}
    fill = call.get("fill_value", 1)
    if fill is not None:
        inputs["fill_value"] = fill
    known = facts.of(call.machine, call.name.rpartition(".")[2], inputs, call.spot)
    return tensors.new_tensor(
        call.machine,
        node,
        device=device,
        leaf=node is not None,
        range=known.range,
        dtype=known.dtype,
        shape=known.shape,
    )


function(*(f"torch.{name}" for name in generated.factory_names()))(_make)
function(*(f"torch.{name}" for name in generated.like_names()))(_follow)


@function("torch.nn.Parameter", "torch.nn.parameter.Parameter", "torch.nn.Buffer")
def _parameter(call: Call) -> Value:
    node = None
    if not call.name.endswith("Buffer") and call.get("requires_grad", 1) != Const(False):
        node = Node("parameter", call.spot)
    data = call.get("data", 0)
    given = call.machine.get(data) if data is not None else None
    shape = given.shape if isinstance(given, Tensor) else None
    dtype = given.dtype if isinstance(given, Tensor) else None
    return tensors.new_tensor(call.machine, node, leaf=node is not None, shape=shape, dtype=dtype)


@function("torch.device")
def _device(call: Call) -> Value:
    kind = call.get("type", 0)
    attributes = {"type": kind} if kind is not None else {}
    return call.machine.new(Instance("torch.device", attributes))


@function("torch.set_default_device", "torch.set_default_tensor_type")
def _set_default_device(call: Call) -> Value:
    call.machine.live.default_device = True
    return Const(None)


@function("torch.from_numpy", "torch.frombuffer")
def _from_numpy(call: Call) -> Value:
    return tensors.new_tensor(call.machine, None, device=placing.made(call))


@function("torch.utils.data.DataLoader")
def _loader(call: Call) -> Value:
    """A loader, whose items are what the dataset's ``__getitem__`` gives."""
    machine = call.machine
    source = call.get("dataset", 0)
    dataset = machine.get(source) if source is not None else None
    item: Value | None = None
    if isinstance(dataset, Instance) and isinstance(dataset.cls, Definition):
        workers = call.get("num_workers", 5)
        machine.emit(Loading, call.spot, dataset=dataset.cls.name, in_process=workers == Const(0))
        for name in ("__getitem__", "__iter__"):
            found = machine.index.member(dataset.cls, name)
            if source is not None and isinstance(found, Definition):
                given = (source,) if name == "__iter__" else (source, machine.opaque("index"))
                function = names.function_of(found)
                made = calls.enter(machine, function, Arguments(given), call.spot)
                item = made if name == "__getitem__" else None
                break
    elif isinstance(dataset, Instance):
        item = batches.items(machine, dataset)
    settings = call.arguments.keywords
    collated = "collate_fn" not in settings and settings.get("batch_size") != Const(None)
    collated = collated and not call.arguments.open
    attributes = {"@item": item} if item is not None and collated else {}
    return machine.new(Instance("torch.utils.data.DataLoader", attributes, spot=call.spot))


@function("torch.utils.data.TensorDataset")
def _tensor_dataset(call: Call) -> Value:
    attributes: dict[str, Value] = {"tensors": Tuple(call.arguments.positional)}
    return call.machine.new(Instance(call.name, {} if call.arguments.open else attributes))


@function("torch.nn.functional.one_hot")
def _one_hot(call: Call) -> Value:
    inputs = operations.bound(call, "nn.functional.one_hot", None)
    for name, position in (("tensor", 0), ("num_classes", 1)):
        value = call.get(name, position)
        if value is not None:
            inputs[name] = value
    return tensors.without_graph(call.machine, "nn.functional.one_hot", inputs, call.spot)
