"""The page: well formed, alone in the world, and nothing in it is run but its own script."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from everything import everything, place, rendered, softmax, total

from torchlint.findings import Report, Series
from torchlint.reports import html

# Elements without an end, and one whose end may be left out.
VOID = {"meta", "input", "option"}


class Page(HTMLParser):
    """Holds the tags against each other, and keeps what is asked of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.marked: list[tuple[str | None, str]] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
        if self.open and self.open[-1] == "mark":
            self.marked.append((self.elements[-1][1].get("class"), data))

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_every_finding_is_there() -> None:
    report = everything()
    page = Page(rendered(report, "html"))
    assert [each["id"] for each in page.all("article")] == [
        finding.fingerprint for finding in report.findings
    ]
    assert [each["data-severity"] for each in page.all("article")] == [
        *("warning", "error", "warning", "note", "error", "error")
    ]
    assert len(page.all("section")) == 3


def test_it_loads_nothing_and_is_ascii() -> None:
    text = rendered(everything(), "html")
    assert text.isascii()
    page = Page(text)
    named = [name for _, attributes in page.elements for name in attributes]
    assert not {"src", "srcset", "style", "onclick"} & set(named)
    assert not {"link", "img", "iframe", "base"} & {tag for tag, _ in page.elements}
    assert not re.search(r"url\(|@import", text)
    (policy,) = [each for each in page.all("meta") if "http-equiv" in each]
    assert str(policy["content"]).startswith("default-src 'none'")


def test_nothing_found() -> None:
    page = Page(rendered(Report(), "html"))
    assert not page.all("form")
    assert "Found nothing in 0 files." in page.texts


def test_code_stays_text() -> None:
    text = "x = '</pre><script>alert(1)</script>\x00\u202e'; total += loss\n"
    finding = replace(
        total(), message="</h3><script>`<b>`", place=place('a".py', text, "total += loss")
    )
    page = Page(rendered(Report(findings=(finding,), texts={'a".py': text}), "html"))
    assert len(page.all("script")) == 1
    assert page.all("article")[0]["data-file"] == 'a".py'
    assert page.marked == [("strong", "total += loss")]
    assert not {"\x00", "\u202e"} & set("".join(page.texts))


def test_marks() -> None:
    page = Page(rendered(everything(), "html"))
    assert ("strong", "criterion(out, y)") in page.marked
    assert ("step", "F.softmax(x, dim=1)") in page.marked
    over_lines = [text for _, text in page.marked]
    begin = over_lines.index("history.append(")
    assert over_lines[begin : begin + 3] == ["history.append(", "loss,", ")"]


def test_the_finding_wins_over_its_steps() -> None:
    text = "f(g(x))\n"
    inner = place("a.py", text, "g(x)")
    step = replace(softmax().because[0], place=place("a.py", text, "f(g(x))"))
    finding = replace(softmax(), place=inner, because=(step,))
    page = Page(rendered(Report(findings=(finding,), texts={"a.py": text}), "html"))
    assert page.marked == [("step", "f("), ("strong", "g(x)"), ("step", ")")]


def test_repairs_are_shown_as_changes() -> None:
    texts = Page(rendered(everything(), "html")).texts
    assert '+        name = "🔥"; loss = criterion(out.detach(), y)' in texts
    assert '-        名称 = "🔥"; loss = criterion(out, y)' in texts


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node to read it")
def test_the_script_is_javascript() -> None:
    subprocess.run(["node", "--check", "-"], input=html._resource("script.js").encode(), check=True)


def drawn(*measured: Series) -> Page:
    finding = softmax()
    assert finding.verdict is not None
    judged = replace(finding, verdict=replace(finding.verdict, measured=measured))
    return Page(rendered(Report(findings=(judged,)), "html"))


@pytest.mark.parametrize(
    ("values", "heights"),
    [
        ((3.0, 5.0, 7.0), ["40.3", "23.1", "6.0"]),
        ((0.5, -0.5), ["6.0", "66.0"]),
        ((2.0, 2.0, 2.0), ["6.0", "6.0", "6.0"]),
        ((0.0, 0.0), ["6.0", "6.0"]),
    ],
)
def test_what_comes_one_after_the_other_is_a_line(
    values: tuple[float, ...], heights: list[str]
) -> None:
    page = drawn(Series("graph nodes", "round", values))
    (line,) = page.all("polyline")
    assert [point.partition(",")[2] for point in str(line["points"]).split()] == heights
    assert [each["cy"] for each in page.all("circle")] == heights
    assert "graph nodes, round 1: 0.5" in page.texts or values[0] != 0.5


def test_what_is_side_by_side_are_bars() -> None:
    page = drawn(Series("sum of the input", "row", (1.0, 1.0, -2.0)))
    assert [each["height"] for each in page.all("rect")] == ["20.0", "20.0", "40.0"]
    assert not page.all("polyline")


def test_series_share_their_axes() -> None:
    page = drawn(
        Series("|gradient|", "step", (1.0, 2.0)), Series("<b>|fresh|</b>", "step", (1.0, 1.0))
    )
    first, second = page.all("polyline")
    assert str(first["points"]).split()[0] == str(second["points"]).split()[0]
    assert str(first["points"]).split()[1] != str(second["points"]).split()[1]
    assert {"|gradient|", "<b>|fresh|</b>", " by step"} <= set(page.texts)
    assert page.all("svg")[0]["aria-label"] == "|gradient|: 1, 2; <b>|fresh|</b>: 1, 1"


def test_nothing_measured_is_not_drawn() -> None:
    assert not drawn().all("figure")
