"""TL603: whether the dataset of a loader with workers can be pickled, and what in it cannot."""

from __future__ import annotations

import ast
import io
import pickle
import types
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from unittest import mock

from torch.utils.data import DataLoader, Dataset, Subset

from .aftermath import innermost
from .building import CannotBuildError, recipe
from .experiments import describe
from .loading import load
from .places import same_file
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer
from .taint import TaintedUseError
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .loading import Program
    from .protocol import Job, Target

_DEEPEST = 4
_KINDS: dict[str, tuple[str, ...]] = {
    "open file": ("IOBase", "GzipFile", "BZ2File", "LZMAFile"),
    "open archive": ("ZipFile", "TarFile"),
    "HDF5": ("File",),
    "LMDB": ("Environment",),
    "database": ("Connection", "MongoClient", "connection"),
}


class Pickled(Observer):
    """Pickles the dataset of each loader that was to have workers."""

    def __init__(self, job: Job, program: Program) -> None:
        super().__init__()
        self._job, self._program = job, program
        self._seen: Observation | None = None

    def watching(self) -> AbstractContextManager[Any]:
        """Loaders are looked at when they are built."""
        return self._looking()

    @contextmanager
    def _looking(self) -> Iterator[None]:
        init = DataLoader.__init__

        def built(loader: DataLoader[Any], *args: Any, **options: Any) -> None:
            workers = args[5] if len(args) > 5 else options.get("num_workers", 0)
            init(loader, *args, **options)
            if workers and (self._seen is None or self._seen.outcome != SHOWN):
                self._seen = _function(loader, self._job.target, self._program) or judge(
                    loader.dataset, self._job.target, self._program
                )

        with mock.patch.object(DataLoader, "__init__", built):
            yield

    def has_seen_enough(self) -> bool:
        """One failure tells."""
        return self._seen is not None and self._seen.outcome == SHOWN

    def conclude(self, ended: bool) -> Observation:
        """What the last loader said."""
        return self._seen or Observation(OPEN, reason="no loader with workers was built")


def _function(loader: DataLoader[Any], target: Target, program: Program) -> Observation | None:
    """What is said of a loader's functions, which go to its workers beside the dataset."""
    for name in ("collate_fn", "worker_init_fn"):
        function = getattr(loader, name)
        error = _refusal(function)
        if error is not None and any(
            _is_flagged(name, culprit, target, program) for culprit in _culprits(function, _DEEPEST)
        ):
            evidence = "pickled for a worker that is not forked, the loader's"
            return Observation(SHOWN, evidence=f"{evidence} `{name}` raised {describe(error)}")
    return None


def judge(dataset: Any, target: Target, program: Program) -> Observation:
    """Pickle a dataset as for a worker that is not forked, and find what cannot be."""
    while isinstance(dataset, Subset):
        dataset = dataset.dataset
    if type(dataset).__module__.startswith(__package__ or "?"):
        return Observation(OPEN, reason="the dataset is not there, and had to be stood in for")
    error = _refusal(dataset)
    if error is None:
        return Observation(ABSENT, evidence=f"{type(dataset).__name__} can be pickled")
    for name, value in vars(dataset).items():
        for culprit in _culprits(value, _DEEPEST):
            if _is_flagged(name, culprit, target, program):
                return Observation(
                    SHOWN,
                    evidence=f"pickled for a worker that is not forked, {type(dataset).__name__} "
                    f"raised {describe(error)}, for its `{name}`",
                )
    return Observation(OPEN, reason=f"something else cannot be pickled: {describe(error)}")


def _refusal(value: Any) -> Exception | None:
    try:
        pickle.dumps(value)
    except (TypeError, AttributeError, pickle.PicklingError) as error:
        return error
    return None


def _culprits(value: Any, depth: int) -> Iterator[Any]:
    """The innermost parts of a value that cannot be pickled."""
    if _refusal(value) is None:
        return
    parts = [part for part in _parts(value) if _refusal(part) is not None] if depth else []
    if not parts:
        yield value
    for part in parts:
        yield from _culprits(part, depth - 1)


def _parts(value: Any) -> list[Any]:
    match value:
        case dict():
            return list(value.values())
        case list() | tuple() | set():
            return list(value)
        case partial():
            return [value.func, *value.args]
        case types.FunctionType() | io.IOBase():
            return []
    if type(value).__module__ in {"zipfile", "tarfile", "gzip"}:
        return []
    return list(getattr(value, "__dict__", {}).values())


def _is_flagged(name: str, culprit: Any, target: Target, program: Program) -> bool:
    """Whether what cannot be pickled was made by the flagged code."""
    code = getattr(culprit, "__code__", None) or getattr(culprit, "gi_code", None)
    if code is not None and target.line <= code.co_firstlineno <= target.end_line:
        return same_file(code.co_filename, target.file)
    if name == _assigned(target, program):
        return True
    kinds = {base.__name__ for base in type(culprit).__mro__}
    return any(
        word in target.message and not kinds.isdisjoint(names) for word, names in _KINDS.items()
    )


def _assigned(target: Target, program: Program) -> str:
    """The attribute of an object that the flagged statement assigns."""
    statement = innermost(program.tree(target.file), target.line)
    match statement:
        case (
            ast.Assign(targets=[ast.Attribute(attr=name)])
            | ast.AnnAssign(target=ast.Attribute(attr=name))
        ):
            return name
    return ""


def unpicklable_in_dataset(job: Job) -> Observation:
    """TL603: the dataset that workers are to be given cannot be pickled for the flagged object."""
    seen = investigate(job, Question(watch=lambda project, program: Pickled(job, program)))
    if seen.outcome == OPEN:
        alone = _alone(job)
        return alone if alone is not None and alone.outcome != OPEN else seen
    return seen


def _alone(job: Job) -> Observation | None:
    """The dataset made by itself, where nothing in the project loads it."""
    program = load(job)
    cls = program.scope_object(job.scope.split(".")[0]) if job.scope else None
    if not isinstance(cls, type) or not issubclass(cls, Dataset):
        return None
    try:
        seen = judge(recipe(cls, program).again(job.seed), job.target, program)
    except (CannotBuildError, TaintedUseError) as error:
        return Observation(OPEN, reason=str(error))
    return None if program.tainted else seen
