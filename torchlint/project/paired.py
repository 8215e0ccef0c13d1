"""Lists of tensors, whatever they are called: by what a function does with an argument."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


_JOINING = frozenset("cat concat concatenate stack hstack vstack dstack column_stack".split())
"""What takes several tensors for its first argument."""


@lru_cache(maxsize=64)  # Several rules ask of the same write.
def is_list(name: str, function: Function, text: str) -> bool:
    """Whether an argument of this name is a list of tensors, in a function of this text.

    Its items go each with an item of an attribute, are replaced by what a layer makes of them, by
    several at once, or number by number where it is read by its items alone; or they are joined as
    they came.
    """
    if is_joined(name, function, text):
        return True
    if "zip" not in text and not re.search(rf"\b{name}\s*\[", text):
        return False
    nodes = list(ast.walk(function))
    return name in _paired(nodes) or _is_replaced(name, nodes)


def is_joined(name: str, function: Function, text: str) -> bool:
    """Whether torch joins what came in by a name, before anything else is put there."""
    if not re.search(rf"(?:cat|concat\w*|\w*stack)\(\s*{name}\s*[,)]", text):
        return False
    if re.search(rf"\bisinstance\(\s*{name}\b", text):
        # It may be a tensor as well.
        return False
    nodes = list(ast.walk(function))
    given = [
        node.lineno
        for node in nodes
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
    ]
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="torch"), attr=called),
                args=[ast.Name(id=joined), *_],
            ) if joined == name and called in _JOINING:
                if all(node.lineno <= line for line in given):
                    return True
    return False


def _is_replaced(name: str, nodes: list[ast.AST]) -> bool:
    """Whether items are replaced one by one, and nothing is asked for that only a tensor has."""
    numbers = {
        number.id
        for node in nodes
        if isinstance(node, ast.For)
        for number, taken in _numbered(node)
        if isinstance(taken, ast.Name) and taken.id == name
    }
    layers = {*_layers(nodes)}
    in_turn = _turns(nodes) if _is_read_by_items(name, nodes) else set()
    found = False
    for node in nodes:
        match node:
            case ast.Attribute(value=ast.Name(id=owner)) if owner == name:
                return False
            case ast.Assign(targets=[target], value=value):
                for item in _written(target, name):
                    index = item.slice
                    counted = isinstance(index, ast.Name) and index.id in numbers
                    found = found or counted or _is_of_a_layer(value, item, layers)
                    found = found or (_is_of_itself(value, item) and ast.unparse(index) in in_turn)
                    found = found or (isinstance(index, ast.Slice) and _is_of_each(value, name))
    return found


def _written(target: ast.expr, name: str) -> Iterator[ast.Subscript]:
    """The items of a name that an assignment writes, alone or among others."""
    for one in target.elts if isinstance(target, ast.Tuple) else [target]:
        match one:
            case ast.Subscript(value=ast.Name(id=owner)) if owner == name:
                yield one


def _is_of_itself(value: ast.expr, item: ast.Subscript) -> bool:
    """Whether the same is made of each item: of all rows of a tensor it is made at once."""
    parts = [ast.unparse(each) for each in ast.walk(value) if isinstance(each, ast.expr)]
    return parts.count(ast.unparse(item)) == 1 == parts.count(ast.unparse(item.slice))


def _turns(nodes: list[ast.AST]) -> set[str]:
    """The names that loops give one value after the other."""
    return {
        node.target.id
        for node in nodes
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
    }


def _is_read_by_items(name: str, nodes: list[ast.AST]) -> bool:
    """Whether a name is never read but for one of its items, by numbers of one dimension."""
    reads = sum(isinstance(node, ast.Name) and node.id == name for node in nodes)
    items = sum(
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == name
        and isinstance(node.slice, (ast.Name, ast.Constant, ast.UnaryOp, ast.BinOp))
        for node in nodes
    )
    return 1 < items == reads


def _is_of_each(value: ast.expr, name: str) -> bool:
    """Whether a list is made of the items of something: a tensor takes no list of its rows."""
    return isinstance(value, ast.ListComp) and any(
        isinstance(each, ast.Name) and each.id == name
        for loop in value.generators
        for each in ast.walk(loop.iter)
    )


def _layers(nodes: list[ast.AST]) -> Iterator[str]:
    """The variables that stand for an attribute of the object that is told by its name."""
    for node in nodes:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=variable)],
                value=ast.Call(func=ast.Name(id="getattr"), args=[ast.Name(id="self"), _]),
            ):
                yield variable


def _is_of_a_layer(value: ast.expr, item: ast.Subscript, layers: set[str]) -> bool:
    """Whether a value is what an attribute, or an item of one, makes of one item."""
    if not isinstance(value, ast.Call) or not isinstance(
        item.slice, (ast.Name, ast.Constant, ast.UnaryOp)
    ):
        return False
    layer = value.func.value if isinstance(value.func, ast.Subscript) else value.func
    read = ast.unparse(item)
    is_layer = _is_own(layer) or (isinstance(layer, ast.Name) and layer.id in layers)
    return is_layer and any(ast.unparse(each) == read for each in value.args)


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
                    yield from _zipped(node.args)


def _zipped(iterated: list[ast.expr]) -> Iterator[str]:
    """The names of what is gone through, from its first item or from a later one."""
    for each in iterated:
        match each:
            case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name), slice=ast.Slice()):
                yield name


def _enumerated(loop: ast.For | ast.comprehension) -> Iterator[tuple[ast.Name, ast.Name]]:
    """The number and the layer of a loop over numbered layers."""
    match loop.target:
        case ast.Tuple(elts=[_, ast.Name() as layer]):
            for number, layers in _numbered(loop):
                if _is_own(layers):
                    yield number, layer


def _numbered(loop: ast.For | ast.comprehension) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The number in a loop over something numbered, and what that is."""
    match loop.target, loop.iter:
        case (
            ast.Tuple(elts=[ast.Name() as number, _]),
            ast.Call(func=ast.Name(id="enumerate"), args=[along]),
        ):
            yield number, along


def _items(call: ast.Call, number: str) -> Iterator[str]:
    """The names of which a call is given the item with a number."""
    for given in call.args:
        match given:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Name(id=index)):
                if index == number:
                    yield name


def _is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
