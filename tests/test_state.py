"""States: a branch begins with all that is known where it begins."""

from __future__ import annotations

import dataclasses
from typing import Any

from torchlint.interpreter.state import State


def test_a_fork_takes_all_along() -> None:
    known: dict[str, Any] = {field.name: object() for field in dataclasses.fields(State)}
    fork = State(**known | {"heap": {1: object()}}).fork()
    assert fork.heap.keys() == {1}
    for name in known.keys() - {"heap"}:
        assert getattr(fork, name) is known[name], name
