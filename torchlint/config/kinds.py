"""What values options take: how each is read, described, and spelled in a JSON schema."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from torchlint.config.spelling import spelled
from torchlint.sources.filtering import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Schema = dict[str, Any]
_Wanted = TypeVar("_Wanted")


class RefusedError(Exception):
    """What an option does not take: a sentence for each mistake, and the part that it is about."""

    def __init__(self, *mistakes: tuple[str, object]) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes


class Kind(Protocol):
    """A kind of value."""

    @property
    def said(self) -> str:
        """What it is, in the middle of a sentence."""

    def read(self, value: Any, option: str, base: str) -> Any:
        """The value as settings have it; ``base`` is the folder that paths are relative to.

        Raises RefusedError, which names the option.
        """

    def schema(self) -> Schema:
        """What a JSON schema says of it."""


@dataclass(frozen=True, slots=True)
class Flag:
    """True or false."""

    said: str = "true or false"

    def read(self, value: Any, option: str, base: str) -> bool:
        """The value itself."""
        return _of_type(value, bool, option, self.said)

    def schema(self) -> Schema:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number that is not too small."""

    least: int = 0

    @property
    def said(self) -> str:
        """What is asked for."""
        return f"a number from {self.least}"

    def read(self, value: Any, option: str, base: str) -> int:
        """The value itself."""
        if isinstance(value, bool) or not isinstance(value, int) or value < self.least:
            raise _refused(option, self.said, value)
        return value

    def schema(self) -> Schema:
        """An integer."""
        return {"type": "integer", "minimum": self.least}


@dataclass(frozen=True, slots=True)
class Choice:
    """One of some words, and what is made of it."""

    of: Callable[[], Iterable[str]]
    make: Callable[[str], str] = str

    @property
    def words(self) -> list[str]:
        """What there is to choose from."""
        return [str(word) for word in self.of()]

    @property
    def said(self) -> str:
        """All of the words."""
        *first, last = (f'"{word}"' for word in self.words)
        return f"{', '.join(first)} or {last}"

    def read(self, value: Any, option: str, base: str) -> str:
        """The member of the enumeration, or the word."""
        if not isinstance(value, str) or value not in self.words:
            raise _refused(option, self.said, value)
        return self.make(value)

    def schema(self) -> Schema:
        """An enumeration."""
        return {"enum": self.words}


@dataclass(frozen=True, slots=True)
class Selector:
    """What means rules."""

    said: str = "a code, prefix, name, level or ALL"

    def read(self, value: Any, option: str, base: str) -> str:
        """The selector, if it means any rule."""
        from torchlint.selection import complaint

        selector = _of_type(value, str, option, self.said)
        sentence = complaint(selector, option)
        if sentence:
            raise RefusedError((sentence, value))
        return selector

    def schema(self) -> Schema:
        """A string; which rules there are changes too often to be listed."""
        return {"type": "string", "pattern": "^(ALL|[Tt][Ll]?[0-9]{0,3}|[a-z0-9]+(-[a-z0-9]+)*)$"}


@dataclass(frozen=True, slots=True)
class Glob:
    """A pattern of files, as ``.gitignore`` has them."""

    said: str = "a pattern of paths"

    def read(self, value: Any, option: str, base: str) -> Pattern:
        """The pattern and the folder that it is relative to."""
        text = _of_type(value, str, option, self.said)
        if not text.strip("! "):
            raise _refused(option, self.said, value)
        return Pattern(text, base)

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": "[^! ]"}


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, or a file."""

    said: str = "a path"

    def read(self, value: Any, option: str, base: str) -> str:
        """The absolute path; what lies nowhere is refused."""
        path = os.path.join(base, os.path.expanduser(_of_type(value, str, option, self.said)))
        if not os.path.lexists(path):
            said = f"{option}: {value!r} does not exist (it would be {path})."
            raise RefusedError((said, value))
        return os.path.normpath(path)

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "minLength": 1}


@dataclass(frozen=True, slots=True)
class File:
    """A file that is there, or will be; empty for none."""

    said: str = "the path of a file"

    def read(self, value: Any, option: str, base: str) -> str:
        """The absolute path."""
        path = os.path.expanduser(_of_type(value, str, option, self.said))
        if "\0" in path:
            raise _refused(option, self.said, value)
        return os.path.normpath(os.path.join(base, path)) if path else ""

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string"}


@dataclass(frozen=True, slots=True)
class Releases:
    """A range of releases of torch."""

    said: str = 'a version or range of versions, such as "2.4" or ">=2.1,<2.6"'

    def read(self, value: Any, option: str, base: str) -> str:
        """The text, if it can be read as a range."""
        from torchlint.releases import parse

        text = _of_type(value, str, option, self.said)
        try:
            parse(text)
        except ValueError as error:
            sentence = f"{option}: {error}, such as 2.4 or >=2.1,<2.6."
            raise RefusedError((sentence, value)) from None
        return text

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": "[0-9]"}


@dataclass(frozen=True, slots=True)
class Listed:
    """A list of values of one kind."""

    item: Kind
    plural: str

    @property
    def said(self) -> str:
        """What of."""
        return f"a list of {self.plural}"

    def read(self, value: Any, option: str, base: str) -> tuple[Any, ...]:
        """The items."""
        if not isinstance(value, list | tuple):
            raise _refused(option, self.said, value)
        return _all([(self.item, each, option) for each in value], base)

    def schema(self) -> Schema:
        """An array."""
        return {"type": "array", "items": self.item.schema()}


@dataclass(frozen=True, slots=True)
class Table:
    """A table; ``keys`` and ``values`` say of what."""

    key: Kind
    value: Kind
    keys: str
    values: str

    @property
    def said(self) -> str:
        """From what to what."""
        return f"a table from {self.keys} to {self.values}"

    def read(self, value: Any, option: str, base: str) -> tuple[tuple[Any, Any], ...]:
        """The pairs."""
        if not isinstance(value, dict):
            raise _refused(option, self.said, value)
        named = [(f'{option}."{key}"', each) for key, each in value.items()]
        keys = _all([(self.key, key, option) for key in value], base)
        return tuple(
            zip(keys, _all([(self.value, each, name) for name, each in named], base), strict=False)
        )

    def schema(self) -> Schema:
        """An object."""
        return {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": self.value.schema(),
        }


def _of_type(value: Any, wanted: type[_Wanted], option: str, said: str) -> _Wanted:
    if not isinstance(value, wanted):
        raise _refused(option, said, value)
    return value


def _all(values: Iterable[tuple[Kind, Any, str]], base: str) -> tuple[Any, ...]:
    """All of the values as their kinds read them, or all that is wrong with them."""
    taken = []
    mistakes: list[tuple[str, object]] = []
    for kind, value, option in values:
        try:
            taken.append(kind.read(value, option, base))
        except RefusedError as error:
            mistakes += error.mistakes
    if mistakes:
        raise RefusedError(*mistakes)
    return tuple(taken)


def _refused(option: str, said: str, value: object) -> RefusedError:
    """A refusal of a whole value; of lists and tables it is not told which part is wrong."""
    part = value if isinstance(value, str | int) else None
    return RefusedError((f"{option} must be {said}, not {spelled(value)}.", part))
