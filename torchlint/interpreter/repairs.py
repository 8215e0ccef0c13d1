"""Repairs: edits of the source, told by node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from torchlint.findings import Place, Safety


@dataclass(frozen=True, slots=True)
class Repair:
    """What would mend a mistake: a title in the imperative, and texts for places."""

    title: str
    safety: Safety
    edits: tuple[tuple[Place, str], ...]
