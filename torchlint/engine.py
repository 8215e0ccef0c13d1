"""Sources to findings: outline, plan, interpret, ask."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torchlint.analysis import running, workers
from torchlint.analysis.agenda import planned
from torchlint.findings import Level
from torchlint.project.index import Index
from torchlint.registry import rules as all_rules
from torchlint.sources.reading import concerns_torch
from torchlint.sources.syntax import syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.findings import Finding, Place
    from torchlint.registry import Rule
    from torchlint.releases import TorchOf
    from torchlint.sources.source import Source

_RECURSION = 20_000
"""Deep enough for the longest chains of calls and of ``elif`` that people write or generate."""

_ORDER = list(Level)


def analyse(
    sources: Sequence[Source],
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
    torch: TorchOf | None = None,
    roots: Callable[[Path], Sequence[str]] | None = None,
    jobs: int | None = None,
) -> Iterator[Finding]:
    """The findings of the rules in the reported sources; ``progress`` hears of done and all.

    ``torch`` gives the releases of torch that the settings name for a file, ``roots`` the folders
    that its absolute imports may start from. ``jobs`` processes work at once, by default as many as
    there are processors if it is worth it; the findings are the same, and so is their order.
    """
    index = Index(sources, torch, roots)
    outlines, others = [], []
    for source in sources:
        try:
            outline = index.outline(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield syntax_error(source.path, source.text, error)
            continue
        if concerns_torch(source):
            outlines.append(outline)
        else:
            others.append(outline)
    asked = [rule for rule in rules if rule.question is not None]
    if outlines and asked:
        with _deep():
            # All rules choose where to start, so that none finds more or less for the others' sake.
            choosing = [rule for rule in all_rules().values() if rule.question is not None]
            agenda = planned(index, outlines, others, choosing)
            interpreter = running.Interpreter(index, agenda, asked)
            processes = workers.processes(jobs, len(outlines))
            if processes > 1:
                outcomes = running.at_once(agenda, interpreter, [*outlines, *others], processes)
            else:
                outcomes = running.in_turn(agenda, interpreter)
            found: dict[tuple[str, Place], Finding] = {}
            for number, outcome in outcomes:
                progress(number, len(agenda.units))
                for finding in outcome.findings:
                    _keep(found, finding)
        yield from _without_superseded(list(found.values()), asked)


@contextmanager
def _deep() -> Iterator[None]:
    """Allow for deep recursion, and spare the search for cycles.

    There are millions of small objects, and next to none in cycles that are ever given up.
    """
    limit, enabled = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if enabled:
            gc.enable()


def _without_superseded(found: list[Finding], rules: Iterable[Rule]) -> Iterator[Finding]:
    """The findings, but for those at whose place a rule that supersedes theirs speaks."""
    supersedes = {rule.code: rule.supersedes for rule in rules}
    superseded = {
        (code, finding.place)
        for finding in found
        for code in supersedes.get(finding.code, frozenset())
    }
    return (finding for finding in found if (finding.code, finding.place) not in superseded)


def _keep(found: dict[tuple[str, Place], Finding], finding: Finding) -> None:
    """Keep the surest of the findings of a rule at a place."""
    key = finding.code, finding.place
    known = found.get(key)
    if known is None or _ORDER.index(finding.level) < _ORDER.index(known.level):
        found[key] = finding
