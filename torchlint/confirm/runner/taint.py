"""Values that stand for what could not be had, and the record of their use.

A run that used one of them shows nothing about the user's program, whatever it showed.
"""

from __future__ import annotations

import types
from typing import Any, NoReturn

_reasons: list[str] = []
_guesses: list[str] = []
_MOST = 20


class TaintedUseError(Exception):
    """A value that could not be computed was needed."""


def note(reason: str) -> None:
    """Record that the run depends on something that is not the user's program."""
    if len(_reasons) < _MOST and reason not in _reasons:
        _reasons.append(reason)


def suppose(guess: str) -> None:
    """Record a guess that matters only to what was not seen: another might have shown it."""
    if len(_guesses) < _MOST and guess not in _guesses:
        _guesses.append(guess)


def guesses() -> list[str]:
    """What was supposed so far."""
    return list(_guesses)


def reasons() -> list[str]:
    """What the run has depended on so far, in the order of use."""
    return list(_reasons)


def forget() -> None:
    """Start a new record."""
    _reasons.clear()
    _guesses.clear()


class Poison:
    """A top-level name whose statement failed: it raises when anything is done with it."""

    def __init__(self, name: str, why: str) -> None:
        self.__dict__["_why"] = f"`{name}` could not be computed ({why})"

    def _used(self, *_: Any, **__: Any) -> NoReturn:
        why = self.__dict__["_why"]
        note(why)
        raise TaintedUseError(why)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        self._used()

    __call__ = __getitem__ = __setitem__ = __setattr__ = __iter__ = __len__ = __bool__ = _used
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _used
    )
    __lt__ = __gt__ = __le__ = __ge__ = __contains__ = __int__ = __float__ = __index__ = _used
    __enter__ = __exit__ = __mro_entries__ = _used

    def __or__(self, other: object) -> Poison:
        """What an annotation allows besides is of no use to anybody who runs the code."""
        return self

    __ror__ = __or__


class StandIn:
    """Something of a third-party module that is not installed: it accepts anything."""

    def __init__(self, path: str) -> None:
        self.__dict__["_path"] = path

    def _used(self) -> str:
        path: str = self.__dict__["_path"]
        note(f"`{path}` is not installed and was stood in for")
        return path

    def __getattr__(self, name: str) -> StandIn:
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return StandIn(f"{self.__dict__['_path']}.{name}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """A decorator gives back what it decorates, anything else another stand-in."""
        path = self._used()
        decorated = (
            len(args) == 1 and not kwargs and isinstance(args[0], (type, types.FunctionType))
        )
        return args[0] if decorated else StandIn(f"{path}()")

    def __getitem__(self, key: object) -> StandIn:
        return StandIn(f"{self._used()}[]")

    def __iter__(self) -> Any:
        self._used()
        return iter(())

    def __len__(self) -> int:
        self._used()
        return 0

    def __bool__(self) -> bool:
        self._used()
        return False

    def __enter__(self) -> StandIn:
        self._used()
        return self

    def __exit__(self, *_: object) -> None:
        self._used()

    def __or__(self, other: object) -> StandIn:
        return self

    __ror__ = __or__

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        self._used()
        return ()
