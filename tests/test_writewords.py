"""Which code is taken to write into what may be a tensor."""

from __future__ import annotations

import pytest

from torchlint.project.words import words
from torchlint.project.writewords import AUGMENTED, TRAILING_UNDERSCORE

TENSORS = [
    "x += 1",
    "x[0] = 1",
    "loss = 0\n    loss += x.g()",
    "x['a'] += 1",
    "x['a'][0] = 1",
    "if x:\n        x = 0\n    x += 1",
    "out = {}\n    for out in x:\n        out[0] = 1",
    "out = {}\n    with x as out:\n        out[0] = 1",
    "a, out = {}, x\n    out[0] = 1",
    "out = {}\n    out['a'][0] = 1",
    "out = {}\n    out[0] += x",
    "out = {0: x}[1]\n    out[0] = x",
    "n = 0.5\n    n += 1",
    "n = 0 + x\n    n += 1",
    "n = 0\n    n = n + x\n    n += 1",
    "y = dict(a=x).b\n    y[0] = 1",
    "n = 0; n += x; n += 1",
    "x += (y + g(y, 1))",
    "x += (y)",
]
THEIRS = [
    # Others may have the tensor, or an operation may keep it before it is written into.
    "y = x.view(3)\n    y[0] = 1",
    "y = torch.zeros(3)\n    z = y * x\n    y[0] = 1",
    "y = torch.zeros(3)\n    y[0] = y.exp() * x",
    "y = torch.zeros(3)\n    for i in x:\n        y[i] = 1\n        z = y * i",
    "y = torch.zeros(3)\n    for i in x:\n        if i:\n            y = torch.zeros(3)\n"
    "        y[i] = 1\n        z = y * i",
    "y = torch.zeros(3)\n    for i in x:\n        y[i] = 1\n        z = y * i\n"
    "        if i:\n            continue\n        y = torch.zeros(3)",
    "if x:\n        y = torch.zeros(3)\n    else:\n        y = x\n    y[0] = 1",
    "y = torch.zeros(3)\n    def g():\n        y[0] = 1\n    return y * x",
    "y = torch.zeros(3)\n    y **= x\n    y += 1",
    "y = torch.as_tensor(x)\n    y += 1",
    "y, z = torch.zeros(3), 1\n    y += 1",
    "global y\n    y = torch.zeros(3)\n    y += 1",
    "out = [x]\n    out[0] += 1",
    "x.y[0] = 1",
    "x[0] = False",
]
METHODS = [
    "x.add_(1)",
    "relu_(x)",
    "F.relu_(x)",
    "nn.init.zeros_(x)",
    "y = torch.zeros(3)\n    y.exp_()\n    y.add_(1)",
    "y = torch.zeros(3)\n    y[x].add_(1)",
    "y = torch.zeros(3)\n    z = y.add_(1) * x\n    y.add_(1)",
    "y = torch.zeros(3)\n    [y[0].mul_(i) for i in x]\n    return y",
    "y = torch.zeros(3).exp_()",
    "y = torch.zeros(3)\n    y = y.exp_()",
]
OWN = [
    "y = torch.zeros(3)\n    y[0] = 1\n    return y * x",
    "y = torch.zeros(3)\n    y[x] += 2\n    y *= x\n    return y.exp()",
    "y: Tensor = x.new_zeros(3).to(x.device)\n    for i in x:\n        y[i] = y.shape[0] + len(y)\n"
    "    return y",
    "for i in x:\n        y = torch.zeros(3)\n        y[0] = i\n        z = y * i",
    "y = x.clone()\n    y[..., 0].add_(1)\n    y = y.masked_fill_(x, 0)\n    return y",
    "if x:\n        y = torch.ones(3)\n    else:\n        y = torch.empty(3)\n    y.copy_(x)\n"
    "    return lambda: y * x",
    "y = torch.full((3,), 0.0)\n    return y.index_add_(0, x, x)",
    "x.requires_grad_()",
    "x.y[0] = True\n    x.y[1] = None",
    "y = torch.zeros(3)\n    y[0] = 1\n    y.masked_fill_(y == 1, 0)\n    return y",
    "y = torch.zeros(3).add_(1)\n    y += x\n    return torch.empty_like(x).uniform_(0, 1) * y",
]
OTHERS = [
    "x['a'] = 1",
    "x.y['a']['b'] = 1",
    "out = {}\n    for k, v in x:\n        out[k] = v",
    "out: dict[str, int] = OrderedDict()\n    out[a, b] = 1",
    "out = [None] * 3\n    out[x[0]] = 1",
    "n = 0\n    n += 1",
    "n = len(x)\n    n -= 1  # one",
    "s = g()\n    s += 'a'\n    s += [1]\n    s += f'{a}'",
    "out = [y for y in x]\n    out[0] = out[0](x)\n    out += x",
    "out = list(x)\n    out[-1] = x",
    "s = g()\n    s += (x,)\n    s += (x, g(x, 1))\n    s += (g(x, 1), x)",
]


@pytest.mark.parametrize("body", [*TENSORS, *THEIRS])
def test_this_may_be_a_tensor_of_others(body: str) -> None:
    assert AUGMENTED in words(f"def f(x):\n    {body}\n")


@pytest.mark.parametrize("body", METHODS)
def test_this_method_may_change_one(body: str) -> None:
    assert TRAILING_UNDERSCORE in words(f"def f(x):\n    {body}\n")


@pytest.mark.parametrize("body", [*OWN, *OTHERS])
def test_this_meets_none(body: str) -> None:
    assert words(f"def f(x):\n    {body}\n").isdisjoint({AUGMENTED, TRAILING_UNDERSCORE})


def test_names_are_not_known_where_other_statements_may_give_them_more() -> None:
    assert AUGMENTED in words("if x:\n    y = torch.zeros(3)\n    y[0] = 1\n")
