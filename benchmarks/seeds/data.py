"""Mistakes of datasets and loaders."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from .code import Code, Edit, called, keyword, seed

if TYPE_CHECKING:
    from collections.abc import Iterator

    Places = Iterator[tuple[ast.expr | ast.stmt, list[Edit]]]


def _loaders(code: Code) -> Iterator[ast.Call]:
    for call in code.all(ast.Call):
        if called(call) == "DataLoader":
            yield call


@seed("TL606")
def training_in_order(code: Code) -> Places:
    """A model sees its examples in the same order each time."""
    for call in _loaders(code):
        match keyword(call, "shuffle"):
            case ast.keyword(value=ast.Constant(value=True)) as shuffle if (
                ".backward(" in code.text
            ):
                yield call, [code.without(call, shuffle)]


@seed("TL615")
def sampler_and_shuffle(code: Code) -> Places:
    """A loader is told to shuffle, and by whom."""
    for call in _loaders(code):
        if keyword(call, "shuffle") is None and (sampler := keyword(call, "sampler")):
            text = f"sampler={code.of(sampler.value)}, shuffle=True"
            yield call, [code.put(sampler, text)]


@seed("TL609")
def main_guard_left_out(code: Code) -> Places:
    """Workers start the program again."""
    if not re.search(r"num_workers\s*=\s*[1-9]", code.text):
        return
    for node in code.tree.body:
        if isinstance(node, ast.If) and re.match(r"__name__\s*==", ast.unparse(node.test)):
            yield node, [code.put(node.test, "True")]


@seed("TL213")
def epoch_not_set(code: Code) -> Places:
    """A sampler draws the same order in each epoch."""
    for statement, _ in code.statements("set_epoch"):
        yield statement, [code.put(statement, "pass")]


@seed("TL602")
def moved_in_dataset(code: Code) -> Places:
    """A dataset makes tensors of the GPU."""
    for each in code.all(ast.ClassDef):
        for function in each.body:
            if isinstance(function, ast.FunctionDef) and function.name == "__getitem__":
                for node in code.within(function, ast.Return):
                    match node.value:
                        case ast.Tuple(elts=[ast.Name(id=name) as first, *_]):
                            if re.search(rf"\b{name} = (torch\.\w+|self\.transform)\(", code.text):
                                yield node, [code.put(first, f"{name}.cuda()")]


@seed("TL607")
def length_left_out(code: Code) -> Places:
    """A dataset that does not know how long it is."""
    for each in code.all(ast.ClassDef):
        if any(re.search(r"\bDataset$", ast.unparse(base)) for base in each.bases):
            for function in each.body:
                if isinstance(function, ast.FunctionDef) and function.name == "__len__":
                    yield function, [_renamed(code, function)]


def _renamed(code: Code, function: ast.FunctionDef) -> Edit:
    start = code.text.index("__len__", code.span(function)[0])
    return Edit(start, start + len("__len__"), "length")


@seed("TL616")
def normalized_before_tensor(code: Code) -> Places:
    """Pictures are normalized before they are tensors."""
    for call in code.all(ast.Call):
        match call:
            case ast.Call(args=[ast.List(elts=[*steps])]) if called(call) == "Compose":
                for first, second in pairwise(steps):
                    pair = [called(one) for one in (first, second) if isinstance(one, ast.Call)]
                    if pair == ["ToTensor", "Normalize"]:
                        given = code.put(first, code.of(second))
                        yield call, [given, code.put(second, code.of(first))]
