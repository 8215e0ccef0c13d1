"""Mistakes of tensors: where they are, what shape they have, what becomes of them."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .code import Code, Edit, called, receiver, seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Places = Iterator[tuple[ast.expr | ast.stmt, list[Edit]]]

_KEEPERS = {"sigmoid", "tanh", "exp", "relu", "softmax", "sqrt"}
"""Operations that keep their results for backward."""


def _moves(code: Code) -> Iterator[tuple[ast.Assign, ast.Call]]:
    """Names that are moved, and are what was moved from there on."""
    for node in code.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                to_device = called(call) == "to" and "device" in ast.unparse(call)
                if receiver(call) == name and (to_device or called(call) == "cuda"):
                    yield node, call


@seed("TL503")
def move_discarded(code: Code) -> Places:
    """A tensor is moved, and nobody keeps it."""
    for node, call in _moves(code):
        yield node, [code.put(node, code.of(call))]


@seed("TL504")
def move_left_out(code: Code) -> Places:
    """A tensor stays behind."""
    for node, _ in _moves(code):
        if code.calls(code.scope(node), "backward"):
            yield node, [code.put(node, "pass")]


@seed("TL510")
def result_discarded(code: Code) -> Places:
    """An operation whose result nobody keeps."""
    for node in code.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                methods = {"view", "reshape", "permute", "transpose", "unsqueeze", "squeeze"}
                methods |= {"clamp", "float", "long", "flatten", "detach", "contiguous"}
                if called(call) in methods and receiver(call) == name:
                    yield node, [code.put(node, code.of(call))]


@seed("TL101")
def kept_result_changed(code: Code) -> Places:
    """What backward needs is changed in place."""
    for node in code.all(ast.Assign):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                full = ast.unparse(call.func)
                if called(call) in _KEEPERS and re.match(r"(torch|F|nn\.functional)\.", full):
                    indent = " " * node.col_offset
                    yield node, [code.put(node, f"{code.of(node)}\n{indent}{name} *= 0.5")]


@seed("TL101")
def kept_operand_changed(code: Code) -> Places:
    """What a product keeps for backward is changed in place."""
    for node in code.all(ast.Assign):
        match node:
            case ast.Assign(
                targets=[ast.Name()],
                value=ast.BinOp(left=ast.Name(id=left), op=ast.Mult(), right=ast.Name()),
            ) if any(getattr(each, "name", "") == "forward" for each in code.above(node)):
                indent = " " * node.col_offset
                yield node, [code.put(node, f"{code.of(node)}\n{indent}{left} += 1")]


@seed("TL702")
def squeezed_whole(code: Code) -> Places:
    """All dimensions of one are dropped, the batch too."""
    for call in code.all(ast.Call):
        match call.args:
            case [dim] if called(call) == "squeeze" and re.fullmatch(r"-?\d", ast.unparse(dim)):
                yield call, [code.put(dim, "")]


@seed("TL704")
def contiguous_left_out(code: Code) -> Places:
    """A view of what lies in another order."""
    for call in code.all(ast.Call):
        match call.func:
            case ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(value=inner, attr="contiguous"), args=[]
                ) as middle,
                attr="view",
            ):
                yield call, [code.put(middle, code.of(inner))]


@seed("TL703")
def transposed_by_view(code: Code) -> Places:
    """Dimensions are renamed where they should change places."""
    for call in code.all(ast.Call):
        match call:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="permute" | "transpose"),
                args=[_, _, *_] as order,
            ) if all(isinstance(each, ast.Constant) for each in order):
                numbers = [ast.literal_eval(each) for each in order]
                if called(call) == "transpose":
                    if numbers not in ([1, 2], [2, 1], [0, 1]):
                        continue
                    numbers = [0, 2, 1] if 2 in numbers else [1, 0]
                if all(isinstance(each, int) and each >= 0 for each in numbers):
                    sizes = ", ".join(f"{name}.shape[{each}]" for each in numbers)
                    yield call, [code.put(call, f"{name}.view({sizes})")]


@seed("TL508")
def tensor_of_tensor(code: Code) -> Places:
    """A tensor is copied out of its graph."""
    for call in code.all(ast.Call):
        if called(call) in {"cat", "stack"} and receiver(call) == "torch" and len(call.args) >= 1:
            yield call, [code.put(call, f"torch.tensor({code.of(call)})")]


@seed("TL810", "TL514", "TL123")
def numpy_of_graph(code: Code) -> Places:
    """numpy is asked for what has a graph."""
    for call in code.all(ast.Call):
        match call.func:
            case ast.Attribute(
                value=ast.Call(func=ast.Attribute(value=inner, attr="detach"), args=[]) as middle,
                attr="numpy" | "cpu",
            ):
                yield call, [code.put(middle, code.of(inner))]
