"""Events of datasets and loaders."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetModule(Event):
    """A Dataset stores, builds or calls a module that has parameters."""

    dataset: str
    module: str
    how: str
    frozen: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loading(Event):
    """A loader is built for a dataset; ``in_process`` says that it names no workers expressly."""

    dataset: str
    in_process: bool
