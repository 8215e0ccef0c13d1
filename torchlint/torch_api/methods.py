"""Methods of tensors, lists and dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    amounts,
    containers,
    contents,
    cutting,
    dimensions,
    dtypes,
    edges,
    formulas,
    holdings,
    keyed,
    opaque,
    shapes,
    sizing,
    tensors,
    trips,
)
from torchlint.interpreter.cuts import PLAIN, By, Number
from torchlint.interpreter.events.graph import ArrayMade
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Tensor,
    Tuple,
)
from torchlint.torch_api import flags, generated, operations, placing
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
    if not generated.is_operation(f"Tensor.{call.name}"):
        return _not_of_tensors(call)
    return operations.apply(call, f"Tensor.{call.name}", receiver=call.receiver)


def _not_of_tensors(call: Call) -> Value:
    """Nobody knows what it does, which may be to ask for a gradient, nor what it gives."""
    assert call.receiver is not None
    cutting.forget(call.machine, call.receiver)
    if call.name in keyed.METHODS:
        keyed.shown(call.machine, call.receiver)
    result = operations.apply(call, f"Tensor.{call.name}", receiver=call.receiver)
    if isinstance(result, Ref):
        call.machine.trace.taken.add(result.address)
    return result


_OF_MODULES = "modules children parameters buffers".split()


@method("tensor", "get")
def _got(call: Call) -> Value:
    """What is taken for a tensor may hold some under keys, and the default of one that lacks."""
    assert call.receiver is not None
    keyed.shown(call.machine, call.receiver)
    return keyed.item(call.machine, call.receiver, call.spot)


@method("tensor", *_OF_MODULES, *(f"named_{name}" for name in _OF_MODULES), "load_state_dict")
def _of_module(call: Call) -> Value:
    """What was taken for a tensor is a module, of which nothing is known."""
    if not isinstance(call.receiver, Ref):
        return UNKNOWN
    call.machine.set(call.receiver, Opaque())
    return opaque.method(call.machine, call.receiver, call.name, call.arguments, call.spot)


@method("tensor", "register_hook", "register_post_accumulate_grad_hook")
def _hook(call: Call) -> Value:
    call.machine.escape(call.arguments.values())
    return UNKNOWN


@method("tensor", *"is_contiguous get_device data_ptr storage is_floating_point".split())
def _not_a_tensor(call: Call) -> Value:
    return UNKNOWN


@method("tensor", "numel", "nelement")
def _count(call: Call) -> Value:
    shape = _tensor(call).shape
    if shape is None or not shapes.is_whole(shape):
        return PLAIN
    return sizing.value_of(dimensions.product(shape))


@method("tensor", *"stride element_size storage_offset __len__".split())
def _measure(call: Call) -> Value:
    return PLAIN


@method("tensor", "item", "tolist")
def _number(call: Call) -> Value:
    edges.tested(call.machine, _tensor(call))
    amount = amounts.read(call.machine, call.receiver, call.spot)
    cuts = cutting.of_tensor(_tensor(call), By.NUMBER, call.spot)
    depth = shapes.rank(_tensor(call).shape) if call.name == "tolist" else 0
    return Number(cuts, amount=amount, read=formulas.of(call.machine, call.receiver), depth=depth)


@method("tensor", "numpy", "__array__")
def _array(call: Call) -> Value:
    tensor = _tensor(call)
    if call.get("force", 0) in (None, FALSE):
        how, walked = f"{call.name}()", call.machine.live.walked
        call.machine.emit(ArrayMade, call.spot, tensor=tensor, how=how, walked=walked)
        placing.read_here(call.machine, filter(None, [call.receiver]))
    edges.tested(call.machine, tensor)
    cuts = cutting.of_tensor(tensor, By.NUMPY, call.spot)
    left = trips.carried(call.machine, (call.receiver,)) if call.receiver is not None else None
    dtype = tensor.dtype if tensor.dtype != dtypes.FLOATING else None
    read = formulas.of(call.machine, call.receiver)
    shape = () if tensor.shape == () else None
    return Number(cuts, array=True, left=left, dtype=dtype, read=read, shape=shape)


@method("tensor", "retain_grad")
def _retain_grad(call: Call) -> Value:
    if isinstance(call.receiver, Ref):
        call.machine.set(call.receiver, replace(_tensor(call), retains=True))
    return NONE


@method("tensor", "detach", "detach_")
def _detach(call: Call) -> Value:
    detached = cutting.without(_tensor(call), By.DETACH, call.spot)
    if call.name == "detach_" and call.receiver is not None and isinstance(call.receiver, Ref):
        call.machine.set(call.receiver, detached)
        return call.receiver
    return call.machine.new(detached)


@method("tensor", "requires_grad_")
def _requires_grad(call: Call) -> Value:
    tensor = _tensor(call)
    assert call.receiver is not None
    wanted = call.get("requires_grad", 0) or TRUE
    flags.on_tensor(call.machine, call.receiver, wanted, call.spot)
    holdings.require_grad(call.machine, call.receiver, tensor, wanted, call.spot)
    return call.receiver


@method("tensor", "_coalesced_")
def _flagged(call: Call) -> Value:
    """Its name ends like those of changes in place, and sets a flag: no value changes."""
    assert call.receiver is not None
    return call.receiver


@method("tensor", "chunk", "split", "unbind", "tensor_split", "unsafe_chunk")
def _parts(call: Call) -> Value:
    assert call.receiver is not None
    return operations.apply(call, f"Tensor.{call.name}", receiver=call.receiver)


# Lists, deques, sets.


def _sequence(call: Call) -> Sequence:
    assert call.receiver is not None
    record = call.machine.get(call.receiver)
    assert isinstance(record, Sequence)
    return record


@method("list", "append", "add")
def _append(call: Call) -> Value:
    assert call.receiver is not None
    value = call.get("object", 0)
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
    call.machine.set(call.receiver, replace(_sequence(call), items=(), rest=None, last=()))
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
    call.machine.set(call.receiver, replace(sequence, items=(), rest=UNKNOWN, last=()))
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
        value = known.pop(key.value)
        if call.name == "pop" and call.receiver is not None:
            left = replace(_mapping(call), items=tuple(known.items()))
            call.machine.set(call.receiver, left)
        return value
    rest = _rest(_mapping(call))
    if isinstance(key, Const) and rest is None:
        if call.name == "setdefault" and call.receiver is not None:
            containers.set_item(call.machine, call.receiver, key, default, call.spot)
        return default
    values = [*known.values(), default]
    return call.machine.join_all([*values, *([rest] if rest is not None else [])]) or UNKNOWN


def _rest(mapping: Mapping) -> Value | None:
    """What is under keys that are not known: others may have put anything there."""
    return UNKNOWN if mapping.rest is None and mapping.escaped else mapping.rest


@method("dict", "values")
def _values(call: Call) -> Value:
    mapping = _mapping(call)
    return call.machine.new(
        Sequence("list", tuple(value for _, value in mapping.items), _rest(mapping))
    )


@method("dict", "keys")
def _keys(call: Call) -> Value:
    mapping = _mapping(call)
    rest = UNKNOWN if _rest(mapping) is not None else None
    return call.machine.new(Sequence("list", tuple(Const(key) for key, _ in mapping.items), rest))


@method("dict", "items")
def _items(call: Call) -> Value:
    mapping = _mapping(call)
    others = _rest(mapping)
    rest = Tuple((UNKNOWN, others)) if others is not None else None
    pairs = tuple(Tuple((Const(key), value)) for key, value in mapping.items)
    return call.machine.new(Sequence("list", pairs, rest))


@method("dict", "update")
def _update(call: Call) -> Value:
    assert call.receiver is not None
    given = call.get("other", 0)
    other = call.machine.get(given) if given is not None else None
    rest = _mapping(call).rest
    added: dict[object, Value] = {}
    if isinstance(other, Mapping):
        added.update(other.items)
        rest = other.rest or rest
    elif given is not None:
        rest = UNKNOWN
    added.update((key, one) for key, one in call.arguments.keywords.items() if key != "other")
    items = dict(_mapping(call).items)
    for key, value in added.items():
        items[key] = contents.apart(call.machine, call.receiver, value)
    rest = rest and contents.apart(call.machine, call.receiver, rest)
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
