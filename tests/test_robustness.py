"""Any program that parses is linted without a crash, and what is said of it stays in its place."""

from __future__ import annotations

import ast
import io
import tokenize
from collections import Counter
from pathlib import Path

import pytest
from cases import Case, all_cases, usual_first
from hypothesis import HealthCheck, assume, given, note, seed, settings
from hypothesis import strategies as st
from programs import programs

from torchlint.api import check
from torchlint.findings import Finding, Level
from torchlint.settings import Settings

FIRING = [
    case
    for case in all_cases()
    if case.kind == "fires" and case.is_executable and case.path.suffix == ".py"
]
FIRE = "'\N{FIRE}'; "
USUAL = 3
"""So many cases of each rule are tried in the usual run."""


def lint(text: str, folder: Path) -> tuple[Finding, ...]:
    """The findings in a program; that torchlint could read it is part of every test."""
    file = folder / "program.py"
    file.write_text(text, "utf-8", newline="")
    report = check([str(file)], Settings(level=Level.PEDANTIC))
    assert not report.troubles
    assert not [item for item in report.findings if item.code in ("TL000", "TL001")]
    return report.findings


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@given(text=programs())
def test_any_program_is_linted(folder: Path, text: str) -> None:
    hold(folder, text)


CONTINUED = """\
import torch
from torch import nn

y = torch.symeig(torch.ones(3, 3)) \\

class Net(nn.Module):
    size = 3 \\

    def forward(self, x):
        x += 1  # not the next line: \\
        return x.softmax(self.unknown) \\

    @torch.no_grad() \\

    def step(self, optimizer, x):
        self(x).backward() \\
\\

        optimizer.step() \\

z = y \\

"""


def test_a_line_may_go_on_into_blank_ones(folder: Path) -> None:
    found = {(item.code, item.place.line) for item in lint(CONTINUED, folder)}
    assert {("TL102", 10), ("TL901", 4)} <= found


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_any_of_fifty_thousand_programs_is_linted(folder: Path, part: int) -> None:
    @seed(part)
    @settings(max_examples=5_000, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=programs())
    def test(text: str) -> None:
        hold(folder, text)

    test()


def hold(folder: Path, text: str) -> None:
    note(text)
    try:
        ast.parse(text)
    except SyntaxError:
        assume(False)
    for finding in lint(text, folder):
        assert_within(finding, text)


def assert_within(finding: Finding, text: str) -> None:
    lines = text.split("\n")
    for place in (finding.place, *(step.place for step in finding.because)):
        begin, end = (place.line, place.column), (place.end_line, place.end_column)
        assert (1, 1) <= begin < end
        assert end <= (len(lines), len(lines[-1]) + 1)
        assert place.column <= len(lines[place.line - 1]) + 1
        assert place.end_column <= len(lines[place.end_line - 1]) + 1


def bare(case: Case) -> str:
    """The code of a case without its comments, so that no mark or suppression interferes."""
    return without_comments(case.path.read_text("utf-8"))


def without_comments(text: str) -> str:
    lines = text.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            line, column = token.start
            lines[line - 1] = lines[line - 1][:column].rstrip()
    return "\n".join(lines) + "\n"


Spot = tuple[str, int, int, int, int]


def spots(findings: tuple[Finding, ...]) -> Counter[Spot]:
    return Counter(
        (item.code, place.line, place.column, place.end_line, place.end_column)
        for item in findings
        for place in (item.place,)
    )


@settings(max_examples=50)
@given(data=st.data())
def test_lines_above_move_findings_and_keep_fingerprints(folder: Path, data: st.DataObject) -> None:
    text = bare(data.draw(st.sampled_from(FIRING), "case"))
    begins = [
        node.lineno for node in ast.parse(text).body if not getattr(node, "decorator_list", 0)
    ]
    above = data.draw(st.sampled_from(begins), "above")
    added = data.draw(st.lists(st.sampled_from(["", "# a remark", "    ", "\t# \U0001f525"])))
    lines = text.splitlines()
    lines[above - 1 : above - 1] = added
    before, after = lint(text, folder), lint("\n".join(lines) + "\n", folder)
    assert before

    def moved(line: int) -> int:
        return line + len(added) if line >= above else line

    assert spots(after) == Counter(
        (code, moved(line), column, moved(end_line), end_column)
        for code, line, column, end_line, end_column in spots(before).elements()
    )
    assert [item.fingerprint for item in after] == [item.fingerprint for item in before]


@pytest.mark.parametrize("case", usual_first(FIRING, USUAL))
def test_columns_count_code_points(case: Case, folder: Path) -> None:
    text = bare(case)
    before = lint(text, folder)
    assert before
    for finding in before:
        line = begin_of_statement(text, finding.place.line)
        lines = text.splitlines()
        indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
        lines[line - 1] = lines[line - 1][:indent] + FIRE + lines[line - 1][indent:]
        try:
            ast.parse("\n".join(lines))
        except SyntaxError:
            continue  # The finding is in the head of a compound statement.
        after = lint("\n".join(lines) + "\n", folder)
        assert spots(after) == shifted(before, line)


def begin_of_statement(text: str, line: int) -> int:
    """The line on which the innermost statement around a line begins."""
    return max(
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0)
    )


def shifted(findings: tuple[Finding, ...], line: int) -> Counter[Spot]:
    def column(at: int, column: int) -> int:
        return column + len(FIRE) if at == line else column

    return Counter(
        (code, start, column(start, begin), stop, column(stop, end))
        for code, start, begin, stop, end in spots(findings).elements()
    )


@pytest.mark.parametrize("case", usual_first(FIRING, USUAL))
def test_a_suppression_removes_exactly_its_finding(case: Case, folder: Path) -> None:
    text = bare(case)
    before = lint(text, folder)
    assert before
    for finding in before:
        lines = text.splitlines()
        lines[finding.place.line - 1] += f"  # torchlint: ignore[{finding.code}]"
        left = lint("\n".join(lines) + "\n", folder)
        assert spots(left) == Counter(
            spot
            for spot in spots(before).elements()
            for code, begin, _, end, _ in [spot]
            if code != finding.code or not begin <= finding.place.line <= end
        )


def test_modules_that_hold_each_other_are_gone_through_once(folder: Path) -> None:
    text = (
        "import torch\nfrom torch import nn\n\n\nclass Whole(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.part = Part(self)\n\n\n"
        "class Part(nn.Module):\n"
        "    def __init__(self, whole):\n        super().__init__()\n        self.whole = whole\n"
        "\n\ndef main():\n    net = Whole()\n"
        "    optimizer = torch.optim.SGD(net.parameters(), 0.1)\n"
        "    optimizer.zero_grad()\n    net(torch.ones(4)).sum().backward()\n    optimizer.step()\n"
    )
    assert "TL211" in {finding.code for finding in lint(text, folder)}


HELD_BY_ITSELF = """\
import numpy as np
import torch

held, named = [], {}
held.append((named, held))
held.insert(0, held)
held[0] = [held]
held += [[held]]
named["params"] = named
groups = {}
groups.update(params=groups)
torch.optim.SGD([named, groups], lr=0.1).step()
print(np.array(held), torch.tensor(held), torch.stack(held), named)
torch.save(named, "named.pt")
torch.optim.SGD(held, lr=0.1).step()
"""


def test_a_list_may_hold_itself(folder: Path) -> None:
    lint(HELD_BY_ITSELF, folder)


def test_a_variable_of_a_file_is_looked_for_in_a_loop(folder: Path) -> None:
    text = (
        "from torch import nn\nmodel = nn.Linear(4, 2).eval()\ngathered = []\n"
        "with torch.no_grad():\n    for chunk in torch.randn(8, 4).split(4):\n"
        "        scores.cpu()\n        scores = model(chunk)\n        gathered.append(scores)\n"
        "print(torch.cat(gathered).shape)\n"
    )
    lint(text, folder)


def test_a_pool_of_what_only_the_first_size_is_known_of(folder: Path) -> None:
    text = (
        "import torch\n\n\ndef train(x: torch.Tensor, weight):\n    print(x.size(0))\n"
        "    loss = torch.nn.functional.avg_pool2d(x, 2).mul(weight).sum()\n    loss.backward()\n"
    )
    assert "TL000" not in {finding.code for finding in lint(text, folder)}


@pytest.mark.parametrize(
    "call",
    [
        *["torch.relu()", "torch.bmm()", "torch.unbind()", "torch.max()", "torch.eq()", "x.ne()"],
        *["x.softmax(float('inf'))", "x.softmax(1" + "0" * 400 + ")", "x.log() ** float('inf')"],
        "torch.where(x ** 1e9 > 0, x ** float('-inf'), 1 / x ** 1e300)",
    ],
)
def test_a_call_that_torch_refuses_or_nobody_writes(call: str, folder: Path) -> None:
    text = (
        f"import torch\n\n\ndef train(x: torch.Tensor):\n    x += 1\n    {call}\n    x.backward()\n"
    )
    assert "TL000" not in {finding.code for finding in lint(text, folder)}
