"""The engine: a failure is told and stays where it is; what is read is let go of."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from cases import FIXTURES

from torchlint import registry
from torchlint.api import check
from torchlint.interpreter import roots
from torchlint.project.index import Index
from torchlint.project.outline import Outline
from torchlint.settings import Settings
from torchlint.sources.source import Source

MISTAKE = """\
import torch
import torch.nn.functional as F


def step(model, x, y):
    return F.cross_entropy(torch.softmax(model(x), 1), y)
"""

LOSS = "    return torch.nn.functional.cross_entropy(p, y)\n"


def test_a_failure_is_a_finding_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bad.py").write_text(MISTAKE)
    (tmp_path / "good.py").write_text(MISTAKE)
    run = roots.run

    def fail_on_bad(index: Index, root: roots.Root) -> roots.Run:
        if root.outline.source.path.endswith("bad.py"):
            raise RuntimeError("boom")
        return run(index, root)

    monkeypatch.setattr(roots, "run", fail_on_bad)
    report = check([str(tmp_path)])
    codes = {Path(f.place.path).name: f.code for f in report.findings}
    assert codes == {"bad.py": "TL000", "good.py": "TL301"}
    assert report.exit_status == 2


def test_a_failure_is_told_in_a_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bad.py").write_text(MISTAKE)

    def fail(index: Index, root: roots.Root) -> roots.Run:
        raise KeyError("a\nb" * 10_000)

    monkeypatch.setattr(roots, "run", fail)
    (failure,) = check([str(tmp_path)]).findings
    assert len(failure.message) < 400
    assert "\n" not in failure.message


@pytest.mark.parametrize("asked", [KeyboardInterrupt, SystemExit])
def test_an_error_on_the_way_out_does_not_keep_a_run_from_ending(
    asked: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a ``finally`` of a library raises takes the place of what was to end the run."""
    (tmp_path / "bad.py").write_text(MISTAKE)

    def end(index: Index, root: roots.Root) -> roots.Run:
        try:
            raise asked
        finally:
            raise KeyError("a node that has no place yet")

    monkeypatch.setattr(roots, "run", end)
    with pytest.raises(asked):
        check([str(tmp_path)])


UNREADABLE = [
    "(count): int = 0",
    pytest.param(
        "print(t'{x} ' t'{y}')",
        marks=pytest.mark.skipif(sys.version_info < (3, 14), reason="Python does not read it"),
    ),
]


@pytest.mark.parametrize("statement", UNREADABLE)
def test_where_nothing_can_be_mended_the_mistake_is_told(statement: str, tmp_path: Path) -> None:
    """libcst, which fixes are made with, refuses some of what Python reads."""
    text = MISTAKE.replace("    return", f"    {statement}\n    return")
    (tmp_path / "a.py").write_text(text)
    (finding,) = check([str(tmp_path)]).findings
    assert (finding.code, finding.fix) == ("TL301", None)


def outline(text: str) -> Outline:
    return Outline(Source("a.py", Path("a.py"), text))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_lines_are_those_of_the_file(newline: str) -> None:
    text = newline.join(["import torch", "", "def f():", "    return 1"])
    read = outline(text)
    assert read.lines(3, 4) == "def f():\n    return 1\n"
    (function,) = read.definitions
    assert function.region.place(function.region.statement).line == 3


def test_statements_on_one_line_are_one_region() -> None:
    read = outline("import torch; a = 1; b = 2\nc = 3\n")
    assert [(region.first, region.last) for region in read.statements] == [(1, 1), (2, 2)]


def test_forgotten_trees_are_parsed_again() -> None:
    source = Source("a.py", Path("a.py"), "def f():\n    return 1\n")
    index = Index([source])
    (function,) = index.outline(source).definitions
    tree = function.region.statement
    index.forget_trees(100)
    assert function.region.statement is tree
    index.forget_trees(0)
    assert function.region.statement is not tree


def test_an_alias_of_a_namespace_is_followed() -> None:
    source = Source("a.py", Path("a.py"), "import torch\nnn = torch.nn\nF = nn.functional\n")
    index = Index([source])
    meaning = index.meaning(index.outline(source), "F.relu")
    assert getattr(meaning, "name", None) == "torch.nn.functional.relu"


@pytest.mark.parametrize(
    ("requirement", "setting", "codes"),
    [
        ("torch>=2.4", "", ["TL301"]),
        ("torch==2.1", "", []),
        ("torch>=2.6", "", []),
        ("torch>=2.1", "", ["TL301"]),
        ("torch==2.1", "2.5", ["TL301"]),
        ("torch==2.5", "2.1", []),
    ],
)
def test_a_rule_speaks_only_to_the_releases_that_it_is_true_of(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    requirement: str,
    setting: str,
    codes: list[str],
) -> None:
    rule = replace(registry.rules()["TL301"], since="2.4", until="2.6")
    monkeypatch.setitem(registry.rules(), "TL301", rule)
    (tmp_path / "requirements.txt").write_text(requirement + "\n")
    (tmp_path / "step.py").write_text(MISTAKE)
    report = check([str(tmp_path)], Settings(torch_version=setting))
    assert [finding.code for finding in report.findings] == codes


def test_two_runs_say_the_same() -> None:
    """Graphs are sets of nodes, which have another order in every run."""
    folder = str(FIXTURES / "autograd" / "backward-twice")
    first = check([folder]).findings
    assert first
    assert all(check([folder]).findings == first for _ in range(4))


def test_texts_stand_in_for_files_that_are_read_along_or_lie_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("head.py").write_text("def head(x):\n    return x\n")
    loss = MISTAKE.replace("torch.softmax(model(x), 1)", "head(model(x))")
    texts = {"new.py": f"from head import head\n{loss}"}
    report = check(["new.py"], texts=texts)
    assert report.findings == ()
    assert {file.name for file in report.read} == {"new.py", "head.py"}
    texts["head.py"] = "import torch\ndef head(x):\n    return torch.softmax(x, 1)\n"
    assert [finding.code for finding in check(["new.py"], texts=texts).findings] == ["TL301"]
    long = {"new.py": "#" * 2_000_000}
    assert [trouble.path for trouble in check(["new.py"], texts=long).troubles] == ["new.py"]


def test_of_what_is_read_along_only_what_leads_to_a_named_file_is_interpreted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("named.py").write_text("import torch, caller, stranger\ndef loss(p, y):\n" + LOSS)
    Path("caller.py").write_text(
        "import torch\nfrom named import loss\ndef step(x, y):\n"
        "    loss(torch.softmax(x, 1), y).backward()\n"
    )
    Path("stranger.py").write_text(MISTAKE)
    began: set[str] = set()
    run = roots.run

    def note(index: Index, root: roots.Root) -> roots.Run:
        began.add(root.outline.source.path)
        return run(index, root)

    monkeypatch.setattr(roots, "run", note)
    report = check(["named.py"])
    assert [(finding.code, finding.place.path) for finding in report.findings] == [
        ("TL301", "named.py")
    ]
    assert "stranger.py" not in began
    assert {"caller.py", "named.py"} >= began
    began.clear()
    check(["."], Settings(jobs=1))
    assert "stranger.py" in began


def test_a_class_whose_constructor_takes_another_of_its_kind_is_built(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from __future__ import annotations\nimport torch\nfrom typing import Optional\n\n\n"
        "class A(torch.nn.Module):\n"
        "    def __init__(self, other: Optional[A] = None):\n"
        "        super().__init__()\n\n"
        "    def forward(self, x):\n        return x.relu_()\n"
    )
    assert not [each for each in check([str(tmp_path)]).findings if each.code == "TL000"]
