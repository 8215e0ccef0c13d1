"""What the command tells in place of a run: pages of rules, settings, files."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from torchlint.arguments import completed
from torchlint.config.options import CACHE, OPTIONS
from torchlint.findings import Report
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.config.resolving import Configuration
    from torchlint.voice import Voice

    Command = Callable[..., Any]

_FLAGS = {
    "--clear-cache": "Delete what is kept for later runs, and end.",
    "--show-files": "List the files that would be checked.",
    "--show-settings": "List the settings for the first of PATHS, and where each comes from.",
    "--list-rules": "List all rules; as --output-format says, where that is json or markdown.",
}


def options(command: Command) -> Command:
    """Give the command the options that ask for something else than a run."""
    command = click.option(
        "--explain",
        metavar="RULE|OPTION",
        shell_complete=completed,
        allow_from_autoenv=False,
        help="Print the page of a rule, by code or name, or what an option is for.",
    )(command)
    for flag, text in reversed(_FLAGS.items()):
        command = click.option(flag, is_flag=True, allow_from_autoenv=False, help=text)(command)
    return command


def about_rules(context: click.Context, given: dict[str, Any], voice: Voice) -> bool:
    """Tell of one rule or of all, where that is asked; whatever is configured plays no part."""
    if given["explain"] is None and not given["list_rules"]:
        return False
    from torchlint import handbook
    from torchlint.registry import find, rules
    from torchlint.selection import suggestion

    # What a variable or a file says of findings is not meant for rules.
    is_asked = context.get_parameter_source("output_format") is ParameterSource.COMMANDLINE
    format_name = given["output_format"] if is_asked else "full"
    if format_name not in handbook.FORMATS:
        known = ", ".join(handbook.FORMATS)
        raise click.UsageError(f"rules have no {format_name} format; these they have: {known}.")
    if given["explain"] is None:
        handbook.write_rules(rules().values(), format_name, sys.stdout)
        return True
    name, style = given["explain"], voice.style(sys.stdout)
    rule = find(name)
    if rule is not None:
        handbook.write_page(rule, format_name, sys.stdout, style)
    elif name in OPTIONS:
        handbook.write_option(OPTIONS[name], format_name, sys.stdout, style)
    else:
        import difflib

        near = difflib.get_close_matches(name, OPTIONS, n=1)
        advice = f"; did you mean {near[0]}?" if near else suggestion(name)
        raise click.UsageError(f"{name!r} is no rule, and no option{advice}")
    return True


def about_a_run(
    paths: tuple[str, ...], found: Configuration, given: dict[str, Any], voice: Voice
) -> int | None:
    """The exit status, where something else is asked than a run; None where a run is."""
    if given["show_settings"]:
        return _show_settings(paths[0], found)
    if given["clear_cache"]:
        return _clear_cache(found.of_folder(os.getcwd()).cache_dir, voice)
    if given["show_files"]:
        return _show_files(paths, found, voice)
    return None


def _show_settings(path: str, settings: Configuration) -> int:
    from torchlint.config.showing import show

    folder = path if os.path.isdir(path) else os.path.dirname(path)
    for line in show(settings.resolved(os.path.abspath(folder)), path):
        click.echo(line)
    return 0


def _show_files(paths: tuple[str, ...], settings: Configuration, voice: Voice) -> int:
    from torchlint.sources.discovery import discover

    discovered = discover(paths, lambda folder: settings.of_folder(folder).filter)
    for found in discovered.files:
        click.echo(found.path)
    report = Report(troubles=tuple(discovered.troubles), warnings=tuple(discovered.warnings))
    voice.talk(report)
    return report.exit_status


def _clear_cache(folder: str, voice: Voice) -> int:
    from pathlib import Path

    from torchlint.cache.store import clear

    folder = folder or os.path.abspath(CACHE)
    shown = os.path.relpath(folder)
    try:
        found = clear(Path(folder))
    except OSError as error:
        raise SettingsError(f"{shown}: cannot be deleted: {error.strerror}.") from None
    voice.say(f"{shown} is cleared." if found else f"{shown} holds nothing of torchlint's.")
    return 0
