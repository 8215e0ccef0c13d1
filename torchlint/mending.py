"""The options that change files, and what a run with them prints and says."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchlint.arguments import refuse_together
from torchlint.frozen import dataclass
from torchlint.reports import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.api import Stdin
    from torchlint.applying.files import Patch
    from torchlint.findings import Report

    Command = Callable[..., Any]

_OPTIONS = {
    "--fix": "Fix what can be fixed without changing what the code computes.",
    "--unsafe-fixes": "With --fix or --diff: apply the fixes that change what is computed too.",
    "--diff": "Print what --fix would change, and change nothing.",
    "--fix-only": "Fix, and say nothing of what is left.",
    "--show-fixes": "List what was fixed or ignored, by file and rule.",
    "--exit-non-zero-on-fix": "With --fix or --fix-only: exit with 1 if anything was fixed.",
    "--add-ignore": "Suppress what is found by comments, with --diff only print them.",
}


_OTHERS = ("confirm", "confirm_run", "fix", "unsafe_fixes", "fix_only")


@dataclass(frozen=True, slots=True)
class Mending:
    """What the options ask for; nothing is changed without one that says so."""

    fix: bool = False
    unsafe: bool = False
    diff: bool = False
    only: bool = False
    ignore: bool = False
    reason: str = ""
    fails: bool = False
    listed: bool = False

    def __bool__(self) -> bool:
        return self.fix or self.diff or self.only or self.ignore

    @property
    def quiet(self) -> bool:
        """Whether findings are left unsaid."""
        return self.diff or self.only


def options(command: Command) -> Command:
    """Give the command the options that change files."""
    command = click.option("--reason", metavar="TEXT", help="With --add-ignore: why.")(command)
    for flag, text in reversed(_OPTIONS.items()):
        command = click.option(flag, is_flag=True, allow_from_autoenv=False, help=text)(command)
    return command


def asked(given: dict[str, Any]) -> Mending:
    """What the options ask for; UsageError where they exclude each other."""
    wanted = Mending(
        given["fix"],
        given["unsafe_fixes"],
        given["diff"],
        given["fix_only"],
        given["add_ignore"],
        (given["reason"] or "").strip(),
        given["exit_non_zero_on_fix"],
        given["show_fixes"],
    )
    refuse_together(given, "diff", ("confirm", "confirm_run"))
    refuse_together(given, "fix_only", ("confirm", "confirm_run"))
    refuse_together(given, "add_ignore", (*_OTHERS, "ignore_suppressions"))
    if given["reason"] is not None and not wanted.ignore:
        raise click.UsageError("--reason is for --add-ignore.")
    if wanted.listed and not wanted:
        raise click.UsageError("--show-fixes is for --fix, --fix-only, --diff and --add-ignore.")
    if not wanted.reason.isprintable():
        raise click.UsageError("--reason must be a text of one line.")
    return wanted


def show(patches: Iterable[Patch]) -> None:
    """Write what is to change to standard output, each file in its own encoding."""
    out = sys.stdout.buffer
    for patch in patches:
        out.writelines(patch.diff())
    out.flush()


def hand_back(stdin: Stdin, patches: Iterable[Patch]) -> None:
    """Write the code that came by standard input to standard output, fixed as far as it is."""
    from torchlint.sources.discovery import shown

    path = shown(Path(stdin.filename))
    out = sys.stdout.buffer
    out.write(next((patch.after for patch in patches if patch.path == path), stdin.data))
    out.flush()


def said(report: Report, wanted: Mending, proved: bool = False) -> Iterator[str]:
    """What was done, in a sentence, and file by file where that is wanted.

    ``proved`` says that only those fixes were applied that were seen to work.
    """
    yield from _done(report, wanted)
    left = sum(finding.fix is not None for finding in report.findings)
    if proved and report.fixed:
        yield "each mistake showed when the code ran, and was gone when it ran with the fix."
    if proved and left:
        fixes = "1 fix is" if left == 1 else f"{left} fixes are"
        yield f"{fixes} not applied: no run has proved that it works."


def _done(report: Report, wanted: Mending) -> Iterator[str]:
    done = report.ignored if wanted.ignore else report.fixed
    would, did = ("ignore", "ignored") if wanted.ignore else ("fix", "fixed")
    if not done:
        yield f"nothing to {would}."
        return
    of_file: dict[str, Counter[str]] = {}
    for finding in done:
        of_file.setdefault(finding.place.path, Counter())[f"{finding.code} {finding.name}"] += 1
    verb = f"would {would}" if wanted.diff else did
    yield f"{verb} {count(len(done), 'problem')} in {count(len(of_file), 'file')}."
    if wanted.listed:
        for path, rules in sorted(of_file.items()):
            listed = ", ".join(f"{times} x {rule}" for rule, times in sorted(rules.items()))
            yield f"{path}: {verb} {listed}"


def exit_status(report: Report, wanted: Mending, patches: tuple[Patch, ...]) -> int:
    """As without fixes, but that what is left unsaid does not count; a diff does."""
    if not wanted.quiet or report.exit_status == 2:
        return report.exit_status
    return 1 if report.troubles or (wanted.diff and patches) else 0
