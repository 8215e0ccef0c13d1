"""Comments that suppress findings, those that are unused, and those that name nothing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchlint import api
from torchlint.applying.changes import apply
from torchlint.findings import Finding, Level, Place
from torchlint.settings import Settings
from torchlint.sources.lines import split
from torchlint.sources.source import Source
from torchlint.sources.suppressions import suppressions
from torchlint.suppressing import suppress

SOFTMAX = "softmax-before-cross-entropy"


def source(text: str) -> Source:
    return Source("a.py", Path("a.py"), text)


def finding(line: int, end_line: int | None = None, code: str = "TL301") -> Finding:
    place = Place("a.py", line, 1, end_line or line, 80)
    return Finding(code, SOFTMAX if code == "TL301" else "other", Level.CORRECTNESS, "", place)


def left(text: str, *findings: Finding, settings: Settings | None = None) -> list[str]:
    """What is left of the findings in the text, and what the comments give rise to."""
    settings = settings or Settings()
    found = suppress(findings, [source(text)], settings)
    return [f"{item.code}:{item.place.line}:{item.place.column}" for item in found]


@pytest.mark.parametrize(
    "comment",
    [
        "# torchlint: ignore[TL301]",
        "#torchlint:ignore[TL301]",
        "# torchlint: ignore[tl301]",
        f"# torchlint: ignore[{SOFTMAX}]",
        "# torchlint: ignore[TL001, TL301] the rest is on purpose",
        "# type: ignore  # torchlint: ignore[TL301]",
        "# torchlint: ignore[TL301]  # type: ignore",
        "# noqa: TL301",
        "# NOQA:TL301",
        "# noqa: E501, TL301",
        "# noqa: E501 TL301 # both",
        "# noqa",
        "# type: ignore # noqa",
        "# noqa because I say so",
    ],
)
def test_a_comment_after_the_code_suppresses(comment: str) -> None:
    used = left(f"x = 1  {comment}\n", finding(1), finding(1, code="TL001"))
    assert "TL301:1:1" not in used
    assert "TL301:2:1" in left(f"x = 1  {comment}\ny = 2\n", finding(1), finding(2))


@pytest.mark.parametrize(
    "comment",
    [
        "# torchlint: ignore[TL201]",
        "# torchlint: ignore",
        "# torchlint: ignore[TL301",
        "# torchlint: ignore TL301",
        "# noqa: TL201",
        "# noqa: E501",
        "# noqa: certainly",
        "# flake8: noqa",
        "# ignore[TL301]",
        "# noqattention",
    ],
)
def test_other_comments_do_not(comment: str) -> None:
    assert "TL301:1:1" in left(f"x = 1  {comment}\n", finding(1))


@pytest.mark.parametrize("line", ["x = '# torchlint: ignore[TL301]'", "x = '''\n# noqa\n'''"])
def test_a_string_is_no_comment(line: str) -> None:
    assert left(f"{line}\n", finding(1, 3)) == ["TL301:1:1"]


CALL = """\
loss = criterion(
    out,
    y,{}
){}
"""


@pytest.mark.parametrize("last", [True, False])
def test_any_line_of_the_finding_counts(last: bool) -> None:
    comment = "  # torchlint: ignore[TL301]"
    text = CALL.format("", comment) if last else CALL.format(comment, "")
    assert left(text, finding(1, 4)) == []


def test_on_its_own_line_it_acts_on_the_next_logical_line() -> None:
    comment = "# torchlint: ignore[TL301]\n\n# another remark\n"
    text = f"{comment}{CALL.format('', '')}x = 1\n"
    assert left(text, finding(6)) == []
    assert left(text, finding(7)) == []
    assert left(text, finding(8), finding(6)) == ["TL301:8:1"]


def test_on_its_own_line_it_acts_on_the_head_of_a_compound_statement_only() -> None:
    text = "# torchlint: ignore[TL301]\ndef f(\n    x,\n):\n    return x\n"
    assert left(text, finding(3), finding(5)) == ["TL301:5:1"]


def test_within_brackets_it_acts_on_the_next_line() -> None:
    text = "x = f(\n    # torchlint: ignore[TL301]\n    g(1),\n    g(2),\n)\n"
    assert left(text, finding(3), finding(4)) == ["TL301:4:1"]


def test_several_on_their_own_lines_all_act() -> None:
    text = "# torchlint: ignore[TL301]\n# torchlint: ignore[TL201]\nx = 1\n"
    assert left(text, finding(3), finding(3, code="TL201")) == []


def test_a_noqa_on_its_own_line_acts_on_no_code() -> None:
    assert "TL301:2:1" in left("# noqa: TL301\nx = 1\n", finding(2))


def test_file_ignore_acts_on_the_file() -> None:
    text = "x = 1\n# torchlint: file-ignore[TL301] a benchmark\ny = 1\n"
    assert left(text, finding(1), finding(3), finding(3, code="TL201")) == ["TL201:3:1"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_are_counted_as_python_counts_them(end: str) -> None:
    lines = ["x = '\x0c\u2028'", "\x0cy = 1", "z = 1  # torchlint: ignore[TL301]", ""]
    assert left(end.join(lines), finding(3)) == []
    assert "TL301:2:1" in left(end.join(lines), finding(2), finding(3))


@pytest.mark.parametrize("text", ["x = (  # noqa\n", "  x\n y  # noqa\n", "x = '''  # noqa\n"])
def test_what_cannot_be_tokenized_suppresses_nothing(text: str) -> None:
    assert left(text, finding(1), finding(2)) == ["TL301:1:1", "TL301:2:1"]


def repaired(text: str, *findings: Finding) -> str:
    """The text after the fixes of all unused suppressions, one after the other."""
    for _ in range(9):
        found = suppress(findings, [source(text)], Settings())
        unused = [item for item in found if item.code == "TL002"]
        if not unused:
            return text
        assert unused[0].level is Level.PEDANTIC
        assert unused[0].fix is not None
        text = apply(text, unused[0].fix.edits)
    raise AssertionError("fixes do not end")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1  # torchlint: ignore[TL001]\n", "x = 1\n"),
        ("x = 1  # torchlint: ignore[TL001, TL301]\n", "x = 1  # torchlint: ignore[TL301]\n"),
        ("x = 1  # torchlint: ignore[TL301,TL001]why\n", "x = 1  # torchlint: ignore[TL301]why\n"),
        ("x = 1  # torchlint: ignore[TL001] - why\n", "x = 1  # why\n"),
        ("x = 1  # torchlint: ignore[TL001]  # type: ignore\n", "x = 1  # type: ignore\n"),
        ("x = 1  # type: ignore # torchlint: ignore[TL001]\n", "x = 1  # type: ignore\n"),
        ("x = 1  # noqa: E501, TL001\n", "x = 1  # noqa: E501\n"),
        ("x = 1  # noqa: TL001,TL301,E501\n", "x = 1  # noqa: TL301, E501\n"),
        ("x = 1  # noqa: TL001\n", "x = 1\n"),
        ("x = 1  # noqa: TL001 # why\n", "x = 1  # why\n"),
        ("x = 1\n    # torchlint: ignore[TL001]\ny = 2\n", "x = 1\ny = 2\n"),
        ("x = 1\n# torchlint: file-ignore[TL001]", "x = 1\n"),
        ("x = 1  # noqa: TL001 # torchlint: ignore[TL003]\n", "x = 1\n"),
        ("x = '🔥'  # torchlint: ignore[TL001]\n", "x = '🔥'\n"),
    ],
)
def test_the_fix_removes_what_is_unused_and_nothing_else(before: str, after: str) -> None:
    assert repaired(before, finding(1)) == after


def test_a_rule_that_did_not_run_is_not_unused() -> None:
    text = "x = 1  # torchlint: ignore[TL003]\n"
    assert left(text) == ["TL002:1:8"]
    assert left(text, settings=Settings(ignore=("TL003",))) == []


def test_nothing_is_unused_in_a_file_that_could_not_be_analysed() -> None:
    text = "x = 1  # torchlint: ignore[TL003]\n"
    assert left(text, finding(1, code="TL000")) == ["TL000:1:1"]


def test_a_bare_noqa_and_foreign_codes_belong_to_others() -> None:
    assert left("x = 1  # noqa\ny = 1  # noqa: E501, F401, TLX9\n") == []


def messages(text: str) -> list[str]:
    found = suppress([], [source(text)], Settings())
    return [item.message for item in found if item.code == "TL003"]


def test_an_unknown_name_gets_the_nearest() -> None:
    (message,) = messages("x = 1  # torchlint: ignore[sintax-error]\n")
    assert message == "`sintax-error` is no rule; did you mean TL001 (syntax-error)?"
    assert left("x = 1  # torchlint: ignore[TL001, sintax-error]\n")[0] == "TL003:1:35"
    assert messages("x = 1  # noqa: TL999\n")


@pytest.mark.parametrize(
    "comment",
    ["ignore", "ignore TL301", "ignore[]", "file-ignore", "ignore[", "off", "off[]"],
)
def test_a_suppression_must_name_something(comment: str) -> None:
    (message,) = messages(f"x = 1  # torchlint: {comment}\n")
    assert "name what is to be ignored" in message


def test_unknown_and_unused_can_be_suppressed() -> None:
    assert left("x = 1  # torchlint: ignore[TL003, nonsense]\n") == []
    assert left("# torchlint: file-ignore[TL002]\nx = 1  # torchlint: ignore[TL001]\n") == []


def test_files_that_are_not_reported_say_nothing() -> None:
    silent = Source("b.py", Path("b.py"), "x = 1  # torchlint: ignore[nonsense]\n", reported=False)
    assert suppress([], [silent], Settings()) == []


PIECES = ["x = 1", "# noqa: TL001", "# torchlint: ignore[TL003, E]", "(", ")", "'''", "\n", "\\\n"]


@given(st.lists(st.sampled_from([*PIECES, "    ", "def f():", "\r", "\x0c", "🔥", " "])))
def test_any_text_can_be_read(pieces: list[str]) -> None:
    text = "".join(pieces)
    lines = split(text)
    for suppression in suppressions(source(text)):
        place = suppression.place
        code = lines[place.line - 1][place.column - 1 : place.end_column - 1]
        assert code.startswith("#")


def test_a_suppression_of_unused_suppressions_is_never_unused() -> None:
    assert left("x = 1  # torchlint: ignore[TL002]\n") == []


RANGE = """\
x = 0
# torchlint: off[TL301{more}] a table of constants
x = 1
y = (
    2)
{close}
z = 3
"""


def ranged(close: str, more: str = "") -> list[str]:
    findings = [finding(line) for line in (1, 3, 5, 7)]
    return [
        item for item in left(RANGE.format(close=close, more=more), *findings) if "TL30" in item
    ]


@pytest.mark.parametrize(
    "close",
    ["# torchlint: on[TL301]", "# torchlint: on", "pass  # torchlint: on[tl301]  # and so on"],
)
def test_a_range_goes_from_off_to_on(close: str) -> None:
    assert ranged(close) == ["TL301:1:1", "TL301:7:1"]


def test_a_range_without_an_end_goes_to_that_of_its_block() -> None:
    assert ranged("") == ["TL301:1:1"]
    text = "def f():\n    # torchlint: off[TL301]\n    if x:\n        y\n\n# remark\nz\n"
    assert left(text, finding(4), finding(7)) == ["TL301:7:1"]
    assert left(text.replace("def f():", "if z:"), finding(2), finding(4)) == []


def test_on_ends_what_is_off_for_the_same_rules() -> None:
    text = "# torchlint: off[TL301]\nx\n# torchlint: off[TL201]\ny\n# torchlint: on[TL201]\nz\n"
    others = [finding(line, code="TL201") for line in (2, 4, 6)]
    kept = left(text, *[finding(line) for line in (2, 4, 6)], *others)
    assert kept == ["TL201:2:1", "TL201:6:1"]


def test_an_on_that_ends_nothing_is_reported() -> None:
    assert left("x\n# torchlint: on[TL301]\n") == ["TL003:2:1"]
    assert messages("x\n# torchlint: on\n") == ["nothing is off here that this could turn on"]
    (message,) = messages("# torchlint: off[TL301]\nx\n# torchlint: on[TL201]\ny\n")
    assert message == "nothing is off here that this could turn on"


def test_an_unused_range_is_removed_with_its_end() -> None:
    text = "# torchlint: off[TL001]\nx = 1\n# torchlint: on[TL001]\n"
    (unused,) = suppress([], [source(text)], Settings())
    assert unused.fix is not None
    text = apply(text, unused.fix.edits)
    assert text == "x = 1\n"


def test_what_is_unused_of_a_range_goes_at_both_ends() -> None:
    text = "# torchlint: off[TL001, TL301] why\nx = 1\n# torchlint: on[TL301, TL001]\n"
    (unused,) = suppress([finding(2)], [source(text)], Settings())
    assert unused.fix is not None
    text = apply(text, unused.fix.edits)
    assert text == "# torchlint: off[TL301] why\nx = 1\n# torchlint: on[TL301]\n"


def test_suppressions_may_be_ignored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.py").write_text("import torch\nx = = 1  # torchlint: ignore[TL001]\n# noqa: TL999\n")
    settings = Settings(level=Level.PEDANTIC)
    assert [each.code for each in api.check(["a.py"], settings).findings] == ["TL003"]
    shown = api.check(["a.py"], replace(settings, ignore_suppressions=True)).findings
    assert [finding.code for finding in shown] == ["TL001"]


@pytest.mark.parametrize(
    ("comment", "is_explained"),
    [
        ("# torchlint: ignore[TL301]", False),
        ("# torchlint: ignore[TL301] --", False),
        ("# torchlint: ignore[TL301]  # fmt: skip", False),
        ("# noqa: TL301", False),
        ("# torchlint: ignore[TL301] soft targets", True),
        ("# torchlint: ignore[TL301]: soft targets  # fmt: skip", True),
        ("# noqa: E501, TL301 - soft targets", True),
        ("# noqa", True),  # nobody knows whether it is ours
    ],
)
def test_a_reason_may_be_required(comment: str, is_explained: bool) -> None:
    text = f"x = 1  {comment}\n"
    assert left(text, finding(1)) == []
    wanted = left(text, finding(1), settings=Settings(require_reason=True))
    assert wanted == ([] if is_explained else ["TL003:1:8"])


def test_a_range_has_one_reason() -> None:
    text = "# torchlint: off[TL301] {}\nx = 1\n# torchlint: on[TL301]\n"
    strict = Settings(require_reason=True)
    assert left(text.format("soft targets"), finding(2), settings=strict) == []
    assert left(text.format(""), finding(2), settings=strict) == ["TL003:1:1"]
