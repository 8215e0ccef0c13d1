"""Options of the tests: how much hypothesis tries, and whether golden files are rewritten."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

# What one test has found out is nothing to the next, which may have taken a rule to pieces.
os.environ["TORCHLINT_NO_CACHE"] = "1"
# Whoever runs the tests may have settings of their own.
for variable in ("XDG_CONFIG_HOME", "APPDATA"):
    os.environ[variable] = os.fspath(Path(__file__).parent / "nowhere")

GOLDEN = Path(__file__).parent / "golden"

COMMON = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "phases": [Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink],
}

settings.register_profile("usual", derandomize=True, max_examples=200, **COMMON)
settings.register_profile("explore", max_examples=5000, **COMMON)
settings.load_profile("usual")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bless", action="store_true", help="approve what golden tests see now")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What is slow takes its time."""
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="module")
def to_judge(request: pytest.FixtureRequest) -> list[Any]:
    """What the tests of a module that run and want ``verdicts`` are given as parameters."""
    asking = [
        item
        for item in request.session.items
        if item.parent is request.node and "verdicts" in item.fixturenames
    ]
    calls = [item.callspec for item in asking if hasattr(item, "callspec")]
    return [value for call in calls for value in call.params.values()]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Holds a text against the approved one in ``golden/``."""

    def hold(name: str, text: str) -> None:
        file = GOLDEN / name
        if request.config.getoption("--bless"):
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, "utf-8", newline="")
        assert text == file.read_bytes().decode()

    return hold
