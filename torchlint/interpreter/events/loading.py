"""Events of loaders as they are built: of what, and with which settings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

MAP, STREAM = "map", "stream"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LoaderBuilt(Event):
    """A loader is built: for the ``dataset`` at an address, with settings by name.

    ``open`` says that there may be other settings. ``style`` is `MAP` or `STREAM` where it is known
    how items are had. ``mixed`` says that the items are in a random order anyway, since they were
    drawn at random, or the dataset sees to the order itself.
    """

    loader: int
    dataset: int | None
    settings: dict[str, Value] = field(default_factory=dict)
    open: bool = False
    style: str = ""
    mixed: bool = False
