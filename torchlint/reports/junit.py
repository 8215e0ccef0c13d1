"""JUnit's XML, which most CI systems show: a file is a suite, a finding a test that failed."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, TextIO
from xml.etree import ElementTree

from torchlint.registry import rules
from torchlint.reports import where
from torchlint.reports._words import explained, in_file, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

# What XML cannot hold, not even as a reference.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the suites; one test that passes says that nothing was found."""
    suites = list(_suites(report))
    root = _element("testsuites", name="torchlint", **_counts(suites))
    root.set("time", f"{report.summary.seconds:.3f}")
    root.extend(suites)
    ElementTree.indent(root)
    # In ASCII, so that no encoding of the output can break it.
    text = ElementTree.tostring(root, encoding="us-ascii").decode("ascii")
    out.write(f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n')


def _suites(report: Report) -> Iterator[ElementTree.Element]:
    if report.troubles:
        yield _suite("torchlint", [_of_trouble(trouble) for trouble in report.troubles])
    for path, group in groupby(report.findings, key=lambda finding: finding.place.path):
        suite = _suite(path, [_of_finding(finding) for finding in group])
        if report.enforced:
            suite.insert(0, _enforced(report))
        yield suite
    if not report.findings and not report.troubles:
        # CI systems take a report without tests for a run that went wrong.
        yield _suite("torchlint", [_element("testcase", classname="torchlint", name="all files")])


def _enforced(report: Report) -> ElementTree.Element:
    """What restrained the code that was run: of a suite, for the whole has no properties."""
    properties = _element("properties")
    held = ", ".join(report.enforced)
    properties.append(_element("property", name="torchlint.enforced", value=held))
    return properties


def _suite(name: str, cases: list[ElementTree.Element]) -> ElementTree.Element:
    failures = sum(case.find("failure") is not None for case in cases)
    errors = sum(case.find("error") is not None for case in cases)
    counts = {"tests": str(len(cases)), "failures": str(failures), "errors": str(errors)}
    suite = _element("testsuite", name=name, **counts)
    suite.extend(cases)
    return suite


def _counts(suites: list[ElementTree.Element]) -> dict[str, str]:
    names = ("tests", "failures", "errors")
    return {name: str(sum(int(suite.get(name, 0)) for suite in suites)) for name in names}


def _of_finding(finding: Finding) -> ElementTree.Element:
    place = finding.place
    case = _element(
        "testcase",
        classname=place.path.removesuffix(".py").replace("/", "."),
        name=f"{finding.code} {finding.name} at {where(place)}",
        file=place.path,
        line=str(in_file(place)[0]),
    )
    failure = _element("failure", type=finding.code, message=one_line(finding.message))
    lines = (where(place), *explained(finding), rules()[finding.code].url)
    failure.text = _plain("\n".join(lines))
    case.append(failure)
    return case


def _of_trouble(trouble: Trouble) -> ElementTree.Element:
    case = _element("testcase", classname="torchlint", name=trouble.path or "torchlint")
    case.append(_element("error", type="torchlint", message=one_line(trouble.message)))
    return case


def _element(tag: str, **attributes: str) -> ElementTree.Element:
    return ElementTree.Element(tag, {name: _plain(text) for name, text in attributes.items()})


def _plain(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
