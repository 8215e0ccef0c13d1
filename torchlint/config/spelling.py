"""Values as TOML spells them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from torchlint.sources.filtering import Pattern

if TYPE_CHECKING:
    from torchlint.config.options import Option

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def spelled(value: Any) -> str:
    """A value in one line of TOML; pairs are those of a table. What is not set is nothing."""
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case Pattern():
            return json.dumps(value.text, ensure_ascii=False)
        case str():
            return json.dumps(str(value), ensure_ascii=False)
        case dict():
            return _table(value.items())
        case ((_, _), *_) if all(isinstance(pair, tuple) for pair in value):
            return _table(value)
        case list() | tuple():
            return f"[{', '.join(map(spelled, value))}]"
    return str(value)


def of_option(option: Option, value: Any) -> str:
    """The value of an option, whose kind knows how none is written."""
    return option.kind.empty if value == () else spelled(value)


def _table(pairs: Any) -> str:
    return "{" + ", ".join(f"{_key(key)} = {spelled(value)}" for key, value in pairs) + "}"


def _key(key: Any) -> str:
    quoted = spelled(key)
    return quoted[1:-1] if _BARE.fullmatch(quoted[1:-1]) else quoted
