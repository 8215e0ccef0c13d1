"""Workflow commands: GitHub shows them at the lines of a pull request.

It shows ten of a kind and drops the rest without a word, so the gravest come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from torchlint.registry import rules
from torchlint.reports._paths import within
from torchlint.reports._words import explained, gravest_first, in_file, kind

if TYPE_CHECKING:
    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

_WORKSPACE = "GITHUB_WORKSPACE"
_COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write what could not be done, then the findings by severity."""
    out.writelines(f"{_of_trouble(trouble)}\n" for trouble in report.troubles)
    out.writelines(f"{_of_finding(finding)}\n" for finding in gravest_first(report.findings))


def _of_finding(finding: Finding) -> str:
    line, column, end_line, end_column = in_file(finding.place)
    properties = {
        "title": f"{finding.code} {finding.name}",
        "file": within(finding.place.path, _WORKSPACE),
        "line": str(line),
        "endLine": str(end_line),
    }
    if line == end_line:  # GitHub rejects columns of an annotation over lines
        properties |= {"col": str(column), "endColumn": str(end_column)}
    message = "\n".join((*explained(finding), rules()[finding.code].url))
    return _command(_COMMANDS[kind(finding)], properties, message)


def _of_trouble(trouble: Trouble) -> str:
    properties = {"title": "torchlint"}
    if trouble.path:
        properties["file"] = within(trouble.path, _WORKSPACE)
    return _command("error", properties, trouble.message)


def _command(name: str, properties: dict[str, str], message: str) -> str:
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    return f"::{name} {listed}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
