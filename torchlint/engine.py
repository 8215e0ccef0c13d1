"""Sources to findings: outline, plan, interpret, ask."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from torchlint import profiling
from torchlint.analysis import running
from torchlint.analysis.agenda import planned
from torchlint.analysis.encoding import Encoding
from torchlint.analysis.memory import Memory, Runs
from torchlint.analysis.outlining import NO_PYTHON, divided, outline_all
from torchlint.analysis.shipping import packed
from torchlint.analysis.workers import Workers, processes
from torchlint.findings import Level
from torchlint.frozen import dataclass
from torchlint.project.index import Index
from torchlint.registry import rules as all_rules
from torchlint.sources.reading import concerns_torch
from torchlint.sources.syntax import syntax_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.analysis.shipping import Elsewhere
    from torchlint.cache.store import Store
    from torchlint.findings import Finding, Place
    from torchlint.registry import Rule
    from torchlint.releases import TorchOf
    from torchlint.sources.source import Source

_ORDER = list(Level)


@dataclass(frozen=True, slots=True)
class Resources:
    """What a run may use: so many processes, by default as many as are worth it, other machines,
    and a store.

    Findings, and their order, are the same with and without.
    """

    jobs: int | None = None
    store: Store | None = None
    elsewhere: Elsewhere | None = None


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
    project = _Project(index, sources, roots)
    if resources.store is None:
        yield from _findings(project, rules, progress, resources)
        return
    runs = Runs(resources.store, index, sources, rules)
    found = runs.recall()
    if found is None:
        found = list(_findings(project, rules, progress, resources))
        runs.keep(found)
        resources.store.save()
    resources.store.close()
    yield from found


@dataclass(frozen=True, slots=True)
class _Project:
    """What is analysed: its files, and where the absolute imports of each may start from."""

    index: Index
    sources: Sequence[Source]
    roots: Callable[[Path], Sequence[str]] | None


def _findings(
    project: _Project,
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
    resources: Resources,
) -> Iterator[Finding]:
    index, sources = project.index, project.sources
    count = processes(resources.jobs, sum(map(concerns_torch, sources)))
    with profiling.phase("outlining"), running.uncollected():
        outline_all(index, sources, resources.store, count)
    for source in sources:
        try:
            index.outline(source)
        except NO_PYTHON as error:
            yield syntax_error(source.path, source.text, error)
    asked = [rule for rule in rules if rule.question is not None]
    if asked and any(map(concerns_torch, sources)):
        found = running.deep(partial(_found, project, asked, progress, resources, count))
        yield from _without_superseded(list(found.values()), asked)


def _found(
    project: _Project,
    rules: list[Rule],
    progress: Callable[[int, int], None],
    resources: Resources,
    count: int,
) -> dict[tuple[str, Place], Finding]:
    """The surest finding of each rule at each place."""
    index, store = project.index, resources.store
    outlines, others = divided(index, project.sources)
    # All rules choose where to start, so that none finds more or less for the others' sake.
    choosing = [rule for rule in all_rules().values() if rule.question is not None]
    with profiling.phase("choosing what to interpret"):
        agenda = planned(index, outlines, others, choosing)
    interpreter = running.Interpreter(index, agenda, rules)
    encoding = Encoding([*outlines, *others])
    memory = None
    if store is not None:
        memory = Memory(store, index, agenda, rules, [*outlines, *others], encoding)
    if resources.elsewhere is not None:
        shipment = packed(index, project.sources, project.roots, rules)
        abroad = resources.elsewhere.crew(shipment, list(map(encoding.unit, agenda.units)))
        outcomes = running.at_once(agenda, interpreter, memory, encoding, lambda work: abroad)
    elif count > 1:
        crew = partial(Workers, count, file=lambda number: agenda.units[number].outline)
        outcomes = running.at_once(agenda, interpreter, memory, encoding, crew)
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
