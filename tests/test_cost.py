"""What is four times as long takes about four times as long, however it is written."""

import time
from pathlib import Path

import pytest

from torchlint.api import check
from torchlint.settings import Settings

HEAD = "import torch\nfrom torch import nn\nimport torch.nn.functional as F\n\n\n"
MOST = 10
"""Four times the text may take so many times the time; the square of four is 16."""


def training_loops(size: int) -> str:
    loop = """\
    for batch in x:
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch).softmax(1), x)
        loss.backward()
        optimizer.step()
        total += loss
        losses.append(loss)
"""
    return "def train(model, optimizer, x, total, losses):\n" + loop * size


def lines_in_place(size: int) -> str:
    return "def f(x):\n" + "    x = x.exp()\n    x.relu_()\n" * size + "    x.sum().backward()\n"


def branches(size: int) -> str:
    arms = "".join(f"    if c == {n}:\n        x = x.exp().relu_()\n" for n in range(size))
    return f"def f(x, c):\n{arms}    x.sum().backward()\n"


def layers(size: int) -> str:
    made = "".join(f"        self.l{n} = nn.Linear(4, 4)\n" for n in range(size))
    used = "".join(f"        x = F.relu(self.l{n}(x), inplace=True)\n" for n in range(size))
    init = "    def __init__(self):\n        super().__init__()\n"
    return f"class M(nn.Module):\n{init}{made}\n    def forward(self, x):\n{used}        return x\n"


def helpers(size: int) -> str:
    return "".join(
        f"def f{n}(x):\n    x += 1\n    return f{n + 1}(x) + f{n + 1}(x)\n\n\n" for n in range(size)
    )


def nested(size: int) -> str:
    depth = 3 + size // 40
    loops = "".join("    " * n + f"for a{n} in x:\n" for n in range(1, depth))
    return f"def f(x):\n{loops}" + "    " * depth + "x += 1; x.sum().backward()\n"


def training_within(size: int) -> str:
    depth = 2 + size // 40
    loops = "".join("    " * n + f"for a{n} in x:\n" for n in range(1, depth))
    body = "optimizer.zero_grad()\nloss = F.cross_entropy(model(x).softmax(1), x)\n"
    body += "loss.backward()\noptimizer.step()\ntotal += loss\n"
    lines = "".join("    " * depth + f"{line}\n" for line in body.splitlines())
    return f"def train(model, optimizer, x, total):\n{loops}{lines}"


def seconds(folder: Path, text: str) -> float:
    (folder / "a.py").write_text(HEAD + text)
    times = []
    for _ in range(2):
        began = time.process_time()
        report = check([str(folder)], Settings(jobs=1))
        times.append(time.process_time() - began)
        assert not report.troubles
        assert not any(finding.code.startswith("TL00") for finding in report.findings)
    return min(times)


@pytest.mark.parametrize(
    "write",
    [training_loops, training_within, lines_in_place, branches, layers, helpers, nested],
)
def test_time_grows_with_length(tmp_path: Path, write: object) -> None:
    assert callable(write)
    short, long = (seconds(tmp_path, write(size)) for size in (100, 400))
    assert long < MOST * max(short, 0.05)
