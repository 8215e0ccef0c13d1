"""From findings to verdicts: plans, repaired twins, and what counts as proof."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from flagged import write
from hypothesis import given
from hypothesis import strategies as st

from torchlint.applying.changes import apply, moved
from torchlint.confirm import Program, confirm, plan, verdicts
from torchlint.confirm.runner import drivers
from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN, Observation
from torchlint.confirm.sandbox import Sandbox
from torchlint.findings import Edit, Finding, Fix, Level, Place, Safety, Status
from torchlint.settings import ConfirmSettings

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        h = torch.sigmoid(self.inner(x))
        h += 1
        return h
"""


def finding(path: str, code: str = "TL101", fix: Fix | None = None) -> Finding:
    place = Place(path, 12, 9, 12, 15)
    return Finding(code, "name", Level.CORRECTNESS, "message", place, "Net.forward", fix=fix)


def replacing(place: Place, text: str) -> Fix:
    return Fix("Repair", Safety.SAFE, (Edit(place, text),))


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    file = write(tmp_path / "project", NET, "net.py")
    monkeypatch.chdir(file.parent)
    return file.name


SETTINGS = ConfirmSettings(python=sys.executable, seconds=20, jobs=2)


ABSENT_DEVICES = {"cuda": "torch finds no CUDA device here", "mps": "no experiment runs on mps"}


@pytest.mark.torch
@pytest.mark.parametrize("device", ABSENT_DEVICES)
@pytest.mark.skipif(bool(drivers.nodes()), reason="there may be one")
def test_nothing_is_claimed_of_a_device_on_which_nothing_runs(net: str, device: str) -> None:
    (judged,) = confirm([finding(net, code="TL501")], replace(SETTINGS, device=device))
    assert judged.verdict is not None
    assert judged.verdict.status is Status.INCONCLUSIVE
    assert judged.verdict.device == device
    assert judged.verdict.reason == ABSENT_DEVICES[device]


@pytest.mark.torch
@pytest.mark.parametrize("device", ["auto", "cuda"])
def test_what_is_about_no_device_is_settled_on_the_cpu(net: str, device: str) -> None:
    (judged,) = confirm([finding(net)], replace(SETTINGS, device=device))
    assert judged.verdict is not None
    assert judged.verdict.status is Status.CONFIRMED
    assert judged.verdict.device == "cpu"


@pytest.mark.torch
def test_verdicts_come_as_they_fall_and_in_order(net: str) -> None:
    place = finding(net).place
    good = finding(net, fix=replacing(place, "h = h + 1"))
    useless = finding(net, fix=replacing(place, "h.add_(1)"))
    unknown = finding(net, code="TL999")
    fallen: list[Finding] = []
    judged = confirm([unknown, good, useless, finding(net)], SETTINGS, fallen.append)
    assert [item.verdict and item.verdict.status for item in judged] == [
        Status.INCONCLUSIVE,
        Status.CONFIRMED,
        Status.INCONCLUSIVE,
        Status.CONFIRMED,
    ]
    unknown_why, proof, twice, bare = (item.verdict for item in judged if item.verdict)
    assert unknown_why.reason == "TL999 has no experiment"
    assert proof.evidence.endswith("the repaired code does not show it")
    assert twice.reason == "the repaired code shows it as well"
    assert bare.seconds > 0
    assert sorted(map(repr, fallen)) == sorted(map(repr, judged))


@pytest.mark.torch
def test_a_place_without_the_mistake_is_not_confirmed(net: str) -> None:
    Path(net).write_text(NET.replace("h += 1", "h = h + 1"))
    [judged] = confirm([finding(net)], SETTINGS)
    assert judged.verdict is not None
    assert judged.verdict.status is Status.REFUTED


@pytest.mark.torch
def test_what_the_first_seed_leaves_open_is_not_run_again(
    net: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    submitted: list[int] = []
    submit = Sandbox.submit
    monkeypatch.setattr(
        Sandbox, "submit", lambda self, job: submitted.append(job.seed) or submit(self, job)
    )
    Path(net).write_text(NET.replace("nn.Linear(4, 4)", "missing"))
    [judged] = confirm([finding(net)], SETTINGS)
    assert judged.verdict is not None
    assert judged.verdict.status is Status.INCONCLUSIVE
    assert submitted == [0]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConfirmSettings:
    """Verdicts are kept, in a home of their own; the interpreter's packages stay as they are."""
    monkeypatch.setattr("torchlint.confirm.kept._environment", lambda *_: "packages")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
    return replace(SETTINGS, cache_dir=str(tmp_path / "home" / "kept"))


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sandboxes that were started."""
    started: list[str] = []
    enter = Sandbox.__enter__
    monkeypatch.setattr(
        Sandbox, "__enter__", lambda self: started.append(self.python) or enter(self)
    )
    return started


@pytest.mark.torch
def test_a_verdict_is_kept_until_anything_changes(
    net: str, kept: ConfirmSettings, started: list[str]
) -> None:
    [first] = confirm([finding(net)], kept)
    [again] = confirm([finding(net)], kept)
    assert again == first
    assert first.verdict is not None
    assert first.verdict.status is Status.CONFIRMED
    assert len(started) == 1
    Path("beside.py").write_text("")
    confirm([finding(net)], kept)
    confirm([finding(net, fix=replacing(first.place, "h = h + 1"))], kept)
    assert len(started) == 3


@pytest.mark.torch
def test_what_is_left_open_is_tried_again(
    net: str, kept: ConfirmSettings, started: list[str]
) -> None:
    Path(net).write_text(NET.replace("nn.Linear(4, 4)", "missing"))
    confirm([finding(net)], kept)
    confirm([finding(net)], kept)
    assert len(started) == 2


@pytest.mark.torch
def test_verdicts_that_come_with_the_code_are_not_believed(
    net: str, kept: ConfirmSettings, started: list[str]
) -> None:
    confirm([finding(net)], kept)
    (Path(kept.cache_dir).parent / "torchlint" / "verdicts.key").write_bytes(bytes(32))
    confirm([finding(net)], kept)
    assert len(started) == 2


def test_nothing_to_run_starts_nothing() -> None:
    nowhere = ConfirmSettings(python="/nonexistent")
    assert confirm([], nowhere) == []
    unclear = finding("x.ipynb")
    programs = {unclear: Program(obstacle="nobody knows")}
    judged = confirm([finding("x.py", code="TL999"), unclear], nowhere, programs=programs)
    assert [item.verdict and item.verdict.reason for item in judged] == [
        "TL999 has no experiment",
        "nobody knows",
    ]


OUTCOMES = (SHOWN, ABSENT, OPEN)


@pytest.mark.parametrize(
    ("first", "second", "twin"), [*itertools.product(OUTCOMES, OUTCOMES, (*OUTCOMES, None))]
)
def test_what_counts_as_proof(first: str, second: str, twin: str | None) -> None:
    seen = [Observation(first, "evidence", "reason"), Observation(second, "evidence", "reason")]
    of_twin = Observation(twin) if twin is not None else None
    verdict = verdicts.verdict(seen, of_twin, "cpu")
    if first == second == SHOWN and twin != SHOWN:
        assert verdict.status is Status.CONFIRMED
    elif first == second == ABSENT:
        assert verdict.status is Status.REFUTED
    else:
        assert verdict.status is Status.INCONCLUSIVE
        assert verdict.reason
    assert bool(verdict.evidence) != bool(verdict.reason)


@pytest.mark.parametrize(("first", "second", "said"), [("", "", "auto"), ("", "cuda", "cuda")])
def test_runs_that_were_ended_do_not_say_where(first: str, second: str, said: str) -> None:
    seen = [Observation(OPEN, reason="stopped", device=device) for device in (first, second)]
    assert verdicts.verdict(seen, None, "auto").device == said


def test_each_seed_has_its_job(net: str) -> None:
    jobs = plan.jobs(finding(net), "cpu", 10)
    assert [job.seed for job in jobs] == [0, 1]
    assert jobs[0].root == str(Path.cwd())
    assert jobs[0].seconds < 10
    assert plan.twin(finding(net), jobs[0]) is None


def test_the_root_is_above_the_package(tmp_path: Path) -> None:
    write(tmp_path, "", "a/__init__.py")
    write(tmp_path, "", "a/b/__init__.py")
    assert plan.import_root(tmp_path / "a" / "b" / "c.py") == tmp_path


TEXTS = st.text("ab \n", min_size=1, max_size=30)


@given(TEXTS, TEXTS, st.data())
def test_a_place_moves_with_the_text(text: str, added: str, data: st.DataObject) -> None:
    begin, end = sorted(data.draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=2)))
    at = data.draw(st.integers(0, len(text)).filter(lambda offset: not begin < offset < end))
    edit = Edit(span(text, at, at), added)
    place = moved(span(text, begin, end), text, [edit])
    if begin == end == at:
        return
    assert cut(apply(text, [edit]), place) == text[begin:end]


def test_a_replaced_place_becomes_its_replacement() -> None:
    edits = [Edit(span(NET, 0, 0), "import os\n"), Edit(Place("n", 12, 9, 12, 15), "h = h + 1")]
    place = moved(Place("n", 12, 9, 12, 15), NET, edits)
    assert cut(apply(NET, edits), place) == "h = h + 1"
    assert place.line == 13


def span(text: str, begin: int, end: int) -> Place:
    def position(offset: int) -> tuple[int, int]:
        before = text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    return Place("n", *position(begin), *position(end))


def cut(text: str, place: Place) -> str:
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines))]
    begin = starts[place.line - 1] + place.column - 1
    return text[begin : starts[place.end_line - 1] + place.end_column - 1]
