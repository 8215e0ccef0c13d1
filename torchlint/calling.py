"""A call of the command: what is asked is done and written, and comes to an exit status."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, Any

import click

from torchlint import keeping, mending, reports
from torchlint.frozen import dataclass, replace
from torchlint.outputs import Output, deliver
from torchlint.profiling import profiled
from torchlint.voice import Voice, tell

if TYPE_CHECKING:
    from torchlint.analysis.shipping import Elsewhere
    from torchlint.api import Stdin
    from torchlint.comparing import Base
    from torchlint.config.resolving import Configuration
    from torchlint.findings import Report
    from torchlint.settings import ConfirmSettings, Settings

_WHERE = {
    "cpu": "cpu",
    "auto": "cpu, and what is about devices on cuda if it is there",
    "cuda": "cpu, and what is about devices on cuda",
    "mps": "cpu, but for what is about devices",
}


def named_or_configured(named: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    """The paths that a call is about."""
    return named or tuple(map(os.path.relpath, settings.src)) or (".",)


def show(report: Report, wanted: list[Output], voice: Voice) -> int:
    """Write a report wherever it is to go; the exit status is its own."""
    failed = deliver(report, wanted, voice.style(sys.stdout))
    if not any(output.file is None for output in wanted):
        voice.say(reports.summary(report))
    report = replace(report, troubles=(*report.troubles, *failed))
    voice.talk(report, any(output.file is None and output.tells for output in wanted))
    return report.exit_status


@dataclass(frozen=True, slots=True)
class Call:
    """What is called for: on which paths, with which settings and options, written where.

    What is ``elsewhere`` does the work, if there is anything.
    """

    paths: tuple[str, ...]
    settings: Configuration
    given: dict[str, Any]
    wanted: list[Output]
    voice: Voice
    elsewhere: Elsewhere | None = None

    def status(self) -> int:
        """Do it; what comes of it is the exit status."""
        fixes = mending.asked(self.given)
        if keeping.asked(self.given, self.paths):
            return self._keep()
        report, status = self._mend(fixes) if fixes else self._check()
        if status == 2:
            return status
        if self.given["exit_zero"]:
            return 0
        if fixes.fails and report.fixed:
            return 1
        from torchlint.gating import exit_status

        here = self.settings.of_folder(os.getcwd())
        return status if fixes.quiet else exit_status(report, here)

    def _check(self) -> tuple[Report, int]:
        if not self.given["profile"]:
            report = self._look()
            return report, show(report, self.wanted, self.voice)
        with profiled() as profile:
            report = self._look()
        status = show(report, self.wanted, self.voice)
        for line in profile.lines():
            tell(line)
        return report, status

    def _look(self) -> Report:
        from torchlint.api import check

        experiments = self._experiments()
        with self.voice.bar() as bar:
            return check(
                self.paths,
                self.settings,
                stdin=self._stdin(),
                progress=bar,
                confirm=experiments,
                base=self._base(),
                elsewhere=self.elsewhere,
            )

    def _mend(self, fixes: mending.Mending) -> tuple[Report, int]:
        from torchlint import api

        experiments = self._experiments()
        stdin = self._stdin()
        paths, settings = self.paths, self.settings
        with self.voice.bar() as bar:
            common: dict[str, Any] = {
                "stdin": stdin,
                "progress": bar,
                "base": self._base(),
                "elsewhere": self.elsewhere,
            }
            if fixes.ignore:
                report, patches = api.ignore(
                    paths, settings, fixes.reason, write=not fixes.diff, **common
                )
            else:
                fixing = api.Fixing(unsafe=fixes.unsafe, write=not fixes.diff)
                report, patches = api.fix(paths, settings, fixing, confirm=experiments, **common)
        if fixes.diff:
            mending.show(patches)
        elif stdin is not None:
            mending.hand_back(stdin, patches)
        if fixes.quiet:
            self.voice.talk(report)
        else:
            # Standard output is for the code, where that has come by standard input.
            with redirect_stdout(sys.stderr if stdin is not None else sys.stdout):
                show(report, self.wanted, self.voice)
        for line in mending.said(report, fixes, proved=experiments is not None):
            (tell if fixes.listed else self.voice.say)(line)
        return report, mending.exit_status(report, fixes, patches)

    def _keep(self) -> int:
        from torchlint.api import write_baselines

        with self.voice.bar() as bar:
            prune = self.given["prune_baseline"]
            report, written = write_baselines(
                self.paths, self.settings, prune=prune, progress=bar, elsewhere=self.elsewhere
            )
        if report.findings:
            show(report, self.wanted, self.voice)
        else:
            self.voice.talk(report)
        for sentence in keeping.said(written):
            self.voice.say(sentence)
        return report.exit_status

    def _stdin(self) -> Stdin | None:
        from torchlint.api import Stdin

        if "-" not in self.paths:
            return None
        data = sys.stdin.buffer.read()
        filename = self.given["stdin_filename"]
        return Stdin(data, filename) if filename else Stdin(data)

    def _base(self) -> Base | None:
        if self.given["diff_base"] is None:
            return None
        from torchlint.comparing import Base

        return Base(self.given["diff_base"])

    def _experiments(self) -> ConfirmSettings | None:
        """How to confirm; says on standard error, before anything runs, what is about to."""
        command = self.given["confirm_run"]
        if not self.given["confirm"] and command is None:
            return None
        from torchlint.confirm.commands import CommandError, program
        from torchlint.environment import active_python, find_python
        from torchlint.settings import ConfirmSettings, Start

        python, device = self.given["python"], self.given["device"]
        interpreter = find_python(python) if python else active_python()
        if interpreter is None:
            raise click.UsageError(f"--python {python}: there is no such interpreter.")
        try:
            start = Start() if command is None else program(command, os.getcwd())
        except CommandError as error:
            raise click.UsageError(f"--confirm-run: {error}.") from None
        settings = ConfirmSettings(interpreter, device, command=start)
        runs = f"--confirm-run runs `{command}`, and" if start.words else "--confirm runs"
        self.voice.say(
            f"{runs} the flagged code in {interpreter} on {_WHERE[device]}: each finding in a "
            f"process of its own, for at most {settings.seconds:g} s, in a scratch folder."
        )
        return settings
