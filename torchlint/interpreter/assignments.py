"""Assignments: values given to names, attributes, items, and to several of these at once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    containers,
    copies,
    expressions,
    objects,
    operators,
    overlaps,
    repeats,
    sizing,
    syntax,
    unpacking,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.ranges import JOINS
from torchlint.interpreter.values import UNKNOWN, Either, Opaque, Sequence, Tuple
from torchlint.torch_api import placing

if TYPE_CHECKING:
    from collections.abc import Sequence as Sequence_

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def assign(machine: Machine, target: ast.expr, value: Value, spot: Spot) -> None:
    """Give a value to a target: a name, an attribute, an item, or several of these."""
    if isinstance(value, Either) and isinstance(target, (ast.Name, ast.Attribute)):
        value = _settled(machine, value, target)
    match target:
        case ast.Name(id=name):
            _christen(machine, value, name)
            machine.bind(name, value)
        case ast.Attribute(value=owner, attr=attribute):
            holder = expressions.evaluate(machine, owner)
            objects.set_attribute(machine, holder, attribute, value, spot)
        case ast.Subscript(value=owner):
            holder = expressions.evaluate(machine, owner)
            copies.write(machine, owner, holder, spot)
            index = expressions.index_of(machine, target)
            containers.set_item(machine, holder, index, value, spot)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            _unpack(machine, elements, value, spot)
        case ast.Starred(value=inner):
            assign(machine, inner, UNKNOWN, spot)


def _settled(machine: Machine, value: Either, target: ast.Name | ast.Attribute) -> Value:
    """One of several numbers that a module is built with is one from then on, and the same."""
    building = placing.is_building_module(machine) and sizing.is_settled(machine)
    if not building or not sizing.one_of(machine, value):
        return value
    name = target.id if isinstance(target, ast.Name) else target.attr
    return machine.new(Opaque(name, argument=True))


def _christen(machine: Machine, value: Value, name: str) -> None:
    """An opaque object goes by the first name that it is given."""
    record = machine.peek(value)
    if isinstance(record, Opaque) and not record.name:
        machine.set(value, replace(record, name=name))


def _unpack(machine: Machine, elements: Sequence_[ast.expr], value: Value, spot: Spot) -> None:
    items = None
    unpacking.checked(machine, elements, value, spot)
    if isinstance(value, Number) and value.sizes is not None:
        items = sizing.unpacked(machine, value, _labels(elements))
    if items is None:
        items = containers.known_items(machine, value)
    starred = [isinstance(element, ast.Starred) for element in elements]
    if items is None or (len(items) != len(elements) and not any(starred)):
        items = [containers.element(machine, value, spot, i) for i in range(len(elements))]
        items = unpacking.apart(machine, unpacking.loosen(machine, value, items))
        # A starred target takes a list, however many values there are for it.
        items = [
            machine.new(Sequence("list", rest=item, rounds=machine.rounds)) if star else item
            for item, star in zip(items, starred, strict=True)
        ]
    elif any(starred):
        place = starred.index(True)
        after = len(elements) - place - 1
        middle = Tuple(tuple(items[place : len(items) - after]))
        items = [*items[:place], middle, *items[len(items) - after :]]
    for element, item in zip(elements, items, strict=False):
        inner = element.value if isinstance(element, ast.Starred) else element
        # Which of several attributes it is says only where that stands.
        stands = machine.spot(inner) if isinstance(inner, ast.Attribute) else spot
        assign(machine, inner, item, stands)


def _labels(elements: Sequence_[ast.expr]) -> list[str] | None:
    """What the targets of sizes are called; None where their number is open."""
    if any(isinstance(element, ast.Starred) for element in elements):
        return None
    return [element.id if isinstance(element, ast.Name) else "n" for element in elements]


def change_items(machine: Machine, holder: Value, index: Value, spot: Spot, operator: str) -> None:
    """Note what ``tensor[index] += value`` does to other items, and to those that come twice."""
    overlaps.change_row(machine, holder, index, spot, operators.sign(operator))
    if operator in _SUMS:
        repeats.added(machine, holder, index, spot)


_SUMS = frozenset({"Add", "Sub"})


def adding(machine: Machine, node: ast.Assign) -> None:
    """Note that ``x[index] = x[index] + value`` does what ``x[index] += value`` does."""
    match node:
        case ast.Assign(
            targets=[ast.Subscript(value=owner) as target],
            value=ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right),
        ):
            turned = isinstance(sign, ast.Add) and syntax.alike(right, target)
            if turned or syntax.alike(left, target):
                holder = expressions.evaluate(machine, owner)
                index = expressions.index_of(machine, target)
                repeats.added(machine, holder, index, machine.spot(node))


def adds_to(target: ast.expr, value: ast.expr) -> bool:
    """Whether ``target = value`` is a ``total = total + x`` or ``total = 0.9 * total + x``."""
    match value:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _scales(left, target) or _scales(right, target)
    return False


def joins_to(target: ast.expr, value: ast.expr) -> bool:
    """Whether ``target = value`` is a ``whole = torch.cat([whole, part])``."""
    match value:
        case ast.Call(
            func=ast.Attribute(attr=name) | ast.Name(id=name),
            args=[ast.List(elts=parts) | ast.Tuple(elts=parts), *_],
        ) if name in JOINS:
            return any(syntax.alike(part, target) for part in parts)
    return False


def _scales(node: ast.expr, target: ast.expr) -> bool:
    """Whether an expression is a target, or a multiple of it."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, *_]):
            return isinstance(target, ast.Subscript) and (
                syntax.alike(owner, target.value) and syntax.alike(key, target.slice)
            )
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _scales(left, target) or _scales(right, target)
    return syntax.alike(node, target)
