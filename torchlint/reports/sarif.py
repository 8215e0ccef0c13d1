"""SARIF 2.1.0, which GitHub code scanning and editors read."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING, Any, TextIO

from torchlint import __version__
from torchlint.findings import Level, Status
from torchlint.frozen import dataclass
from torchlint.pages import page
from torchlint.registry import rules
from torchlint.reports._line_hash import line_hashes
from torchlint.reports._paths import folder_uri, uri
from torchlint.reports._words import in_file, judged, kind, message_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torchlint.findings import Finding as Found
    from torchlint.findings import Fix, Place, Report, Step, Trouble
    from torchlint.registry import Rule
    from torchlint.reports import Style

    Object = dict[str, Any]

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_HOME = "https://github.com/torchlint/torchlint"
_LONGEST = 1024  # that GitHub takes of a description

_PRECISION = {
    Level.CORRECTNESS: "very-high",
    Level.SUSPICIOUS: "high",
    Level.PERFORMANCE: "high",
    Level.PEDANTIC: "medium",
}
_RANK = {
    Level.CORRECTNESS: 75.0,
    Level.SUSPICIOUS: 50.0,
    Level.PERFORMANCE: 40.0,
    Level.PEDANTIC: 20.0,
}
_RANK_OF_VERDICT = {Status.CONFIRMED: 95.0, Status.REFUTED: 5.0}

# How bad it is, of 10, where what a rule finds lets others run code.
_SECURITY = {"TL903": "8.1"}


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the log; in ASCII, so that no encoding of the output can break it."""
    json.dump({"$schema": _SCHEMA, "version": "2.1.0", "runs": [_run(report)]}, out, indent=2)
    out.write("\n")


def _run(report: Report) -> Object:
    table = rules()
    used = sorted({finding.code for finding in report.findings})
    hashes = _Hashes(report.texts)
    return {
        "tool": {
            "driver": {
                "name": "torchlint",
                "version": __version__,
                "semanticVersion": __version__,
                "informationUri": _HOME,
                "rules": [_rule(table[code]) for code in used],
            }
        },
        # Its category: uploads of other tools do not replace this one.
        "automationDetails": {"id": "torchlint/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": [
            _Result(finding, used.index(finding.code), hashes).as_object()
            for finding in report.findings
        ],
    }


def _rule(rule: Rule) -> Object:
    text = page(rule)
    properties = {
        "tags": ["pytorch", str(rule.level)],
        "precision": _PRECISION[rule.level],
        "problem.severity": _problem_severity(rule),
    }
    if rule.code in _SECURITY:
        properties["tags"] = ["security", "pytorch", str(rule.level)]
        properties["security-severity"] = _SECURITY[rule.code]
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": _why(text) or rule.summary},
        "help": {"text": f"{rule.summary}\n{rule.url}", "markdown": text},
        "helpUri": rule.url,
        "defaultConfiguration": {"level": str(rule.level.severity)},
        "properties": properties,
    }


def _problem_severity(rule: Rule) -> str:
    return "recommendation" if rule.level is Level.PEDANTIC else str(rule.level.severity)


def _why(text: str) -> str:
    """The first paragraph of the page's reasons, as much of it as is shown."""
    paragraph = text.partition("\n## Why\n")[2].strip().partition("\n\n")[0]
    whole = " ".join(paragraph.split())
    return whole if len(whole) <= _LONGEST else whole[: _LONGEST - 1] + "…"


def _invocation(report: Report) -> Object:
    said = [_notification("error", trouble.message, trouble) for trouble in report.troubles]
    said += [_notification("warning", warning) for warning in report.warnings]
    invocation: Object = {
        "executionSuccessful": report.exit_status != 2,
        "exitCode": report.exit_status,
        "workingDirectory": {"uri": folder_uri()},
        "toolExecutionNotifications": said,
    }
    if report.enforced:
        invocation["properties"] = {"torchlint/enforced": list(report.enforced)}
    return invocation


def _notification(level: str, message: str, trouble: Trouble | None = None) -> Object:
    notification: Object = {"level": level, "message": {"text": message}}
    if trouble and trouble.path:
        location = {"physicalLocation": {"artifactLocation": {"uri": uri(trouble.path)}}}
        notification["locations"] = [location]
    return notification


@dataclass
class _Hashes:
    """The hashes of the lines of each file, computed once where they are asked for."""

    texts: Mapping[str, str]
    _known: dict[str, list[str]] = field(default_factory=dict)

    def at(self, place: Place) -> str | None:
        """That of the line that the place begins in, if its file was read."""
        if place.path not in self.texts or place.cell is not None:
            return None
        if place.path not in self._known:
            self._known[place.path] = line_hashes(self.texts[place.path])
        known = self._known[place.path]
        return known[place.line - 1] if place.line <= len(known) else None


@dataclass
class _Result:
    """A finding on its way into the log."""

    finding: Found
    index: int
    hashes: _Hashes

    def as_object(self) -> Object:
        """The result, without the properties that there is nothing to say in."""
        whole: Object = {
            "ruleId": self.finding.code,
            "ruleIndex": self.index,
            "level": kind(self.finding),
            "message": {"text": self._message},
            "locations": [self._location],
            "partialFingerprints": dict(self._fingerprints()),
            "codeFlows": self._flows,
            "fixes": self._fixes,
            "suppressions": self._suppressions,
            "rank": self._rank,
            "properties": self._properties,
        }
        return {name: value for name, value in whole.items() if value not in ([], {})}

    @property
    def _message(self) -> str:
        verdict = f"\n{judged(self.finding.verdict)}" if self.finding.verdict else ""
        return message_of(self.finding) + verdict

    @property
    def _location(self) -> Object:
        location = _located(self.finding.place)
        if self.finding.scope:
            location["logicalLocations"] = [{"fullyQualifiedName": self.finding.scope}]
        return location

    def _fingerprints(self) -> Iterator[tuple[str, str]]:
        line = self.hashes.at(self.finding.place)
        if line:
            yield "primaryLocationLineHash", line
        yield "torchlint/v1", self.finding.fingerprint

    @property
    def _flows(self) -> list[Object]:
        """The chain of places, which ends at the finding."""
        if not self.finding.because:
            return []
        steps = [_step(step) for step in self.finding.because]
        end = _located(self.finding.place, message_of(self.finding))
        return [{"threadFlows": [{"locations": [*steps, {"location": end}]}]}]

    @property
    def _fixes(self) -> list[Object]:
        fix = self.finding.fix
        # A place in a cell is none in the file.
        if fix is None or any(edit.place.cell is not None for edit in fix.edits):
            return []
        changes = [_changes(path, fix) for path in dict.fromkeys(_paths(fix))]
        properties = {"torchlint/safety": str(fix.safety)}
        title = {"text": fix.title}
        return [{"description": title, "artifactChanges": changes, "properties": properties}]

    @property
    def _suppressions(self) -> list[Object]:
        """What an execution has refuted is set aside, with what was seen."""
        verdict = self.finding.verdict
        if verdict is None or verdict.status is not Status.REFUTED:
            return []
        return [{"kind": "external", "justification": judged(verdict)}]

    @property
    def _rank(self) -> float:
        verdict = self.finding.verdict
        by_level = _RANK[self.finding.level]
        return _RANK_OF_VERDICT.get(verdict.status, by_level) if verdict else by_level

    @property
    def _properties(self) -> Object:
        properties: Object = {"torchlint/level": str(self.finding.level)}
        if self.finding.verdict:
            properties["torchlint/confirmation"] = str(self.finding.verdict.status)
        return properties


def _paths(fix: Fix) -> Iterator[str]:
    return (edit.place.path for edit in fix.edits)


def _changes(path: str, fix: Fix) -> Object:
    replacements = [
        {"deletedRegion": _region(edit.place), "insertedContent": {"text": edit.text}}
        for edit in fix.edits
        if edit.place.path == path
    ]
    return {"artifactLocation": {"uri": uri(path)}, "replacements": replacements}


def _step(step: Step) -> Object:
    return {"location": _located(step.place, step.message)}


def _located(place: Place, message: str = "") -> Object:
    physical = {"artifactLocation": {"uri": uri(place.path)}, "region": _region(place)}
    location: Object = {"physicalLocation": physical}
    if message:
        location["message"] = {"text": message}
    return location


def _region(place: Place) -> Object:
    line, column, end_line, end_column = in_file(place)
    return {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }
