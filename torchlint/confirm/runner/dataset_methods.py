"""TL607: a dataset that raises when torch asks it for what every dataset has."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torch.utils.data import DataLoader, Dataset, IterableDataset

from .building import CannotBuildError, recipe
from .experiments import describe
from .limits import Overtime, time_limit
from .loading import Program, load
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .taint import TaintedUseError

if TYPE_CHECKING:
    from collections.abc import Callable

_SECONDS = 3.0
_PREDICTED: dict[str, tuple[tuple[type[Exception], ...], str]] = {
    "__getitem__": ((NotImplementedError,), "should implement __getitem__"),
    "__len__": ((TypeError,), "has no len()"),
    "__iter__": ((NotImplementedError, TypeError), "object is not iterable|__iter__"),
}


def dataset_contract(job: Job) -> Observation:
    """The dataset is made, and asked for the method that it is said not to have."""
    program = load(job)
    cls = getattr(program.module(job.target.file), _name(program), None)
    if not isinstance(cls, type) or not issubclass(cls, Dataset):
        return Observation(OPEN, reason="the class could not be reached")
    wanted = next((name for name in _PREDICTED if f"`{name}`" in job.target.message), "")
    if not wanted:
        return Observation(OPEN, reason="no method is asked for")
    try:
        seen = _asked(cls, program, wanted)
    except TaintedUseError as error:
        return Observation(OPEN, reason=str(error))
    if program.tainted:
        return Observation(OPEN, reason=program.tainted[0])
    return seen


def _name(program: Program) -> str:
    """The class that is defined on the flagged line."""
    target = program.job.target
    for node in ast.walk(program.tree(target.file)):
        if isinstance(node, ast.ClassDef) and node.lineno == target.line:
            return node.name
    return ""


def _asked(cls: type, program: Program, wanted: str) -> Observation:
    if _is_refused(cls, wanted):
        abstract = ", ".join(sorted(getattr(cls, "__abstractmethods__", ())))
        return Observation(SHOWN, evidence=f"{cls.__name__} cannot be made without {abstract}")
    try:
        dataset = recipe(cls, program).again(program.job.seed)
    except CannotBuildError as error:
        return Observation(OPEN, reason=str(error))
    kinds, text = _PREDICTED[wanted]
    try:
        with time_limit(_SECONDS):
            _ask(dataset, wanted)
    except TaintedUseError:
        raise
    except (Exception, Overtime) as error:
        if isinstance(error, kinds) and any(part in str(error) for part in text.split("|")):
            return Observation(
                SHOWN, evidence=f"asked for it, {cls.__name__} raised {describe(error)}"
            )
        return Observation(OPEN, reason=f"it raised something else: {describe(error)}")
    return Observation(ABSENT, evidence=f"{cls.__name__} has `{wanted}`, and it can be called")


def _is_refused(cls: type, wanted: str) -> bool:
    """Whether Python refuses to make the object for want of this method."""
    return wanted == "__iter__" and wanted in getattr(cls, "__abstractmethods__", ())


def _ask(dataset: Any, wanted: str) -> None:
    """Do what a loader does."""
    asks: dict[str, Callable[[], Any]] = {
        "__getitem__": lambda: next(iter(DataLoader(dataset, batch_size=1, sampler=[0]))),
        "__len__": lambda: len(DataLoader(dataset)),
        "__iter__": lambda: next(iter(DataLoader(dataset))),
    }
    assert isinstance(dataset, IterableDataset) or wanted != "__iter__"
    asks[wanted]()
