"""Markdown as GitHub and GitLab show it, for the summary of a step or a comment on a change."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, TextIO
from urllib.parse import quote

from torchlint.registry import rules
from torchlint.reports import where
from torchlint.reports._paths import within
from torchlint.reports._words import gravest_first, judged, kind, one_line, restraints, summary

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.findings import Finding, Place, Report, Trouble
    from torchlint.reports import Style

# GitHub shows no summary of more than a mebibyte.
_MOST_BYTES = 1_000_000

_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_MARKUP = re.compile(r"([\\`*_\[\]#~<>$])")


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write a table, the gravest first, with what is known of each finding beneath."""
    out.write(f"### torchlint\n\n{_inline(summary(report))}\n")
    if report.enforced:
        out.write(f"\n{_inline(restraints(report))}\n")
    if report.troubles:
        out.write("\n")
        out.writelines(f"- {_of_trouble(trouble)}\n" for trouble in report.troubles)
    findings = gravest_first(report.findings)
    if findings:
        out.write("\n| | place | rule | what |\n| --- | --- | --- | --- |\n")
        _write_some(out, [_row(finding) for finding in findings], "rows")
    details = [_details(finding) for finding in findings if _has_details(finding)]
    _write_some(out, details, "explanations")


def _write_some(out: TextIO, parts: list[str], name: str) -> None:
    """As many as half of what is shown has room for."""
    room = _MOST_BYTES // 2
    for done, part in enumerate(parts):
        room -= len(part.encode("utf-8", "surrogatepass"))
        if room < 0:
            out.write(f"\n{len(parts) - done} more {name} are left out here.\n")
            return
        out.write(part)


def _of_trouble(trouble: Trouble) -> str:
    subject = f"{_code(trouble.path)}: " if trouble.path else ""
    return f"**error** {subject}{_inline(trouble.message)}"


def _row(finding: Finding) -> str:
    verdict = f" **{finding.verdict.status}**" if finding.verdict else ""
    rule = f'[{finding.code}]({rules()[finding.code].url} "{finding.name}")'
    cells = (kind(finding), _place(finding.place), rule, _inline(finding.message) + verdict)
    # A bar ends a cell even within code, unless it is escaped.
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _has_details(finding: Finding) -> bool:
    return bool(finding.because or finding.fix or finding.verdict)


def _details(finding: Finding) -> str:
    # Inside of <summary>, Markdown is not read.
    head = _escaped_html(f"{finding.code} {where(finding.place)}")
    lines = "\n".join(f"{number}. {text}" for number, text in enumerate(_chain(finding), start=1))
    notes = "\n".join(f"- {note}" for note in _notes(finding))
    body = "\n\n".join(part for part in (lines, notes) if part)
    return f"\n<details><summary>{head}</summary>\n\n{body}\n\n</details>\n"


def _chain(finding: Finding) -> Iterator[str]:
    for step in finding.because:
        yield f"{_place(step.place)}: {_inline(step.message)}"


def _notes(finding: Finding) -> Iterator[str]:
    if finding.fix:
        yield f"help ({finding.fix.safety} fix): {_inline(finding.fix.title)}"
    if finding.verdict:
        yield _inline(judged(finding.verdict))


def _place(place: Place) -> str:
    """Path and line, linked to the code where a GitHub workflow says where that is."""
    shown = _code(where(place))
    names = ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA")
    server, repository, commit = (os.environ.get(name, "") for name in names)
    if not (server and repository and commit) or os.path.isabs(place.path):
        return shown
    path = quote(os.fsencode(within(place.path, "GITHUB_WORKSPACE")))
    # Lines of a notebook are there only while it is not rendered.
    lines = f"#L{place.line}-L{place.end_line}" if place.cell is None else f"?plain=1#L{place.row}"
    return f"[{shown}]({server}/{repository}/blob/{commit}/{path}{lines})"


def _inline(text: str) -> str:
    """A message in one line: what is code in it stays so, and the rest is no markup."""
    text = one_line(text)
    made, end = "", 0
    for match in _CODE.finditer(text):
        made += _escaped(text[end : match.start()])
        made += match[0]
        end = match.end()
    return made + _escaped(text[end:])


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)


def _escaped_html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _code(text: str) -> str:
    """The text as code, between more backticks than there are in a row in it."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    blank = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{blank}{one_line(text)}{blank}{fence}"
