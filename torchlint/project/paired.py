"""What goes with layers one by one: it is a list of tensors, whatever it is called."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def goes_with_layers(name: str, function: Function, text: str) -> bool:
    """Whether items of a name go each with an item of an attribute, in a function of this text."""
    if "zip" not in text and not re.search(rf"\b{name}\s*\[", text):
        return False
    return name in _paired(list(ast.walk(function)))


def _paired(nodes: list[ast.AST]) -> Iterator[str]:
    """What a method hands item by item to items of an attribute, or pairs with them."""
    numbers = {
        (layer.id, number.id)
        for node in nodes
        if isinstance(node, (ast.For, ast.comprehension))
        for number, layer in _enumerated(node)
    }
    for node in nodes:
        match node:
            case ast.Call(func=ast.Subscript(value=layers, slice=ast.Name(id=number))) if _is_own(
                layers
            ):
                yield from _items(node, number)
            case ast.Call(func=ast.Name(id=name)):
                for layer, number in numbers:
                    if layer == name:
                        yield from _items(node, number)
                if name == "zip" and any(map(_is_own, node.args)):
                    yield from (each.id for each in node.args if isinstance(each, ast.Name))


def _enumerated(loop: ast.For | ast.comprehension) -> Iterator[tuple[ast.Name, ast.Name]]:
    """The number and the layer of a loop over numbered layers."""
    match loop.target, loop.iter:
        case (
            ast.Tuple(elts=[ast.Name() as number, ast.Name() as layer]),
            ast.Call(func=ast.Name(id="enumerate"), args=[layers]),
        ) if _is_own(layers):
            yield number, layer


def _items(call: ast.Call, number: str) -> Iterator[str]:
    """The names of which a call is given the item with a number."""
    for given in call.args:
        match given:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index)):
                if index == number:
                    yield name


def _is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
