"""Runs a file of the project as the script that it is, in a short and quiet version."""

from __future__ import annotations

import argparse
import builtins
import contextlib
import copy
import errno
import io
import os
import sys
import time
import types
import warnings
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from .bystanders import bystanders
from .copying import compiled
from .loading import Program, module_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


def run_script(
    program: Program, file: str, arguments: Sequence[str] = (), module: str = ""
) -> None:
    """Execute the file as ``__main__``, from the program's texts."""
    code = compiled(program.tree(file), file)
    with as_script(program, file, arguments, module) as main:
        exec(code, main.__dict__)


@contextmanager
def as_script(
    program: Program, file: str, arguments: Sequence[str] = (), module: str = ""
) -> Iterator[types.ModuleType]:
    """Make the file the main module, found with its neighbours.

    One that is started as a ``module`` is found from the folder that it is started in, and so is
    one of a package that imports relative to itself: nothing else could start it.
    """
    main = types.ModuleType("__main__")
    main.__file__ = file
    main.__dict__["__builtins__"] = builtins
    if not file.endswith(".py"):
        main.__dict__["display"] = _unseen  # which notebooks have without importing it
    name, home = module_name(file, program.job.root)
    folders = [home]
    if module:
        is_package = os.path.basename(file) == "__main__.py" and not module.endswith("__main__")
        name = f"{module}.__main__" if is_package else module
        folders = [program.job.folder, home]
    elif not ("." in name and program.texts.imports_relatively(file)):
        folders = [os.path.dirname(file), home]
    outer = name.rpartition(".")[0]
    main.__package__ = (name if os.path.basename(file) == "__init__.py" else outer) or None
    if module:
        main.__spec__ = ModuleSpec(name, None, origin=file)
    program.finder.roots = tuple(dict.fromkeys([*folders, *program.finder.roots]))
    before, words = sys.modules["__main__"], sys.argv
    sys.modules["__main__"], sys.argv = main, [file, *arguments]
    try:
        yield main
    finally:
        sys.modules["__main__"], sys.argv = before, words


# They are the interpreter's and the machine's, and say nothing to the program.
_NOT_TOLD = ("PYTHON", "CUDA_", "LD_", "DYLD_")


@contextmanager
def variables(given: Mapping[str, str]) -> Iterator[None]:
    """Set the variables of the environment that the user sets for the program."""
    told = {name: value for name, value in given.items() if not name.startswith(_NOT_TOLD)}
    with mock.patch.dict(os.environ, told):
        yield


@contextmanager
def quiet() -> Iterator[None]:
    """Nothing is waited for, written or asked, and what only reports to people is stood in for."""
    replaced = [
        (time, "sleep", lambda *_: None),
        (os, "mkdir", _folder),
        (torch, "save", _kept),
        (torch, "load", _found),
        (torch, "compile", _uncompiled),
        (torch.nn.Module, "compile", lambda *_, **__: None),
        (builtins, "input", _no_input),
        (argparse.ArgumentParser, "parse_known_args", _filling(argparse.ArgumentParser)),
    ]
    # Each seed would be noted with the stack for a device that there is not.
    absent = [device for device in (torch.cuda, *_others()) if not device.is_available()]
    replaced += [(device, "_lazy_call", _unseen) for device in absent]
    replaced = [item for item in replaced if hasattr(item[0], item[1])]
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
    for owner, name, new in replaced:
        setattr(owner, name, new)
    try:
        with bystanders(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for owner, name, old in before:
            setattr(owner, name, old)


def _others() -> list[Any]:
    """The devices that some releases of torch know besides CUDA's."""
    return [getattr(torch, name) for name in ("xpu", "mtia") if hasattr(torch, name)]


def _unseen(*_: object, **__: object) -> None:
    """Show nothing to nobody."""


_REFUSED = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_files: dict[str, Any] = {}
_folders: set[str] = set()
_load, _save, _mkdir = torch.load, torch.save, os.mkdir


def forget_files() -> None:
    """Another run has saved nothing yet."""
    _files.clear()
    _folders.clear()


def _folder(path: Any, *arguments: Any, **options: Any) -> None:
    """A folder that the program may make, though it may not here, counts as made."""
    try:
        _mkdir(path, *arguments, **options)
    except OSError as error:
        made = os.path.abspath(os.fsdecode(path))
        if error.errno not in _REFUSED and os.path.dirname(made) not in _folders:
            raise
        _folders.add(made)


def _kept(obj: Any, f: Any = None, *_: Any, **__: Any) -> None:
    """What is saved is kept in memory, as it is, for as long as the program runs."""
    if isinstance(f, io.BytesIO):
        _save(obj, f)
    elif file := _name(f):
        with contextlib.suppress(Exception):
            _files[file] = copy.deepcopy(obj)


def _found(f: Any = None, *arguments: Any, **options: Any) -> Any:
    """What the program has saved itself comes from memory."""
    file = _name(f)
    if file in _files:
        return copy.deepcopy(_files[file])
    return _load(f, *arguments, **options)


def _name(f: Any) -> str:
    """Where a file is, which may be open; nothing where it has no name."""
    named = f.name if isinstance(f, io.BufferedIOBase) and hasattr(f, "name") else f
    return os.path.abspath(os.fsdecode(named)) if isinstance(named, (str, os.PathLike)) else ""


def _uncompiled(model: Any = None, **_: Any) -> Any:
    """What ``torch.compile`` computes is what the model computes."""
    return (lambda function: function) if model is None else model


def _no_input(*_: Any) -> str:
    raise EOFError("nobody is there to answer")


def _filling(parser_class: type[argparse.ArgumentParser]) -> Callable[..., Any]:
    """A ``parse_known_args`` that gives required arguments a value of their type."""
    parse = parser_class.parse_known_args

    def parse_filled(
        parser: argparse.ArgumentParser, args: Any = None, namespace: Any = None
    ) -> Any:
        for action in parser._actions:
            if action.required:
                action.required = False
                if action.default is None and action.nargs != 0:
                    action.default = _guess(action)
                if not action.option_strings:
                    action.nargs = "?"
        return parse(parser, args, namespace)

    return parse_filled


def _guess(action: argparse.Action) -> Any:
    if action.choices:
        return next(iter(action.choices))
    value: Any = {int: 2, float: 0.1}.get(action.type, action.dest)  # type: ignore[call-overload]
    return [value] if action.nargs in ("+", "*") else value
