"""Where a report goes: to standard output, and to files that appear whole or not at all."""

from __future__ import annotations

import os
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from torchlint import reports
from torchlint.findings import Trouble
from torchlint.frozen import dataclass
from torchlint.reports import Style
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchlint.findings import Report

_STANDARD = "-"


@dataclass(frozen=True, slots=True)
class Output:
    """A format, and the file that gets it; None is standard output."""

    format: str
    file: str | None = None
    statistics: bool = False

    @property
    def tells(self) -> bool:
        """Whether it says what restrained the code that was run."""
        return self.format in reports.TELLING and not self.statistics

    def write(self, report: Report, out: TextIO, style: Style) -> None:
        """Write the report, or how often each rule speaks in it."""
        if self.statistics:
            reports.render_statistics(report, self.format, out, style)
        else:
            reports.render(report, self.format, out, style)


def outputs(
    format_name: str, file: str | None, others: Iterable[str], *, statistics: bool
) -> list[Output]:
    """What is asked for: one format for standard output or a file, others as ``FORMAT=FILE``.

    What could not be written is refused before the work of a run is done for it.
    """
    wanted = [Output(format_name, None if file == _STANDARD else file, statistics)]
    wanted += [Output(*_parts(other)) for other in others]
    wrong = list(_wrong_files(wanted))
    if statistics and format_name not in reports.COUNTING:
        known = ", ".join(reports.COUNTING)
        wrong.append(f"--statistics has no {format_name} format; these have it: {known}.")
    if wrong:
        raise SettingsError(*wrong)
    return wanted


def _parts(other: str) -> tuple[str, str]:
    format_name, _, file = other.partition("=")
    if format_name not in reports.names():
        known = ", ".join(reports.names())
        raise SettingsError(f"--output {other}: {format_name!r} is none of the formats {known}.")
    if not file or file == _STANDARD:
        raise SettingsError(
            f"--output {other} names no file, as in {format_name}=FILE; "
            "--output-format is for standard output."
        )
    return format_name, file


def _wrong_files(wanted: Sequence[Output]) -> Iterator[str]:
    named = Counter(os.path.abspath(output.file) for output in wanted if output.file)
    for file, times in named.items():
        if os.path.isdir(file):
            yield f"{file} cannot be written: it is a folder."
        elif not os.path.isdir(os.path.dirname(file)):
            yield f"{file} cannot be written: there is no folder {os.path.dirname(file)}."
        elif times > 1:
            yield f"{file} is named for {times} outputs."


def deliver(report: Report, wanted: Sequence[Output], style: Style) -> list[Trouble]:
    """Write the report everywhere; what could not be written is returned."""
    troubles = []
    for output in wanted:
        if output.file is None:
            output.write(report, sys.stdout, style)
            sys.stdout.flush()
            continue
        out = StringIO()
        output.write(report, out, Style())
        try:
            put(Path(output.file), out.getvalue())
        except OSError as error:
            troubles.append(Trouble(output.file, not_written(error), fatal=True))
    return troubles


def not_written(error: OSError) -> str:
    """What is to be said of a file that could not be put there."""
    return f"could not be written ({error.strerror or error}), and is as it was"


def put(file: Path, text: str) -> None:
    """The text in the file, which is never there in part; what is no file is written to."""
    data = text.encode("utf-8", "backslashreplace")
    if file.exists() and not file.is_file():
        with file.open("wb") as pipe:
            pipe.write(data)
        return
    import tempfile

    target = file.resolve()  # a link goes on to lead there
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=".torchlint-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
