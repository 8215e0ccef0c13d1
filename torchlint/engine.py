"""Sources to findings."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.sources.syntax import syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torchlint.findings import Finding
    from torchlint.registry import Rule
    from torchlint.sources.source import Source


def analyse(
    sources: Sequence[Source],
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
) -> Iterator[Finding]:
    """The findings of the rules in the reported sources; ``progress`` hears of done and all."""
    for done, source in enumerate(sources):
        progress(done, len(sources))
        try:
            ast.parse(source.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield syntax_error(source.path, source.text, error)
