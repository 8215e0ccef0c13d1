"""The options that write baselines, and what a run with them says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from torchlint.arguments import refuse_together
from torchlint.reports import count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torchlint.baselines import Written

    Command = Callable[..., Any]

_OPTIONS = {
    "--write-baseline": "List what is found in the baseline, so that it is no longer reported.",
    "--prune-baseline": "Take out of the baseline what is no longer found.",
}
_OTHERS = ("fix", "unsafe_fixes", "diff", "fix_only", "add_ignore", "confirm", "diff_base", "watch")


def options(command: Command) -> Command:
    """Give the command the options that write baselines."""
    for flag, text in reversed(_OPTIONS.items()):
        command = click.option(flag, is_flag=True, allow_from_autoenv=False, help=text)(command)
    return command


def asked(given: dict[str, Any], paths: Sequence[str]) -> bool:
    """Whether one of the options is given; UsageError where it goes with no other."""
    refuse_together(given, "write_baseline", (*_OTHERS, "prune_baseline"))
    refuse_together(given, "prune_baseline", _OTHERS)
    wanted: bool = given["write_baseline"] or given["prune_baseline"]
    if wanted and "-" in paths:
        raise click.UsageError("what comes by standard input is in no baseline.")
    return wanted


def said(written: Sequence[Written]) -> Iterator[str]:
    """What was done, in sentences."""
    for each in written:
        listed = f"{count(each.listed, 'finding')} ({each.new} new, {each.gone} gone)"
        yield f"{each.name} lists {listed}."
        if each.is_unnamed:
            yield f'for runs to know of it, the configuration needs baseline = "{each.name}".'
