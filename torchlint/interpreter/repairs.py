"""Repairs: edits of the source, told by node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from torchlint.findings import Place, Safety

    Mending: TypeAlias = Callable[[], "Repair | None"]
    """Works a repair out, which takes longer than to see the mistake: None where none is right."""


@dataclass(frozen=True, slots=True)
class Repair:
    """What would mend a mistake: a title in the imperative, and texts for places."""

    title: str
    safety: Safety
    edits: tuple[tuple[Place, str], ...]


class UnreadableError(Exception):
    """The code is Python that libcst does not read: nothing can be mended in it."""
