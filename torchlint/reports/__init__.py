"""Formats of a report, one module each; the folder is the list of them."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Protocol, TextIO

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from torchlint.findings import Place, Report


COUNTING = ("concise", "full", "grouped", "json")
"""The formats that can tell how often each rule speaks, in place of what it says."""


TELLING = ("full", "grouped", "html", "json", "junit", "markdown", "sarif")
"""The formats that have room for what restrained the code that was run."""


@dataclass(frozen=True, slots=True)
class Style:
    """How the reader sees the report: the width of the terminal, None where lines may run on.

    ``quiet`` readers are shown what was found, and not how much it is.
    """

    width: int | None = None
    color: bool = False
    quiet: bool = False


class Format(Protocol):
    """A module of this package."""

    def render(self, report: Report, out: TextIO, style: Style) -> None:
        """Write the report; nothing is left out or put in another order."""


def names() -> list[str]:
    """The formats there are; a module whose name starts with an underscore is none."""
    found = (module.name for module in pkgutil.iter_modules(__path__))
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


def render(report: Report, format_name: str, out: TextIO, style: Style) -> None:
    """Write the report in the format of that name."""
    module: Format = importlib.import_module(f"{__name__}.{format_name.replace('-', '_')}")
    module.render(report, out, style)


def render_statistics(report: Report, format_name: str, out: TextIO, style: Style) -> None:
    """Write how often each rule speaks, in one of the formats that are ``COUNTING``."""
    from torchlint.reports import _statistics

    _statistics.render(report, format_name, out, style)


def summary(report: Report) -> str:
    """How much was found, in a sentence."""
    from torchlint.reports import _words

    return _words.summary(report)


def where(place: Place) -> str:
    """``path:line:column``, with the cell between path and line in a notebook."""
    return f"{place.unit}:{place.line}:{place.column}"


def count(number: int, noun: str) -> str:
    """``1 file``, ``2 files``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
