"""Small made-up data where what a program reads is not there: data sets, pictures, tables, texts.

What a picture shows, or a text says, is not what a training loop or a loss is asked about; the
numbers of a table may be, and where they matter a run that read made-up ones proves nothing. What
was made up is told with the evidence.
"""

from __future__ import annotations

import builtins
import inspect
import io
import os
import random
import re
import sys
import zlib
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from . import taint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

    from .places import Project

_COUNT = 1024
_ROWS = 256
_SIDE = 64
_COLUMNS = 8
_WORDS = "the a small model reads what its data set says and learns from each line of it".split()
_TEXTS = (".txt", ".tokens", ".text")
_TABLES = (".csv", ".tsv")
_PICTURES = (".jpg", ".jpeg", ".png", ".bmp")
_LABEL = re.compile(r"label|target|class|^y$|survived|outcome|species", re.IGNORECASE)
_NAMED = re.compile(r"name|path|file|text|sentence|title|comment|review|date", re.IGNORECASE)
_made: dict[str, None] = {}


def told() -> str:
    """What was made up since the last run began, for the evidence."""
    named = " and ".join(f"`{name}`" for name in list(_made)[:2])
    return f"; {named} is made up, for it is not here" if named else ""


class MadeUp:
    """Puts small data in the place of what is not there, for one run.

    ``numbers`` says that the numbers in a table matter to the question.
    """

    def __init__(self, project: Project, numbers: bool) -> None:
        self._project = project
        self._numbers = numbers

    @contextmanager
    def __call__(self) -> Iterator[None]:
        """Replace what reads data, where it has been imported or will be."""
        _made.clear()
        with ExitStack() as stack:
            finder = _AfterImport(
                {
                    "torchvision.datasets": self._data_sets,
                    "pandas": self._pandas,
                    "PIL.Image": self._pictures,
                    "numpy": self._numpy,
                },
                stack,
            )
            stack.enter_context(finder)
            patch(stack, builtins, "open", self._opening(builtins.open))
            yield

    def _is_missing(self, path: Any, *suffixes: str) -> bool:
        """Whether the program names a file of some kind that is not there."""
        if not isinstance(path, (str, os.PathLike)):
            return False
        name = os.fspath(path)
        is_kind = isinstance(name, str) and os.path.splitext(name)[1].lower() in suffixes
        if not is_kind or "://" in name or os.path.exists(name):
            return False
        return self._project.innermost(sys._getframe(2)) is not None

    def _note(self, name: str, numbers: bool) -> None:
        _made[name] = None
        if numbers and self._numbers:
            taint.note(f"`{name}` is made up, and the question is about its numbers")

    def _opening(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def opened(file: Any, mode: str = "r", *args: Any, **options: Any) -> Any:
            if mode in ("r", "rt") and self._is_missing(file, *_TEXTS):
                self._note(os.path.basename(file), numbers=False)
                return io.StringIO(_text(file))
            if mode in ("r", "rt") and self._is_missing(file, *_TABLES):
                self._note(os.path.basename(file), numbers=True)
                between = "\t" if os.fspath(file).endswith(".tsv") else ","
                return io.StringIO("".join(f"{between.join(row)}\n" for row in _rows(file)))
            return real(file, mode, *args, **options)

        return opened

    def _pandas(self, pandas: ModuleType, stack: ExitStack) -> None:
        for name, kinds in (
            ("read_csv", (*_TABLES, ".txt", ".data", ".gz")),
            ("read_table", (*_TABLES, ".txt", ".data")),
            ("read_parquet", (".parquet",)),
        ):
            patch(stack, pandas, name, self._reading(pandas, getattr(pandas, name), kinds))

    def _reading(
        self, pandas: Any, real: Callable[..., Any], kinds: tuple[str, ...]
    ) -> Callable[..., Any]:
        def read(path: Any, *args: Any, **options: Any) -> Any:
            if not self._is_missing(path, *kinds):
                return real(path, *args, **options)
            self._note(os.path.basename(path), numbers=True)
            frame = self._project.innermost(sys._getframe(1))
            named = options.get("names") or _columns(frame.f_code.co_filename if frame else "")
            return pandas.DataFrame({name: _column(path, name) for name in named})

        return read

    def _numpy(self, numpy: ModuleType, stack: ExitStack) -> None:
        for name in ("loadtxt", "genfromtxt"):
            patch(stack, numpy, name, self._loading(numpy, getattr(numpy, name)))

    def _loading(self, numpy: Any, real: Callable[..., Any]) -> Callable[..., Any]:
        def loaded(file: Any, *args: Any, **options: Any) -> Any:
            if not self._is_missing(file, *_TABLES, *_TEXTS, ".data", ".dat"):
                return real(file, *args, **options)
            self._note(os.path.basename(file), numbers=True)
            numbers = [[float(cell) for cell in row] for row in _rows(file)[1:]]
            return numpy.array(numbers, dtype=options.get("dtype", float))

        return loaded

    def _pictures(self, images: ModuleType, stack: ExitStack) -> None:
        real = images.open

        def opened(file: Any, *args: Any, **options: Any) -> Any:
            if not self._is_missing(file, *_PICTURES):
                return real(file, *args, **options)
            self._note(os.path.basename(file), numbers=False)
            return _picture(images, os.fspath(file))

        patch(stack, images, "open", opened)

    def _data_sets(self, home: ModuleType, stack: ExitStack) -> None:
        from .known_sets import FILLS

        for name, fill in FILLS.items():
            cls = getattr(home, name, None)
            if isinstance(cls, type) and "__init__" in vars(cls):
                patch(stack, cls, "__init__", self._building(cls, fill))

    def _building(
        self, cls: Any, fill: Callable[[Any, dict[str, Any]], None]
    ) -> Callable[..., None]:
        real = cls.__init__
        signature = inspect.signature(real)

        def built(made: Any, *args: Any, **options: Any) -> None:
            try:
                real(made, *args, **options)
            except (OSError, RuntimeError):  # it is not there, and cannot be fetched
                given = signature.bind(made, *args, **options)
                given.apply_defaults()
                fill(made, given.arguments)
                self._note(type(made).__name__, numbers=False)

        return built


class _AfterImport:
    """Calls what is to be done to modules, at once or as soon as they have been imported."""

    def __init__(
        self, hooks: dict[str, Callable[[ModuleType, ExitStack], None]], stack: ExitStack
    ) -> None:
        self._hooks = hooks
        self._stack = stack

    def __enter__(self) -> None:
        for name in [name for name in self._hooks if name in sys.modules]:
            self._call(name, sys.modules[name])
        sys.meta_path.insert(0, self)

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """The spec that the others find, whose module is seen to once it is filled."""
        if name not in self._hooks:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(name, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        loader: Any = spec and spec.loader
        if hasattr(loader, "exec_module"):
            fill = loader.exec_module

            def filled(module: ModuleType) -> None:
                fill(module)
                self._call(name, module)

            loader.exec_module = filled
        return spec

    def _call(self, name: str, module: ModuleType) -> None:
        hook = self._hooks.pop(name, None)
        if hook is not None and getattr(module, "__file__", None):
            hook(module, self._stack)


def patch(stack: ExitStack, owner: Any, name: str, new: Any) -> None:
    """Replace an attribute, if there is one, for as long as the stack is open."""
    if hasattr(owner, name):
        stack.enter_context(mock.patch.object(owner, name, new))


def _drawing(*names: Any) -> random.Random:
    """A generator for a name: each file has its own content, the same each time."""
    return random.Random(zlib.crc32("/".join(map(os.path.basename, names)).encode()))


def _text(file: Any) -> str:
    """Lines of words."""
    draw = _drawing(file)
    lines = (" ".join(draw.choices(_WORDS, k=10)) for _ in range(_ROWS))
    return "\n".join(lines) + "\n"


def _rows(file: Any) -> list[list[str]]:
    """A table of numbers with names above it; the last column is a class."""
    names = [*(f"x{number}" for number in range(_COLUMNS)), "label"]
    draw = _drawing(file)
    return [
        names,
        *(
            [*(f"{draw.gauss(0, 1):.4f}" for _ in range(_COLUMNS)), str(draw.randrange(2))]
            for _ in range(_ROWS)
        ),
    ]


def _columns(file: str) -> list[str]:
    """The columns that a file speaks of, and some more."""
    try:
        with open(file, encoding="utf-8", errors="replace") as stream:
            found = re.findall(r"""[\[,(]\s*["']([\w ./-]{1,40})["']\s*(?=[\],)])""", stream.read())
    except OSError:
        found = []
    spoken = [name for name in dict.fromkeys(found) if not _is_no_column(name)]
    return [*(f"x{number}" for number in range(_COLUMNS)), *(spoken or ["label"])]


def _is_no_column(name: str) -> bool:
    """Files, modes, devices and encodings are spoken of too."""
    return bool(re.search(r"[./]|^(r|w|a|rb|wb|cpu|cuda|mps|utf-8|__main__)$", name))


def _column(file: Any, name: str) -> list[Any]:
    draw = _drawing(file, name)
    if _LABEL.search(name):
        return [draw.randrange(2) for _ in range(_ROWS)]
    if _NAMED.search(name):
        return [" ".join(draw.choices(_WORDS, k=6)) for _ in range(_ROWS)]
    return [draw.gauss(0, 1) for _ in range(_ROWS)]


def _picture(images: Any, name: str) -> Any:
    """Noise in three colours, the same each time for a name."""
    generator = torch.Generator().manual_seed(zlib.crc32(name.encode()))
    noise = torch.randint(0, 256, (_SIDE * _SIDE * 3,), generator=generator, dtype=torch.uint8)
    return images.frombytes("RGB", (_SIDE, _SIDE), bytes(noise.tolist()))
