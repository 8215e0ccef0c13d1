"""What values options take: how each is read, described, and spelled in a JSON schema."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, TypeVar

from torchlint import __version__
from torchlint.sources.filtering import Pattern, is_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Schema = dict[str, Any]
_Wanted = TypeVar("_Wanted")


class RefusedError(Exception):
    """What an option does not take: a sentence for each mistake, and the part that it is about."""

    def __init__(self, *mistakes: tuple[str, object]) -> None:
        super().__init__(*mistakes)
        self.mistakes = mistakes


class Kind:
    """A kind of value; ``said`` is what it is, in the middle of a sentence.

    ``empty`` is how a list or a table of none is written.
    """

    said = ""
    empty = "[]"

    def read(self, value: Any, option: str, base: str) -> Any:
        """The value as settings have it; ``base`` is the folder that paths are relative to.

        Raises RefusedError, which names the option.
        """
        raise NotImplementedError

    def schema(self) -> Schema:
        """What a JSON schema says of it."""
        raise NotImplementedError


class Flag(Kind):
    """True or false."""

    said = "true or false"

    def read(self, value: Any, option: str, base: str) -> bool:
        """The value itself."""
        return of_type(value, bool, option, self.said)

    def schema(self) -> Schema:
        """A boolean."""
        return {"type": "boolean"}


class Count(Kind):
    """A whole number that is not too small."""

    def __init__(self, least: int = 0) -> None:
        self.least = least
        self.said = f"a number from {least}"

    def read(self, value: Any, option: str, base: str) -> int:
        """The value itself."""
        if isinstance(value, bool) or not isinstance(value, int) or value < self.least:
            raise refused(option, self.said, value)
        return value

    def schema(self) -> Schema:
        """An integer."""
        return {"type": "integer", "minimum": self.least}


class Number(Kind):
    """A number that is not too small."""

    def __init__(self, least: float) -> None:
        self.least = least
        self.said = f"a number from {least:g}"

    def read(self, value: Any, option: str, base: str) -> float:
        """The value itself."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not value >= self.least:
            raise refused(option, self.said, value)
        return value

    def schema(self) -> Schema:
        """A number."""
        return {"type": "number", "minimum": self.least}


class Name(Kind):
    """A dotted name."""

    said = "a name, with dots in it"
    pattern = r"[^\W\d]\w*(\.[^\W\d]\w*)*"

    def read(self, value: Any, option: str, base: str) -> str:
        """The value itself."""
        if not re.fullmatch(self.pattern, of_type(value, str, option, self.said)):
            raise refused(option, self.said, value)
        return str(value)

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": f"^{self.pattern}$"}


class Choice(Kind):
    """One of some words, and what is made of it."""

    def __init__(self, of: Callable[[], Iterable[str]], make: Callable[[str], str] = str) -> None:
        self.of = of
        self.make = make

    @property
    def words(self) -> list[str]:
        """What there is to choose from."""
        return [str(word) for word in self.of()]

    @property
    def said(self) -> str:  # type: ignore[override]
        """All of the words."""
        *first, last = (f'"{word}"' for word in self.words)
        return f"{', '.join(first)} or {last}"

    def read(self, value: Any, option: str, base: str) -> str:
        """The member of the enumeration, or the word."""
        if not isinstance(value, str) or value not in self.words:
            raise refused(option, self.said, value)
        return self.make(value)

    def schema(self) -> Schema:
        """An enumeration."""
        return {"enum": self.words}


class Selector(Kind):
    """What means rules."""

    said = "a code, prefix, name, level or ALL"

    def read(self, value: Any, option: str, base: str) -> str:
        """The selector, if it means any rule."""
        from torchlint.selection import complaint

        selector = of_type(value, str, option, self.said)
        sentence = complaint(selector, option)
        if sentence:
            raise RefusedError((sentence, value))
        return selector

    def schema(self) -> Schema:
        """A string; which rules there are changes too often to be listed."""
        return {"type": "string", "pattern": "^(ALL|[Tt][Ll]?[0-9]{0,3}|[a-z0-9]+(-[a-z0-9]+)*)$"}


class Glob(Kind):
    """A pattern of files, as ``.gitignore`` has them."""

    said = "a pattern of paths"

    def read(self, value: Any, option: str, base: str) -> Pattern:
        """The pattern and the folder that it is relative to."""
        text = of_type(value, str, option, self.said)
        if not text.strip("! ") or not is_pattern(text):
            raise refused(option, self.said, value)
        return Pattern(text, base)

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": "[^! ]"}


class Folder(Kind):
    """A folder, or a file."""

    said = "a path"

    def read(self, value: Any, option: str, base: str) -> str:
        """The absolute path; what lies nowhere is refused."""
        path = os.path.join(base, os.path.expanduser(of_type(value, str, option, self.said)))
        if not os.path.lexists(path):
            said = f"{option}: {value!r} does not exist (it would be {path})."
            raise RefusedError((said, value))
        return os.path.normpath(path)

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "minLength": 1}


class File(Kind):
    """A file that is there, or will be; empty for none."""

    said = "the path of a file"

    def read(self, value: Any, option: str, base: str) -> str:
        """The absolute path."""
        path = os.path.expanduser(of_type(value, str, option, self.said))
        if "\0" in path:
            raise refused(option, self.said, value)
        return os.path.normpath(os.path.join(base, path)) if path else ""

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string"}


class NewFolder(File):
    """A folder that is there, or will be; empty for none."""

    said = "the path of a folder"

    def read(self, value: Any, option: str, base: str) -> str:
        """The absolute path; that of a file is refused."""
        path = super().read(value, option, base)
        if os.path.lexists(path) and not os.path.isdir(path):
            raise RefusedError((f"{option}: {value!r} is no folder.", value))
        return path


class Releases(Kind):
    """A range of releases of torch."""

    said = 'a version or range of versions, such as "2.4" or ">=2.1,<2.6"'

    def read(self, value: Any, option: str, base: str) -> str:
        """The text, if it can be read as a range."""
        from torchlint.releases import parse

        text = of_type(value, str, option, self.said)
        try:
            parse(text)
        except ValueError as error:
            sentence = f"{option}: {error}, such as 2.4 or >=2.1,<2.6."
            raise RefusedError((sentence, value)) from None
        return text

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": "[0-9]"}


class Versions(Kind):
    """Which versions of torchlint may run."""

    said = 'a version or range of versions, such as "0.1" or ">=0.1,<1"'

    def read(self, value: Any, option: str, base: str) -> str:
        """The text, if this is one of them."""
        from packaging.specifiers import InvalidSpecifier, SpecifierSet

        text = of_type(value, str, option, self.said)
        try:
            wanted = SpecifierSet(f"=={text}" if text[:1].isdigit() else text)
        except InvalidSpecifier:
            raise refused(option, self.said, value) from None
        if not wanted.contains(__version__, prereleases=True):
            said = f"{option} is {text}, and this is torchlint {__version__}."
            raise RefusedError((said, value))
        return text

    def schema(self) -> Schema:
        """A string."""
        return {"type": "string", "pattern": "[0-9]"}


class Listed(Kind):
    """A list of values of one kind."""

    def __init__(self, item: Kind, plural: str) -> None:
        self.item = item
        self.said = f"a list of {plural}"

    def read(self, value: Any, option: str, base: str) -> tuple[Any, ...]:
        """The items."""
        if not isinstance(value, list | tuple):
            raise refused(option, self.said, value)
        return read_all([(self.item, each, option) for each in value], base)

    def schema(self) -> Schema:
        """An array."""
        return {"type": "array", "items": self.item.schema()}


class Table(Kind):
    """A table; ``keys`` and ``values`` say of what."""

    def __init__(self, key: Kind, value: Kind, keys: str, values: str) -> None:
        self.key = key
        self.value = value
        self.said = f"a table from {keys} to {values}"

    empty = "{}"

    def read(self, value: Any, option: str, base: str) -> tuple[tuple[Any, Any], ...]:
        """The pairs."""
        if not isinstance(value, dict):
            raise refused(option, self.said, value)
        named = [(f'{option}."{key}"', each) for key, each in value.items()]
        keys = read_all([(self.key, key, option) for key in value], base)
        return tuple(
            zip(
                keys,
                read_all([(self.value, each, name) for name, each in named], base),
                strict=False,
            )
        )

    def schema(self) -> Schema:
        """An object."""
        return {
            "type": "object",
            "propertyNames": self.key.schema(),
            "additionalProperties": self.value.schema(),
        }


def of_type(value: Any, wanted: type[_Wanted], option: str, said: str) -> _Wanted:
    """The value, if it is of this type."""
    if not isinstance(value, wanted):
        raise refused(option, said, value)
    return value


def read_all(values: Iterable[tuple[Kind, Any, str]], base: str) -> tuple[Any, ...]:
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


def refused(option: str, said: str, value: object) -> RefusedError:
    """A refusal of a whole value; of lists and tables it is not told which part is wrong."""
    from torchlint.config.spelling import spelled

    part = value if isinstance(value, str | int | float) else None
    return RefusedError((f"{option} must be {said}, not {spelled(value)}.", part))
