"""How the command speaks: in which colours, and of what beside the findings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, TextIO

import click

from torchlint.frozen import dataclass, replace
from torchlint.terminal import Bar, Color, style

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.findings import Report
    from torchlint.reports import Style

    Command = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Voice:
    """What is said: a quiet one keeps to findings and to what went wrong."""

    color: Color = Color.AUTO
    quiet: bool = False

    @classmethod
    def of(cls, given: dict[str, Any]) -> Voice:
        """As the options ask for it."""
        return cls(Color(given["color"]), given["quiet"])

    def style(self, out: TextIO) -> Style:
        """How findings are written there."""
        return replace(style(out, self.color), quiet=self.quiet)

    def bar(self) -> Bar:
        """What shows how far a run has come."""
        return Bar(sys.stderr, wanted=not self.quiet)

    def say(self, sentence: str) -> None:
        """A sentence that somebody may want to know."""
        if not self.quiet:
            tell(sentence)

    def talk(self, report: Report, shown: bool = False) -> None:
        """What there is to say of a run beside its findings, and what the report has ``shown``."""
        if report.enforced and not shown:
            self.say(f"while the code ran, this was enforced: {', '.join(report.enforced)}.")
        for warning in report.warnings:
            self.say(f"warning: {warning}")
        for trouble in report.troubles:
            subject = f"{trouble.path}: " if trouble.path else ""
            tell(f"error: {subject}{trouble.message}")


def options(command: Command) -> Command:
    """Give the command the options of how it speaks."""
    color = click.option(
        "--color",
        type=click.Choice([str(each) for each in Color]),
        default=str(Color.AUTO),
        help="Whether output has colours. [default: auto, on terminals]",
    )
    quiet = click.option(
        "-q", "--quiet", is_flag=True, help="Write findings and errors, and nothing else."
    )
    return quiet(color(command))


def tell(sentence: str) -> None:
    """A sentence that was asked for."""
    click.echo(f"torchlint: {sentence}", err=True)
