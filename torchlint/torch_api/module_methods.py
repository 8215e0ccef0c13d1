"""Methods that every module has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    containers,
    deleting,
    dtypes,
    edges,
    gradients,
    holdings,
    lateness,
    objects,
    optimizers,
    parts,
    passes,
    registration,
    tensors,
)
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.events.layers import AppliedNothing
from torchlint.interpreter.events.speed import SetUp
from torchlint.interpreter.openness import LAST, OPEN
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Instance,
    Opaque,
    Parameters,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.torch_api import (
    flags,
    initialising,
    lightning,
    modules,
    placing,
    speed,
    walks,
    weights,
)
from torchlint.torch_api.registry import Attribute, Call, assigned, hear, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


def _module(call: Call) -> tuple[Ref, Instance]:
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    assert isinstance(call.receiver, Ref)
    assert isinstance(record, Instance)
    return call.receiver, record


@method("module", "parameters")
def _parameters(call: Call) -> Value:
    return Parameters(frozenset({_module(call)[0].address}), stream=new_address())


@method("module", "named_parameters")
def _named_parameters(call: Call) -> Value:
    leaf = tensors.parameter(call.machine, _module(call)[0].address, call.spot)
    return call.machine.new(Sequence("list", rest=Tuple((UNKNOWN, leaf))))


@method("module", "children", "modules")
def _children(call: Call) -> Value:
    receiver, _ = _module(call)
    if call.name == "modules":
        known = modules.all_in(call.machine, receiver)
    else:
        named = modules.named_in(call.machine, receiver)
        known = None if named is None else tuple(dict.fromkeys(named.values()))
    if known is not None:
        return call.machine.new(Sequence("generator", known))
    return call.machine.new(Sequence("list", rest=UNKNOWN))


@method("module", "named_children", "named_modules")
def _named_children(call: Call) -> Value:
    receiver, _ = _module(call)
    known = modules.named_in(call.machine, receiver) if call.name == "named_children" else None
    if known is not None:
        pairs = tuple(Tuple((Const(name), child)) for name, child in known.items())
        return call.machine.new(Sequence("generator", pairs))
    return call.machine.new(Sequence("list", rest=Tuple((UNKNOWN, UNKNOWN))))


@method("module", "train", "eval")
def _switch(call: Call) -> Value:
    """Switch a module and all that it holds to training or evaluation."""
    receiver = call.receiver
    assert isinstance(receiver, Ref)
    mode: bool | None = call.name == "train"
    given = call.get("mode", 0)
    if call.name == "train" and given is not None:
        mode = bool(given.value) if isinstance(given, Const) else None
    passes.switch(call.machine, receiver, mode, call.spot)
    return receiver


@method("module", "to", "cuda", "cpu")
def _move(call: Call) -> Value:
    """Move a module and all that it holds."""
    receiver, module = _module(call)
    if "memory_format" in call.arguments.keywords:
        call.machine.trace.formatted = True
    if module.spot is not None and module.spot.region is call.spot.region:
        call.machine.emit(SetUp, call.spot)
    for address in holdings.modules_under(call.machine, frozenset({receiver.address})):
        record = call.machine.live.heap.get(address)
        if isinstance(record, Instance):
            device = placing.target(call, record.device)
            call.machine.live.heap[address] = replace(record, device=device)
    asked = list(filter(None, map(dtypes.named, call.arguments.values())))
    if asked:
        weights.cast(call.machine, receiver, asked[0])
    elif not _only_moves(call):
        weights.cast(call.machine, receiver, None)
    return receiver


@hear("opaque", "to", "cuda")
def _move_unseen(call: Call) -> None:
    """Move what a file holds."""
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    if isinstance(record, Opaque) and record.device is not None and record.device.kind == "loaded":
        call.machine.emit(SetUp, call.spot)


def _only_moves(call: Call) -> bool:
    """Whether a module is surely not cast by the way."""
    given = call.arguments
    first = given.positional[:1]
    return call.name != "to" or (
        len(given.positional) < 2
        and not given.open
        and given.keywords.keys() <= {"device", "non_blocking", "memory_format"}
        and all(placing.is_device(call.machine, value) for value in first)
    )


@method("module", "half", "float", "double", "bfloat16", "type")
def _cast(call: Call) -> Value:
    """Cast a module and all that it holds."""
    asked = call.get("dst_type", 0) if call.name == "type" else None
    dtype = dtypes.cast(call.name) if call.name != "type" else dtypes.named(asked)
    weights.cast(call.machine, _module(call)[0], dtype)
    return _module(call)[0]


@method("module", "compile", "share_memory")
def _same(call: Call) -> Value:
    return _module(call)[0]


@method("module", "apply")
def _apply(call: Call) -> Value:
    """A function that is applied to every layer may switch some of them."""
    receiver, _ = _module(call)
    function = call.get("fn", 0) or UNKNOWN
    if function == NONE:
        call.machine.emit(AppliedNothing, call.spot)
    initialising.visit(call.machine, receiver, function, call.spot)
    passes.forget(call.machine, receiver)
    return receiver


@method("module", "requires_grad_")
def _requires_grad(call: Call) -> Value:
    receiver, _ = _module(call)
    wanted = call.get("requires_grad", 0) or TRUE
    frozen = None if not isinstance(wanted, Const) else not wanted.value
    holdings.freeze(call.machine, receiver.address, call.spot, frozen=frozen)
    return receiver


@method("module", "freeze", "unfreeze")
def _freeze(call: Call) -> Value:
    """LightningModule's, which switches the mode as well."""
    receiver, _ = _module(call)
    frozen = call.name == "freeze"
    holdings.freeze(call.machine, receiver.address, call.spot, frozen=frozen)
    passes.switch(call.machine, receiver, not frozen, call.spot)
    return NONE


@assigned("module", "requires_grad")
def _set_requires_grad(written: Attribute, value: Value) -> None:
    """It has no effect, but those who write it mean it: what follows is not held against them."""
    flags.on_module(written, value)
    record = written.machine.get(written.owner)
    if value == Const(False) and isinstance(record, Instance):
        written.machine.set(written.owner, replace(record, frozen=None))


@method("module", "zero_grad")
def _zero_grad(call: Call) -> Value:
    speed.zeroed(call)
    optimizers.clear_module(call.machine, _module(call)[0].address, call.spot)
    return NONE


_ENTERED = {
    "register_buffer": "buffer",
    "register_parameter": "parameter",
    "add_module": "module",
    "register_module": "module",
}


@method("module", *_ENTERED)
def _register(call: Call) -> Value:
    name, value = call.get("name", 0), call.get("tensor", 1)
    if value is None:
        value = call.get("param") or call.get("module")
    record = call.machine.peek(value) if value is not None else None
    if call.name == "register_buffer" and isinstance(record, Tensor):
        shape = None if _is_replaced(call, name, record) else record.shape
        value = call.machine.new(
            replace(record, shape=shape, edge=edges.stored(record.edge), device=None)
        )
    receiver, module = _module(call)
    if isinstance(name, Const):
        registration.entered(
            call.machine, receiver, str(name.value), _ENTERED[call.name], call.spot
        )
    if value is not None and isinstance(name, Const) and modules.is_container(module):
        lateness.given(call.machine, receiver, None, value, call.spot, adds=True)
        modules.add_child(call.machine, receiver, name, value)
    elif isinstance(name, Const) and value is not None:
        objects.set_attribute(call.machine, _module(call)[0], str(name.value), value, call.spot)
    elif value is not None:
        _open(call, value)
    return NONE


@hear("opaque", "pop")
def _unregister(call: Call) -> None:
    key = call.get("key", 0)
    if key is not None and call.receiver is not None:
        deleting.unregistered(call.machine, call.receiver, key, call.spot)


_PARAMETRISATIONS = (
    *(f"torch.nn.utils.{name}" for name in ("weight_norm", "spectral_norm")),
    *(
        f"torch.nn.utils.parametrizations.{name}"
        for name in ("orthogonal", "spectral_norm", "weight_norm")
    ),
    "torch.nn.utils.parametrize.register_parametrization",
)


@hear("function", *_PARAMETRISATIONS)
def _parametrised(call: Call) -> None:
    """A parameter gives its place to what is computed of others, and takes what is assigned."""
    module, name = call.get("module", 0), call.get("tensor_name", 1) or call.get("name", 1)
    name = name if name is not None else Const("weight")
    if module is not None and isinstance(name, Const):
        deleting.attribute(call.machine, module, str(name.value), call.spot)


def _is_replaced(call: Call, name: Value | None, buffer: Tensor) -> bool:
    """Whether what a buffer holds at first may only keep the place of what is put there later."""
    if not isinstance(name, Const) or not isinstance(name.value, str) or 0 in (buffer.shape or ()):
        return True
    registered = rf"register_buffer\(\s*[\"']{re.escape(name.value)}[\"']"
    assigned = rf"\.{re.escape(name.value)}(?:\.data)?\s*=[^=]"
    pattern = rf"{assigned}|{registered}(?s:.*){registered}"
    return call.machine.index.says(call.machine.variables().outline, name.value, pattern)


@method("module", "append")
def _append(call: Call) -> Value:
    receiver, container = _module(call)
    child = call.get("module", 0)
    if child is not None:
        lateness.given(call.machine, receiver, None, child, call.spot, adds=True)
        parts.gathered(call.machine, modules.layers(call.machine, container), child, call.spot)
        if call.machine.rounds:
            _open(call, child)
        else:
            modules.add_child(call.machine, receiver, None, child)
    return receiver


@method("module", "extend", "insert", "update")
def _extend(call: Call) -> Value:
    receiver, module = _module(call)
    for value in call.arguments.positional:
        items = containers.known_items(call.machine, value) if call.name == "extend" else None
        if items is None or call.machine.rounds or not modules.is_container(module):
            _open(call, containers.element(call.machine, value, call.spot))
        for item in items or ():
            modules.add_child(call.machine, receiver, None, item)
    return receiver


def _open(call: Call, child: Value) -> None:
    """Add layers to a container whose number is not known."""
    receiver, module = _module(call)
    known = module.attributes.get(OPEN)
    joined = child if known is None else call.machine.join_all([known, child])
    attributes = {**module.attributes, OPEN: joined or UNKNOWN}
    attributes.pop(LAST, None)
    call.machine.set(receiver, replace(module, attributes=attributes))


@method("module", "values")
def _values(call: Call) -> Value:
    _, module = _module(call)
    children = modules.children(call.machine, module)
    if children is None:
        return call.machine.new(Sequence("list", rest=call.machine.opaque()))
    return call.machine.new(Sequence("list", tuple(children)))


@method("module", "items")
def _items(call: Call) -> Value:
    named = modules.named_children(call.machine, _module(call)[1])
    if named is not None:
        pairs = tuple(Tuple((Const(name), child)) for name, child in named.items())
        return call.machine.new(Sequence("list", pairs))
    return call.machine.new(Sequence("list", rest=Tuple((UNKNOWN, call.machine.opaque()))))


@method("module", "keys")
def _keys(call: Call) -> Value:
    named = modules.named_children(call.machine, _module(call)[1])
    if named is None:
        return UNKNOWN
    return call.machine.new(Sequence("list", tuple(map(Const, named))))


@method("module", "buffers", "named_buffers")
@method("module", "extra_repr")
@method("module", "get_parameter", "get_submodule", "pop")
@method("module", "log_dict", "toggle_optimizer", "untoggle_optimizer", "lr_schedulers")
def _state(call: Call) -> Value:
    return UNKNOWN


@method("module", "optimizers")
def _optimizers(call: Call) -> Value:
    return call.machine.opaque()


@method("module", "manual_backward")
def _manual_backward(call: Call) -> Value:
    """LightningModule's backward, under manual optimisation."""
    loss = call.get("loss", 0)
    lightning.manual_backward(call.machine, _module(call)[0], call.spot)
    tensor = tensors.as_tensor(call.machine, loss) if loss is not None else None
    if tensor is not None:
        gradients.backward(call.machine, [tensor], call.spot, walks.asked(call, 9, 9, 9))
    return NONE
