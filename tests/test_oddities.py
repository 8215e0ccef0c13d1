"""Whatever is called, and whatever it is given, a file is linted to its end."""

from __future__ import annotations

import random
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING

import pytest
import torch

from torchlint.api import check
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_NAMESPACES = (
    "nn nn.functional nn.init nn.utils nn.utils.rnn nn.utils.prune nn.utils.parametrizations "
    "nn.parallel optim optim.lr_scheduler linalg fft special autograd autograd.functional cuda "
    "cuda.amp amp func jit random distributed distributions utils.data utils.checkpoint hub sparse "
    "multiprocessing profiler export onnx testing backends"
).split()

ARGUMENTS = (
    "",
    *"x None *a **k [] () {} ... m m.parameters() 1 -1 0 1j 3.5,2.5 -3,4,0 True,False".split(),
    *["x, x, x, x, x, x", "x, 0", "x, -1", "x, 10**30", "x, 1.5", "x, None", "x, 'mean'", "x, y"],
    *["x, [x, x]", "[x, None]", "(x,), 1", "x, dim=0", "x, dim=(0, 1)", "x, dim='N'", "x, dim=[]"],
    *["x, dim=99", "x, foo=1", "x, out=x", "x, *a, **k", "m, m", "o, 1", "[m, m]", "{'a': x}"],
    *["x, dtype=torch.float16", "x, device='cuda:999'", "lambda *a: a", "slice(None)", "b'a'"],
    *["x[...], True, False", "float('nan')", "float('inf'), 0", "x, (1, 2), (3,), 4", "*x.shape"],
    *["'a b -> b a', x", "x, x.shape[0]", "m, x", "x, x.grad", "x, input=x", "[[1, 2], [3]]"],
    *["x if y else None", "3, 4, kernel_size=-1", "0, 0", "3, 'a'", "(3, 4), (5,)", "size=(1,)"],
)
STATEMENTS = (
    "{}",
    "z = {}",
    "z = {}\n    z.sum().backward()",
    "for q in {}:\n        z = q",
    "with {} as z:\n        x += 1",
    "z = ({})(x)",
    "y += {}",
    "x = x * ({}) + y",
    "if {}:\n        x = y",
    "z, w = {}",
    "x[0] = {}",
    "assert x.dim() == 3 and x.ndim == 4 and x.shape == ({})",
    "m.w = {}",
    "k['a'] = {}",
    "b = [{}]\n    b += b",
    "z = [q for q in {}]",
    "z = nn.Sequential({})(x)",
    "z = x.view({}, -1)",
)
HEAD = "import torch\nfrom torch import nn\n"
FUNCTION = """

def f{number}(x, y, *a, **k):
    x = torch.zeros(3, 4, requires_grad=True)
    m = nn.Linear(4, 4)
    o = torch.optim.SGD(m.parameters(), 0.1)
    o.zero_grad()
    {body}
    return x.relu_().sum().backward()
"""


def _names() -> list[str]:
    """What torch has to be called, methods of tensors with a dot before them."""
    spaces = {f"torch.{name}": import_module(f"torch.{name}") for name in _NAMESPACES}
    spaces["torch"] = torch
    of_torch = (
        f"{prefix}.{name}"
        for prefix, space in spaces.items()
        for name in dir(space)
        if not name.startswith("__") and callable(getattr(space, name))
    )
    methods = (f"x.{name}" for name in dir(torch.Tensor) if callable(getattr(torch.Tensor, name)))
    return sorted(chain(of_torch, methods))


def _programs(seed: int, count: int) -> Iterator[str]:
    chosen = random.Random(seed)
    names = _names()
    for _ in range(count):
        functions = []
        for number in range(5):
            lines = [
                chosen.choice(STATEMENTS).format(f"{name}({chosen.choice(ARGUMENTS)})")
                for name in chosen.sample(names, 12)
            ]
            functions.append(FUNCTION.format(number=number, body="\n    ".join(lines)))
        yield HEAD + "".join(functions)


def _fails(program: str, folder: Path) -> list[str]:
    (folder / "program.py").write_text(program)
    report = check([str(folder)], Settings(jobs=1))
    assert not report.troubles
    return [finding.message for finding in report.findings if finding.code == "TL000"]


def test_anything_may_be_called(tmp_path: Path) -> None:
    assert [failed for each in _programs(0, 10) for failed in _fails(each, tmp_path)] == []


def test_slices_are_values_and_an_index_may_be_empty(tmp_path: Path) -> None:
    program = """
import torch

class Data:
    def __init__(self, kept):
        self.kept = kept

    def __getitem__(self, item):
        part = item if isinstance(item, slice) else slice(item, item + 1)
        if part in self.kept:
            item = part
        return self.kept[item]

def parts(x, n):
    data = Data(torch.zeros(4, 4))
    return data[0:2].sum() + (data[1:n] if n else data[0]).sum()

def rows(table, n):
    total, out = 0, []
    for i in range(n):
        out.append(table[()])
        total += out[()] + i
    return total
"""
    assert _fails(program, tmp_path) == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 11))
def test_anything_may_be_called_at_length(seed: int, tmp_path: Path) -> None:
    assert [failed for each in _programs(seed, 60) for failed in _fails(each, tmp_path)] == []
