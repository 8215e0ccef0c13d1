"""Turns a finding into jobs: the flagged code under two seeds, and its repaired twin."""

from __future__ import annotations

import os
import tokenize
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from torchlint.applying.changes import apply, moved
from torchlint.confirm.runner.protocol import Job, Target
from torchlint.frozen import replace
from torchlint.settings import Start

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.findings import Edit, Finding, Place, Step

SEEDS = (0, 1)


def jobs(
    finding: Finding,
    device: str,
    seconds: float,
    texts: Mapping[str, str] = MappingProxyType({}),
    command: Start = Start(),  # noqa: B008  (frozen)
) -> list[Job]:
    """The flagged code, once a seed; ``texts`` are those of files that hold something else.

    ``command`` is the program to be run; it starts in the working directory.
    """
    file = Path(finding.place.path).resolve()
    job = Job(
        code=finding.code,
        target=_target(finding.place, finding.message),
        scope=finding.scope,
        root=str(import_root(file)),
        because=tuple(_because(step) for step in finding.because),
        texts={str(Path(path).resolve()): text for path, text in texts.items()},
        device=device,
        # The process is stopped at the limit; the experiment is to end by itself before.
        seconds=0.8 * seconds,
        command=command.words,
        module=command.module,
        variables=dict(command.variables),
        folder=os.getcwd() if command.words else "",
    )
    return [replace(job, seed=seed) for seed in SEEDS]


def twin(finding: Finding, job: Job) -> Job | None:
    """The job on the code with the finding's fix applied, None where there is no fix."""
    if finding.fix is None:
        return None
    edits: dict[str, list[Edit]] = {}
    for edit in finding.fix.edits:
        edits.setdefault(edit.place.path, []).append(edit)
    texts = dict(job.texts)
    for path, changes in edits.items():
        texts[str(Path(path).resolve())] = apply(_read(path, job), changes)
    here = edits.get(finding.place.path, [])
    place = moved(finding.place, _read(finding.place.path, job), here)
    return replace(job, texts=texts, target=_target(place, finding.message))


def import_root(file: Path) -> Path:
    """The folder from which absolute imports resolve: the first above without ``__init__.py``."""
    folder = file.parent
    while (folder / "__init__.py").is_file():
        folder = folder.parent
    return folder


def _target(place: Place, message: str) -> Target:
    return Target(
        file=str(Path(place.path).resolve()),
        line=place.line,
        column=place.column,
        end_line=place.end_line,
        end_column=place.end_column,
        message=message,
    )


def _because(step: Step) -> Target:
    return _target(step.place, step.message)


def _read(path: str, job: Job) -> str:
    known = job.texts.get(str(Path(path).resolve()))
    if known is not None:
        return known
    with tokenize.open(path) as stream:
        return stream.read()
