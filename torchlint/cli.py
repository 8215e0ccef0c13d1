"""The command line: it parses, calls, prints and sets the exit status, and nothing else."""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from torchlint import __version__, keeping, mending, reports, watching
from torchlint.arguments import PREFIX, Command, completed, configuration, configured
from torchlint.config.options import CACHE
from torchlint.findings import Report, Trouble
from torchlint.outputs import Output, deliver, outputs
from torchlint.profiling import profiled
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.api import Stdin
    from torchlint.comparing import Base
    from torchlint.config.resolving import Configuration
    from torchlint.settings import ConfirmSettings, Settings

_INTERRUPTED = 130


def main() -> None:
    """Run the command; a closed pipe and Ctrl-C end it without a word."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = command.main(standalone_mode=False)
        sys.stdout.flush()
        sys.exit(status)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        # Python flushes standard output once more at exit, which would fail aloud.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _explain(context: click.Context, option: click.Parameter, selector: str | None) -> None:
    if selector is None:
        return
    from torchlint.pages import page
    from torchlint.registry import find
    from torchlint.selection import suggestion
    from torchlint.terminal import print_markdown

    rule = find(selector)
    if rule is None:
        raise click.UsageError(f"{selector!r} is no rule{suggestion(selector)}")
    print_markdown(page(rule), sys.stdout)
    context.exit()


def _list_rules(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from torchlint.registry import rules
        from torchlint.terminal import print_rules

        print_rules(rules().values(), sys.stdout)
        context.exit()


@click.command(
    cls=Command,
    context_settings={"help_option_names": ["-h", "--help"], "auto_envvar_prefix": PREFIX},
)
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--confirm",
    is_flag=True,
    # Whoever runs code says so each time: no variable that somebody else has set does.
    allow_from_autoenv=False,
    help="Run the flagged code and say whether it is so.",
)
@click.option("--python", metavar="EXE", help="Interpreter that --confirm runs the code in.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda", "mps"]),
    default="cpu",
    show_default=True,
    help="Where --confirm runs the code.",
)
@mending.options
@keeping.options
@configured
@click.option(
    "-o",
    "--output-file",
    metavar="FILE",
    type=click.Path(),
    help="Write them to a file instead.",
)
@click.option(
    "--output",
    metavar="FORMAT=FILE",
    multiple=True,
    help="Write them to a file too, in a format of its own; can be repeated.",
)
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 though there are findings.")
@click.option(
    "--diff-base",
    metavar="REF",
    shell_complete=completed,
    help="Report only what was not there where the history parted from this commit's.",
)
@click.option(
    "--watch",
    is_flag=True,
    allow_from_autoenv=False,
    help="Look again whenever a file changes, until Ctrl-C.",
)
@click.option("--stdin-filename", metavar="FILE", help="Name of the code that comes in by -.")
@click.option("--profile", is_flag=True, help="Say where the time went.")
@click.option(
    "--clear-cache",
    is_flag=True,
    allow_from_autoenv=False,
    help="Delete what is kept for later runs, and end.",
)
@click.option(
    "--show-files",
    is_flag=True,
    allow_from_autoenv=False,
    help="List the files that would be checked.",
)
@click.option(
    "--show-settings",
    is_flag=True,
    allow_from_autoenv=False,
    help="List the settings for the first of PATHS, and where each comes from.",
)
@click.option(
    "--explain",
    metavar="RULE",
    shell_complete=completed,
    expose_value=False,
    is_eager=True,
    allow_from_autoenv=False,
    callback=_explain,
    help="Print the page of a rule, by code or name.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    allow_from_autoenv=False,
    callback=_list_rules,
    help="List all rules.",
)
@click.version_option(__version__, message="torchlint %(version)s", allow_from_autoenv=False)
@click.pass_context
def command(context: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Find silent mistakes in the PyTorch code under PATHS (default: the current folder).

    The exit status is 0 if nothing was found, 1 if something was, and 2 for wrong use or a failure
    of torchlint. Variables stand in for options: TORCHLINT_OUTPUT_FORMAT for --output-format.
    """
    if watching.asked(options, paths):
        look = partial(_told, partial(_run, context, paths, options), options)
        context.exit(_told(partial(_watch, context, paths, look), options))
    context.exit(_told(partial(_run, context, paths, options), options))


def _told(run: Callable[[], int], options: dict[str, Any]) -> int:
    """The status of a run, which says what is wrong about the settings."""
    try:
        return run()
    except SettingsError as error:
        troubles = tuple(Trouble("", sentence, fatal=True) for sentence in error.sentences)
        return _print(Report(troubles=troubles), [Output(options["output_format"] or "full")])


def _watch(context: click.Context, paths: tuple[str, ...], look: Callable[[], int]) -> int:
    watching.watch(_paths(paths, configuration(context).of_folder(os.getcwd())), look)
    return 0


def _paths(named: tuple[str, ...], settings: Settings) -> tuple[str, ...]:
    return named or tuple(map(os.path.relpath, settings.src)) or (".",)


def _run(context: click.Context, paths: tuple[str, ...], options: dict[str, Any]) -> int:
    found = configuration(context)
    settings = found.of_folder(os.getcwd())
    paths = _paths(paths, settings)
    if options["show_settings"]:
        return _show_settings(paths[0], found)
    if options["clear_cache"]:
        return _clear_cache(settings.cache_dir)
    if options["show_files"]:
        return _show_files(paths, found)
    wanted = outputs(
        settings.output_format,
        options["output_file"],
        options["output"],
        statistics=options["statistics"],
    )
    fixes = mending.asked(options)
    if keeping.asked(options, paths):
        return _keep(paths, found, options, wanted)
    if fixes:
        report, status = _mend(paths, found, options, fixes, wanted)
    elif options["profile"]:
        with profiled() as profile:
            report = _check(paths, found, options)
        status = _print(report, wanted)
        for line in profile.lines():
            _say(line)
    else:
        report = _check(paths, found, options)
        status = _print(report, wanted)
    if status == 2:
        return status
    if options["exit_zero"]:
        return 0
    if fixes.fails and report.fixed:
        return 1
    from torchlint.gating import exit_status

    return status if fixes.quiet else exit_status(report, settings)


def _check(paths: tuple[str, ...], settings: Configuration, options: dict[str, Any]) -> Report:
    from torchlint.api import check
    from torchlint.terminal import Bar

    experiments = _experiments(options["python"], options["device"]) if options["confirm"] else None
    with Bar(sys.stderr) as bar:
        return check(
            paths,
            settings,
            stdin=_stdin(paths, options["stdin_filename"]),
            progress=bar,
            confirm=experiments,
            base=_base(options),
        )


def _mend(
    paths: tuple[str, ...],
    settings: Configuration,
    options: dict[str, Any],
    fixes: mending.Mending,
    wanted: list[Output],
) -> tuple[Report, int]:
    from torchlint import api
    from torchlint.terminal import Bar

    experiments = _experiments(options["python"], options["device"]) if options["confirm"] else None
    stdin = _stdin(paths, options["stdin_filename"])
    with Bar(sys.stderr) as bar:
        common: dict[str, Any] = {"stdin": stdin, "progress": bar, "base": _base(options)}
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
        _talk(report)
    else:
        # Standard output is for the code, where that has come by standard input.
        with redirect_stdout(sys.stderr if stdin is not None else sys.stdout):
            _print(report, wanted)
    _say(mending.said(report, fixes))
    return report, mending.exit_status(report, fixes, patches)


def _keep(
    paths: tuple[str, ...], settings: Configuration, options: dict[str, Any], wanted: list[Output]
) -> int:
    from torchlint.api import write_baselines
    from torchlint.terminal import Bar

    with Bar(sys.stderr) as bar:
        prune = options["prune_baseline"]
        report, written = write_baselines(paths, settings, prune=prune, progress=bar)
    if report.findings:
        _print(report, wanted)
    else:
        _talk(report)
    for sentence in keeping.said(written):
        _say(sentence)
    return report.exit_status


def _print(report: Report, wanted: list[Output]) -> int:
    from torchlint.terminal import style

    failed = deliver(report, wanted, style(sys.stdout))
    if not any(output.file is None for output in wanted):
        _say(reports.summary(report))
    report = replace(report, troubles=(*report.troubles, *failed))
    _talk(report)
    return report.exit_status


def _show_settings(path: str, settings: Configuration) -> int:
    from torchlint.config.showing import show

    folder = path if os.path.isdir(path) else os.path.dirname(path)
    for line in show(settings.resolved(os.path.abspath(folder)), path):
        click.echo(line)
    return 0


def _show_files(paths: tuple[str, ...], settings: Configuration) -> int:
    from torchlint.sources.discovery import discover

    discovered = discover(paths, lambda folder: settings.of_folder(folder).filter)
    for found in discovered.files:
        click.echo(found.path)
    report = Report(troubles=tuple(discovered.troubles), warnings=tuple(discovered.warnings))
    _talk(report)
    return report.exit_status


def _clear_cache(folder: str) -> int:
    from pathlib import Path

    from torchlint.cache.store import clear

    folder = folder or os.path.abspath(CACHE)
    shown = os.path.relpath(folder)
    try:
        found = clear(Path(folder))
    except OSError as error:
        raise SettingsError(f"{shown}: cannot be deleted: {error.strerror}.") from None
    _say(f"{shown} is cleared." if found else f"{shown} holds nothing of torchlint's.")
    return 0


def _stdin(paths: tuple[str, ...], filename: str | None) -> Stdin | None:
    from torchlint.api import Stdin

    if "-" not in paths:
        return None
    data = sys.stdin.buffer.read()
    return Stdin(data, filename) if filename else Stdin(data)


def _base(options: dict[str, Any]) -> Base | None:
    if options["diff_base"] is None:
        return None
    from torchlint.comparing import Base

    return Base(options["diff_base"])


def _experiments(python: str | None, device: str) -> ConfirmSettings:
    """How to confirm; says on standard error, before anything runs, what is about to."""
    from torchlint.environment import active_python, find_python
    from torchlint.settings import ConfirmSettings

    interpreter = find_python(python) if python else active_python()
    if interpreter is None:
        raise click.UsageError(f"--python {python}: there is no such interpreter.")
    settings = ConfirmSettings(interpreter, device)
    _say(
        f"--confirm runs the flagged code in {interpreter} on {device}: each finding in a process "
        f"of its own, for at most {settings.seconds:g} s, in a scratch folder."
    )
    return settings


def _talk(report: Report) -> None:
    if report.enforced:
        _say(f"while the code ran, this was enforced: {', '.join(report.enforced)}.")
    for warning in report.warnings:
        _say(f"warning: {warning}")
    for trouble in report.troubles:
        subject = f"{trouble.path}: " if trouble.path else ""
        _say(f"error: {subject}{trouble.message}")


def _say(sentence: str) -> None:
    click.echo(f"torchlint: {sentence}", err=True)
