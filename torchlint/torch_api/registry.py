"""The knowledge of APIs: handlers by name, and what a handler gets to see of a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value

    Handler = Callable[["Call"], Value]


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
