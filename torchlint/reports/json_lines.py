"""A JSON object a line for each finding, as the json format has it, for streams and `jq`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TextIO

from torchlint.reports.json import VERSION, finding_as_object

if TYPE_CHECKING:
    from torchlint.findings import Report
    from torchlint.reports import Style


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the findings; what could not be done is said on standard error only."""
    for finding in report.findings:
        json.dump({"version": VERSION, **finding_as_object(finding)}, out)
        out.write("\n")
