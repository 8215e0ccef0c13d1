"""Stand-ins for libraries that only report to people: progress bars, loggers, plots.

What they do has no part in what a program computes, so a run in which they are silent is still the
user's program; one in which their answers are computed with is not, and says so.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import types
from contextlib import contextmanager
from functools import cache
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any

import torch

from . import taint
from .pictures import torchvision

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_REPORTERS = (
    "wandb",
    "matplotlib",
    "matplotlib.pyplot",
    "seaborn",
    "tensorboard",
    "tensorboardX",
    "torch.utils.tensorboard",
    "visdom",
    "mlflow",
    "comet_ml",
    "neptune",
    "prettytable",
    "loguru",
    "torchsummary",
    "torchvision.utils",
    "torchinfo",
)
_DRAWN = re.compile(
    r"matplotlib\b.*\.(?:plot|scatter|imshow|hist|bar|semilog[xy]|loglog|fill_between|matshow)"
)
_BARS = ("tqdm", "tqdm.auto", "tqdm.notebook", "tqdm.autonotebook", "tqdm.rich")


class Silent:
    """Answers every call with another of its kind; to compute with it taints the run.

    One that is not known to be a reporter might do more with a model or an optimizer.
    """

    def __init__(self, path: str, known: bool = False) -> None:
        self.__dict__["_path"] = path
        self.__dict__["_known"] = known

    def _next(self, link: str) -> Silent:
        return Silent(f"{self.__dict__['_path']}{link}", self.__dict__["_known"])

    def __getattr__(self, name: str) -> Silent:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return self._next(f".{name}")

    def __setattr__(self, name: str, value: object) -> None:
        """Settings of a reporter are of no consequence."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """As a decorator it changes nothing; what is drawn has to become an array."""
        if _DRAWN.fullmatch(self.__dict__["_path"]) and is_installed("numpy"):
            _to_arrays(args)
        if not self.__dict__["_known"] and any(map(_can_be_changed, [*args, *kwargs.values()])):
            taint.note(f"what `{self.__dict__['_path']}` does is not known")
        plain = len(args) == 1 and not kwargs and isinstance(args[0], (type, types.FunctionType))
        return args[0] if plain else self._next("()")

    def __getitem__(self, key: object) -> Silent:
        return self._next("[]")

    def __setitem__(self, key: object, value: object) -> None:
        """What is told to a reporter stays there."""

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def __iter__(self) -> Iterator[Silent]:
        """Two answers, as in ``figure, axes = plt.subplots()``."""
        return iter((self._next("[0]"), self._next("[1]")))

    def __bool__(self) -> bool:
        taint.note(f"the program decides by what `{self.__dict__['_path']}` answers")
        return False


def _to_arrays(values: Iterable[object]) -> None:
    """Refuse the tensors that have a graph, or are on the device, as NumPy would."""
    for value in values:
        if isinstance(value, torch.Tensor):
            value.__array__()  # type: ignore[no-untyped-call]
        elif type(value) in (list, tuple):
            _to_arrays(value)  # type: ignore[arg-type]


def _can_be_changed(value: object) -> bool:
    return isinstance(value, (torch.optim.Optimizer, torch.nn.Module))


class Bar:
    """A progress bar that shows nothing and passes everything on."""

    def __init__(self, iterable: Any = None, *_: Any, total: int | None = None, **__: Any) -> None:
        self.iterable = iterable
        self.total = total
        self.n = 0

    def __iter__(self) -> Iterator[Any]:
        return iter(self.iterable)

    def __len__(self) -> int:
        return self.total if self.iterable is None and self.total else len(self.iterable)

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to close."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None


@contextmanager
def bystanders() -> Iterator[None]:
    """Make reporters and data sets that are not installed importable."""
    made: dict[str, types.ModuleType] = {}
    for names, make in ((_BARS, _bars), (_REPORTERS, _reporter)):
        made |= {name: make(name) for name in names if not (is_installed(name) or _is_own(name))}
    if not (is_installed("torchvision") or _is_own("torchvision")):
        made |= torchvision()
    sys.modules.update(made)
    try:
        yield
    finally:
        for name in made:
            sys.modules.pop(name, None)


def is_installed(name: str) -> bool:
    """Whether something comes from elsewhere; asked for all by who forks, it is known at once."""
    package = "tensorboard" if name == "torch.utils.tensorboard" else name.partition(".")[0]
    return name in sys.modules or _is_there(package)


@cache
def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):
        return False


def _is_own(name: str) -> bool:
    """Whether the project has something by that name, which it has put before all else."""
    find = getattr(sys.meta_path[0], "find_spec", None)
    return find is not None and find(name.partition(".")[0]) is not None


def know() -> None:
    """Find out what is installed."""
    for name in (*_BARS, *_REPORTERS, "torchvision"):
        is_installed(name)


def _bars(name: str) -> types.ModuleType:
    module = types.ModuleType(name)
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__path__ = []
    module.__dict__.update(
        tqdm=Bar,
        trange=lambda *args, **_: Bar(range(*args)),
        tqdm_notebook=Bar,
        write=lambda *_, **__: None,
    )
    return module


class _Reporter(types.ModuleType):
    def __getattr__(self, name: str) -> Silent:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Silent(f"{self.__name__}.{name}", known=True)


def _reporter(name: str) -> types.ModuleType:
    module = _Reporter(name)
    module.__spec__ = ModuleSpec(name, None, is_package=True)
    module.__path__ = []
    return module
