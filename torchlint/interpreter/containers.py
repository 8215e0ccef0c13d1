"""Containers: lists, dicts, tuples, and whatever else is iterated or subscripted."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    choosing,
    clocks,
    contents,
    copies,
    edges,
    facts,
    iterators,
    keeping,
    keyed,
    lists,
    mutations,
    objects,
    overlaps,
    parts,
    ranks,
    shapes,
    sizing,
    storing,
    tensors,
    trips,
    unknowns,
)
from torchlint.interpreter.cuts import PLAIN, Number
from torchlint.interpreter.edges import EdgeKind
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Either,
    Instance,
    Mapping,
    Opaque,
    Parameters,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    Zipped,
)
from torchlint.project.index import External
from torchlint.torch_api import generated, modules, placing

if TYPE_CHECKING:
    import ast

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def known_items(machine: Machine, value: Value) -> list[Value] | None:
    """All items of a value, in order, where they are known."""
    if isinstance(value, Tuple):
        return list(value.items)
    if isinstance(value, Zipped):
        return _zipped(machine, value)
    if isinstance(value, Number) and value.sizes is not None:
        sizes = sizing.listed(machine, value)
        return None if sizes is None else list(sizes)
    match machine.get(value):
        case Sequence(items=items, rest=None, escaped=False, kind=kind) if kind != "range":
            return list(items)
        case Mapping(items=items, rest=None, escaped=False):
            return [Const(key) for key, _ in items]
        case Instance(cls="torch.nn.Sequential" | "torch.nn.ModuleList") as module:
            return modules.children(machine, module)
        case Instance(cls="torch.nn.ModuleDict") as module:
            named = modules.named_children(machine, module)
            return None if named is None else [Const(name) for name in named]
    return None


def last_items(machine: Machine, value: Value) -> tuple[Value, ...]:
    """The items that a list surely ends in, though others are not known."""
    record = machine.get(value)
    return record.last if isinstance(record, Sequence) and not record.escaped else ()


def _zipped(machine: Machine, value: Zipped) -> list[Value] | None:
    columns = [known_items(machine, part) for part in value.parts if part is not None]
    if not columns or any(column is None for column in columns):
        return None
    length = min(len(column) for column in columns if column is not None)
    rows: list[Value] = []
    for row in range(length):
        known = iter(columns)
        items = (
            Const(row) if part is None else (next(known) or [UNKNOWN])[row] for part in value.parts
        )
        rows.append(contents.bounded(Tuple(tuple(items))))
    return rows


def element(machine: Machine, value: Value, spot: Spot, position: int | None = None) -> Value:
    """Some item of a value, or the one at a position."""
    match value:
        case Tuple(items=items):
            if position is not None and position < len(items):
                return items[position]
            return machine.join_all(items) or UNKNOWN
        case Either(options=options):
            with choosing.one_of(machine):
                found = [element(machine, option, spot, position) for option in options]
            return machine.join_all(found) or UNKNOWN
        case Zipped(parts=parts):
            row = (PLAIN if part is None else element(machine, part, spot) for part in parts)
            return contents.bounded(Tuple(tuple(row)))
        case Parameters(owners=owners):
            return tensors.parameter(machine, next(iter(owners), None), spot)
        case Number():
            depth = value.inner
            return replace(
                value, array=False, left=None, dim=None, sizes=None, depth=depth, shape=None
            )
    match machine.get(value):
        case Sequence(items=items, rest=rest, kind=kind, escaped=escaped):
            if kind == "range":
                return PLAIN
            if position is not None and position < len(items) and not escaped:
                return items[position]
            others = [UNKNOWN] if escaped else []
            every = [*items, *([rest] if rest else []), *others]
            return iterators.drawn(machine, kind, lists.any_of(machine, every))
        case Mapping():
            return UNKNOWN
        case Tensor():
            return tensors.view(machine, value, "rows", spot)
        case Instance() as instance:
            return objects.iterated(machine, value, instance, spot)
        case Opaque() as opaque:
            made = unknowns.part(opaque, opaque.name)
            return machine.new(replace(made, device=unknowns.place(opaque)))
    return UNKNOWN


def following(machine: Machine, source: Value, spot: Spot) -> Value:
    """The next item of an iterator."""
    after = iterators.first(machine, source, spot)
    item = element(machine, source, spot)
    if after is not None:
        machine.set(source, after)
    return item


def spread(
    machine: Machine, given: list[Value], stars: list[Spot | None]
) -> tuple[tuple[Value, ...], bool]:
    """The values of a display, with the items of those that stand behind a star.

    The flag says that there may be others.
    """
    values: list[Value] = []
    more = False
    for value, star in zip(given, stars, strict=True):
        items = known_items(machine, value) if star is not None else [value]
        many = star is not None and len(values) + len(items or ()) > contents.MOST_ITEMS
        if star is not None and (items is None or many):
            more = True
            items = [element(machine, value, star)]
        values.extend(items or ())
    return tuple(values), more


def subscript(machine: Machine, owner: Value, index: Value, node: ast.AST) -> Value:
    """The value of ``owner[index]``."""
    spot = machine.spot(node)
    match owner, index:
        case Tuple(items=items), Const(value=int() as position):
            if -len(items) <= position < len(items):
                return items[position]
            return UNKNOWN
        case Tuple(items=items), Const(value=slice() as part):
            if sizing.is_plain(part):
                return Tuple(items[part])
            return machine.new(Sequence("tuple", rest=machine.join_all(items) or UNKNOWN))
        case Either(options=options), _:
            # None has no items: whoever asks for one has got something else.
            held = [option for option in options if option != NONE]
            with choosing.one_of(machine):
                found = [subscript(machine, option, index, node) for option in held]
            return machine.join_all(found) or UNKNOWN
        case Number(), _:
            return _of_number(machine, owner, index)
    if owner == ranks.ENVIRONMENT:
        return ranks.of_environment(machine, index)
    match machine.get(owner):
        case Sequence() as sequence:
            return _item(machine, owner, sequence, index, spot)
        case Mapping() as mapping:
            return _of_mapping(machine, mapping, index, spot)
        case Tensor() as tensor:
            clocks.picked(machine, tensor, index, spot)
            return keyed.taken(machine, owner, index, spot)
        case Instance() as instance:
            return objects.item(machine, owner, instance, index, spot)
        case Opaque() as opaque:
            clocks.picked(machine, opaque, index, spot)
            adds = isinstance(index, Tuple) and NONE in index.items
            if adds and machine.trace.forward and not placing.is_building_module(machine):
                # Only what is computed with has dimensions to add to; a constructor has arrays.
                tensors.as_tensor(machine, owner)
                return tensors.indexed(machine, owner, index, spot)
            if adds and opaque.node is None and opaque.device is None:
                # What has dimensions is no number that the name could stand for.
                return UNKNOWN
            return machine.new(unknowns.part(opaque, opaque.name))
    return UNKNOWN


def _of_mapping(machine: Machine, mapping: Mapping, index: Value, spot: Spot) -> Value:
    """The value of a key; of what is given by a name that is not known, what is called so."""
    known, rest = dict(mapping.items), mapping.rest
    if isinstance(index, Const) and _hashable(index.value):
        if index.value in known:
            return known[index.value]
        if rest == UNKNOWN and isinstance(index.value, str):
            made = Opaque(index.value)
            is_filled = mapping.escaped and not known
            return machine.new(unknowns.of_graph(made, spot) if is_filled else made)
        return lists.particular(machine, rest, index) if rest is not None else UNKNOWN
    values = [*known.values(), *([rest] if rest is not None else [])]
    return machine.join_all(values) or UNKNOWN


def _of_number(machine: Machine, owner: Number, index: Value) -> Value:
    """An item of an array, or one of the sizes of a tensor."""
    match owner, index:
        case Number(sizes=int()), Const(value=int() as position):
            return sizing.item(machine, owner, position)
        case Number(sizes=int()), Const(value=slice() as part) if sizing.is_plain(part):
            sizes = sizing.listed(machine, owner)
            if sizes is not None:
                return Tuple(sizes[part])
    taken = trips.taken(machine, owner, index)
    parts = index.items if isinstance(index, Tuple) else (index,)
    several = owner.array and any(map(_takes_several, parts))
    depth = owner.depth if any(map(_takes_several, parts)) else owner.inner
    shape = shapes.taken(owner.shape, index)
    return replace(owner, array=several, left=taken, dim=None, sizes=None, depth=depth, shape=shape)


def _takes_several(part: Value) -> bool:
    """Whether a part of an index leaves a dimension, as slices and arrays do."""
    match part:
        case Number(array=array):
            return array
        case Const(value=slice()):
            return True
    return False


def _hashable(key: object) -> bool:
    return not isinstance(key, slice)


def _item(machine: Machine, owner: Value, sequence: Sequence, index: Value, spot: Spot) -> Value:
    items = sequence.items
    match index:
        case Const(value=int()) if sequence.escaped and sequence.rest == UNKNOWN and not items:
            return machine.new(unknowns.of_graph(Opaque(), spot))
        case Const(value=int() as position) if sequence.rest is None:
            if -len(items) <= position < len(items):
                return items[position]
        case Const(value=int() as position) if 0 <= position < len(items):
            return items[position]
        case Const(value=slice() as part) if sequence.rest is None and sizing.is_plain(part):
            return machine.new(replace(sequence, items=items[part]))
        case Const(value=slice()):
            # Whatever is left of it is another list.
            return machine.new(replace(sequence, last=()))
    return lists.particular(machine, element(machine, owner, spot), index)


def contains(machine: Machine, container: Value, value: Value) -> bool | None:
    """Whether a container holds a value; None where that is not known."""
    record = machine.get(container)
    if isinstance(record, Mapping) and isinstance(value, Const) and value.value in record.unsure:
        return None
    items = known_items(machine, container)
    if items is not None and isinstance(value, External) and value in items:
        return True
    if items and all(_is_layer(each) for each in (value, *items)):
        return False
    if items is None or not isinstance(value, Const):
        return None
    if not all(isinstance(item, Const) for item in items):
        return None
    return value in items


def _is_layer(value: Value) -> bool:
    """Whether a value is a class of torch's layers, each of which has one name."""
    return isinstance(value, External) and generated.is_module(value.name)


def set_item(machine: Machine, owner: Value, index: Value, value: Value, spot: Spot) -> None:
    """Carry out ``owner[index] = value``."""
    if isinstance(owner, Number):
        trips.written(machine, owner, index, value, spot)
    match machine.get(owner):
        case Tensor() if keyed.has(machine, owner, index):
            keyed.put(machine, owner, value)
        case Tensor():
            overlaps.set_item(machine, owner, index, spot)
            if copies.taken_by(machine, index) and value != Const(-math.inf):
                # What is set to minus infinity is left out, and not mended.
                edges.replaced(machine, owner)
            edges.written(machine, index, value)
            if Const(0) in (index.items if isinstance(index, Tuple) else (index,)):
                edges.mended(machine, [owner], by=EdgeKind.INDICES)
            facts.indexed(machine, owner, index, value, spot)
            mutations.write(machine, owner, index, value, spot)
        case Mapping() as mapping:
            _set_key(machine, owner, mapping, index, contents.apart(machine, owner, value), spot)
        case Sequence() as sequence:
            value = contents.apart(machine, owner, value)
            machine.set(owner, lists.with_item(machine, sequence, index, value))
        case Opaque() as opaque:
            machine.escape([value])
            machine.set(owner, replace(opaque, bare=False))
        case Instance() as instance:
            objects.set_item(machine, owner, instance, index, value, spot)


def _set_key(
    machine: Machine, owner: Value, mapping: Mapping, index: Value, value: Value, spot: Spot
) -> None:
    """Store under a key: a known key replaces what was there, any other one is added."""
    items = dict(mapping.items)
    if isinstance(index, Const) and _hashable(index.value):
        items[index.value] = value
        unsure = mapping.unsure - {index.value}
        machine.set(owner, replace(mapping, items=tuple(items.items()), unsure=unsure))
        return
    value = storing.keep(machine, owner, value, spot, contents.held(mapping))
    rest = value if mapping.rest is None else machine.join_all([mapping.rest, value])
    machine.set(owner, replace(mapping, rest=rest))


def append(
    machine: Machine, owner: Value, value: Value, spot: Spot, *, several: bool = False
) -> None:
    """Add an item at the end of a list, or anywhere in a set; ``several`` are any number of it."""
    sequence = machine.get(owner)
    assert isinstance(sequence, Sequence)
    assert isinstance(owner, Ref)
    keeping.appended(machine, owner, value, spot)
    held = contents.held(sequence)
    value = contents.apart(machine, owner, value)
    parts.gathered(machine, held, value, spot)
    value = storing.keep(machine, owner, value, spot, held)
    once = machine.rounds == sequence.rounds and not several
    if sequence.rest is None and once:
        machine.set(owner, replace(sequence, items=(*sequence.items, value)))
        return
    rest = value if sequence.rest is None else machine.join_all([sequence.rest, value])
    last = (*sequence.last, value) if sequence.kind == "list" and once else ()
    machine.set(owner, replace(sequence, rest=rest, last=last))


def extended(machine: Machine, before: Value, value: Value, spot: Spot) -> Value | None:
    """The list that ``before += value`` extends; None where ``before`` is no list."""
    record = machine.get(before)
    if not isinstance(record, Sequence):
        return None
    extend(machine, before, value, spot)
    return before


def extend(machine: Machine, owner: Value, value: Value, spot: Spot) -> None:
    """Add all items of a value to a list."""
    items = known_items(machine, value)
    sequence = machine.get(owner)
    assert isinstance(sequence, Sequence)
    if items is None or len(sequence.items) + len(items) > contents.MOST_ITEMS:
        added = element(machine, value, spot)
        if added == UNKNOWN:
            machine.set(owner, replace(sequence, rest=UNKNOWN, last=()))
            return
        for _ in range(2):
            append(machine, owner, added, spot, several=True)
        return
    for item in items:
        append(machine, owner, item, spot)
