"""One report with everything a report can hold, in every format, against what was approved."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from everything import away, everything, place, rendered, softmax, syntax, total
from rich.cells import cell_len

from torchlint import reports
from torchlint.findings import Place, Report
from torchlint.reports import Style, html, sarif


@pytest.fixture
def report() -> Report:
    return everything()


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A working directory that no CI system has made, and pages that stay as they are."""
    away(monkeypatch, tmp_path)
    # Pages and versions change, which is no matter of the formats.
    monkeypatch.setattr(sarif, "page", lambda rule: f"# {rule.code}\n\n## Why\n\nSo.\n\nThus.\n")
    monkeypatch.setattr(sarif, "__version__", "1.2.3")
    monkeypatch.setattr(html, "__version__", "1.2.3")
    monkeypatch.setattr(html, "_resource", lambda name: f"/* {name} */\n")


STYLES = {
    "full": Style(),
    "full-80": Style(width=80),
    "full-120": Style(width=120),
    "full-color": Style(width=80, color=True),
    "concise": Style(),
    **dict.fromkeys(set(reports.names()) - {"full"}, Style()),
}


@pytest.mark.parametrize("name", sorted(STYLES))
def test_golden(name: str, report: Report, golden: Callable[[str, str], None]) -> None:
    text = rendered(report, "full" if name.startswith("full") else name, STYLES[name])
    text = text.replace(Path.cwd().as_uri(), "file:///here").replace(str(Path.cwd()), "/here")
    golden(f"{name}.txt", re.sub(r"id=\d+", "id=0", text))  # rich numbers links at random


SCHEMA = {
    "$defs": {
        "text": {"type": "string"},
        "count": {"type": "integer", "minimum": 0},
        "position": {"type": "integer", "minimum": 1},
        "edit": {
            "type": "object",
            "additionalProperties": False,
            "required": ["path", "line", "column", "end_line", "end_column", "cell", "text"],
            "properties": {
                "path": {"$ref": "#/$defs/text"},
                "line": {"$ref": "#/$defs/position"},
                "column": {"$ref": "#/$defs/position"},
                "end_line": {"$ref": "#/$defs/position"},
                "end_column": {"$ref": "#/$defs/position"},
                "cell": {"type": ["integer", "null"]},
                "text": {"$ref": "#/$defs/text"},
            },
        },
        "step": {
            "type": "object",
            "additionalProperties": False,
            "required": [
                *("path", "line", "column", "end_line", "end_column", "cell", "message"),
            ],
            "properties": {
                "path": {"$ref": "#/$defs/text"},
                "line": {"$ref": "#/$defs/position"},
                "column": {"$ref": "#/$defs/position"},
                "end_line": {"$ref": "#/$defs/position"},
                "end_column": {"$ref": "#/$defs/position"},
                "cell": {"type": ["integer", "null"]},
                "message": {"$ref": "#/$defs/text"},
            },
        },
        "fix": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["title", "safety", "edits"],
            "properties": {
                "title": {"$ref": "#/$defs/text"},
                "safety": {"enum": ["safe", "unsafe"]},
                "edits": {"type": "array", "items": {"$ref": "#/$defs/edit"}},
            },
        },
        "verdict": {
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["status", "evidence", "reason", "device", "seconds", "measured"],
            "properties": {
                "status": {"enum": ["confirmed", "refuted", "inconclusive"]},
                "evidence": {"$ref": "#/$defs/text"},
                "reason": {"$ref": "#/$defs/text"},
                "device": {"$ref": "#/$defs/text"},
                "seconds": {"type": "number"},
                "measured": {"type": "array", "items": {"$ref": "#/$defs/series"}},
            },
        },
        "series": {
            "type": "object",
            "additionalProperties": False,
            "required": ["of", "per", "values"],
            "properties": {
                "of": {"$ref": "#/$defs/text"},
                "per": {"$ref": "#/$defs/text"},
                "values": {"type": "array", "items": {"type": "number"}},
            },
        },
        "finding": {
            "type": "object",
            "additionalProperties": False,
            "required": [
                *("code", "name", "level", "message", "path", "line", "column", "end_line"),
                *("end_column", "cell", "scope", "because", "fix", "fingerprint", "url", "verdict"),
            ],
            "properties": {
                "code": {"type": "string", "pattern": "^TL[0-9]{3}$"},
                "name": {"type": "string", "pattern": "^[a-z0-9-]+$"},
                "level": {"enum": ["correctness", "suspicious", "performance", "pedantic"]},
                "message": {"$ref": "#/$defs/text"},
                "path": {"$ref": "#/$defs/text"},
                "line": {"$ref": "#/$defs/position"},
                "column": {"$ref": "#/$defs/position"},
                "end_line": {"$ref": "#/$defs/position"},
                "end_column": {"$ref": "#/$defs/position"},
                "cell": {"type": ["integer", "null"]},
                "scope": {"$ref": "#/$defs/text"},
                "because": {"type": "array", "items": {"$ref": "#/$defs/step"}},
                "fix": {"$ref": "#/$defs/fix"},
                "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "url": {"type": "string", "pattern": "^https://"},
                "verdict": {"$ref": "#/$defs/verdict"},
            },
        },
    },
    "type": "object",
    "additionalProperties": False,
    "required": ["version", "findings", "errors", "summary", "enforced"],
    "properties": {
        "version": {"const": 1},
        "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "message", "fatal"],
                "properties": {
                    "path": {"$ref": "#/$defs/text"},
                    "message": {"$ref": "#/$defs/text"},
                    "fatal": {"type": "boolean"},
                },
            },
        },
        "summary": {
            "type": "object",
            "additionalProperties": False,
            "required": ["files", "checked", "hidden_pedantic", "known", "seconds"],
            "properties": {
                "files": {"$ref": "#/$defs/count"},
                "checked": {"$ref": "#/$defs/count"},
                "hidden_pedantic": {"$ref": "#/$defs/count"},
                "known": {"$ref": "#/$defs/count"},
                "seconds": {"type": "number", "minimum": 0},
            },
        },
        "enforced": {"type": "array", "items": {"$ref": "#/$defs/text"}},
    },
}


def test_json_keeps_the_contract(report: Report) -> None:
    jsonschema.validate(json.loads(rendered(report, "json")), SCHEMA)
    jsonschema.validate(json.loads(rendered(Report(), "json")), SCHEMA)


def test_json_is_ascii(report: Report) -> None:
    path = "src/名.py"
    named = replace(report.findings[0], place=replace(report.findings[0].place, path=path))
    text = rendered(Report(findings=(named,)), "json")
    assert text.isascii()
    assert json.loads(text)["findings"][0]["path"] == path


def test_concise_is_one_line_a_finding(report: Report) -> None:
    broken = replace(softmax(), message="over\ntwo lines")
    lines = rendered(Report(findings=(broken,)), "concise").splitlines()
    assert lines == ["src/train.py:14:26: TL301 over two lines [confirmed]"]


@pytest.mark.parametrize("width", [80, 120])
def test_carets_stand_under_the_code(report: Report, width: int) -> None:
    rows = rendered(report, "full", Style(width=width)).splitlines()
    (code,) = [row for row in rows if row.startswith("14 | ") and "criterion" in row][:1]
    carets = rows[rows.index(code) + 1]
    begin = carets.index("^")
    assert begin == cell_len(code[: code.index("criterion(")])
    assert carets.count("^") == len("criterion(out, y)")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_row_is_wider_than_the_terminal(report: Report, width: int) -> None:
    rows = rendered(report, "full", Style(width=width)).splitlines()
    too_wide = [row for row in rows if cell_len(row) > width and "see: http" not in row]
    assert not too_wide


def test_plain_text_cuts_no_code(report: Report) -> None:
    assert "self.head_of_the_net(x, x)" in rendered(report, "full")


def test_what_is_marked_far_right_is_in_view() -> None:
    text = "x = " + "a + " * 60 + "torch.zeros(3)\n"
    finding = replace(total(), place=place("a.py", text, "torch.zeros(3)"))
    report = Report(findings=(finding,), texts={"a.py": text})
    rows = rendered(report, "full", Style(width=80)).splitlines()
    (code,) = [row for row in rows if "torch.zeros(3)" in row]
    carets = rows[rows.index(code) + 1]
    assert code.startswith("1 | …")
    assert carets.index("^") == code.index("torch.zeros")
    assert carets.rstrip().endswith("^" * len("torch.zeros(3)"))


def test_terminal_escapes_in_code_do_not_reach_the_terminal() -> None:
    text = "x = '\x1b[2J\u202e'; total += loss\n"
    finding = replace(total(), place=place("a.py", text, "total += loss"))
    out = rendered(Report(findings=(finding,), texts={"a.py": text}), "full")
    assert "\x1b" not in out
    assert "\u202e" not in out
    rows = out.splitlines()
    (code,) = [row for row in rows if "total += loss" in row]
    assert rows[rows.index(code) + 1].index("^") == code.index("total += loss")


def test_a_long_stretch_is_shown_by_its_ends() -> None:
    text = "history.append(\n" + "".join(f"    item_{n},\n" for n in range(40)) + ")\n"
    finding = replace(total(), place=place("a.py", text, text.rstrip()))
    out = rendered(Report(findings=(finding,), texts={"a.py": text}), "full")
    assert "item_1," in out
    assert "item_20" not in out
    assert "item_39" in out
    assert "..." in out


def test_github_puts_the_gravest_first_and_columns_on_one_line_only(report: Report) -> None:
    lines = rendered(report, "github").splitlines()
    kinds = [line[2:].split(" ")[0] for line in lines]
    assert kinds == ["error", "error", "error", "error", "warning", "warning", "notice"]
    over_lines = next(line for line in lines if "TL801" in line)
    assert "endLine=19" in over_lines
    assert not re.search(r"col=|endColumn=", over_lines)
    assert "col=26,endColumn=43" in next(line for line in lines if "TL301" in line)


def test_github_escapes(report: Report) -> None:
    odd = replace(report.findings[2], message="100%\nof it", place=Place("a,b:c.py", 1, 1, 1, 2))
    line = rendered(Report(findings=(odd,)), "github")
    assert "file=a%2Cb%3Ac.py" in line
    assert "::100%25%0Aof it" in line
    assert line.count("\n") == 1


def test_reports_keep_the_order(report: Report) -> None:
    backwards = replace(report, findings=report.findings[::-1])
    codes = [finding.code for finding in backwards.findings]
    concise = rendered(backwards, "concise").splitlines()
    assert [line.split(": ")[1].split()[0] for line in concise] == codes
    full = rendered(backwards, "full").splitlines()
    assert [row[:5] for row in full if re.match(r"TL\d{3} ", row)] == codes


def test_places_beyond_the_text_do_not_break_a_report() -> None:
    far = replace(syntax(), place=Place("a.py", 9, 9, 12, 1))
    near = replace(syntax(), place=Place("a.py", 1, 50, 7, 80))
    report = Report(findings=(near, far), texts={"a.py": "x = 1\n"})
    assert "a.py:9:9" in rendered(report, "full")
