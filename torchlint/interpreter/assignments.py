"""Assignments: values given to names, attributes, items, and to several of these at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import libcst as cst

from torchlint.interpreter import containers, copies, expressions, objects
from torchlint.interpreter.values import UNKNOWN, Opaque, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def assign(machine: Machine, target: cst.CSTNode, value: Value, spot: Spot) -> None:
    """Give a value to a target: a name, an attribute, an item, or several of these."""
    match target:
        case cst.Name(value=name):
            _christen(machine, value, name)
            machine.bind(name, value)
        case cst.Attribute(value=owner, attr=attribute):
            holder = expressions.evaluate(machine, owner)
            objects.set_attribute(machine, holder, attribute.value, value, spot)
        case cst.Subscript(value=owner):
            holder = expressions.evaluate(machine, owner)
            copies.write(machine, owner, holder, spot)
            index = expressions.index_of(machine, target)
            containers.set_item(machine, holder, index, value, spot)
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            _unpack(machine, elements, value, spot)
        case cst.StarredElement(value=inner):
            assign(machine, inner, UNKNOWN, spot)


def _christen(machine: Machine, value: Value, name: str) -> None:
    """An opaque object goes by the first name that it is given."""
    record = machine.get(value)
    if isinstance(record, Opaque) and not record.name:
        machine.set(value, replace(record, name=name))


def _unpack(machine: Machine, elements: Any, value: Value, spot: Spot) -> None:
    items = containers.known_items(machine, value)
    starred = [isinstance(element, cst.StarredElement) for element in elements]
    if items is None or (len(items) != len(elements) and not any(starred)):
        items = [containers.element(machine, value, spot, i) for i in range(len(elements))]
    elif any(starred):
        place = starred.index(True)
        after = len(elements) - place - 1
        middle = Tuple(tuple(items[place : len(items) - after]))
        items = [*items[:place], middle, *items[len(items) - after :]]
    for element, item in zip(elements, items, strict=False):
        inner = element.value
        assign(machine, inner, item, spot)


def adds_to(target: cst.BaseExpression, value: cst.BaseExpression) -> bool:
    """Whether ``target = value`` is a ``total = total + x`` or ``total = 0.9 * total + x``."""
    match value:
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            return _scales(left, target) or _scales(right, target)
    return False


def _scales(node: cst.BaseExpression, target: cst.BaseExpression) -> bool:
    """Whether an expression is a target, or a multiple of it."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            return _scales(left, target) or _scales(right, target)
    return type(node) is type(target) and node.deep_equals(target)
