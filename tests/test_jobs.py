"""Several processes: the same findings in the same order, whatever becomes of them."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from cases import FIXTURES

from torchlint.analysis import running, workers
from torchlint.analysis.agenda import Agenda
from torchlint.analysis.units import Outcome
from torchlint.api import check
from torchlint.findings import Report
from torchlint.settings import Settings

Numbered = tuple[int, Outcome]
PROJECT = str(FIXTURES / "training" / "missing-zero-grad")


def lint(jobs: int | None) -> Report:
    return check([PROJECT], Settings(select=("TL2", "TL3"), jobs=jobs))


@pytest.fixture(scope="module")
def alone() -> Report:
    return lint(1)


@pytest.mark.parametrize("jobs", [2, 3])
def test_findings_are_the_same_whatever_the_number_of_processes(alone: Report, jobs: int) -> None:
    assert lint(jobs).findings == alone.findings


def test_killed_workers_lose_nothing(alone: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    here, outcome = os.getpid(), running.Interpreter.outcome

    def die_elsewhere(interpreter: running.Interpreter, number: int) -> object:
        if os.getpid() != here and number % 5 == 3:
            os._exit(1)
        return outcome(interpreter, number)

    monkeypatch.setattr(running.Interpreter, "outcome", die_elsewhere)
    assert lint(2).findings == alone.findings


ENDED_AT_ONCE = """
import signal, sys
from torchlint.analysis.workers import Workers

signal.signal(signal.SIGTERM, lambda number, _: sys.exit(number))
for _ in range(50):
    with Workers(2, abs):
        pass
"""


@pytest.mark.skipif(sys.platform != "linux", reason="nothing is forked there")
def test_workers_that_are_told_to_end_as_they_begin_end() -> None:
    begun = [sys.executable, "-c", ENDED_AT_ONCE]
    done = subprocess.run(begun, capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_few_files_are_read_in_one_process() -> None:
    assert workers.processes(None, 3) == 1
    assert workers.processes(5, 3) == (5 if os.name == "posix" else 1)


def test_what_a_unit_comes_to_depends_on_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    in_turn = running.in_turn

    def backwards(
        agenda: Agenda, interpreter: running.Interpreter, memory: None
    ) -> Iterator[Numbered]:
        numbers = range(len(agenda.units))
        forwards = {number: interpreter.outcome(number) for number in numbers}
        assert forwards == {number: interpreter.outcome(number) for number in reversed(numbers)}
        return in_turn(agenda, interpreter, memory)

    monkeypatch.setattr(running, "in_turn", backwards)
    assert lint(1).findings
