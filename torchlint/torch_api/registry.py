"""The knowledge of APIs: handlers by name, and what a handler gets to see.

``@function`` and ``@method`` say what a call does. ``@attribute`` and ``@assigned`` hear of
attributes that are read and set, ``@watch`` of operations on tensors before they are applied,
``@hear`` of any other call before it is made, and ``@given`` of what a function has given.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.values import NONE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value

    Handler = Callable[["Call"], Value]
    Reader = Callable[["Attribute"], Value | None]
    Writer = Callable[["Attribute", Value], None]
    Watcher = Callable[["Applied"], None]
    Listener = Callable[["Call"], None]
    Observer = Callable[["Call", Value], None]

_FAMILIES = (
    "accelerate",
    "accelerated",
    "activations",
    "apex",
    "arraymaking",
    "arrays",
    "asserting",
    "attention",
    "autograd",
    "belonging",
    "casting",
    "choosing",
    "composed",
    "crossing",
    "datasets",
    "dataset_methods",
    "debugging",
    "distributed",
    "dropping",
    "einops",
    "exporting",
    "factories",
    "flags",
    "frameworks",
    "halves",
    "handles",
    "hazards",
    "initialising",
    "indexing",
    "lightning",
    "list_orders",
    "loader_arguments",
    "loading",
    "lone_samples",
    "lookups",
    "losses",
    "masks",
    "methods",
    "methods_given_up",
    "metrics",
    "module_methods",
    "namespaces",
    "normalising",
    "optimisation",
    "pictures",
    "pooling",
    "positions",
    "python",
    "randomness",
    "reducing",
    "results",
    "saving",
    "schedules",
    "seeds",
    "speed",
    "states",
    "tensor_attributes",
    "threads",
    "transformers",
    "transforms",
    "variables",
    "walks",
    "weights",
    "wrapping",
    "zeros",
)
"""The modules that declare handlers."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a known API: its canonical name, its arguments, and what it is called on."""

    machine: Machine
    name: str
    arguments: Arguments
    spot: Spot
    receiver: Value | None = None

    def get(self, name: str, position: int | None = None) -> Value | None:
        """The argument of this name or position; None where it is not given."""
        if name in self.arguments.keywords:
            return self.arguments.keywords[name]
        if position is not None and position < len(self.arguments.positional):
            return self.arguments.positional[position]
        return None


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute that is read or set: its name, and the object that it is of."""

    machine: Machine
    owner: Value
    name: str
    spot: Spot


@dataclass(frozen=True, slots=True)
class Applied:
    """An operation that is about to be applied to ``inputs``, by the names of its parameters.

    ``op`` is its name as in the tables: ``log``, ``Tensor.log``, ``Tensor.__truediv__``,
    ``nn.Softmax``; ``==`` and its kin are ``Tensor.__eq__``.
    """

    machine: Machine
    op: str
    inputs: Mapping[str, Value]
    spot: Spot

    @property
    def first(self) -> Value:
        """What it is applied to; None of Python's where the call gives it nothing."""
        return next(iter(self.inputs.values()), NONE)


FUNCTIONS: dict[str, Handler] = {}
"""Handlers of functions and classes, by canonical dotted name."""

METHODS: dict[tuple[str, str], Handler] = {}
"""Handlers of methods, by the family of what they are called on and by name."""


def function(*names: str) -> Callable[[Handler], Handler]:
    """Declare what calling these functions or classes does."""

    def declare(handler: Handler) -> Handler:
        FUNCTIONS.update(dict.fromkeys(names, handler))
        return handler

    return declare


def method(family: str, *names: str) -> Callable[[Handler], Handler]:
    """Declare what calling these methods does on tensors, modules, optimizers, lists or dicts."""

    def declare(handler: Handler) -> Handler:
        METHODS.update({(family, name): handler for name in names})
        return handler

    return declare


_LISTENERS: dict[tuple[str, str], list[Listener]] = {}


def hear(family: str, *names: str) -> Callable[[Listener], Listener]:
    """Hear of calls of methods of a family, or of functions, whose family is ``function``.

    That of ``derived`` are the classes whose constructor is called by that of one derived from it.
    """

    def declare(listener: Listener) -> Listener:
        for name in names:
            _LISTENERS.setdefault((family, name), []).append(listener)
        return listener

    return declare


def heard(family: str, call: Call) -> None:
    """Tell those who want to hear of it that a call is about to be made."""
    for listener in _LISTENERS.get((family, call.name), ()):
        listener(call)


_OBSERVERS: dict[str, list[Observer]] = {}


def given(*names: str) -> Callable[[Observer], Observer]:
    """Hear of what functions have given."""

    def declare(observer: Observer) -> Observer:
        for name in names:
            _OBSERVERS.setdefault(name, []).append(observer)
        return observer

    return declare


def gave(call: Call, value: Value) -> Value:
    """Tell those who want to hear of it what a function has given; gives it on."""
    for observer in _OBSERVERS.get(call.name, ()):
        observer(call, value)
    return value


_READS: dict[tuple[str, str], Reader] = {}
_WRITES: dict[tuple[str, str], list[Writer]] = {}
_WATCHERS: dict[str, list[Watcher]] = {}


def attribute(family: str, *names: str) -> Callable[[Reader], Reader]:
    """Declare what reading these attributes gives; None leaves it as it would be."""

    def declare(reader: Reader) -> Reader:
        _READS.update({(family, name): reader for name in names})
        return reader

    return declare


def assigned(family: str, *names: str) -> Callable[[Writer], Writer]:
    """Hear of these attributes being set, before they are."""

    def declare(writer: Writer) -> Writer:
        for name in names:
            _WRITES.setdefault((family, name), []).append(writer)
        return writer

    return declare


def watch(*names: str) -> Callable[[Watcher], Watcher]:
    """Hear of operations by the last part of their names, without underscores around it."""

    def declare(watcher: Watcher) -> Watcher:
        for name in names:
            _WATCHERS.setdefault(name, []).append(watcher)
        return watcher

    return declare


@cache
def load() -> None:
    """Load the modules that declare handlers; until then there are none."""
    for name in _FAMILIES:
        importlib.import_module(f"torchlint.torch_api.{name}")


def read(family: str, machine: Machine, owner: Value, name: str, spot: Spot) -> Value | None:
    """The value of an attribute that is declared; None for others."""
    reader = _READS.get((family, name))
    return reader(Attribute(machine, owner, name, spot)) if reader is not None else None


def set_(family: str, machine: Machine, owner: Value, name: str, value: Value, spot: Spot) -> None:
    """Tell those who want to hear of it that an attribute is set."""
    for writer in _WRITES.get((family, name), ()):
        writer(Attribute(machine, owner, name, spot), value)


def applied(machine: Machine, op: str, inputs: Mapping[str, Value], spot: Spot) -> None:
    """Tell those who want to hear of it that an operation is applied."""
    watchers = _WATCHERS.get(op.rpartition(".")[2].strip("_"))
    if watchers is not None:
        for watcher in watchers:
            watcher(Applied(machine, op, inputs, spot))
