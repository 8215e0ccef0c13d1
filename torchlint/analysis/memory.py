"""Memory: what units came to in earlier runs, where nothing that they rest on has changed.

An outcome rests on the text of its file, on what was asked on behalf of the file (answers to
questions about the whole project), and on the same of each file that it led to.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import TYPE_CHECKING

from torchlint.analysis.encoding import read, write
from torchlint.cache.identity import digest
from torchlint.project.dependencies import LINK, RELEASES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from torchlint.analysis.agenda import Agenda
    from torchlint.analysis.encoding import Encoding
    from torchlint.analysis.units import Outcome, Unit
    from torchlint.cache.store import Store
    from torchlint.findings import Finding, Level
    from torchlint.project.dependencies import Dependency
    from torchlint.project.index import Index
    from torchlint.project.outline import Outline
    from torchlint.registry import Rule
    from torchlint.sources.source import Source

_OUTCOME = "outcome"
_RESTS_ON = "rests on"
_RUN = "run"


class Memory:
    """The outcomes of an agenda's units, as far as a store has them and they still stand."""

    def __init__(
        self,
        store: Store,
        index: Index,
        agenda: Agenda,
        rules: Sequence[Rule],
        outlines: Iterable[Outline],
        encoding: Encoding,
    ) -> None:
        self._store = store
        self._index = index
        self._agenda = agenda
        self._encoding = encoding
        self._outlines = {outline.source.path: outline for outline in outlines}
        self._texts = {
            path: digest(path, digest(each.text)) for path, each in self._outlines.items()
        }
        paths = sorted(self._outlines)
        self._project = digest(index.layout, index.texts.nature, paths, _named(rules))
        self._known = {path: self._answers(path) for path in self._outlines}
        self._before = _grounds(self._texts, self._known)
        self._outcomes: dict[int, Outcome] = {}

    def recall(self, number: int) -> Outcome | None:
        """What a unit came to, if that still stands."""
        unit = self._agenda.units[number]
        ground = self._before(unit.outline.source.path)
        data = self._store.get(_OUTCOME, self._key(unit, ground)) if ground is not None else None
        return self._encoding.decode(data) if data is not None else None

    def keep(self, number: int, outcome: Outcome) -> None:
        """Remember what a unit has come to."""
        self._outcomes[number] = outcome

    def save(self) -> None:
        """Hand the store all that it does not have."""
        asked = {path: self._asked(path) for path in self._outlines}
        for path, answers in asked.items():
            if answers != self._known[path]:
                written = json.dumps(sorted(answers)).encode()
                self._store.put(_RESTS_ON, self._place(path), written)
        after = _grounds(self._texts, asked)
        for number, outcome in self._outcomes.items():
            unit = self._agenda.units[number]
            path = unit.outline.source.path
            ground = after(path)
            if ground is not None and ground != self._before(path):
                self._store.put(_OUTCOME, self._key(unit, ground), self._encoding.encode(outcome))

    def _place(self, path: str) -> str:
        return digest(self._project, self._texts[path])

    def _answers(self, path: str) -> frozenset[Dependency] | None:
        """What was asked on behalf of a file; None where another answer would be given now."""
        data = self._store.get(_RESTS_ON, self._place(path))
        if data is None:
            return None
        # The same names and paths come again and again.
        answers = frozenset(tuple(map(sys.intern, each)) for each in json.loads(data))
        holds = self._index.still_holds
        outline = self._outlines[path]
        return answers if all(holds(outline, each) for each in answers) else None

    def _asked(self, path: str) -> frozenset[Dependency]:
        return self._index.dependencies.of(path) | (self._known[path] or frozenset())

    def _key(self, unit: Unit, ground: str) -> str:
        return digest(self._project, ground, self._encoding.unit(unit))


class Runs:
    """Whole runs: the findings of an earlier one over the same files."""

    def __init__(
        self, store: Store, index: Index, sources: Sequence[Source], rules: Sequence[Rule]
    ) -> None:
        self._store = store
        self._index = index
        self._files = {source.path: source.file for source in sources}
        texts = [(source.path, source.reported, digest(source.text)) for source in sources]
        self._key = digest(texts, index.layout, _named(rules))

    def recall(self) -> list[Finding] | None:
        """The findings, if there was such a run."""
        data = self._store.get(_RUN, self._key)
        if data is None:
            return None
        findings, answers = json.loads(data)
        for path, package, answer in answers:
            if str(self._index.supported(self._files[path], package)) != answer:
                return None
        return list(map(read, findings))

    def keep(self, findings: Iterable[Finding]) -> None:
        """Remember the findings of this run."""
        asked = self._index.dependencies
        answers = [
            (path, *answer)
            for path in self._files
            for kind, *answer in sorted(asked.of(path))
            if kind == RELEASES
        ]
        written = json.dumps([list(map(write, findings)), answers])
        self._store.put(_RUN, self._key, written.encode())


def _named(rules: Iterable[Rule]) -> list[tuple[str, list[Level]]]:
    """What is asked, and what of the answers is mended."""
    return sorted((rule.code, sorted(rule.mended)) for rule in rules)


def _grounds(
    texts: Mapping[str, str], asked: Mapping[str, frozenset[Dependency] | None]
) -> Callable[[str], str | None]:
    """What all rests on that is said of a file; None where that is not known."""

    @cache  # A file that many lead to is written down once.
    def own(path: str) -> tuple[str, tuple[str, ...]] | None:
        answers = asked.get(path)
        if answers is None:
            return None
        links = tuple(answer[1] for answer in answers if answer[0] == LINK)
        rests = sorted(answer for answer in answers if answer[0] != LINK)
        return digest(texts[path], rests), links

    @cache
    def ground(path: str) -> str | None:
        seen, pending = {path}, [path]
        rests: list[str] = []
        while pending:
            known = own(pending.pop())
            if known is None:
                return None
            rests.append(known[0])
            fresh = set(known[1]) - seen
            seen |= fresh
            pending.extend(fresh)
        return digest(sorted(rests))

    return ground
