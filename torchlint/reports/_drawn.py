"""For people: the code with the chain of places, the repair, the verdict and its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.text import Text

from torchlint.findings import Status
from torchlint.registry import rules
from torchlint.reports import Style, where
from torchlint.reports._frame import GUTTER, Frame, by_file, fold
from torchlint.reports._words import restraints, summary
from torchlint.sources.lines import split

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from torchlint.findings import Finding, Report, Verdict
    from torchlint.reports._frame import Label

_STEP = "cyan"
_SEVERITY = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}
_VERDICT = {
    Status.CONFIRMED: "bold green",
    Status.REFUTED: "bold magenta",
    Status.INCONCLUSIVE: "yellow",
}


def render(report: Report, out: TextIO, style: Style) -> None:
    """Write each finding with its code, and how many there are."""
    console = Console(
        file=out,
        force_terminal=style.color,
        color_system="standard" if style.color else None,
        highlight=False,
        markup=False,
        emoji=False,
    )
    lines = {path: split(text) for path, text in report.texts.items()}
    explained: set[str] = set()
    for finding in report.findings:
        drawn = _Drawing(finding, lines, style.width, finding.code not in explained)
        explained.add(finding.code)
        for row in drawn.rows():
            console.print(row, soft_wrap=True)
        console.print()
    if not style.quiet:
        for said in (Text(summary(report), "bold"), Text(restraints(report))):
            for row in fold(said, style.width) if said else ():
                console.print(row, soft_wrap=True)


class _Drawing:
    """One finding on its way to the screen."""

    def __init__(
        self,
        finding: Finding,
        lines: Mapping[str, Sequence[str]],
        width: int | None,
        is_first: bool,
    ) -> None:
        self.finding = finding
        self.url = rules()[finding.code].url
        self.lines = lines
        self.width = width
        self.is_first = is_first
        places = (finding.place, *(step.place for step in finding.because))
        self.gutter = len(str(max(place.end_line for place in places)))

    def rows(self) -> Iterator[Text]:
        """From the header to the last note."""
        yield from self._header()
        for labels in by_file(self.finding, _SEVERITY[self.finding.severity], _STEP):
            yield from self._frame(labels)
        for name, text, style in self._notes():
            yield from self._note(name, text, style)
        if self.is_first:  # in one piece, so that it can be followed
            yield self._margin() + Text.assemble(("see: ", "bold"), self.url)

    def _header(self) -> Iterator[Text]:
        finding = self.finding
        color = _SEVERITY[finding.severity]
        header = Text.assemble(
            (finding.code, f"{color} link {self.url}"),
            (f" {finding.name}: ", "bold"),
            (finding.message, "bold"),
        )
        return self._hanging(Text(), header, indent=2)

    def _frame(self, labels: list[Label]) -> Iterator[Text]:
        place = labels[0].place
        arrow = " " * self.gutter + "--> "
        yield Text.assemble((arrow, GUTTER), where(place))
        lines = self.lines.get(place.unit, ())
        known = [label for label in labels if label.place.line <= len(lines)]
        if known:
            yield from Frame(lines, known, self.gutter, self.width).draw()

    def _notes(self) -> Iterator[tuple[str, str, str]]:
        finding = self.finding
        if finding.fix:
            yield "help", finding.fix.title, "bold cyan"
        if finding.verdict:
            yield *_judged(finding.verdict), _VERDICT[finding.verdict.status]

    def _note(self, name: str, text: str, style: str) -> Iterator[Text]:
        return self._hanging(self._margin(), Text.assemble((f"{name}: ", style), text), indent=2)

    def _margin(self) -> Text:
        return Text.assemble((" " * self.gutter + " = ", GUTTER))

    def _hanging(self, margin: Text, text: Text, indent: int) -> Iterator[Text]:
        """The text after the margin; further lines are indented a little more."""
        room = None if self.width is None else max(self.width - len(margin) - indent, 20)
        for index, line in enumerate(fold(text, room)):
            yield margin + line if index == 0 else Text(" " * (len(margin) + indent)) + line


def _judged(verdict: Verdict) -> tuple[str, str]:
    if verdict.status is Status.INCONCLUSIVE:
        return "inconclusive", verdict.reason
    ran = f"{verdict.status} by running it ({verdict.device}, {verdict.seconds:.1f} s)"
    return ran, verdict.evidence
