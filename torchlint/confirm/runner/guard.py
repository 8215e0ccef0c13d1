"""Notices when the code under test reaches for what observes it, or changes what that rests on.

Both share a process, so that neither can be kept from the other. What can be had is that reaching
out is seen: the interpreter tells of it before it happens (audit events), names that observers
rest on are compared with what they were before the code was loaded, and what is noticed goes out of
the process at once, where nothing takes it back.

Native code that writes to memory leaves no such traces; what leads to native code does.
"""

from __future__ import annotations

import _thread
import builtins
import dataclasses
import importlib
import json
import json.encoder
import linecache
import os
import re
import signal
import site
import sys
import sysconfig
import time
import types
from typing import TYPE_CHECKING, Any

from .copying import READS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from .protocol import Job

_RUNNER = os.path.dirname(os.path.abspath(__file__)) + os.sep

_OF_ATTRIBUTE = "object.__getattr__"
_EVENTS = frozenset(
    [
        "gc.get_objects",
        "gc.get_referrers",
        "gc.get_referents",
        "sys._getframe",
        "sys._getframemodulename",
        "sys._current_frames",
        "sys._current_exceptions",
        "sys.settrace",
        "sys.setprofile",
        "sys.addaudithook",
        "sys.monitoring.register_callback",
        "code.__new__",
        "marshal.loads",
        _OF_ATTRIBUTE,
        "object.__setattr__",
        "object.__delattr__",
        "open",
        "exec",
        READS,
    ]
)
_FRAMES = frozenset({"tb_frame", "gi_frame", "cr_frame", "ag_frame"})
_OF_PROCESS = re.compile(r"/proc/[^/]+/(task/[^/]+/)?(mem|fd/.*)$")
# They hand what they are given to whoever calls them.
_PASSING_ON = ("inspect.py", f"ctypes{os.sep}__init__.py")
# It opens files for whoever calls it, and keeps the frames that it looks at.
_OPENING = f"{_RUNNER}absent.py"
_FRAMES_OF = frozenset({("traceback.py", "walk_stack"), ("traceback.py", "walk_tb")}) | {
    (f"logging{os.sep}__init__.py", "currentframe")
}
# Where an event has what it is looked at for, and of which types that is.
_KINDS: dict[str, tuple[int, tuple[type, ...]]] = {
    "exec": (0, (types.CodeType,)),
    "object": (1, (str,)),
    "open": (0, (str, bytes, int)),
    READS.partition(".")[0]: (1, (str,)),
}
# Words of code that gets at memory or at an observer without an event. The function of a bound
# method is none of them: it has no more to read, and whoever changes it is heard.
_WORDS = re.compile(
    r"\b(ctypes|cffi|torchlint_runner|_global_(?:forward|backward|optimizer|module)\w*"
    r"|_get_current_(?:function|dispatch)_mode\w*|__closure__|__globals__|__self__)\b"
)
# Programs replace these for reasons of their own, and no verdict rests on them.
_OF_NO_MATTER = frozenset(
    ["__repr__", "__str__", "__format__", "load", "save", "compile", "step", "print", "input"]
)

_MODULES = (
    "torch",
    "torch.autograd",
    "torch.autograd.graph",
    "torch.nn.functional",
    "torch.nn.modules.module",
    "torch.optim.optimizer",
    "torch.overrides",
    "torch.utils._python_dispatch",
    "torch.utils.data.dataloader",
)


class Guard:
    """Tells of the first reaching out; ``write`` is what takes it out of the process."""

    def __init__(self, job: Job, write: Callable[[str], None]) -> None:
        self._write = write
        self._told = False
        self._busy: set[int] = set()
        self._trusted = _trusted_folders(job.target.file)
        prepare()
        self.has_kept = _comparing(list(_prepared.values()), self._tell)
        _prepared.clear()  # where the code under test could find it
        _hide_frames(self._trusts)
        sys.addaudithook(self._hear)

    def _tell(self, what: str) -> None:
        if not self._told:
            self._told = True
            self._write(f"the code under test {what}")

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == _OF_ATTRIBUTE and type(arguments[1]) is str and arguments[1] == "f_code":
            return  # most of what there is to hear, and of no use to anybody
        if self._told or not (event in _EVENTS or event.startswith("ctypes.")):
            return
        me = _thread.get_ident()
        if me in self._busy:
            return
        self._busy.add(me)
        try:
            if _is_made_up(event, arguments):
                self._tell(f"makes up what observes it listens to (`{event}`)")
            elif event == "exec":
                self._look(*arguments)
            elif event == READS:
                self._look_at_function(*arguments)
            elif frame := self._reaching(event, arguments):
                name = f"{event} {arguments[1]}" if event.startswith("object.") else event
                self._tell(
                    f"reaches for what observes it (`{name}` at line {frame.f_lineno} of "
                    f"{os.path.basename(frame.f_code.co_filename)})"
                )
        finally:
            self._busy.discard(me)

    def _look(self, code: types.CodeType) -> None:
        """Code is about to be run; what a library makes up for itself is its own affair."""
        file = code.co_filename
        if file.startswith("<"):
            maker = sys._getframe(2).f_code.co_filename
            if self._trusts(maker) and not maker.startswith(_RUNNER):
                return
        elif self._trusts(file):
            return
        for text in _words(code):
            found = _WORDS.search(text)
            if found:
                self._tell(f"names `{found.group()}`, by which what observes it could be changed")

    def _look_at_function(self, thing: object, name: str) -> None:
        """What a function of the code under test rests on is its own, and no other's."""
        file = thing.__code__.co_filename if type(thing) is types.FunctionType else "<"
        if file.startswith("<") or self._trusts(file):
            self._tell(f"names `{name}`, by which what observes it could be changed")

    def _reaching(self, event: str, arguments: tuple[Any, ...]) -> FrameType | None:
        """The user's frame that does it, if one does and it matters."""
        if event == "open" and not _OF_PROCESS.match(_path(arguments[0])):
            return None
        of_attribute = event.startswith("object.") and arguments[1] not in _FRAMES
        changed = event != _OF_ATTRIBUTE
        if of_attribute and not self._is_of_others(arguments[0], changed):
            return None
        return self._doer(sys._getframe(2), event)

    def _is_of_others(self, thing: object, changed: bool) -> bool:
        """Whether a function is the runner's, or is a library's and to be changed."""
        if type(thing) is not types.FunctionType:
            return False
        file = thing.__code__.co_filename
        return file.startswith(_RUNNER) or (changed and self._trusts(file))

    def _doer(self, frame: FrameType | None, event: str) -> FrameType | None:
        """The user's frame that gets what is asked for, None where a library keeps it."""
        while frame is not None:
            file, name = frame.f_code.co_filename, frame.f_code.co_name
            if not file.startswith("<") and not self._trusts(file):
                return frame
            # What Python makes up has no file; what it imports with has none either, and keeps it.
            made_up = file.startswith("<") and not file.startswith("<frozen")
            passes_on = made_up or file.endswith(_PASSING_ON)
            passes_on = passes_on or (event == "open" and file == _OPENING)
            if not passes_on and not any(
                file.endswith(of) and name == function for of, function in _FRAMES_OF
            ):
                return None
            frame = frame.f_back
        return None

    def _trusts(self, file: str) -> bool:
        return file.startswith(self._trusted)


def _is_made_up(event: str, arguments: tuple[Any, ...]) -> bool:
    """Whether an event has with it what could run code of its own while nothing is heard.

    Python itself names attributes by plain texts, and files by texts or numbers.
    """
    kinds = _KINDS.get(event.partition(".")[0])
    if kinds is None:
        return False
    place, allowed = kinds
    return len(arguments) <= place or type(arguments[place]) not in allowed


def _path(file: str | bytes | int) -> str:
    return str(file) if isinstance(file, int) else os.fsdecode(file)


def _words(code: object) -> Iterator[str]:
    """What code, and the code within it, speaks of: names, and texts that could become names."""
    if isinstance(code, types.CodeType):
        yield from code.co_names
        for constant in code.co_consts:
            yield from _words(constant)
    elif isinstance(code, str):
        yield code
    elif isinstance(code, (tuple, frozenset)):
        for item in code:
            yield from _words(item)


def _hide_frames(trusts: Callable[[str], bool]) -> None:
    """A handler of the user's gets no frame when its signal comes: no event tells of that."""
    low: Any = importlib.import_module("_signal")
    install = low.signal

    def installed(number: int, handler: Any) -> Any:
        code = getattr(handler, "__code__", None)
        if not callable(handler) or (code is not None and trusts(code.co_filename)):
            return install(number, handler)
        return install(number, lambda number, frame: handler(number, None))

    low.signal = installed


def _trusted_folders(file: str) -> tuple[str, ...]:
    """Where the standard library, the runner and installed packages lie, but not a given file."""
    paths = sysconfig.get_paths()
    folders = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += site.getsitepackages() if hasattr(site, "getsitepackages") else []
    torch = sys.modules.get("torch")
    folders += [os.path.dirname(os.path.dirname(str(torch.__file__)))] if torch else []
    ends = [os.path.join(os.path.abspath(folder), "") for folder in folders]
    return (_RUNNER, *(end for end in dict.fromkeys(ends) if not file.startswith(end)))


Held = tuple[Any, list[tuple[str, object]]]

_prepared: dict[int, Held] = {}


def prepare() -> None:
    """Note what the names that observers rest on mean, as long as none of the user's code has run.

    What is known already is not looked at again: a server does this for all that it forks.
    """
    torch = importlib.import_module("torch")
    owners: list[Any] = [builtins, dataclasses, json, json.encoder, linecache, os, signal, time]
    owners += map(importlib.import_module, _MODULES)
    owners += [torch.Tensor, torch.nn.Module, torch.nn.Parameter, torch.autograd.Function]
    owners += [torch.optim.Optimizer, torch.utils.data.DataLoader]
    for owner in owners:
        if id(owner) not in _prepared:
            _prepared[id(owner)] = owner, _callables(owner)
    for module in _own_modules():
        if id(module) not in _prepared:
            _prepare_own(module)


def _own_modules() -> Iterator[types.ModuleType]:
    """The runner's modules; to look for them among all there are would touch what is shared."""
    package = sys.modules[str(__package__)]
    for folder in (package, vars(package).get("families")):
        for inner in list(vars(folder).values()) if folder else ():
            if isinstance(inner, types.ModuleType):
                yield inner


def _callables(owner: Any) -> list[tuple[str, object]]:
    return [
        (name, value)
        for name, value in list(vars(owner).items())
        if name not in _OF_NO_MATTER and (callable(value) or isinstance(value, property))
    ]


def _prepare_own(module: types.ModuleType) -> None:
    """A module of the runner: its functions, classes and words, and what its classes do."""
    own = []
    for name, value in list(vars(module).items()):
        if callable(value) or isinstance(value, (str, int, frozenset)):
            own.append((name, value))
        if isinstance(value, type) and value.__module__ == module.__name__:
            _prepared[id(value)] = value, _callables(value)
    _prepared[id(module)] = module, own


def _put_by_compiler() -> tuple[object, ...]:
    """The code of what torch's compiler puts around the constructor of modules."""
    put: Any = sys.modules.get("torch._dynamo.mutation_guard")
    install = getattr(put, "install_generation_tagging_init", None)
    return install.__code__.co_consts if isinstance(install, types.FunctionType) else ()


def _comparing(owners: list[Held], tell: Callable[[str], None]) -> Callable[[], None]:
    """A comparison that uses no name which could have been replaced."""
    look, gone, kind, function = vars, object(), type, types.FunctionType
    compiled = _put_by_compiler()

    def has_kept() -> None:
        for owner, names in owners:
            now = look(owner)
            for name, value in names:
                found = now.get(name, gone)
                if found is value:
                    continue
                # The function itself is new for every process, its code is not.
                code = found.__code__ if kind(found) is function else gone
                for each in compiled:
                    if code is each:
                        break
                else:
                    tell(f"replaces `{owner.__name__}.{name}`, on which what observes it rests")

    return has_kept
