"""A real cluster of two processes finds what one process finds, and loses nothing when one dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from torchlint.api import check
from torchlint.cli import command
from torchlint.cluster.connection import Cluster, ClusterError
from torchlint.findings import Report
from torchlint.run import Progress, nobody
from torchlint.settings import ConfirmSettings, Settings

distributed = pytest.importorskip("distributed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

TREE = Path(__file__).resolve().parent.parent
RULES = ["missing-zero-grad", "scheduler-misuse"]
FOLDERS = [*(f"fixtures/training/{rule}" for rule in RULES), "fixtures/cells"]
SCHEDULER = ("scheduler", "--port", "0", "--host", "127.0.0.1")
NOWHERE = "tcp://127.0.0.1:1"


def begin(log: Path, *arguments: str) -> tuple[subprocess.Popen[bytes], str]:
    """A part of a cluster, and the address that it prints to a file, which never fills up."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--no-dashboard"],
            stderr=said,
            env={**os.environ, "PYTHONPATH": str(TREE), "PYTHONHASHSEED": "random"},
            start_new_session=True,
        )
    while process.poll() is None:
        text = log.read_text("utf-8")
        found = re.search(r"(?:Scheduler at|Start worker at):\s+(tcp://\S+)\n", text)
        if found:
            return process, found[1]
        time.sleep(0.05)
    raise AssertionError(log.read_text("utf-8"))


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[int]]]:
    """The address of a scheduler with two workers, and the groups of their processes."""
    scheduler, address = begin(tmp_path / "scheduler.log", *SCHEDULER)
    settings = ("--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path))
    logs = [tmp_path / "first.log", tmp_path / "second.log"]
    workers = [begin(log, "worker", address, *settings)[0] for log in logs]
    processes = (scheduler, *workers)
    yield address, [process.pid for process in processes]
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.fixture(scope="module")
def alone() -> Report:
    return lint()


def lint(elsewhere: Cluster | None = None) -> Report:
    paths = [str(TREE / folder) for folder in FOLDERS]
    return check(paths, Settings(jobs=1), elsewhere=elsewhere)


def test_findings_are_those_of_one_process(
    alone: Report, cluster: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Of the units none may be done here.
    monkeypatch.setattr("torchlint.analysis.running.Interpreter.outcome", None)
    with Cluster(cluster[0]) as elsewhere:
        found = lint(elsewhere)
    assert found.findings == alone.findings
    assert len(found.findings) > 30
    assert not found.troubles


@pytest.mark.parametrize("killed", ["a worker", "all workers", "the scheduler"])
def test_whoever_is_killed_nothing_is_lost(
    killed: str, alone: Report, cluster: tuple[str, list[int]]
) -> None:
    address, (scheduler, *workers) = cluster
    doomed = {"a worker": workers[:1], "all workers": workers, "the scheduler": [scheduler]}[killed]

    def progress(stage: str, done: int, total: int) -> None:
        while stage == "Analysing" and done >= 20 and doomed:
            os.killpg(doomed.pop(), signal.SIGKILL)

    with Cluster(address) as elsewhere:
        paths = [str(TREE / folder) for folder in FOLDERS]
        found = check(paths, Settings(jobs=1), elsewhere=elsewhere, progress=progress)
    assert not doomed
    assert found.findings == alone.findings


def confirm(elsewhere: Cluster | None = None, progress: Progress = nobody) -> Report:
    """Findings in a script, and in a package with modules that it imports, with their verdicts."""
    folders = [
        "fixtures/training/missing-zero-grad/fires_plain_loop.py",
        "fixtures/training/missing-zero-grad/fires_helper_functions",
    ]
    return check(
        [str(TREE / folder) for folder in folders],
        Settings(jobs=1),
        confirm=ConfirmSettings(sys.executable, jobs=1),
        elsewhere=elsewhere,
        progress=progress,
    )


def verdicts(report: Report) -> list[tuple[str, str, str]]:
    """What is said of each finding."""
    assert not report.troubles
    told = [(each.place.path, each.verdict) for each in report.findings]
    return [(path, str(said.status), said.evidence) for path, said in told if said is not None]


def test_verdicts_are_those_of_one_machine(
    cluster: tuple[str, list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    known = verdicts(confirm())
    assert [status for _, status, _ in known] == ["confirmed"] * len(known) != []
    # Nothing of it may be done here.
    monkeypatch.setattr("torchlint.confirm.sandbox.Sandbox.__enter__", None)
    with Cluster(cluster[0]) as elsewhere:
        report = confirm(elsewhere)
    assert verdicts(report) == known
    assert report.enforced


@pytest.mark.parametrize("killed", ["a worker", "all workers", "the scheduler"])
def test_whoever_is_killed_no_verdict_is_lost(killed: str, cluster: tuple[str, list[int]]) -> None:
    address, (scheduler, *workers) = cluster
    doomed = {"a worker": workers[:1], "all workers": workers, "the scheduler": [scheduler]}[killed]

    def progress(stage: str, done: int, total: int) -> None:
        while stage.startswith("Confirming") and doomed:
            os.killpg(doomed.pop(), signal.SIGKILL)

    with Cluster(address) as elsewhere:
        found = verdicts(confirm(elsewhere, progress))
    assert not doomed
    assert {status for _, status, _ in found} == {"confirmed"}


def test_a_scheduler_without_workers_is_named(tmp_path: Path) -> None:
    scheduler, address = begin(tmp_path / "scheduler.log", *SCHEDULER)
    try:
        with pytest.raises(ClusterError, match="has no workers; start some by `dask worker tcp"):
            Cluster(address).__enter__()
    finally:
        os.killpg(scheduler.pid, signal.SIGKILL)
        scheduler.wait()


@pytest.mark.parametrize("address", [NOWHERE, "tcp://", "nonsense", "x://y:1"])
def test_a_scheduler_that_is_not_there_is_named(address: str) -> None:
    result = CliRunner().invoke(command, [str(TREE / FOLDERS[0]), "--cluster", address])
    assert result.exit_code == 2
    assert result.stderr.startswith(
        f"torchlint: error: --cluster: no scheduler answers at {address}"
    )
    assert result.stderr.count("\n") == 1


def test_the_command(cluster: tuple[str, list[int]]) -> None:
    arguments = [str(TREE / FOLDERS[0]), "--output-format", "concise", "--no-cache"]
    began = time.perf_counter()
    here = CliRunner().invoke(command, arguments)
    there = CliRunner().invoke(command, [*arguments, "--cluster", cluster[0]])
    assert (here.exit_code, here.stdout) == (there.exit_code, there.stdout)
    assert there.exit_code == 1
    assert time.perf_counter() - began < 300
