"""The one façade: paths and settings in, a report out. Everything that lints goes through it."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from torchlint.findings import Report, Safety, Trouble
from torchlint.frozen import dataclass, replace
from torchlint.located import Look
from torchlint.run import Progress, Run, Stdin, nobody
from torchlint.settings import Settings, SettingsError
from torchlint.sources.discovery import shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torchlint.analysis.shipping import Elsewhere
    from torchlint.applying.files import Patch
    from torchlint.baselines import Written
    from torchlint.comparing import Base
    from torchlint.engine import Resources
    from torchlint.findings import Finding
    from torchlint.settings import ConfirmSettings, SettingsOf

__all__ = ["Fixing", "Progress", "Stdin", "check", "fix", "ignore", "write_baselines"]


def check(
    paths: Sequence[str],
    settings: SettingsOf | None = None,
    *,
    stdin: Stdin | None = None,
    progress: Progress | None = None,
    confirm: ConfirmSettings | None = None,
    texts: Mapping[str, str] | None = None,
    base: Base | None = None,
    resources: Resources | None = None,
    elsewhere: Elsewhere | None = None,
) -> Report:
    """Lint the files under the paths; ``-`` is ``stdin``. With ``confirm``, run what was found.

    ``settings`` are those of all files, or say which are whose. ``texts``, by paths as reports
    have them, stand in for those of files: of such too that are read along, or lie nowhere.
    What was there at the ``base`` already is left out. The ``resources`` stand in for those that
    the settings give; what is ``elsewhere`` does the work if it is given.
    """
    looked = look(
        paths,
        settings,
        stdin=stdin,
        progress=progress,
        confirm=confirm,
        texts=texts,
        base=base,
        resources=resources,
        elsewhere=elsewhere,
    )
    return looked.located()


def look(
    paths: Sequence[str],
    settings: SettingsOf | None = None,
    *,
    stdin: Stdin | None = None,
    progress: Progress | None = None,
    confirm: ConfirmSettings | None = None,
    texts: Mapping[str, str] | None = None,
    base: Base | None = None,
    resources: Resources | None = None,
    elsewhere: Elsewhere | None = None,
) -> Look:
    """The same, before what is found in the code is located in the files that it stands in."""
    run = Run(settings or Settings(), progress or nobody, texts or {}, base, resources, elsewhere)
    try:
        run.go(paths, stdin)
    except SettingsError as error:
        return Look(_refused(error), {})
    if confirm is not None:
        run.confirm(confirm)
    return run.looked(run.report())


def _refused(error: SettingsError) -> Report:
    return Report(troubles=tuple(Trouble("", each, fatal=True) for each in error.sentences))


@dataclass(frozen=True, slots=True)
class Fixing:
    """Which fixes to apply, and whether the files are to be written."""

    unsafe: bool = False
    write: bool = True

    def wants(self, finding: Finding) -> bool:
        """Whether the finding has a fix that is to be applied."""
        fix = finding.fix
        return fix is not None and (self.unsafe or fix.safety is Safety.SAFE)


def fix(
    paths: Sequence[str],
    settings: SettingsOf | None = None,
    fixing: Fixing | None = None,
    *,
    stdin: Stdin | None = None,
    progress: Progress | None = None,
    confirm: ConfirmSettings | None = None,
    base: Base | None = None,
    elsewhere: Elsewhere | None = None,
) -> tuple[Report, tuple[Patch, ...]]:
    """Fix what can be fixed, and report what is left; the patches are what has changed.

    With ``confirm``, a fix is made only where the code has run without and with it, and the
    mistake showed and was gone.

    Where nothing is written, the report is on the code as it would be. Code from ``stdin`` is only
    ever in the patches.
    """
    from torchlint.applying import files, rounds

    fixing = fixing or Fixing()
    lint = partial(
        look, paths, settings, stdin=stdin, progress=progress, base=base, elsewhere=elsewhere
    )
    proving = confirm and replace(confirm, chosen=fixing.wants)
    wanted = partial(_is_wanted, fixing, confirm is not None)
    fixed = rounds.fix(lambda texts: lint(texts=texts, confirm=proving), wanted)
    looked = fixed.look
    lying = files.Files(looked.report.files, _given(stdin), fixing.write)
    patches = tuple(lying.changed(fixed.before, fixed.texts))
    if lying.troubles or confirm is not None:
        texts = {patch.path: fixed.texts[patch.path] for patch in patches}
        looked = lint(texts=texts, confirm=confirm)
    report = looked.located()
    left = {trouble.path for trouble in lying.troubles}
    report = replace(
        report,
        fixed=tuple(finding for finding in fixed.findings if finding.place.path not in left),
        troubles=(*report.troubles, *fixed.broken.values(), *lying.troubles),
        warnings=(*report.warnings, *fixed.warnings),
        enforced=report.enforced or fixed.enforced,
    )
    return report, patches


def _is_wanted(fixing: Fixing, proved: bool, finding: Finding) -> bool:
    """Whether what is found is to be fixed: where the fix is to be ``proved``, if it is."""
    verdict = finding.verdict
    return fixing.wants(finding) and (not proved or (verdict is not None and verdict.proves_fix))


def ignore(
    paths: Sequence[str],
    settings: SettingsOf | None = None,
    reason: str = "",
    *,
    write: bool = True,
    stdin: Stdin | None = None,
    progress: Progress | None = None,
    base: Base | None = None,
    elsewhere: Elsewhere | None = None,
) -> tuple[Report, tuple[Patch, ...]]:
    """Suppress what is found by comments, and report what is left; the patches add the comments.

    Where nothing is written, the report is on the code as it would be.
    """
    from torchlint import ignoring
    from torchlint.applying import files

    lint = partial(
        look, paths, settings, stdin=stdin, progress=progress, base=base, elsewhere=elsewhere
    )
    looked = lint()
    commented = ignoring.commented(looked, reason)
    lying = files.Files(looked.report.files, _given(stdin), write)
    before = {path: looked.sources[path].whole for path in commented.texts}
    patches = tuple(lying.changed(before, commented.texts))
    if patches:
        looked = lint(texts={patch.path: commented.texts[patch.path] for patch in patches})
    changed = {patch.path for patch in patches}
    report = looked.located()
    report = replace(
        report,
        ignored=tuple(each for each in commented.findings if each.place.path in changed),
        troubles=(*report.troubles, *commented.troubles, *lying.troubles),
    )
    return report, patches


def write_baselines(
    paths: Sequence[str],
    settings: SettingsOf | None = None,
    *,
    prune: bool = False,
    progress: Progress | None = None,
    elsewhere: Elsewhere | None = None,
) -> tuple[Report, tuple[Written, ...]]:
    """List what is found in the baselines that the settings name; with ``prune``, add nothing.

    What they list already and the run cannot judge stays: findings of other files and rules. What
    is no longer found goes. Files whose settings name none share one in the working directory.
    """
    from torchlint.baselines import USUAL, Baselines

    settings = settings or Settings()
    usual = "" if prune else os.path.abspath(USUAL)
    run = Run(settings, progress or nobody, {}, elsewhere=elsewhere)
    run.baselines = baselines = Baselines(settings, written=True, usual=usual)
    try:
        run.go(paths, None)
    except SettingsError as error:
        return _refused(error), ()
    if not list(baselines) and prune:
        return _refused(SettingsError("no baseline is named; --baseline FILE does that.")), ()
    report = run.report()
    if run.sieve is None or any(trouble.fatal for trouble in report.troubles):
        return report, ()
    listed = [] if prune else [each for each in report.findings if each.code != "TL000"]
    written, troubles = baselines.write(run.sieve.located(listed))
    failures = tuple(finding for finding in report.findings if finding.code == "TL000")
    report = replace(report, findings=failures, troubles=(*report.troubles, *troubles))
    return report, written


def _given(stdin: Stdin | None) -> dict[str, bytes]:
    return {shown(Path(stdin.filename)): stdin.data} if stdin is not None else {}
