"""Mistakes of classes of modules."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from .code import Code, Edit, called, keyword, seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Places = Iterator[tuple[ast.expr | ast.stmt, list[Edit]]]


_RECURRENT = {"LSTM", "GRU", "RNN", "TransformerEncoderLayer", "MultiheadAttention"}
"""And what else takes sequences with the batch first or not."""


def _modules(code: Code) -> Iterator[ast.ClassDef]:
    for each in code.all(ast.ClassDef):
        if any(re.fullmatch(r"(torch\.)?(nn\.)?Module", ast.unparse(base)) for base in each.bases):
            yield each


def _method(each: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    methods = (one for one in each.body if isinstance(one, ast.FunctionDef))
    return next((one for one in methods if one.name == name), None)


def _body(each: ast.ClassDef, name: str) -> list[ast.stmt]:
    found = _method(each, name)
    return found.body if found else []


@seed("TL401")
def super_init_left_out(code: Code) -> Places:
    """A module does not begin as one."""
    for each in _modules(code):
        for statement in _body(each, "__init__"):
            match statement:
                case ast.Expr(value=ast.Call(func=ast.Attribute(attr="__init__"))):
                    yield statement, [code.put(statement, "pass")]


@seed("TL402")
def layers_in_plain_list(code: Code) -> Places:
    """Layers that a module does not know of."""
    for call in code.all(ast.Call):
        assigned = code.parents[call]
        if called(call) != "ModuleList" or not isinstance(assigned, ast.Assign):
            continue
        if not ast.unparse(assigned.targets[0]).startswith("self."):
            continue
        if not call.args:
            yield call, [code.put(call, "[]")]
        elif isinstance(call.args[0], ast.List | ast.ListComp):
            yield call, [code.put(call, code.of(call.args[0]))]


@seed("TL403", "TL504", "TL501")
def buffer_as_attribute(code: Code) -> Places:
    """A tensor that stays where it was when the module moves."""
    for statement, call in code.statements("register_buffer"):
        match call.args:
            case [ast.Constant(value=str() as name), value] if name.isidentifier():
                text = f"self.{name} = {code.of(value)}"
                yield statement, [code.put(statement, text)]


@seed("TL403", "TL409")
def parameter_as_tensor(code: Code) -> Places:
    """A tensor that is never trained."""
    for call in code.all(ast.Call):
        assigned = code.parents[call]
        match assigned, call:
            case ast.Assign(targets=[target]), ast.Call(args=[value], keywords=[]) if called(
                call
            ) == "Parameter" and ast.unparse(target).startswith("self."):
                yield call, [code.put(call, code.of(value))]


@seed("TL404")
def forward_called(code: Code) -> Places:
    """Hooks of a layer are passed by."""
    for each in _modules(code):
        forward = _method(each, "forward")
        for call in code.within(forward, ast.Call) if forward else ():
            match call.func:
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    if not _method(each, name):
                        yield call, [code.put(call.func, f"self.{name}.forward")]


@seed("TL407")
def dropout_always_on(code: Code) -> Places:
    """Dropout that does not know whether the module trains."""
    for call in code.all(ast.Call):
        if called(call) == "dropout" and (training := keyword(call, "training")):
            yield call, [code.without(call, training)]


@seed("TL414")
def nothing_returned(code: Code) -> Places:
    """A forward ends without giving anything back."""
    for each in _modules(code):
        forward = _method(each, "forward")
        match forward and forward.body[-1]:
            case ast.Return(value=ast.Name() as value) as last:
                yield last, [code.put(last, code.of(value))]


@seed("TL408")
def layer_made_in_forward(code: Code) -> Places:
    """A layer that is new in every forward."""
    for each in _modules(code):
        forward, init = _method(each, "forward"), _method(each, "__init__")
        if not forward or not init:
            continue
        made = {}
        for node in code.within(init, ast.Assign):
            match node.value:
                case ast.Call(func=func) if re.match(r"nn\.(Linear|Conv\dd)$", ast.unparse(func)):
                    arguments = ast.unparse(node.value)
                    if not re.search(r"\((?!.*self)(?=[\d ,=\w]*\))", arguments):
                        continue
                    if all(isinstance(one, ast.Constant) for one in node.value.args):
                        made[ast.unparse(node.targets[0])] = code.of(node.value)
        for call in code.within(forward, ast.Call):
            if text := made.get(ast.unparse(call.func)):
                yield call, [code.put(call.func, text)]


@seed("TL419")
def attribute_misspelt(code: Code) -> Places:
    """A layer is asked for by a name that nobody gave it."""
    for each in _modules(code):
        forward = _method(each, "forward")
        for call in code.within(forward, ast.Call) if forward else ():
            match call.func:
                case ast.Attribute(value=ast.Name(id="self"), attr=name):
                    if not _method(each, name) and len(name) > 2:
                        yield call, [code.put(call.func, f"self.{name}_")]


@seed("TL406", "TL402")
def layer_not_used(code: Code) -> Places:
    """A layer that no forward goes through."""
    for each in _modules(code):
        forward = _method(each, "forward")
        for node in code.within(forward, ast.Assign) if forward else ():
            match node:
                case ast.Assign(
                    targets=[ast.Name(id=target)],
                    value=ast.Call(
                        func=ast.Attribute(value=ast.Name(id="self"), attr=name),
                        args=[ast.Name(id=given)],
                    ),
                ) if target == given:
                    uses = re.findall(rf"self\.{name}\b", code.text)
                    if len(uses) == 2 and re.search(r"nn\.", _made(code, each, name)):
                        yield node, [code.put(node, "pass")]


def _made(code: Code, each: ast.ClassDef, name: str) -> str:
    for node in code.within(_method(each, "__init__") or ast.Module([], []), ast.Assign):
        if ast.unparse(node.targets[0]) == f"self.{name}":
            return ast.unparse(node.value)
    return ""


@seed("TL701", "TL709")
def layer_of_wrong_size(code: Code) -> Places:
    """A layer does not fit what comes before it."""
    for call in code.all(ast.Call):
        if called(call) in {"Linear", "Conv2d", "Conv1d", "BatchNorm2d", "BatchNorm1d"}:
            match call.args:
                case [ast.Constant(value=int() as number) as size, *_] if number > 3:
                    if any(isinstance(one, ast.ClassDef) for one in code.above(call)):
                        yield call, [code.put(size, str(number + 2))]


@seed("TL708")
def batch_first_left_out(code: Code) -> Places:
    """A recurrent layer takes the batch for the sequence."""
    for call in code.all(ast.Call):
        if called(call) in _RECURRENT and (first := keyword(call, "batch_first")):
            yield call, [code.without(call, first)]


@seed("TL910")
def compiled_for_nothing(code: Code) -> Places:
    """A compiled model that nobody keeps."""
    for node in code.all(ast.Assign):
        match node.value:
            case ast.Call(func=func) if ast.unparse(func) == "torch.compile":
                yield node, [code.put(node, code.of(node.value))]


@seed("TL117")
def frozen_by_attribute(code: Code) -> Places:
    """A module is given an attribute that only tensors have."""
    for node in code.all(ast.For):
        match node:
            case ast.For(
                iter=ast.Call(func=ast.Attribute(value=module, attr="parameters")),
                body=[ast.Assign(targets=[ast.Attribute(attr="requires_grad")], value=value)],
            ):
                yield node, [code.put(node, f"{code.of(module)}.requires_grad = {code.of(value)}")]


@seed("TL112")
def requires_grad_misspelt(code: Code) -> Places:
    """An attribute that means nothing to torch."""
    for node in code.all(ast.Assign):
        match node.targets:
            case [ast.Attribute(value=inner, attr="requires_grad") as target]:
                yield node, [code.put(target, f"{code.of(inner)}.require_grad")]
