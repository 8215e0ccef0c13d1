"""Logging commands, from which Azure Pipelines makes the issues of a run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TextIO

from torchlint.registry import rules
from torchlint.reports._words import explained, gravest_first, in_file, kind

if TYPE_CHECKING:
    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

_TYPES = {"error": "error", "warning": "warning", "note": "warning"}  # there are only two


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write what could not be done, then the findings by severity."""
    out.writelines(f"{_of_trouble(trouble)}\n" for trouble in report.troubles)
    out.writelines(f"{_of_finding(finding)}\n" for finding in gravest_first(report.findings))


def _of_finding(finding: Finding) -> str:
    line, column, _, _ = in_file(finding.place)
    properties = {
        "type": _TYPES[kind(finding)],
        "sourcepath": os.path.abspath(finding.place.path),
        "linenumber": str(line),
        "columnnumber": str(column),
        "code": finding.code,
    }
    return _command(properties, "\n".join((*explained(finding), rules()[finding.code].url)))


def _of_trouble(trouble: Trouble) -> str:
    properties = {"type": "error"}
    if trouble.path:
        properties["sourcepath"] = os.path.abspath(trouble.path)
    return _command(properties, trouble.message)


def _command(properties: dict[str, str], message: str) -> str:
    listed = "".join(f"{name}={_property(value)};" for name, value in properties.items())
    return f"##vso[task.logissue {listed}]{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%AZP25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace("]", "%5D").replace(";", "%3B")
