"""A GitLab Code Quality report, which merge requests show beside the code."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, TextIO

from torchlint.findings import Level, Severity, Status
from torchlint.reports._paths import within
from torchlint.reports._words import in_file, judged, message_of, one_line

if TYPE_CHECKING:
    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

_PROJECT = "CI_PROJECT_DIR"

# From "blocker" down to "info"; the first is for what could not be checked at all.
_SEVERITY = {
    Level.CORRECTNESS: "critical",
    Level.SUSPICIOUS: "major",
    Level.PERFORMANCE: "minor",
    Level.PEDANTIC: "info",
}

_AS_SET = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.NOTE: "info"}


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the list of issues; what could not be done is one where it concerns a file."""
    issues = [_of_trouble(trouble) for trouble in report.troubles if trouble.path]
    issues += [_of_finding(finding) for finding in report.findings]
    json.dump(issues, out, indent=2)
    out.write("\n")


def _of_finding(finding: Finding) -> dict[str, Any]:
    line, _, end_line, _ = in_file(finding.place)
    verdict = f" ({judged(finding.verdict)})" if finding.verdict else ""
    return {
        # GitLab does not show the name of the check.
        "description": f"{finding.code}: {one_line(message_of(finding))}{verdict}",
        "check_name": finding.code,
        "fingerprint": finding.fingerprint,
        "severity": _severity(finding),
        "location": {
            "path": within(finding.place.path, _PROJECT),
            "lines": {"begin": line, "end": end_line},
        },
    }


def _severity(finding: Finding) -> str:
    if finding.verdict and finding.verdict.status is Status.REFUTED:
        return "info"
    return _AS_SET[finding.set_severity] if finding.set_severity else _SEVERITY[finding.level]


def _of_trouble(trouble: Trouble) -> dict[str, Any]:
    identity = f"{trouble.path}\0{trouble.message}".encode("utf-8", "surrogatepass")
    return {
        "description": f"torchlint: {one_line(trouble.message)}",
        "check_name": "torchlint",
        "fingerprint": hashlib.sha256(identity).hexdigest(),
        "severity": "blocker",
        "location": {"path": within(trouble.path, _PROJECT), "lines": {"begin": 1}},
    }
