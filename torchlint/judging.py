"""What a run does to confirm: it hands findings over, and says why others are not run."""

from __future__ import annotations

import ast
import os
from collections import Counter
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Status, Trouble, Verdict
from torchlint.frozen import dataclass, replace
from torchlint.registry import rules
from torchlint.sources.discovery import shown
from torchlint.sources.reading import Found, read
from torchlint.sources.source import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from torchlint.analysis.shipping import Elsewhere
    from torchlint.findings import Finding
    from torchlint.settings import ConfirmSettings

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(slots=True)
class Judged:
    """The findings with their verdicts, what restrained the code, and what went wrong."""

    findings: list[Finding]
    enforced: tuple[str, ...] = ()
    troubles: list[Trouble] = field(default_factory=list)

    def hear_enforced(self, restrictions: tuple[str, ...]) -> None:
        """Remember what restrained the code."""
        self.enforced = restrictions


def judged(
    findings: Sequence[Finding],
    settings: ConfirmSettings,
    progress: Callable[[str, int, int], None],
    stdin: str | None,
    sources: Mapping[str, Source],
    changed: Collection[str] = (),
    elsewhere: Elsewhere | None = None,
) -> Judged:
    """Run the flagged code of every finding that a rule made; that at ``stdin`` is in no file.

    The files that are ``changed`` do not lie as they are looked at. A program of the user's runs
    here, whatever there is ``elsewhere``: it may need more than code.
    """
    from torchlint.confirm import Program, SandboxError, confirm

    chosen = settings.chosen or _is_of_code
    ours = [
        each for each in findings if _is_of_code(each) and chosen(each) and each.place.path != stdin
    ]
    others = [_left_alone(each, stdin) for each in findings if each not in ours]
    texts = {path: sources[path].text for path in changed if path in sources}
    texts |= _launched(settings.command.words, sources)
    progress("Confirming", 0, len(ours))
    result = Judged(list(findings))
    bench = None
    if elsewhere is not None and not settings.command.words:
        files = {source.file: source.text for source in sources.values()}
        bench = partial(elsewhere.sandbox, files, settings)
    try:
        ran = confirm(
            ours,
            settings,
            _counted(progress, len(ours)),
            result.hear_enforced,
            {each: Program(*_program(each, sources, texts)) for each in ours},
            bench,
        )
    except SandboxError as error:
        result.troubles.append(Trouble("", f"--confirm: {error}", fatal=True))
    else:
        result.findings = [*others, *ran]
    return result


def _counted(progress: Callable[[str, int, int], None], total: int) -> Callable[[Finding], None]:
    """What hears of each verdict, and tells how many there are of each kind."""
    fallen: Counter[str] = Counter()

    def hear(finding: Finding) -> None:
        fallen[str(finding.verdict.status) if finding.verdict else ""] += 1
        said = ", ".join(f"{number} {status}" for status, number in sorted(fallen.items()))
        progress(f"Confirming: {said}", fallen.total(), total)

    return hear


def _launched(command: Sequence[str], sources: Mapping[str, Source]) -> dict[str, str]:
    """The code of a program that is to be run, if its file holds more than code."""
    if not command or command[0].endswith(".py"):
        return {}
    file = Path(command[0])
    known = (source for source in sources.values() if os.path.samefile(source.file, file))
    source = next(known, None) or read(Found(shown(file), file))
    return {source.path: source.text} if isinstance(source, Source) else {}


def _program(
    finding: Finding, sources: Mapping[str, Source], texts: dict[str, str]
) -> tuple[dict[str, str], str]:
    """What to run for a finding besides the files as they lie, and what prevents that."""
    source = sources.get(finding.place.path)
    if source is None or source.is_module:
        return texts, ""
    if finding.scope:
        return {**texts, source.path: source.text}, _ambiguity(source)
    # What comes after the flagged cell has not been run when that is.
    edits = finding.fix.edits if finding.fix else ()
    steps = [step.place for step in finding.because]
    places = [finding.place, *steps, *(edit.place for edit in edits)]
    last = max(place.end_line for place in places if place.path == source.path)
    return {**texts, source.path: source.until(last)}, ""


def _ambiguity(source: Source) -> str:
    """Why it is not known which functions and classes some code means."""
    defined = (node for node in ast.parse(source.text).body if isinstance(node, _DEFINITIONS))
    names = Counter(node.name for node in defined)
    several = [f"`{name}`" for name, count in names.items() if count > 1]
    if not several:
        return ""
    named = " and ".join(several[:2])
    return f"{named} defined in several cells: which one is meant depends on when they are run"


def _is_of_code(finding: Finding) -> bool:
    return rules()[finding.code].question is not None


def _left_alone(finding: Finding, stdin: str | None) -> Finding:
    if finding.place.path != stdin:
        return finding
    reason = "code from standard input lies in no file that could be run"
    return replace(finding, verdict=Verdict(Status.INCONCLUSIVE, reason=reason))
