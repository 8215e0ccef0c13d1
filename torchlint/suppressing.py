"""Comments that suppress findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Finding
    from torchlint.settings import Settings
    from torchlint.sources.source import Source


def suppress(
    findings: Iterable[Finding], sources: Iterable[Source], settings: Settings
) -> list[Finding]:
    """The findings that no comment suppresses."""
    return list(findings)
