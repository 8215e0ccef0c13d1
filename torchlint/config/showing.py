"""Settings as people are shown them: what holds, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.config.files import shown_file
from torchlint.config.kinds import Table
from torchlint.config.options import OPTIONS, Option
from torchlint.config.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.config.resolving import Resolved


def show(resolved: Resolved, name: str) -> Iterator[str]:
    """A line for each option, as TOML with the origin in a comment."""
    file = shown_file(resolved.file) if resolved.file else "no configuration file"
    yield f"# {name}: {file}"
    for option in OPTIONS.values():
        value = getattr(resolved.settings, option.field)
        origins = ", ".join(dict.fromkeys(resolved.origins[option.key]))
        yield f"{_line(option, value)}  # {origins}"


def _line(option: Option, value: object) -> str:
    if value == option.default and option.unset:
        return f"# {option.key}: {option.unset}"
    empty = "{}" if isinstance(option.kind, Table) else "[]"
    return f"{option.key} = {spelled(value) if value != () else empty}"
