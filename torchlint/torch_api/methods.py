"""Methods of tensors, optimizers, lists and dicts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter import calls, containers, gradients, holdings, optimizers, tensors
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Function,
    Mapping,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.torch_api import operations
from torchlint.torch_api.registry import Call, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

# Tensors.


def _tensor(call: Call) -> Tensor:
    assert call.receiver is not None
    tensor = tensors.as_tensor(call.machine, call.receiver)
    assert tensor is not None
    return tensor


@method("tensor", "*")
def _operation(call: Call) -> Value:
    return operations.apply(call, f"Tensor.{call.name}", receiver=call.receiver)


@method("tensor", "backward")
def _backward(call: Call) -> Value:
    retained = TRUE in {call.get("retain_graph", 1), call.get("create_graph", 2)}
    gradients.backward(call.machine, _tensor(call), call.spot, retained=retained)
    return NONE


@method("tensor", "register_hook", "register_post_accumulate_grad_hook")
def _hook(call: Call) -> Value:
    call.machine.escape(call.arguments.values())
    return UNKNOWN


@method("tensor", *"item tolist numpy numel nelement stride element_size".split())
@method("tensor", *"is_contiguous get_device data_ptr storage __len__".split())
@method("tensor", *"retain_grad is_floating_point storage_offset __array__".split())
def _not_a_tensor(call: Call) -> Value:
    return UNKNOWN


@method("tensor", "detach", "detach_")
def _detach(call: Call) -> Value:
    tensor = _tensor(call)
    detached = replace(tensor, node=None, leaf=False)
    if call.name == "detach_" and call.receiver is not None and isinstance(call.receiver, Ref):
        call.machine.set(call.receiver, detached)
        return call.receiver
    return call.machine.new(detached)


@method("tensor", "requires_grad_")
def _requires_grad(call: Call) -> Value:
    tensor = _tensor(call)
    assert call.receiver is not None
    if isinstance(call.receiver, Ref) and tensor.node is None:
        if call.get("requires_grad", 0) != Const(False):
            holdings.thaw_leaf(call.machine, tensor, call.spot)
        if call.get("requires_grad", 0) != Const(False):
            node = holdings.leaf(call.machine)
            call.machine.set(call.receiver, replace(tensor, node=node, leaf=True))
    elif call.get("requires_grad", 0) == Const(False):
        holdings.freeze_leaf(call.machine, tensor, call.spot)
    return call.receiver


@method("tensor", "chunk", "split", "unbind", "tensor_split", "unsafe_chunk")
def _parts(call: Call) -> Value:
    assert call.receiver is not None
    return tensors.view(call.machine, call.receiver, call.name, call.spot)


# Optimizers.


@method("optimizer", "step")
def _step(call: Call) -> Value:
    closure = call.get("closure", 0)
    assert call.receiver is not None
    result: Value = UNKNOWN
    if closure is not None and closure != NONE:
        if not isinstance(closure, Function):
            gradients.maybe_cleared(call.machine)
        result = calls.call(call.machine, closure, Arguments(), call.spot)
    optimizers.step(call.machine, call.receiver, call.spot)
    return result


@method("optimizer", "zero_grad")
def _zero_grad(call: Call) -> Value:
    assert call.receiver is not None
    optimizers.clear(call.machine, call.receiver, call.spot)
    return NONE


@method("optimizer", "state_dict", "load_state_dict", "add_param_group", "train", "eval")
def _optimizer_state(call: Call) -> Value:
    return UNKNOWN


# Lists, deques, sets.


def _sequence(call: Call) -> Sequence:
    assert call.receiver is not None
    record = call.machine.get(call.receiver)
    assert isinstance(record, Sequence)
    return record


@method("list", "append", "appendleft", "add", "insert")
def _append(call: Call) -> Value:
    assert call.receiver is not None
    value = call.get("object", 1 if call.name == "insert" else 0)
    if value is not None:
        containers.append(call.machine, call.receiver, value, call.spot)
    return NONE


@method("list", "extend", "extendleft", "update")
def _extend(call: Call) -> Value:
    assert call.receiver is not None
    value = call.get("iterable", 0)
    if value is not None:
        containers.extend(call.machine, call.receiver, value, call.spot)
    return NONE


@method("list", "clear")
def _clear(call: Call) -> Value:
    assert call.receiver is not None
    call.machine.set(call.receiver, replace(_sequence(call), items=(), rest=None))
    return NONE


@method("list", "pop", "popleft")
def _pop(call: Call) -> Value:
    assert call.receiver is not None
    sequence = _sequence(call)
    if sequence.rest is None and sequence.items and not call.arguments.positional:
        first = call.name == "popleft"
        rest = sequence.items[1:] if first else sequence.items[:-1]
        call.machine.set(call.receiver, replace(sequence, items=rest))
        return sequence.items[0 if first else -1]
    value = containers.element(call.machine, call.receiver, call.spot)
    call.machine.set(call.receiver, replace(sequence, items=(), rest=UNKNOWN))
    return value


@method("list", "copy", "__iter__")
def _copy(call: Call) -> Value:
    return call.machine.new(_sequence(call))


@method("list", "*")
def _list_other(call: Call) -> Value:
    return UNKNOWN


# Dicts.


def _mapping(call: Call) -> Mapping:
    assert call.receiver is not None
    record = call.machine.get(call.receiver)
    assert isinstance(record, Mapping)
    return record


@method("dict", "get", "pop", "setdefault")
def _get(call: Call) -> Value:
    key = call.get("key", 0)
    known = dict(_mapping(call).items)
    default = call.get("default", 1) or NONE
    if isinstance(key, Const) and key.value in known:
        return known[key.value]
    if isinstance(key, Const) and _mapping(call).rest is None:
        if call.name == "setdefault" and call.receiver is not None:
            containers.set_item(call.machine, call.receiver, key, default, call.spot)
        return default
    values = [*known.values(), default]
    rest = _mapping(call).rest
    return call.machine.join_all([*values, *([rest] if rest is not None else [])]) or UNKNOWN


@method("dict", "values")
def _values(call: Call) -> Value:
    mapping = _mapping(call)
    return call.machine.new(
        Sequence("list", tuple(value for _, value in mapping.items), mapping.rest)
    )


@method("dict", "keys")
def _keys(call: Call) -> Value:
    mapping = _mapping(call)
    rest = UNKNOWN if mapping.rest is not None else None
    return call.machine.new(Sequence("list", tuple(Const(key) for key, _ in mapping.items), rest))


@method("dict", "items")
def _items(call: Call) -> Value:
    mapping = _mapping(call)
    rest = Tuple((UNKNOWN, mapping.rest)) if mapping.rest is not None else None
    pairs = tuple(Tuple((Const(key), value)) for key, value in mapping.items)
    return call.machine.new(Sequence("list", pairs, rest))


@method("dict", "update")
def _update(call: Call) -> Value:
    assert call.receiver is not None
    given = call.get("other", 0)
    other = call.machine.get(given) if given is not None else None
    items = dict(_mapping(call).items)
    rest = _mapping(call).rest
    if isinstance(other, Mapping):
        items.update(other.items)
        rest = other.rest or rest
    elif given is not None:
        rest = UNKNOWN
    items.update({key: value for key, value in call.arguments.keywords.items() if key != "other"})
    call.machine.set(call.receiver, replace(_mapping(call), items=tuple(items.items()), rest=rest))
    return NONE


@method("dict", "clear")
def _clear_dict(call: Call) -> Value:
    assert call.receiver is not None
    call.machine.set(call.receiver, replace(_mapping(call), items=(), rest=None))
    return NONE


@method("dict", "copy")
def _copy_dict(call: Call) -> Value:
    return call.machine.new(_mapping(call))


@method("dict", "*")
def _dict_other(call: Call) -> Value:
    return UNKNOWN
