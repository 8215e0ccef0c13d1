"""Shipping: a project with all that its units depend on, for machines that lack its files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from torchlint.analysis.agenda import planned
from torchlint.analysis.encoding import Encoding
from torchlint.analysis.outlining import divided
from torchlint.analysis.running import Interpreter, deep
from torchlint.frozen import dataclass, replace
from torchlint.project.index import Index
from torchlint.registry import rules as all_rules
from torchlint.releases import PACKAGES, Releases

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from torchlint.analysis.encoding import UnitName
    from torchlint.analysis.running import Done
    from torchlint.analysis.workers import Crew
    from torchlint.confirm.sandbox import Bench
    from torchlint.findings import Level
    from torchlint.registry import Rule
    from torchlint.settings import ConfirmSettings
    from torchlint.sources.source import Source


class Elsewhere(Protocol):
    """Other machines."""

    def crew(self, shipment: Shipment, names: Sequence[UnitName]) -> Crew[Done]:
        """A crew that does the units of these names."""

    def sandbox(self, files: Mapping[Path, str], settings: ConfirmSettings) -> Bench:
        """Where experiments on these files run."""


@dataclass(frozen=True, slots=True)
class Shipment:
    """Files as they were read, and what was answered about them where they lie.

    ``folder`` is the one that paths are relative to, ``rules`` are the codes of those to
    ask, with the levels at which what they find is mended.
    """

    folder: str
    sources: tuple[Source, ...]
    roots: Mapping[Path, tuple[str, ...]]
    releases: Mapping[tuple[Path, str], Releases]
    rules: tuple[tuple[str, frozenset[Level]], ...]


def packed(
    index: Index,
    sources: Sequence[Source],
    roots: Callable[[Path], Sequence[str]] | None,
    rules: Sequence[Rule],
) -> Shipment:
    """What is shipped of a project for its units to come to the same anywhere."""
    files = [source.file for source in sources]
    return Shipment(
        index.folder,
        tuple(sources),
        {file: tuple(roots(file)) for file in files} if roots is not None else {},
        {(file, each): index.supported(file, each) for file in files for each in PACKAGES},
        tuple((rule.code, rule.mended) for rule in rules),
    )


class Desk:
    """A shipment unpacked, where its units are done."""

    def __init__(self, shipment: Shipment) -> None:
        self._index = _Index(shipment)
        outlines, others = divided(self._index, shipment.sources)
        known = all_rules()
        choosing = [rule for rule in known.values() if rule.question is not None]
        agenda = deep(partial(planned, self._index, outlines, others, choosing))
        rules = [replace(known[code], mended=mended) for code, mended in shipment.rules]
        self._interpreter = Interpreter(self._index, agenda, rules)
        self._encoding = Encoding([*outlines, *others])
        units = enumerate(agenda.units)
        self._numbers = {self._encoding.unit(unit): number for number, unit in units}

    def done(self, name: UnitName) -> Done:
        """What the unit of a name comes to."""
        outcome = deep(partial(self._interpreter.outcome, self._numbers[name]))
        return self._encoding.encode(outcome), self._index.dependencies.news()


class _Index(Index):
    """The index of a project whose files lie elsewhere."""

    def __init__(self, shipment: Shipment) -> None:
        super().__init__(
            shipment.sources,
            roots=lambda file: shipment.roots.get(file, ()),
            folder=shipment.folder,
        )
        self._answers = shipment.releases

    def supported(self, file: Path, package: str) -> Releases:
        """What was answered where the file lies; nobody declares other packages than those."""
        return self._answers.get((file, package), Releases())
