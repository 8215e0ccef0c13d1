"""A page that needs nothing but a browser: code, chains of places, repairs, verdicts, filters."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, TextIO

from torchlint import __version__
from torchlint.findings import Status
from torchlint.registry import rules
from torchlint.reports import where
from torchlint.reports._cells import tame
from torchlint.reports._words import KINDS, kind, one_line, restraints, summary
from torchlint.reports.html._code import difference, frames
from torchlint.reports.html._plot import plot
from torchlint.sources.lines import split

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from torchlint.findings import Finding, Report, Trouble
    from torchlint.reports import Style

# Nothing is loaded, whatever the code that is shown may hold.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
_NO_VERDICT = "none"


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write the page; in ASCII, so that no encoding of the output can break it."""
    text = "\n".join(_page(report)) + "\n"
    out.write(text.encode("ascii", "xmlcharrefreplace").decode("ascii"))


def _page(report: Report) -> Iterator[str]:
    said = escape(summary(report))
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>torchlint: {said}</title>\n<style>\n{_resource('style.css')}</style>\n</head>"
    yield f'<body>\n<header>\n<h1>torchlint</h1>\n<p class="summary">{said}</p>'
    if report.enforced:
        yield f"<p>{_text(restraints(report))}</p>"
    yield from (_of_trouble(trouble) for trouble in report.troubles)
    if report.findings:
        yield from _filters(report.findings)
    yield '</header>\n<main id="findings">'
    lines = {path: split(text) for path, text in report.texts.items()}
    for path, group in groupby(report.findings, key=lambda finding: finding.place.path):
        yield f"<section>\n<h2>{_text(path)}</h2>"
        for finding in group:
            yield from _finding(finding, lines)
        yield "</section>"
    yield f"</main>\n<footer>torchlint {__version__}</footer>"
    yield f"<script>\n{_resource('script.js')}</script>\n</body>\n</html>"


def _resource(name: str) -> str:
    return files(__name__).joinpath(name).read_text("ascii")


def _of_trouble(trouble: Trouble) -> str:
    subject = f"<code>{_text(trouble.path)}</code>: " if trouble.path else ""
    return f'<p class="trouble">{subject}{_text(trouble.message)}</p>'


def _filters(findings: Sequence[Finding]) -> Iterator[str]:
    """What narrows the page down, as far as there is anything to choose; it works by the script."""
    yield '<form id="filters" hidden>'
    yield '<label>Search <input type="search" name="search"></label>'
    yield '<label>Group by <select name="group"><option>file<option>rule</select></label>'
    severities = {kind(finding) for finding in findings}
    yield from _boxes("severity", [name for name in KINDS if name in severities])
    verdicts = {_verdict(finding) for finding in findings}
    yield from _boxes("verdict", [name for name in (*Status, _NO_VERDICT) if name in verdicts])
    yield '<output id="count"></output>\n</form>'


def _boxes(name: str, values: Sequence[str]) -> Iterator[str]:
    if len(values) < 2:
        return
    yield f"<fieldset><legend>{name}</legend>"
    for value in values:
        box = f'<input type="checkbox" name="{name}" value="{value}" checked>'
        yield f"<label>{box} {value}</label>"
    yield "</fieldset>"


def _verdict(finding: Finding) -> str:
    return str(finding.verdict.status) if finding.verdict else _NO_VERDICT


def _finding(finding: Finding, lines: Mapping[str, Sequence[str]]) -> Iterator[str]:
    severity = kind(finding)
    data = {
        "file": finding.place.path,
        "rule": f"{finding.code} {finding.name}",
        "severity": severity,
        "verdict": _verdict(finding),
    }
    listed = " ".join(f'data-{name}="{_text(value)}"' for name, value in data.items())
    yield f'<article id="{finding.fingerprint}" {listed}>'
    link = f'<a href="{escape(rules()[finding.code].url)}">{finding.code} {finding.name}</a>'
    yield f'<h3><span class="{severity}">{severity}</span> {link} {_prose(finding.message)}</h3>'
    yield f'<p class="place">{_text(where(finding.place))}</p>'
    yield from frames(finding, lines)
    yield from _verdict_of(finding)
    if finding.fix:
        yield f"<details><summary>{finding.fix.safety} fix: {_prose(finding.fix.title)}</summary>"
        yield from difference(finding.fix, lines)
        yield "</details>"
    yield "</article>"


def _verdict_of(finding: Finding) -> Iterator[str]:
    verdict = finding.verdict
    if verdict is None:
        return
    ran = "" if verdict.reason else f" by running it ({verdict.device}, {verdict.seconds:.1f} s)"
    said = _prose(verdict.evidence or verdict.reason)
    yield f'<p class="verdict {verdict.status}"><b>{verdict.status}</b>{ran}: {said}</p>'
    yield from plot(verdict.measured)


def _prose(text: str) -> str:
    """A message, with what stands between backticks as code."""
    text = one_line(text)
    parts = text.split("`")
    if len(parts) % 2 == 0:  # one is left over
        return _text(text)
    return "".join(_tagged(parts))


def _tagged(parts: Iterable[str]) -> Iterator[str]:
    for number, part in enumerate(parts):
        yield f"<code>{_text(part)}</code>" if number % 2 else _text(part)


def _text(text: str) -> str:
    return escape("".join(map(tame, text)))
