"""Whether a read of the clock waits for a device, told by a device whose time is made up."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flagged import standing_at

torch = pytest.importorskip("torch")

from torchlint.confirm.runner import present, simulated  # noqa: E402
from torchlint.confirm.runner.clocks import Clocks  # noqa: E402
from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN  # noqa: E402

pytestmark = pytest.mark.torch

FILE = "timed.py"
TIMED = """
import time, torch
net, x = torch.nn.Linear(4, 3).to("cuda"), torch.ones(2, 4, device="cuda")
for _ in range(2):
    start = time.time()
    {work}
    end = time.time()  # flagged
"""
LINE = 1 + TIMED.splitlines().index("    end = time.time()  # flagged")


class Busy:
    """A device that is at work until some time."""

    def __init__(self) -> None:
        self.until = 0.0

    def sleep(self, cycles: int) -> None:
        self.until = max(self.until, time.monotonic()) + 0.1

    def is_done(self, *_: Any) -> bool:
        return time.monotonic() >= self.until

    def wait(self, *_: Any) -> None:
        time.sleep(max(0.0, self.until - time.monotonic()))


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Busy:
    made = Busy()
    monkeypatch.setattr(present, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "_sleep", made.sleep)
    monkeypatch.setattr(simulated.Stream, "query", made.is_done)
    monkeypatch.setattr(simulated.Stream, "synchronize", made.wait)
    monkeypatch.setitem(simulated._OF_CUDA, "synchronize", made.wait)
    return made


@pytest.mark.parametrize(
    ("work", "outcome"),
    [
        ("net(x)", SHOWN),
        ("net(x).sum().backward()", SHOWN),
        ("x.add_(1)", SHOWN),
        ("x.mul(2); torch.cuda.synchronize()", ABSENT),
        ("y = net(x); torch.cuda.synchronize(); y.detach().view(-1)", ABSENT),
        ("y = net(x); torch.cuda.synchronize(); torch.empty_like(y)", ABSENT),
        ("pass", OPEN),
        ("torch.ones(2, 4).mul(2)", OPEN),
        ("torch.ones(2, 4).to('cuda')", OPEN),
    ],
)
def test_a_read_that_nothing_waits_for_comes_too_early(busy: Busy, work: str, outcome: str) -> None:
    project = cast("Any", SimpleNamespace(owns=lambda file: file == FILE, is_at=standing_at(FILE)))
    clocks = Clocks(project, cast("Any", SimpleNamespace(file=FILE, line=LINE)))
    for _ in range(2):
        busy.wait()
        with clocks.watching():
            exec(compile(TIMED.format(work=work), FILE, "exec"), {})
    seen = clocks.conclude(ended=True)
    assert seen.outcome == outcome, seen
    assert (outcome == SHOWN) == ("more work behind that of the program" in seen.evidence)
