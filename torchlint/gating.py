"""Whether a run fails for what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Severity

if TYPE_CHECKING:
    from torchlint.findings import Report
    from torchlint.settings import Settings

_ORDER = list(Severity)


def exit_status(report: Report, settings: Settings) -> int:
    """The report's own status, but 0 where the settings put up with all that was found."""
    if report.exit_status != 1 or report.troubles:
        return report.exit_status
    severities = [finding.severity for finding in report.findings]
    failing = [each for each in severities if _ORDER.index(each) <= _ORDER.index(settings.fail_on)]
    if settings.max_warnings is not None and Severity.ERROR not in failing:
        return int(len(failing) > settings.max_warnings)
    return int(bool(failing))
