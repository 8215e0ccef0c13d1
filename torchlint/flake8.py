"""torchlint as a plugin of flake8, which honours ``# noqa`` and has the last word on what shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from torchlint import __version__, failures

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator, Sequence

    from torchlint.findings import Report

    Told = tuple[int, int, str, type]
    """Line from 1, column from 0, code with message, and the plugin."""


class Plugin:
    """Lints one file; whatever goes wrong is one finding more, and never the end of flake8."""

    name = "torchlint"
    version = __version__

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._text = "".join(lines)

    def run(self) -> Iterator[Told]:
        """Say what was found in the file."""
        try:
            report = self._report()
        except Exception as error:
            yield self._failure(failures.sentence(error))
            return
        for finding in report.findings:
            place = finding.place
            yield place.line, place.column - 1, f"{finding.code} {finding.message}", type(self)
        for trouble in report.troubles:
            yield self._failure(" ".join(trouble.message.split()))

    def _failure(self, sentence: str) -> Told:
        return 1, 0, f"TL000 {sentence}", type(self)

    def _report(self) -> Report:
        from torchlint.api import check
        from torchlint.config.files import Value
        from torchlint.config.resolving import Configuration
        from torchlint.sources.discovery import shown

        # flake8's own processes may have no children.
        settings = Configuration(given={"jobs": Value(1, "flake8")})
        text = {shown(Path(self._filename)): self._text}
        return check([self._filename], settings, texts=text)
