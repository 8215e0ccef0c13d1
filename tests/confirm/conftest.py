"""A warm sandbox for the tests of confirm, and a way to put a piece of code to an experiment."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from flagged import Observe, job, write

from torchlint.confirm.runner.protocol import Observation
from torchlint.confirm.sandbox import Sandbox


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(sys.executable, seconds=20, jobs=2) as started:
        yield started


@pytest.fixture
def observe(tmp_path: Path, sandbox: Sandbox) -> Observe:
    """Runs a rule's experiment on code whose flagged line ends in ``# here``."""

    def run(code: str, text: str, scope: str, within: Sandbox = sandbox) -> Observation:
        within.submit(job(code, write(tmp_path, text), scope))
        [(_, observation)] = within.observations()
        return observation

    return run
