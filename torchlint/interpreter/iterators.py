"""Streams: generators and iterators, which give their items once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.events.data import Begun, Exhausted
from torchlint.interpreter.graphs import Passages
from torchlint.interpreter.values import (
    FALSE,
    TRUE,
    Either,
    Instance,
    Node,
    Opaque,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    Zipped,
    either,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.state import State
    from torchlint.interpreter.values import Spot, Value

_SOURCE = "@source"
"""The attribute of an iterator that is the loader it has been made of."""

_FRESH = "@fresh"
"""The attribute of an iterator that tells whether it has given nothing yet."""

_ONCE = frozenset({"generator", "iterator"})

_BEFORE = "before"
"""What stands in the graph for all that an item of a generator rests on and others may as well."""

_CALLED = Pattern(r"loader", re.IGNORECASE)
"""What a loader is called: a hint of last resort, which lowers levels."""


def begun(machine: Machine, source: Value, spot: Spot, *, alone: bool = True) -> Value:
    """An iterator of a loader, or of what is called one; of anything else the thing itself.

    One of several loaders is not the one that is begun for certain.
    """
    if isinstance(source, Either):
        begins = (begun(machine, option, spot, alone=False) for option in source.options)
        return either(tuple(begins))
    record = machine.get(source)
    if isinstance(record, Opaque) and _CALLED.search(record.name):
        return machine.new(replace(record, attributes={_SOURCE: source}))
    if not isinstance(record, Instance) or not kinds.is_loader(machine.index, record.cls):
        return source
    if is_begun(record):
        return source
    assert isinstance(source, Ref)
    tested = any(activation.tests for activation in machine.activations)
    sure = alone and not tested and not machine.forks
    machine.emit(Begun, spot, loader=source.address, sure=sure)
    attributes = {**record.attributes, _SOURCE: source, _FRESH: TRUE}
    return machine.new(replace(record, attributes=attributes, spot=spot))


def first(machine: Machine, source: Value, spot: Spot) -> Instance | None:
    """What an iterator is that is asked for its first batch, once it has given that.

    This batch is whole: what is left over comes last. Where one is begun elsewhere, others may have
    asked for batches before.
    """
    record = machine.get(source)
    if not isinstance(record, Instance) or record.attributes.get(_FRESH) != TRUE:
        return None
    after = replace(record, attributes={**record.attributes, _FRESH: FALSE})
    machine.set(source, after)
    here, there = spot.region, record.spot.region if record.spot is not None else None
    if there is None or here.outline is not there.outline or here.scope != there.scope:
        return None
    machine.set(source, replace(after, attributes={**after.attributes, "@even": TRUE}))
    return after


def is_begun(record: Instance | Opaque) -> bool:
    """Whether something is the iterator of a loader, or of what is called one."""
    return _SOURCE in record.attributes


def loader(value: Ref, record: Instance) -> int:
    """The loader that an iterator is of, or that a value is itself."""
    source = record.attributes.get(_SOURCE)
    return source.address if isinstance(source, Ref) else value.address


def begin(machine: Machine, source: Value, spot: Spot) -> None:
    """Note that a loop begins over what has surely come to its end before."""
    stream = _stream(machine, source)
    if stream is not None and stream in machine.live.drained:
        machine.emit(Exhausted, spot, before=machine.live.drained[stream])


def end(machine: Machine, source: Value, spot: Spot) -> None:
    """Note that a loop has gone to the end of what it is over."""
    stream = _stream(machine, source)
    if stream is not None and machine.state is not None:
        machine.live.drained = {**machine.live.drained, stream: spot}


def drawn(machine: Machine, kind: str, item: Value) -> Value:
    """An item that stands for any of several: what it has of streams is not that of before."""
    item = made(machine, kind, item)
    if machine.live.drained:
        parts = item.items if isinstance(item, Tuple) else (item,)
        fresh = {_stream(machine, part) for part in parts}
        left = {key: spot for key, spot in machine.live.drained.items() if key not in fresh}
        machine.live.drained = left
    return item


def made(machine: Machine, kind: str, item: Value) -> Value:
    """What a stream gives is computed as it is asked for: it is not what it gave before."""
    if kind not in _ONCE:
        return item
    if isinstance(item, Tuple):
        return Tuple(tuple(made(machine, kind, part) for part in item.items))
    record = machine.peek(item)
    if not isinstance(record, Tensor) or record.node is None or not record.node.parents:
        return item
    known = record.node
    parents = known.parents if known.parents[-1].op == _BEFORE else (known,)
    node = Node("join", known.spot, parents, known.certainty)
    memory = record.storages | {new_address()}
    return machine.new(replace(record, node=node, storages=memory))


def part(machine: Machine, before: State, stream: Value) -> None:
    """Tell in what a generator computes what was there before its call: it makes none of that."""
    record = machine.peek(stream)
    if isinstance(record, Sequence) and record.kind == "generator" and record.rest is not None:
        tensors = (each for each in before.heap.values() if isinstance(each, Tensor))
        older = {tensor.node for tensor in tensors if tensor.node is not None}
        if older:
            rest = _parted(machine, Passages(), older, record.rest)
            machine.set(stream, replace(record, rest=rest))


def _parted(machine: Machine, passages: Passages, older: set[Node], item: Value) -> Value:
    if isinstance(item, Tuple):
        return Tuple(tuple(_parted(machine, passages, older, each) for each in item.items))
    record = machine.peek(item)
    if not isinstance(record, Tensor) or record.node is None:
        return item
    passed = passages.shared(record.node, record.node)
    found = tuple(each for each in passed if each in older)
    if not found:
        return item
    before = Node(_BEFORE, record.node.spot, found, record.node.certainty)
    node = Node("join", record.node.spot, (record.node, before), record.node.certainty)
    return machine.new(replace(record, node=node))


def is_stream(machine: Machine, source: Value) -> bool:
    """Whether a value gives items once that somebody else may ask for later."""
    return _shared(machine, source) is not None


def _stream(machine: Machine, source: Value) -> int | None:
    """What tells a stream from others; None for what can be iterated again.

    What numbers the items of something gives them once, however often that can be iterated.
    """
    shared = _shared(machine, source)
    return source.stream if shared is None and isinstance(source, Zipped) else shared


def _shared(machine: Machine, source: Value) -> int | None:
    """What tells a stream, or the one that is numbered, from others."""
    if isinstance(source, Zipped):
        parts = [part for part in source.parts if part is not None]
        if source.stream is not None and len(parts) > 1:
            return source.stream
        return _shared(machine, parts[0]) if len(parts) == 1 else None
    if not isinstance(source, Ref):
        return None
    record = machine.get(source)
    is_stream = (isinstance(record, Instance) and _SOURCE in record.attributes) or (
        isinstance(record, Sequence) and record.kind in _ONCE and not record.escaped
    )
    return source.address if is_stream else None
