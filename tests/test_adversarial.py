"""No file takes more than ten times its share of time, whatever is in it."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from test_cost import HEAD, training_loops, training_within

from torchlint.api import check
from torchlint.settings import Settings

TIMES = 10
LEAST = 2.0
"""Seconds that a file may take however short it is."""


def lines(line: str, count: int, last: str = "x.sum().backward()") -> str:
    return f"def f(x, c):\n{f'    {line}{chr(10)}' * count}    {last}\n"


def chained(count: int, calls: str) -> str:
    """Functions each of which calls the next one twice, and the last one the first."""
    return "".join(
        f"def f{n}(x):\n    x += 1\n    {calls.format(f'f{(n + 1) % count}')}\n"
        for n in range(count)
    )


def model(body: str) -> str:
    init = (
        "    def __init__(self):\n        super().__init__()\n        self.net = nn.Sequential(\n"
    )
    forward = "    def forward(self, x):\n        return self.net(x)\n"
    return f"class Model(nn.Module):\n{init}{body}        )\n\n{forward}"


PROGRAMS = {
    "lines": lines("x = x.relu_() + 1", 20_000),
    "branches": lines("if c == x.size(0):\n        x = x.relu_()", 5_000),
    "elif": f"def f(x, c):\n    if c:\n        x = x.exp()\n"
    f"{''.join(f'    elif c == {n}:{chr(10)}        x = x.relu_(){chr(10)}' for n in range(2_000))}"
    "    x.sum().backward()\n",
    "nested loops": training_within(3_600),
    "loops": training_loops(500),
    "layers": model("            nn.Linear(4, 4), nn.ReLU(inplace=True),\n" * 1_000),
    "recursion": chained(2, "return {0}(x) + {0}(x)"),
    "chain": chained(300, "return {0}(x) + {0}(x)"),
    "chain in loops": chained(
        12, "for a in x:\n        for b in a:\n            x = {0}(a) + {0}(b)"
    ),
    "own base": "class A(A):\n    def forward(self, x):\n        return x.relu_()\n",
    "bases in a circle": "class A(B):\n    pass\n\n\nclass B(A):\n    def forward(self, x):\n"
    "        x += 1\n        return x\n",
    "long text": f"X = '{'a' * 1_000_000}'\n{lines('x += 1', 1)}",
    "long list": f"X = [{'1, ' * 200_000}]\n{lines('x += X[0]', 1)}",
    "long sum": lines("pass", 1, f"y = {' + '.join(['x'] * 900)}; y.backward()"),
    "long chain": lines("pass", 1, f"y = x{'.relu_()' * 900}; y.backward()"),
    "sizes": "def f(x):\n    b, c, h, w = x.shape\n"
    + "".join(
        f"    x = x.view(b, c * {n}, h // {n}, w)\n    b, c, h, w = x.shape\n"
        for n in range(2, 300)
    )
    + "    return x\n",
}

HARDLY = 5.0
"""Seconds that a few lines may take, whatever they say."""

DOUBLING = {
    "tuples": "x = (x, x)",
    "lists": "x = [x, x]",
    "dicts": "x = {'a': x, 'b': x}",
    "sums of lists": "rows += rows",
    "stars": "rows = [*rows, *rows]",
    "extended": "rows.extend(rows)",
    "pairs": "rows = tuple(zip(rows, rows))",
    "lists of pairs": "rows = list(zip(rows, rows))",
    "items": "rows[0] = (rows[0], rows[0])",
    "attributes": "net.x = net.x, net.x",
    "texts": "name = name + name",
    "formats": "name = f'{name}{name}'",
    "numbers": "count = count * count",
    "products": "x = x * x",
    "methods": "x = x.add(x.mul(2))",
    "alternatives": "x = x if name else x * 2",
    "branches": "if call():\n        x = x * 2",
    "attempts": "try:\n        x = x + call()\n    except Error:\n        x = x * 2",
    "cases": "match name:\n        case 1:\n            x = x * x",
    "layers": "net = nn.Sequential(net, net)",
    "ends": "count = min(count, int(torch.minimum(x.max(), x.min())))",
}
"""What makes twice as much, or as many ways, of what there is, as often as it is said."""

MAKING = """\
def f(call, name, size):
    net, count = nn.Linear(4, 4), 7
    x = net(torch.ones(4))
    rows, net.x = [x], x
"""
USING = """\
    y = torch.stack(rows) / net(x)
    z = x[int(count) : size] + y[: int(count)]
    torch.stack(x)
    loss = z.sum()
    loss.backward()
    loss.backward()
    for each in name:
        rows.append(x)
        loss += x
"""


def seconds(text: str) -> float:
    """CPU time of linting a program, which does not fail."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "program.py").write_text(HEAD + text)
        began = time.process_time()
        report = check([folder], Settings(jobs=1))
        taken = time.process_time() - began
    assert not report.troubles
    assert not any(finding.code.startswith("TL00") for finding in report.findings)
    return taken


@cache
def share() -> float:
    """What a character takes of a program as people write them."""
    text = training_loops(30)
    return min(seconds(text) for _ in range(3)) / len(text)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_file_takes_its_share(name: str) -> None:
    text = PROGRAMS[name]
    assert seconds(text) < max(LEAST, TIMES * share() * len(text))


@pytest.mark.slow
def test_files_that_import_each_other_end(tmp_path: Path) -> None:
    count = 200
    for number in range(count):
        following = (number + 1) % count
        (tmp_path / f"m{number}.py").write_text(
            f"import torch\nfrom m{following} import *\nfrom m{following} import f as g\n\n\n"
            "def f(x):\n    x += 1\n    x.sum().backward()\n    return g(x) + g(x)\n"
        )
    began = time.process_time()
    report = check([str(tmp_path)], Settings(jobs=1))
    assert not report.troubles
    size = sum(file.stat().st_size for file in tmp_path.iterdir())
    assert time.process_time() - began < max(LEAST, TIMES * share() * size)


@pytest.mark.parametrize("line", DOUBLING.values(), ids=DOUBLING)
def test_what_doubles_ends(line: str) -> None:
    assert seconds(f"{MAKING}{f'    {line}{chr(10)}' * 60}{USING}") < HARDLY


TRAINING = """\
def train(flags, batches):
    net, critic = nn.Sequential(nn.Linear(4, 4), nn.ReLU()), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(critic.parameters(), lr=0.1)
    for x in batches:
        y = net(x)
%s
        optimizer.zero_grad()
        critic(y).mean().backward(retain_graph=True)
        optimizer.step()
        y.sum().backward()
"""


def test_layers_that_may_be_left_out_end() -> None:
    ways = "\n".join(f"        if flags[{way}]:\n            y = net(y)" for way in range(60))
    assert seconds(TRAINING % ways) < HARDLY


ROUND_ABOUT = """
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.forward = self.other if torch.rand(1) > 0 else self

    def other(self, x):
        return self(x)

one, two, three = nn.Linear(3, 3), Net(), Net()
one.forward = one
two.forward, three.forward = three, two
for net in (one, two, three):
    net(torch.randn(2, 3))
    net.forward = nn.Sequential(net, net)
    net(torch.randn(2, 3))
    net.forward = net.__call__
    net(torch.randn(2, 3)).sum().backward()
"""


def test_forwards_that_lead_back_to_their_module_end() -> None:
    assert seconds(ROUND_ABOUT) < HARDLY
