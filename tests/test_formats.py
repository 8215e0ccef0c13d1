"""Formats for machines: what each consumer demands of lines, columns, words and escapes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from everything import TRAIN, away, detached, everything, place, rendered, softmax, syntax

from torchlint import reports
from torchlint.api import check
from torchlint.findings import Edit, Finding, Fix, Place, Report, Safety


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A working directory that no CI system has made."""
    away(monkeypatch, tmp_path)


ORDER = [finding.code for finding in everything().findings]


def loaded(name: str, report: Report | None = None) -> Any:
    return json.loads(rendered(everything() if report is None else report, name))


def odd(message: str, path: str = "a.py") -> Report:
    return Report(findings=(replace(syntax(), message=message, place=Place(path, 1, 1, 1, 2)),))


def test_grouped_names_each_file_once() -> None:
    lines = rendered(everything(), "grouped").splitlines()
    files = [line for line in lines if line.endswith(":") and not line.startswith(" ")]
    assert files == ["notes/my réseau.ipynb:", "src/train.py:", "tools/old.py:"]
    assert "  cell 3:2:7  TL903 what is loaded" in "\n".join(lines)
    assert rendered(Report(), "grouped") == "Found nothing in 0 files.\n"


def test_json_lines_are_the_findings_of_json() -> None:
    lines = rendered(everything(), "json-lines").splitlines()
    whole = loaded("json")
    assert [json.loads(line) for line in lines] == [
        {"version": whole["version"], **finding} for finding in whole["findings"]
    ]
    assert rendered(Report(), "json-lines") == ""


class TestGitlab:
    def test_each_issue_has_what_gitlab_requires(self) -> None:
        issues = loaded("gitlab")
        for issue in issues:
            assert set(issue) == {
                *("description", "check_name", "fingerprint", "severity", "location")
            }
            assert issue["severity"] in {"info", "minor", "major", "critical", "blocker"}
            assert issue["location"]["lines"]["begin"] >= 1
            assert issue["description"].startswith(f"{issue['check_name']}: ")
            assert "\n" not in issue["description"]
        assert len({issue["fingerprint"] for issue in issues}) == len(issues)
        assert [issue["check_name"] for issue in issues] == ["torchlint", *ORDER]

    def test_nothing_is_an_empty_list(self) -> None:
        assert loaded("gitlab", Report()) == []

    def test_what_is_in_a_notebook_is_at_its_line_of_the_file(self) -> None:
        (issue,) = [each for each in loaded("gitlab") if each["check_name"] == "TL903"]
        assert issue["location"]["lines"] == {"begin": 57, "end": 57}
        assert "cell 3, line 2: " in issue["description"]


@pytest.mark.parametrize(
    ("name", "variable"), [("gitlab", "CI_PROJECT_DIR"), ("github", "GITHUB_WORKSPACE")]
)
def test_paths_begin_at_the_repository(
    name: str, variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "sub"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv(variable, str(tmp_path))
    written = rendered(odd("x"), name)
    assert "sub/a.py" in written
    assert "sub" not in rendered(odd("x", "../a.py"), name)
    monkeypatch.setenv(variable, str(tmp_path / "other"))
    assert "other" not in rendered(odd("x"), name)


class TestAzure:
    def test_the_gravest_come_first_in_two_kinds(self) -> None:
        lines = rendered(everything(), "azure").splitlines()
        kinds = [line.partition("type=")[2].partition(";")[0] for line in lines]
        assert kinds == ["error"] * 4 + ["warning"] * 3
        assert all(line.startswith("##vso[task.logissue type=") for line in lines)

    def test_paths_are_absolute(self) -> None:
        line = rendered(odd("x"), "azure")
        assert f"sourcepath={Path.cwd() / 'a.py'};linenumber=1;columnnumber=1;" in line

    def test_escapes(self) -> None:
        line = rendered(odd("100%; of [it]\nand\r", "a;b]c%.py"), "azure")
        assert "a%3Bb%5Dc%AZP25.py;" in line
        assert "]100%AZP25; of [it]%0Aand%0D%0A" in line
        assert line.count("\n") == 1


class TestJunit:
    def test_counts(self) -> None:
        root = ElementTree.fromstring(rendered(everything(), "junit"))
        assert root.attrib | {"time": ""} == {
            "name": "torchlint",
            "tests": "7",
            "failures": "6",
            "errors": "1",
            "time": "",
        }
        for suite in root:
            assert int(suite.attrib["tests"]) == len(suite.findall("testcase"))
        failures = [failure.attrib["type"] for failure in root.iter("failure")]
        assert failures == ORDER

    def test_nothing_found_is_a_test_that_passes(self) -> None:
        root = ElementTree.fromstring(rendered(Report(), "junit"))
        assert (root.attrib["tests"], root.attrib["failures"]) == ("1", "0")
        assert len(list(root.iter("testcase"))) == 1

    def test_what_xml_cannot_hold(self) -> None:
        text = rendered(odd("\x00\x1b[2J\ud800\uffff <&\"'> 名", "a&b\x01.py"), "junit")
        assert text.isascii()
        (failure,) = ElementTree.fromstring(text).iter("failure")
        assert failure.attrib["message"] == "��[2J�� <&\"'> 名"


class TestRdjson:
    def test_columns_count_bytes(self) -> None:
        diagnostic = loaded("rdjson")["diagnostics"][ORDER.index("TL301")]
        line = TRAIN.splitlines()[13].encode()
        start = line.index(b"criterion(out") + 1
        assert diagnostic["location"] == {
            "path": "src/train.py",
            "range": {
                "start": {"line": 14, "column": start},
                "end": {"line": 14, "column": start + len("criterion(out, y)")},
            },
        }
        assert [each["location"]["path"] for each in diagnostic["related_locations"]] == [
            *("src/train.py", "src/net.py", "src/train.py")
        ]

    def test_a_suggestion_does_the_whole_repair(self) -> None:
        (suggestion,) = loaded("rdjson")["diagnostics"][ORDER.index("TL105")]["suggestions"]
        begin, end = suggestion["range"]["start"], suggestion["range"]["end"]
        line = TRAIN.splitlines()[13].encode()
        assert (begin["line"], end["line"]) == (14, 14)
        made = line[: begin["column"] - 1] + suggestion["text"].encode() + line[end["column"] - 1 :]
        assert made.decode() == '        name = "🔥"; loss = criterion(out.detach(), y)'

    def test_repairs_elsewhere_are_not_suggested(self) -> None:
        diagnostics = loaded("rdjson")["diagnostics"]
        suggested = [each["code"]["value"] for each in diagnostics if "suggestions" in each]
        assert suggested == ["TL105"]

    def test_edits_over_lines(self) -> None:
        edits = (
            Edit(place("src/train.py", TRAIN, "loss.backward()"), "a"),
            Edit(place("src/train.py", TRAIN, "optimizer.step()"), "b"),
        )
        finding = replace(detached(), fix=Fix("Both", Safety.SAFE, edits[::-1]))
        report = Report(findings=(finding,), texts={"src/train.py": TRAIN})
        (diagnostic,) = loaded("rdjson", report)["diagnostics"]
        assert diagnostic["suggestions"][0]["text"] == "a\n        b"
        (unknown,) = loaded("rdjson", replace(report, texts={}))["diagnostics"]
        assert "suggestions" not in unknown

    def test_severities(self) -> None:
        severities = [each["severity"] for each in loaded("rdjson")["diagnostics"]]
        assert severities == ["WARNING", "ERROR", "WARNING", "INFO", "ERROR", "ERROR"]


@pytest.mark.parametrize("name", ["gitlab", "rdjson", "junit", "json-lines", "sarif"])
def test_in_ascii_so_that_no_encoding_breaks_it(name: str) -> None:
    assert rendered(everything(), name).isascii()


@pytest.mark.parametrize(
    "name", ["gitlab", "rdjson", "junit", "azure", "github", "grouped", "sarif", "markdown"]
)
@pytest.mark.parametrize("finding", [softmax(), detached(), syntax()], ids=lambda each: each.code)
def test_places_beyond_the_text_do_not_break_it(name: str, finding: Finding) -> None:
    far = replace(finding, place=Place("a.py", 7, 90, 12, 1))
    assert finding.code in rendered(Report(findings=(far,), texts={"a.py": "x = 1\n"}), name)


class TestMarkdown:
    def rows(self, report: Report) -> list[str]:
        return [row for row in rendered(report, "markdown").splitlines() if row.startswith("|")]

    def test_the_gravest_come_first(self) -> None:
        kinds = [row.split(" | ")[0].strip("| ") for row in self.rows(everything())[2:]]
        assert kinds == ["error"] * 3 + ["warning"] * 2 + ["note"]

    def test_a_row_has_four_cells_whatever_is_said(self) -> None:
        (row,) = self.rows(odd("a | b `c | d`\n<b> *x* [y](z)", "a|b.py"))[2:]
        assert len(re.split(r"(?<!\\)\|", row)) == 6
        assert r"a \| b `c \| d` \<b\> \*x\* \[y\](z) |" in row
        assert r"`a\|b.py:1:1`" in row

    def test_places_link_to_the_commit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for name, value in (
            ("GITHUB_SERVER_URL", "https://github.com"),
            ("GITHUB_REPOSITORY", "o/r"),
            ("GITHUB_SHA", "abc"),
            ("GITHUB_WORKSPACE", str(Path.cwd().parent)),
        ):
            monkeypatch.setenv(name, value)
        text = rendered(everything(), "markdown")
        folder = Path.cwd().name
        link = f"https://github.com/o/r/blob/abc/{folder}/src/train.py#L17-L19"
        assert f"[`src/train.py:17:9`]({link})" in text
        assert f"/{folder}/notes/my%20r%C3%A9seau.ipynb?plain=1#L57)" in text

    def test_it_stays_below_what_is_shown(self) -> None:
        finding = replace(softmax(), message="x" * 1000)
        text = rendered(Report(findings=(finding,) * 2000), "markdown")
        assert len(text.encode()) < 2**20
        assert "more rows are left out here" in text
        assert "more explanations are left out here" in text


PROJECT = {
    "train.py": """\
import torch
from torch import nn
from net import Net

# 损失函数 🔥
criterion = nn.CrossEntropyLoss()
model = Net()
名称 = "🔥"; loss = criterion(model(torch.randn(8, 4)), torch.zeros(8, dtype=torch.long))
loss.backward()
""",
    "net.py": """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))

    def forward(self, x):
        return self.layers(x)
""",
    "meant.py": """\
import torch
from torch.nn import functional as F

x = torch.randn(4, 3, requires_grad=True)
loss = F.cross_entropy(x.softmax(1), torch.zeros(4, dtype=torch.long))  # torchlint: ignore[TL301]
loss.backward()
""",
    "old.py": 'import torch\nprint "x"\n',
}

FOUND = {
    "azure": lambda text: re.findall(r"code=(TL\d+)", text),
    "concise": lambda text: re.findall(r": (TL\d+) ", text),
    "full": lambda text: re.findall(r"^(TL\d+) ", text, re.MULTILINE),
    "github": lambda text: re.findall(r"title=(TL\d+)", text),
    "gitlab": lambda text: [each["check_name"] for each in json.loads(text)],
    "grouped": lambda text: re.findall(r"^  \d+:\d+ +(TL\d+) ", text, re.MULTILINE),
    "html": lambda text: re.findall(r'data-rule="(TL\d+)', text),
    "json": lambda text: [each["code"] for each in json.loads(text)["findings"]],
    "json-lines": lambda text: [json.loads(line)["code"] for line in text.splitlines()],
    "junit": lambda text: re.findall(r'<failure type="(TL\d+)"', text),
    "markdown": lambda text: re.findall(r"\| \[(TL\d+)\]", text),
    "rdjson": lambda text: [each["code"]["value"] for each in json.loads(text)["diagnostics"]],
    "sarif": lambda text: [each["ruleId"] for each in json.loads(text)["runs"][0]["results"]],
}


def test_all_formats_tell_the_same_of_a_project() -> None:
    """What is suppressed is in none; a syntax error and a finding over two files are in all."""
    for name, text in PROJECT.items():
        Path(name).write_text(text, "utf-8")
    report = check(["."])
    codes = [finding.code for finding in report.findings]
    assert sorted(codes) == ["TL001", "TL301"]
    (softmax_found,) = [finding for finding in report.findings if finding.code == "TL301"]
    assert softmax_found.because
    assert set(FOUND) == set(reports.names())
    for name, codes_in in FOUND.items():
        assert sorted(codes_in(rendered(report, name))) == sorted(codes), name


@pytest.mark.parametrize(
    ("fixes", "said"),
    [
        ([], "Found 1 problem in 1 file."),
        ([Safety.SAFE], "Found 1 problem in 1 file; 1 fixable with --fix."),
        ([Safety.UNSAFE], "Found 1 problem in 1 file; 1 fixable with --fix --unsafe-fixes."),
        (
            [Safety.UNSAFE, Safety.SAFE, Safety.UNSAFE],
            "Found 3 problems in 1 file; 1 fixable with --fix, 2 more with --unsafe-fixes.",
        ),
    ],
)
def test_the_summary_says_what_can_be_fixed(fixes: list[Safety], said: str) -> None:
    findings = tuple(replace(syntax(), fix=Fix("Mend it", safety, ())) for safety in fixes)
    report = Report(findings=findings or (syntax(),))
    assert reports.summary(report) == said
