"""The command line: its options, and what is wrong with them."""

from __future__ import annotations

import gc
import os
import signal
import sys
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from torchlint import __version__, asides, keeping, mending, voice, watching
from torchlint.arguments import PREFIX, Command, completed, configuration, configured
from torchlint.calling import Call, named_or_configured, show
from torchlint.findings import Report, Trouble
from torchlint.frozen import replace
from torchlint.outputs import Output, outputs
from torchlint.settings import SettingsError
from torchlint.voice import Voice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.cluster.connection import Cluster

_INTERRUPTED = 130


def main() -> None:
    """Run the command; a closed pipe, Ctrl-C and SIGTERM end it without a word, a full disk not."""
    # What is left of a call goes with the process: nobody searches it for cycles before.
    gc.disable()
    # As after Ctrl-C, what is half done is taken back on the way out.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = command.main(standalone_mode=False)
        sys.stdout.flush()
        gc.freeze()
        sys.exit(status)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(_INTERRUPTED)
    except BrokenPipeError:
        _leave_standard_output()
        sys.exit(1)
    except OSError as error:
        # What fails about a file says which; what is written to no file goes to standard output.
        if error.filename is not None or error.strerror is None:
            raise
        _leave_standard_output()
        with suppress(OSError):
            voice.tell(f"error: standard output cannot be written: {error.strerror.lower()}.")
        sys.exit(2)


def _leave_standard_output() -> None:
    """Python flushes it once more at exit, which would fail aloud."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


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
@click.option(
    "--confirm-run",
    metavar="COMMAND",
    allow_from_autoenv=False,
    help='Confirm by running a program, as in "python train.py --epochs 1".',
)
@click.option("--python", metavar="EXE", help="Interpreter that --confirm runs the code in.")
@click.option(
    "--device",
    type=click.Choice(["auto", "cpu", "cuda", "mps"]),
    default="cpu",
    show_default=True,
    help="Where --confirm runs what is about devices; all else runs on the CPU.",
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
@click.option("--cluster", metavar="ADDRESS", help="Let the workers of a Dask cluster do it.")
@click.option("--stdin-filename", metavar="FILE", help="Name of the code that comes in by -.")
@click.option("--profile", is_flag=True, help="Say where the time went.")
@voice.options
@asides.options
@click.version_option(__version__, message="torchlint %(version)s", allow_from_autoenv=False)
@click.pass_context
def command(context: click.Context, /, paths: tuple[str, ...], **options: Any) -> None:
    """Find silent mistakes in the PyTorch code under PATHS (default: the current folder).

    The exit status is 0 if nothing was found, 1 if something was, and 2 for wrong use or a failure
    of torchlint. Variables stand in for options: TORCHLINT_OUTPUT_FORMAT for --output-format.
    """
    heard = Voice.of(options)
    if asides.about_rules(context, options, heard):
        return
    look = partial(_told, partial(_run, context, paths, options, heard), options, heard)
    if watching.asked(options, paths):
        context.exit(_told(partial(_watch, context, paths, look), options, heard))
    context.exit(look())


def _told(run: Callable[[], int], options: dict[str, Any], voice: Voice) -> int:
    """The status of a run, which says what is wrong about the settings."""
    try:
        return run()
    except SettingsError as error:
        troubles = tuple(Trouble("", sentence, fatal=True) for sentence in error.sentences)
        wanted = [Output(options["output_format"] or "full")]
        return show(Report(troubles=troubles), wanted, replace(voice, quiet=True))


def _watch(context: click.Context, paths: tuple[str, ...], look: Callable[[], int]) -> int:
    settings = configuration(context).of_folder(os.getcwd())
    watching.watch(named_or_configured(paths, settings), look)
    return 0


def _run(
    context: click.Context, paths: tuple[str, ...], options: dict[str, Any], voice: Voice
) -> int:
    found = configuration(context)
    settings = found.of_folder(os.getcwd())
    paths = named_or_configured(paths, settings)
    told = asides.about_a_run(paths, found, options, voice)
    if told is not None:
        return told
    wanted = outputs(
        settings.output_format,
        options["output_file"],
        options["output"],
        statistics=options["statistics"],
    )
    with _cluster(options["cluster"]) as cluster:
        return Call(paths, found, options, wanted, voice, cluster).status()


@contextmanager
def _cluster(address: str | None) -> Iterator[Cluster | None]:
    if address is None:
        yield None
        return
    from torchlint.cluster.connection import Cluster, ClusterError

    try:
        with Cluster(address) as cluster:
            yield cluster
    except ClusterError as error:
        raise SettingsError(f"--cluster: {error}") from None
