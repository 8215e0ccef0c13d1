"""Functions of torch that are composed of others, and gradients go through like through these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import containers, facts, lost, meetings, opaque, shapes, sizing, tensors
from torchlint.interpreter.values import NONE, TRUE, Const, Device, Instance, Sequence, Tuple
from torchlint.torch_api import operations, placing
from torchlint.torch_api.registry import Call, function, given, method

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.values import Value

_FUNCTIONAL = "gumbel_softmax affine_grid lp_pool1d lp_pool2d lp_pool3d".split()


@function(*(f"torch.nn.functional.{name}" for name in _FUNCTIONAL))
@function("torch.bincount", "torch.chain_matmul", "torch.view_as_real")
def _composed(call: Call) -> Value:
    return operations.apply(call, call.name.removeprefix("torch."))


@function("torch.unique")
def _unique(call: Call) -> Value:
    """Written in Python, so that it is in no table; with more to return it gives several."""
    several = any(name.startswith("return_") for name in call.arguments.keywords)
    one = not several and len(call.arguments.positional) == 1
    return operations.apply(call, "Tensor.unique" if one else "unique")


@function("torch.meshgrid", "torch.broadcast_tensors")
def _together(call: Call) -> Value:
    """Each of some tensors in the shape of all."""
    machine, given = call.machine, call.arguments.positional
    if len(given) == 1 and not tensors.is_tensor(machine, given[0]):
        items = containers.known_items(machine, given[0])
        if items is None:
            return _of_some(call, given[0])
        given = tuple(items)
    if call.arguments.open or not all(tensors.is_tensor(machine, value) for value in given):
        return operations.apply(call, call.name.removeprefix("torch."))
    found = [shapes.of_value(machine, value) for value in given]
    made = [tensors.view(machine, value, "expand_as", call.spot) for value in given]
    if call.name.endswith("meshgrid"):
        shape = _grid(call, found)
    else:
        named = {f"_{at}": value for at, value in enumerate(given)}
        shape = facts.of(machine, "broadcast_tensors", named, call.spot).shape
    for tensor in made:
        if shape is not None:
            sizing.learn(machine, tensor, shape)
    return Tuple(tuple(made))


def _of_some(call: Call, values: Value) -> Value:
    """Each of tensors of which nobody knows how many there are."""
    some = containers.element(call.machine, values, call.spot)
    if not tensors.is_tensor(call.machine, some):
        return operations.apply(call, call.name.removeprefix("torch."))
    made = tensors.view(call.machine, some, "expand_as", call.spot)
    return call.machine.new(Sequence("tuple", rest=made))


def _grid(call: Call, found: list[Shape | None]) -> Shape | None:
    """The lengths of all, of which the first two may change places."""
    if any(shape is None or len(shape) > 1 for shape in found):
        return None
    lengths = [shape[0] if shape else 1 for shape in found if shape is not None]
    order = call.get("indexing") or Const("ij")
    if order == Const("xy"):
        lengths[:2] = reversed(lengths[:2])
    return tuple(lengths) if order in (Const("ij"), Const("xy"), NONE) else None


@function("torch.nn.Embedding.from_pretrained", "torch.nn.EmbeddingBag.from_pretrained")
def _from_pretrained(call: Call) -> Value:
    """A table of what is given, which is not trained unless that is said."""
    table, freeze = call.get("embeddings", 0), call.get("freeze", 1) or TRUE
    shape = shapes.of_value(call.machine, table)
    count, width = shape if shape is not None and shapes.rank(shape) == 2 else (None, None)
    settings = {"num_embeddings": count, "embedding_dim": width}
    attributes = {name: sizing.value_of(size) for name, size in settings.items()}
    frozen = bool(freeze.value) if isinstance(freeze, Const) else None
    name = call.name.removesuffix(".from_pretrained")
    return call.machine.new(Instance(name, attributes, spot=call.spot, frozen=frozen))


@method("torch.nn.Embedding", "from_pretrained")
@method("torch.nn.EmbeddingBag", "from_pretrained")
def _from_another(call: Call) -> Value:
    """What the class has is asked of an object, which stays as it is."""
    lost.layer_dropped(call.machine, call.name, call.spot)
    layer = call.machine.get(call.receiver) if call.receiver is not None else None
    assert isinstance(layer, Instance)
    return _from_pretrained(replace(call, name=f"{layer.cls}.{call.name}"))


@function("torch.nn.utils.rnn.pad_sequence")
def _padded(call: Call) -> Value:
    """Sequences as one tensor, as long as the longest of them."""
    listed = call.get("sequences", 0)
    if listed is None:
        return opaque.result(call.machine, call.arguments, call.spot)
    return tensors.apply(call.machine, "pad_sequence", {"sequences": listed}, call.spot)


@given("torch.nn.utils.rnn.pack_padded_sequence")
def _packed(call: Call, _: Value) -> None:
    """The lengths say how the batch is laid out, which is worked out on the CPU."""
    lengths = call.get("lengths", 1)
    if lengths is not None:
        meetings.read_on_the_cpu(call.machine, lengths, "lengths", call.spot)
        placing.read_here(call.machine, [lengths])


@function("torch.nn.utils.rnn.pad_packed_sequence")
def _unpacked(call: Call) -> Value:
    """Sequences of one length again, and how long they were."""
    machine, packed = call.machine, call.get("sequence", 0)
    if packed is None or not tensors.is_tensor(machine, packed):
        return opaque.result(machine, call.arguments, call.spot)
    width = shapes.size(shapes.of_value(machine, packed), -1)
    padded = tensors.apply(machine, "clone", (packed,), call.spot)
    sizing.learn(machine, padded, (None, None, width))
    here = Device("cpu", call.spot)
    lengths = tensors.new_tensor(machine, None, dtype="int64", shape=(None,), device=here)
    return Tuple((padded, lengths))


@function("torch.nn.Transformer.generate_square_subsequent_mask")
def _mask(call: Call) -> Value:
    """A mask that lets no item see those after it."""
    count = call.get("sz", 0)
    size = sizing.dimension(call.machine, count) if count is not None else None
    return tensors.new_tensor(call.machine, None, dtype="float32", shape=(size, size))
