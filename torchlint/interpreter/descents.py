"""Descents: a parameter that is moved along its own gradient by the program itself."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import leaves, loop_names, names, syntax
from torchlint.interpreter.events.graph import GradientOf
from torchlint.interpreter.events.speed import Descended
from torchlint.interpreter.values import Instance, Opaque, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot

_ARITHMETIC = frozenset("add sub mul div neg copy clone detach".split())
_SAME = frozenset({"data", "T"})


def written(machine: Machine, spot: Spot) -> None:
    """A tensor is changed in place: by a multiple of its gradient, an event.

    It has to be another tensor in each round of the loop, and its gradient is read right there.
    """
    reads, loop = machine.trace.of(GradientOf), machine.loop
    if loop is None or not reads or reads[-1].rounds != machine.rounds:
        return
    read = reads[-1].spot.node
    before = machine.trace.of(Descended)
    if not isinstance(read, ast.Attribute) or (before and leaves.follows(spot, before[-1].spot)):
        return
    if loop_names.varies(loop, read.value) and _Update(machine, read).holds(spot.node):
        machine.emit(Descended, spot)


class _Update:
    """An expression of a leaf, of its gradient that is ``read`` there, and of numbers."""

    def __init__(self, machine: Machine, read: ast.Attribute) -> None:
        self.machine = machine
        self.read = read
        self.seen = False

    def holds(self, node: ast.AST) -> bool:
        """Whether a change in place is made by such an expression, and of that leaf."""
        match node:
            case ast.AugAssign(target=changed) | ast.Call(func=ast.Attribute(value=changed)):
                pass
            case ast.Assign(targets=[changed]):
                pass
            case _:
                return False
        while isinstance(changed, ast.Call) and isinstance(changed.func, ast.Attribute):
            changed = changed.func.value
        return self._is_of_the_leaf(changed) and self._is_part(node) and self.seen

    def _is_part(self, node: ast.AST) -> bool:
        self.seen = self.seen or node is self.read
        match node:
            case ast.Constant():
                return syntax.is_number(node)
            case ast.AugAssign(target=one, value=other):
                return self._is_part(one) and self._is_part(other)
            case ast.BinOp(left=one, right=other):
                return self._is_part(one) and self._is_part(other)
            case ast.Assign(value=value) | ast.UnaryOp(operand=value):
                return self._is_part(value)
            case ast.Call(func=ast.Attribute(value=owner, attr=name)):
                parts = (owner, *syntax.given(node))
                return name.rstrip("_") in _ARITHMETIC and all(map(self._is_part, parts))
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self._is_of_the_leaf(node) or self._is_number(node)
        return False

    def _is_of_the_leaf(self, node: ast.AST) -> bool:
        """Whether it is the leaf or its gradient, or the ``data`` of one of them."""
        while isinstance(node, ast.Attribute) and node.attr in _SAME:
            node = node.value
            self.seen = self.seen or node is self.read
        return syntax.alike(node, self.read) or syntax.alike(node, self.read.value)

    def _is_number(self, node: ast.AST) -> bool:
        """Whether a name can mean a number, of what has been given it so far."""
        if isinstance(node, ast.Attribute) and node.attr == "grad":
            return False
        match self._meaning(node):
            case Tensor(scalar=scalar):
                return scalar
            case Opaque(node=computed):
                return computed is None
        return not isinstance(node, ast.Subscript)

    def _meaning(self, node: ast.AST) -> object:
        """The record that a name, or an attribute of something, refers to; None if not known."""
        match node:
            case ast.Name(id=name):
                return self.machine.get(names.lookup(self.machine, name))
            case ast.Attribute(value=owner, attr=name):
                holder = self._meaning(owner)
                if isinstance(holder, (Instance, Opaque)) and name in holder.attributes:
                    return self.machine.get(holder.attributes[name])
        return None
