"""The command line: it parses, calls, prints and sets the exit status, and nothing else."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from torchlint import __version__, reports

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.api import Stdin
    from torchlint.findings import Report
    from torchlint.settings import ConfirmSettings

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


def _split(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Selectors that were given with commas, repeatedly, or both."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(part for part in parts if part)


def _explain(context: click.Context, option: click.Parameter, selector: str | None) -> None:
    if selector is None:
        return
    from torchlint.pages import page
    from torchlint.registry import find
    from torchlint.settings import suggestion
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


def _selectors(name: str, text: str) -> Callable[[Any], Any]:
    metavar = "RULES"
    return click.option(name, metavar=metavar, multiple=True, callback=_split, help=text)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1)
@click.option("--confirm", is_flag=True, help="Run the flagged code and say whether it is so.")
@click.option("--python", metavar="EXE", help="Interpreter that --confirm runs the code in.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda", "mps"]),
    default="cpu",
    show_default=True,
    help="Where --confirm runs the code.",
)
@_selectors("--select", "Run these rules only: codes, prefixes, names, ALL.")
@_selectors("--ignore", "Leave these rules out.")
@click.option("--pedantic", is_flag=True, help="Show pedantic findings too.")
@click.option(
    "--torch-version",
    metavar="VERSION",
    default="",
    help="Releases of torch to check for (default: what the project's files say).",
)
@click.option(
    "--output-format",
    type=click.Choice(reports.names()),
    default="full",
    show_default=True,
    help="How findings are written to standard output.",
)
@click.option("--exit-zero", is_flag=True, help="Exit with 0 though there are findings.")
@click.option("--stdin-filename", metavar="FILE", help="Name of the code that comes in by -.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked.")
@click.option(
    "--explain",
    metavar="RULE",
    expose_value=False,
    is_eager=True,
    callback=_explain,
    help="Print the page of a rule, by code or name.",
)
@click.option(
    "--list-rules",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_list_rules,
    help="List all rules.",
)
@click.version_option(__version__, message="torchlint %(version)s")
def command(paths: tuple[str, ...], show_files: bool, **options: Any) -> None:
    """Find silent mistakes in the PyTorch code under PATHS (default: the current folder).

    The exit status is 0 if nothing was found, 1 if something was, and 2 for wrong use or a failure
    of torchlint.
    """
    paths = paths or (".",)
    status = _show_files(paths) if show_files else _check(paths, **options)
    click.get_current_context().exit(status)


def _check(
    paths: tuple[str, ...],
    *,
    confirm: bool,
    python: str | None,
    device: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    pedantic: bool,
    torch_version: str,
    output_format: str,
    exit_zero: bool,
    stdin_filename: str | None,
) -> int:
    from torchlint.api import check
    from torchlint.settings import Settings
    from torchlint.terminal import Bar, style

    settings = Settings(select, ignore, pedantic, torch_version)
    experiments = _experiments(python, device) if confirm else None
    with Bar(sys.stderr) as bar:
        report = check(
            paths,
            settings,
            stdin=_stdin(paths, stdin_filename),
            progress=bar,
            confirm=experiments,
        )
    reports.render(report, output_format, sys.stdout, style(sys.stdout))
    sys.stdout.flush()
    _talk(report)
    return 0 if exit_zero and report.exit_status == 1 else report.exit_status


def _show_files(paths: tuple[str, ...]) -> int:
    from torchlint.findings import Report
    from torchlint.sources.discovery import discover

    discovered = discover(paths)
    for found in discovered.files:
        click.echo(found.path)
    report = Report(troubles=tuple(discovered.troubles), warnings=tuple(discovered.warnings))
    _talk(report)
    return report.exit_status


def _stdin(paths: tuple[str, ...], filename: str | None) -> Stdin | None:
    from torchlint.api import Stdin

    if "-" not in paths:
        return None
    data = sys.stdin.buffer.read()
    return Stdin(data, filename) if filename else Stdin(data)


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
