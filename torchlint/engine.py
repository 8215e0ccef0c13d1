"""Sources to findings: outline, plan, interpret, ask."""

from __future__ import annotations

import gc
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint import profiling
from torchlint.analysis import running, workers
from torchlint.analysis.agenda import planned
from torchlint.analysis.encoding import Encoding
from torchlint.analysis.memory import Memory, Runs
from torchlint.analysis.outlining import NO_PYTHON, outline_all
from torchlint.findings import Level
from torchlint.project.index import Index
from torchlint.registry import rules as all_rules
from torchlint.sources.reading import concerns_torch
from torchlint.sources.syntax import syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.cache.store import Store
    from torchlint.findings import Finding, Place
    from torchlint.project.outline import Outline
    from torchlint.registry import Rule
    from torchlint.releases import TorchOf
    from torchlint.sources.source import Source

_RECURSION = 20_000
"""Deep enough for the longest chains of calls and of ``elif`` that people write or generate."""

_ORDER = list(Level)


@dataclass(frozen=True, slots=True)
class Resources:
    """What a run may use: so many processes, by default as many as are worth it, and a store.

    Findings, and their order, are the same with and without.
    """

    jobs: int | None = None
    store: Store | None = None


def analyse(
    sources: Sequence[Source],
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
    torch: TorchOf | None = None,
    roots: Callable[[Path], Sequence[str]] | None = None,
    resources: Resources | None = None,
) -> Iterator[Finding]:
    """The findings of the rules in the reported sources; ``progress`` hears of done and all.

    ``torch`` gives the releases of torch that the settings name for a file, ``roots`` the folders
    that its absolute imports may start from.
    """
    resources = resources or Resources()
    index = Index(sources, torch, roots)
    if resources.store is None:
        yield from _findings(index, sources, rules, progress, resources)
        return
    runs = Runs(resources.store, index, sources, rules)
    found = runs.recall()
    if found is None:
        found = list(_findings(index, sources, rules, progress, resources))
        runs.keep(found)
        resources.store.save()
    yield from found


def _findings(
    index: Index,
    sources: Sequence[Source],
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
    resources: Resources,
) -> Iterator[Finding]:
    outlines, others = [], []
    processes = workers.processes(resources.jobs, sum(map(concerns_torch, sources)))
    with profiling.phase("outlining"):
        outline_all(index, sources, resources.store, processes)
    for source in sources:
        try:
            outline = index.outline(source)
        except NO_PYTHON as error:
            yield syntax_error(source.path, source.text, error)
            continue
        if concerns_torch(source):
            outlines.append(outline)
        else:
            others.append(outline)
    asked = [rule for rule in rules if rule.question is not None]
    if outlines and asked:
        with _deep():
            found = _found(index, outlines, others, asked, progress, resources.store, processes)
        yield from _without_superseded(list(found.values()), asked)


def _found(
    index: Index,
    outlines: list[Outline],
    others: list[Outline],
    rules: list[Rule],
    progress: Callable[[int, int], None],
    store: Store | None,
    processes: int,
) -> dict[tuple[str, Place], Finding]:
    """The surest finding of each rule at each place."""
    # All rules choose where to start, so that none finds more or less for the others' sake.
    choosing = [rule for rule in all_rules().values() if rule.question is not None]
    with profiling.phase("choosing what to interpret"):
        agenda = planned(index, outlines, others, choosing)
    interpreter = running.Interpreter(index, agenda, rules)
    encoding = Encoding([*outlines, *others])
    memory = None
    if store is not None:
        memory = Memory(store, index, agenda, rules, [*outlines, *others], encoding)
    if processes > 1:
        outcomes = running.at_once(agenda, interpreter, memory, encoding, processes)
    else:
        outcomes = running.in_turn(agenda, interpreter, memory)
    found: dict[tuple[str, Place], Finding] = {}
    with profiling.phase("interpreting and asking rules"):
        for number, outcome in outcomes:
            progress(number, len(agenda.units))
            if memory is not None:
                memory.keep(number, outcome)
            for finding in outcome.findings:
                _keep(found, finding)
    if memory is not None:
        memory.save()
    return found


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
