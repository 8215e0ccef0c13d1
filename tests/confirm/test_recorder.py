"""What the recorder hears, and which lines it belongs to."""

from __future__ import annotations

import ast
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flagged import job, write

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")

from torchlint.confirm.runner.places import Project  # noqa: E402
from torchlint.confirm.runner.protocol import ABSENT, Observation, Target  # noqa: E402
from torchlint.confirm.runner.recorder import BATCHES, Observer, Recorder, Stop  # noqa: E402
from torchlint.confirm.runner.roles import Usage, role, usages  # noqa: E402


class Log(Observer):
    def __init__(self, enough: int = 1000) -> None:
        super().__init__()
        self.events: list[Any] = []
        self.enough = enough

    def before_backward(self, roots: tuple[Any, ...], at_target: bool) -> None:
        self.events.append("backward at target" if at_target else "backward")

    def before_step(self, optimizer: Any) -> None:
        self.events.append("step")

    def drew_batch(self) -> None:
        self.events.append("batch")

    def passed_target(self, frame: FrameType) -> None:
        self.events.append(("passed", frame.f_locals.get("i")))

    def has_seen_enough(self) -> bool:
        return len(self.events) >= self.enough

    def conclude(self, ended: bool) -> Observation:
        return Observation(ABSENT)


def record(folder: Path, text: str, log: Log) -> Recorder:
    file = write(folder, text)
    recorder = Recorder(Project(str(folder)), job("TL201", file, "").target, log)
    code = compile(file.read_text("utf-8"), str(file), "exec")
    with recorder:
        exec(code, {"__name__": "__main__"})
    return recorder


LOOP = """
import torch
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torch.utils.data.DataLoader(torch.randn(400, 2), batch_size=2, num_workers=3)
for i, x in enumerate(data):
    model(x).mean().backward(); model(x).sum().backward()  # here
    optimizer.step()
"""


def test_events_come_in_order_and_calls_on_a_line_are_told_apart(tmp_path: Path) -> None:
    log = Log()
    record(tmp_path, LOOP, log)
    rounds = [event for event in log.events if isinstance(event, str)]
    assert rounds == ["batch", "backward at target", "backward", "step"] * BATCHES


def test_flagged_lines_are_passed_once_a_round(tmp_path: Path) -> None:
    log = Log()
    record(tmp_path, LOOP, log)
    assert [event for event in log.events if isinstance(event, tuple)] == [
        ("passed", number) for number in range(BATCHES)
    ]


def test_the_program_stops_when_enough_was_seen(tmp_path: Path) -> None:
    log = Log(enough=8)
    with pytest.raises(Stop):
        record(tmp_path, LOOP, log)
    assert 8 <= len(log.events) < 12


def test_nothing_stays_replaced(tmp_path: Path) -> None:
    before = (torch.autograd.backward, torch.utils.data.DataLoader.__iter__)
    record(tmp_path, LOOP, Log())
    assert before == (torch.autograd.backward, torch.utils.data.DataLoader.__iter__)
    silent = Log()
    with Recorder(Project(str(tmp_path)), Target("x.py", 1, 1, 1, 2), silent):
        pass
    weight = torch.nn.Parameter(torch.ones(1))
    torch.optim.SGD([weight], lr=0.1).step()
    assert not silent.events


def test_lines_of_the_project_are_logged_and_no_others(tmp_path: Path) -> None:
    recorder = record(tmp_path, LOOP, Log())
    assert recorder.lines.has_run(str(tmp_path / "flagged.py"), 8)
    assert list(recorder.lines.ran) == [str((tmp_path / "flagged.py").resolve())]


def test_libraries_are_not_the_users_code(tmp_path: Path) -> None:
    project = Project("/")
    assert project.owns(str(tmp_path / "train.py"))
    assert not project.owns(torch.nn.__file__)
    assert not project.owns("/venv/lib/site-packages/timm/models.py")
    assert not project.owns("<string>")


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("net", "model"),
        ("opt_d", "optimizer"),
        ("train_loader", "loader"),
        ("pairs", "loader"),
        ("loss_fn", "criterion"),
        ("args", "settings"),
        ("device", "device"),
        ("num_epochs", "count"),
        ("writer", "reporter"),
        ("x", "data"),
    ],
)
def test_roles_are_told_by_use_and_name(name: str, part: str) -> None:
    text = """
def train(net, opt_d, train_loader, pairs, loss_fn, args, device, num_epochs, writer, x):
    net.train()
    for epoch in range(num_epochs):
        for a, b in train_loader:
            for c, d in pairs:
                opt_d.zero_grad()
                loss_fn(net(a.to(device)), b + x).backward()
                opt_d.step()
                writer.add_scalar("loss", args.scale)
"""
    found = usages([ast.parse(text)])
    assert role(name, found.get(name, Usage())) == part
