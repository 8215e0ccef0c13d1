"""What a run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.findings import Level
from torchlint.registry import Rule, rules


@dataclass(frozen=True, slots=True)
class Settings:
    """Which rules run. Selectors are codes, prefixes of codes, names, or ``ALL``.

    An empty ``select`` means the default rules: all but those whose level is pedantic, and no
    pedantic finding of the others. ``pedantic`` turns those on.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    pedantic: bool = False
