"""Programs that parse and that nobody would write: fixtures, mutated and mixed."""

from __future__ import annotations

import ast
import copy
import sys
from collections.abc import Callable
from functools import cache

from cases import all_cases
from hypothesis import strategies as st

Body = list[ast.stmt]
Draw = Callable[[st.SearchStrategy], object]

WRAPPERS = [
    "if flag:\n    BODY",
    "if first:\n    pass\nelif second:\n    BODY\nelse:\n    BODY",
    "for index, (x, *rest) in enumerate(loader):\n    BODY\nelse:\n    BODY",
    "for self.x[0], model.weight in loader:\n    BODY\n    continue",
    "while (n := n - 1) > 0:\n    BODY\n    break",
    "while True:\n    BODY",
    "try:\n    BODY\nexcept (ValueError, *errors) as error:\n    raise\n"
    "else:\n    BODY\nfinally:\n    BODY",
    "try:\n    BODY\nexcept* OSError:\n    pass",
    "with torch.no_grad(), open(path) as (file, *_):\n    BODY",
    "def f(a, /, b=x, *args, c: int = 2, **kwargs) -> None:\n    BODY\n    return f(a)",
    "def forward(self, x):\n    BODY\n    return x",
    "def generator():\n    BODY\n    x = yield x\n    yield from generator()",
    "async def f():\n    async for x in y:\n        BODY\n    async with z as w:\n        await w",
    "class Model(nn.Module, *bases, metaclass=Meta, **options):\n    BODY",
    "class Model(Model):\n    def __init__(self):\n        super().__init__()\n        BODY",
    "@torch.no_grad()\n@decorators[0]\n@(lambda f: f)\ndef decorated():\n    BODY",
    "match x:\n    case {'a': [1, *rest], **others} if rest:\n        BODY\n"
    "    case nn.Linear(weight=0) | None as p:\n        BODY\n    case _:\n        BODY",
]
STATEMENTS = [
    "x = [i for i in x if (j := i) for k in (i, j)]",
    "x = {k: v for k, v in {**x, 'a': 1}.items()}",
    "x = sum(loss for loss in (f(*x, **y) async for y in z))",
    "f = lambda *a, b=x, **c: f(b)",
    "x: torch.Tensor",
    "(x): torch.Tensor = x",
    "x[..., None, ::2, *y] += x @ y ** -x",
    "x.a.b[0]().c = y.z = (x, *y), [w, *_] = z",
    "del x, y[0], z.w",
    "global x, model",
    "nonlocal optimizer",
    "assert x, f'{x!r:>{width}} {y=}'",
    "x = y if x else not z < w <= v is not u",
    "from . import *",
    "from ..a.b import c as d, e",
    "import torch as nn, torch.nn.functional",
    "from torch import nn as torch",
    "raise",
    "return",
    "break",
    "yield",
    "x = await x",
    "model = model(model)",
    "model.forward = model",
    "self.self = self",
    "torch = torch.nn = nn",
    "x = x.x = x",
    "x += x; x -= x; x.add_(x, alpha=x)",
    "x = torch.zeros(*x, **x).relu_()",
    "losses.append(losses); losses += [losses]",
    "super().__init__(**self.__dict__)",
    "class Model(Model): forward = lambda self, x: self(x)",
    "def f(): return f()",
    "print('\U0001f525', x)",
    "optimizer = torch.optim.SGD(model.parameters(), lr)",
    "loss = loss + criterion(torch.softmax(x, -1), y); loss.backward(); optimizer.step()",
]
if sys.version_info >= (3, 12):
    STATEMENTS += ["type X[T] = list[T]", "def f[T: int, *Ts, **P](x: T) -> T: return x"]
    WRAPPERS += ["class Model[T](nn.Module):\n    BODY"]
if sys.version_info >= (3, 13):
    STATEMENTS += ["class A[T = int]: x: T"]
if sys.version_info >= (3, 14):
    STATEMENTS += ["x = t'{x!r:>{width}} {y=}' t'{model(x)}'", "print(t'{x}')"]
    WRAPPERS += ["try:\n    BODY\nexcept ValueError, *errors:\n    raise"]


@cache
def originals() -> list[ast.Module]:
    """The fixtures that Python can parse, and an empty program."""
    trees = [ast.Module(body=[], type_ignores=[])]
    for case in all_cases():
        for file in case.files:
            try:
                trees.append(ast.parse(file.read_bytes()))
            except (SyntaxError, ValueError):
                continue
    return trees


def bodies(tree: ast.AST) -> list[Body]:
    """All lists of statements in a tree that may hold any statement."""
    return [
        getattr(node, name)
        for node in ast.walk(tree)
        for name in ("body", "orelse", "finalbody")
        if isinstance(getattr(node, name, None), list)
    ]


def delete(draw: Draw, tree: ast.Module) -> None:
    body = draw(st.sampled_from(bodies(tree)))
    if body:
        del body[draw(st.integers(0, len(body) - 1))]


def swap(draw: Draw, tree: ast.Module) -> None:
    body = draw(st.sampled_from(bodies(tree)))
    if len(body) > 1:
        index = draw(st.integers(0, len(body) - 2))
        body[index], body[index + 1] = body[index + 1], body[index]


def insert(draw: Draw, tree: ast.Module) -> None:
    body = draw(st.sampled_from(bodies(tree)))
    index = draw(st.integers(0, len(body)))
    body[index:index] = ast.parse(draw(st.sampled_from(STATEMENTS))).body


def transplant(draw: Draw, tree: ast.Module) -> None:
    """Insert a statement of another fixture."""
    body = draw(st.sampled_from(bodies(tree)))
    other = draw(st.sampled_from(bodies(draw(st.sampled_from(originals())))))
    if other:
        body.insert(draw(st.integers(0, len(body))), copy.deepcopy(draw(st.sampled_from(other))))


def nest(draw: Draw, tree: ast.Module) -> None:
    """Put a run of statements into a compound statement."""
    body = draw(st.sampled_from(bodies(tree)))
    begin = draw(st.integers(0, len(body)))
    end = draw(st.integers(begin, len(body)))
    wrapper = ast.parse(draw(st.sampled_from(WRAPPERS)))
    for inner in bodies(wrapper):
        for index, statement in enumerate(inner):
            if isinstance(statement, ast.Expr) and getattr(statement.value, "id", "") == "BODY":
                inner[index : index + 1] = copy.deepcopy(body[begin:end])
                break
    body[begin:end] = wrapper.body


def rename(draw: Draw, tree: ast.Module) -> None:
    """Give some uses of one name the name of another."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    if names:
        old, new = draw(st.sampled_from(names)).id, draw(st.sampled_from(names)).id
        chosen = draw(st.sets(st.integers(0, len(names) - 1), max_size=6))
        for index, node in enumerate(names):
            if node.id == old and (index in chosen or not chosen):
                node.id = new


MUTATIONS = [delete, swap, insert, transplant, nest, rename]


@st.composite
def programs(draw: Draw) -> str:
    """A program that Python parses."""
    tree = copy.deepcopy(draw(st.sampled_from(originals())))
    for mutate in draw(st.lists(st.sampled_from(MUTATIONS), min_size=3, max_size=10)):
        mutate(draw, tree)
    for node in ast.walk(tree):
        if getattr(node, "body", None) == []:
            node.body = [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))
