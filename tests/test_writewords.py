"""Which code is taken to write into what may be a tensor."""

from __future__ import annotations

import pytest

from torchlint.project.words import AUGMENTED, words

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
OTHERS = [
    "x['a'] = 1",
    "x.y['a']['b'] = 1",
    "out = {}\n    for k, v in x:\n        out[k] = v",
    "out: dict[str, int] = OrderedDict()\n    out[a, b] = 1",
    "out = [None] * 3\n    out[x[0]] = 1",
    "n = 0\n    n += 1",
    "n = len(x)\n    n -= 1  # one",
    "s = g()\n    s += 'a'\n    s += [1]\n    s += f'{a}'",
    "s = g()\n    s += (x,)\n    s += (x, g(x, 1))\n    s += (g(x, 1), x)",
]


@pytest.mark.parametrize("body", TENSORS)
def test_this_may_be_a_tensor(body: str) -> None:
    assert AUGMENTED in words(f"def f(x):\n    {body}\n")


@pytest.mark.parametrize("body", OTHERS)
def test_this_is_none(body: str) -> None:
    assert AUGMENTED not in words(f"def f(x):\n    {body}\n")
