"""Notebooks: their cells are read as one program, and fixes change nothing else in the file."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from notebooks import code, notebook, prose, written

from torchlint import api
from torchlint.api import Fixing, Stdin
from torchlint.cli import command
from torchlint.findings import Edit, Finding, Level, Place, Report, Trouble
from torchlint.settings import Settings
from torchlint.sources import notebook_text
from torchlint.sources.lines import split
from torchlint.sources.reading import Found, decode
from torchlint.sources.source import Source

HEAD = """\
%matplotlib inline
!pip install torch
import torch
from torch import nn
"""
MODEL = """\
model = nn.Sequential(nn.Linear(4, 3), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()"""
TRAIN = """\
%%time
torch.manual_seed(0)
for _ in range(3):
    x, y = torch.randn(8, 4), torch.randint(0, 3, (8,))
    loss = criterion(model(x), y)
    loss.backward()
    optimizer.step()"""
CELLS = (prose("# How to train"), HEAD, MODEL, "%%bash\nls\n", TRAIN, "loss?")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def read(content: object) -> Source:
    text = content if isinstance(content, str) else written(content)
    source = decode(Found("nb.ipynb", Path("nb.ipynb")), text.encode())
    assert isinstance(source, Source)
    return source


def refused(content: object) -> tuple[str, int, int]:
    text = content if isinstance(content, str) else json.dumps(content)
    finding = decode(Found("nb.ipynb", Path("nb.ipynb")), text.encode())
    assert isinstance(finding, Finding)
    assert finding.code == "TL001"
    return finding.message, finding.place.line, finding.place.column


def lint(*cells: str | dict[str, Any], **metadata: object) -> Report:
    Path("nb.ipynb").write_text(written(notebook(*cells, **metadata)), "utf-8")
    return api.check(["."], Settings())


def found(report: Report) -> list[tuple[str, int | None, int, int]]:
    places = [(finding.code, finding.place) for finding in report.findings]
    return [(code, place.cell, place.line, place.column) for code, place in places]


class TestReading:
    def test_cells_are_one_program(self) -> None:
        report = lint(*CELLS)
        assert found(report) == [("TL301", 5, 5, 12), ("TL201", 5, 6, 5)]
        steps = [(step.place.cell, step.place.line) for step in report.findings[1].because]
        assert steps == [(3, 2), (5, 7)]
        assert report.texts["nb.ipynb:cell 5"] == TRAIN
        assert report.texts["nb.ipynb:cell 3"] == MODEL

    def test_rows_are_lines_of_the_file(self) -> None:
        place = lint(*CELLS).findings[1].place
        assert place.row is not None
        line = Path("nb.ipynb").read_text("utf-8").splitlines()[place.row - 1]
        assert "loss.backward()" in line

    @pytest.mark.parametrize("indent", [None, 0, 1, 4])
    def test_rows_of_any_layout(self, indent: int | None) -> None:
        cells = [code("a\n\nb\n"), code("c"), {**code(""), "source": "d\ne"}, code("")]
        text = json.dumps(notebook(*cells), indent=indent)
        source = read(text)
        lines = text.split("\n")
        for number, line in enumerate(split(source.text), start=1):
            row = source.place(Place("nb.ipynb", number, 1, number, 1)).row
            assert row is not None
            assert line in ("", "# %%") or line in lines[row - 1]

    def test_a_cell_that_begins_indented(self) -> None:
        source = read(notebook("\n    x = 1\n    if x:\n        y = 2\n  # z\n", "y"))
        assert source.text == "\nx = 1\nif x:\n    y = 2\n  # z\n\n# %%\ny\n# %%\n"
        assert source.broken == ()
        assert source.place(Place("nb.ipynb", 4, 5, 4, 10)) == Place(
            "nb.ipynb", 4, 9, 4, 14, 1, row=source.place(Place("nb.ipynb", 4, 1, 4, 1)).row
        )

    def test_a_cell_of_which_only_a_later_line_is_indented(self) -> None:
        source = read(notebook("x = 1\n    y = 2"))
        assert [finding.code for finding in source.broken] == ["TL001"]

    def test_code_that_is_one_string(self) -> None:
        cell = {**code(""), "source": "import torch\nx = 1"}
        assert read(notebook(cell)).text == "import torch\nx = 1\n# %%\n"

    def test_cells_that_are_no_code_are_counted(self) -> None:
        source = read(notebook(prose("a"), "x = 1", prose("b"), "%%bash\nls", "y = 2"))
        assert source.text == "x = 1\n# %%\ny = 2\n# %%\n"
        cells = [source.place(Place("nb.ipynb", line, 1, line, 2)).cell for line in (1, 3)]
        assert cells == [2, 5]

    def test_a_byte_order_mark_and_windows_newlines(self) -> None:
        content = notebook({**code(""), "source": "x = 1\r\ny = 2\r\n"})
        data = b"\xef\xbb\xbf" + written(content).replace("\n", "\r\n").encode()
        source = decode(Found("nb.ipynb", Path("nb.ipynb")), data)
        assert isinstance(source, Source)
        assert source.text == "x = 1\ny = 2\n\n# %%\n"

    def test_output_may_be_gigantic(self) -> None:
        content = notebook(*CELLS)
        content["cells"][2]["outputs"] = [{"data": {"image/png": "A" * 5_000_000}}]
        Path("nb.ipynb").write_text(json.dumps(content), "utf-8")
        assert len(api.check(["."], Settings()).findings) == 2

    def test_code_may_not(self) -> None:
        content = notebook("x = 1\n" * 300_000)
        trouble = decode(Found("nb.ipynb", Path("nb.ipynb")), written(content).encode())
        assert isinstance(trouble, Trouble)
        assert trouble.message.startswith("is 1.8 MB long and was left out")

    @pytest.mark.parametrize(
        "metadata",
        [
            {"language_info": {"name": "julia"}},
            {"kernelspec": {"language": "R", "name": "ir"}},
        ],
    )
    def test_other_languages_are_left_alone(self, metadata: dict[str, Any]) -> None:
        report = lint("x <- 1", "using Flux", **metadata)
        assert report.findings == ()
        assert report.troubles == ()

    @pytest.mark.parametrize(
        "metadata",
        [
            {},
            {"language_info": {"name": "python", "version": "3.12"}},
            {"kernelspec": {"language": "python"}, "language_info": {}},
            {"kernelspec": None, "language_info": []},
        ],
    )
    def test_python_by_any_name(self, metadata: dict[str, Any]) -> None:
        assert read(notebook("x = 1", **metadata)).text == "x = 1\n# %%\n"

    def test_a_cell_of_another_language(self) -> None:
        source = read(notebook(code("SELECT 1", vscode={"languageId": "sql"}), "x = 1"))
        assert source.text == "x = 1\n# %%\n"

    def test_cells_that_are_none(self) -> None:
        content = notebook("x = 1")
        content["cells"] += [3, {}, {"cell_type": "code"}, {"cell_type": "code", "source": 5}]
        content["cells"] += [{"cell_type": "code", "source": ["y = 1\n", 7, "z = 1"]}]
        assert read(content).text == "x = 1\n# %%\ny = 1\nz = 1\n# %%\n"

    def test_half_a_character(self) -> None:
        source = read(json.dumps(notebook("x = '\ud83d'\ny = 1")))
        assert source.text == "x = '\N{REPLACEMENT CHARACTER}'\ny = 1\n# %%\n"


class TestRefused:
    def test_an_empty_file(self) -> None:
        assert refused("") == ("this is no notebook: it is empty", 1, 1)

    def test_no_json(self) -> None:
        message = "this is no notebook: invalid JSON (expecting value)"
        assert refused('{"cells": [\n<<<<<<< HEAD\n') == (message, 2, 1)
        assert refused("import torch\n") == (message, 1, 1)

    @pytest.mark.parametrize("content", [[], 3, None, {}, {"cells": {}}, {"nbformat": 4}])
    def test_no_cells(self, content: object) -> None:
        assert refused(content) == ("this is no notebook: it has no list of cells", 1, 1)

    def test_an_old_format(self) -> None:
        message, _, _ = refused({"nbformat": 3, "worksheets": [{"cells": []}]})
        assert message.startswith("the notebook is of format 3, and torchlint reads those of")

    def test_what_is_nested_too_deeply(self) -> None:
        deep = "[" * 100_000
        assert refused(deep)[0].startswith("this is no notebook: ")


class TestBroken:
    """Cells that Python cannot read are reported, and the rest is analysed without claims."""

    def test_each_is_reported_at_its_place(self) -> None:
        report = lint("import torch\nx = = 1", "y = 1", "def f():\n")
        assert found(report) == [("TL001", 1, 2, 5), ("TL001", 3, 1, 9)]
        assert report.exit_status == 1

    def test_all_others_are_analysed(self) -> None:
        report = lint("x = = 1", *CELLS)
        assert [finding.code for finding in report.findings] == ["TL001", "TL301", "TL201"]

    def test_what_it_may_have_changed_is_not_known(self) -> None:
        report = lint(HEAD, MODEL, "criterion = nn.NLLLoss(\noptimizer = None", TRAIN)
        assert [finding.code for finding in report.findings] == ["TL001"]

    def test_its_imports_stay(self) -> None:
        source = read(notebook("import torch\nfrom torch import (\n    nn\nx = torch.nn ="))
        assert source.text.splitlines()[0] == "import torch"
        assert " = get_ipython()" in source.text
        assert "torch = " not in source.text
        ast.parse(source.text)

    def test_commands_without_a_sign_are_none(self) -> None:
        assert read(notebook("pip install torch\nimport torch")).broken == ()

    def test_a_zero_byte(self) -> None:
        assert found(lint("x = 1\0"))[0][:2] == ("TL001", 1)


class TestMeaning:
    def test_a_name_means_what_it_was_defined_as_last(self) -> None:
        net = "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        net += "        self.layer = nn.Linear(4, 3)\n    def forward(self, x):\n"
        raw, soft = (
            net + f"        return {value}\n"
            for value in ("self.layer(x)", "self.layer(x).softmax(1)")
        )
        build = MODEL.replace(MODEL.partition("\n")[0], "model = Net()")
        clear = TRAIN.replace("    loss.b", "    optimizer.zero_grad()\n    loss.b")
        assert found(lint(HEAD, raw, build, clear, soft)) == []
        assert [each[:2] for each in found(lint(HEAD, soft, build, clear, raw))] == [("TL301", 4)]

    def test_the_end_of_a_cell_shows_its_value(self) -> None:
        make = "import torch\nx = torch.ones(3)\ny = {'x': x}\n"
        lost = "y['x'].to('cuda')"
        assert found(lint(make + lost, "print(y['x'])")) == []
        assert [each[0] for each in found(lint(make + lost + "\nprint(y['x'])"))] == ["TL503"]

    def test_workers_do_not_import_a_notebook(self) -> None:
        load = (
            "from torch.utils.data import DataLoader\n"
            "loader = DataLoader(data, batch_size=8, shuffle=True, num_workers=4)\n"
            "for x, y in loader:\n    optimizer.zero_grad()\n"
            "    criterion(model(x), y).backward()\n    optimizer.step()\n"
        )
        head = HEAD + MODEL.replace(", nn.Softmax(dim=1)", "") + "\ntorch.manual_seed(0)\n"
        data = "data = torch.utils.data.TensorDataset(torch.ones(64, 4), torch.ones(64).long())\n"
        assert found(lint(head, data, load)) == []
        Path("nb.ipynb").unlink()
        Path("a.py").write_text(head.replace("%", "# %").replace("!", "# !") + data + load)
        assert [each[0] for each in found(api.check(["."], Settings()))] == ["TL609"]

    def test_modules_beside_it_are_read(self) -> None:
        Path("heads.py").write_text("def head(x):\n    return x.softmax(1)\n")
        use = "import torch\nfrom heads import head\n"
        use += "torch.nn.functional.cross_entropy(head(torch.randn(3, 4)), y)"
        Path("nb.ipynb").write_text(written(notebook(use)))
        (finding,) = api.check(["nb.ipynb"], Settings()).findings
        assert finding.place.cell == 1
        assert {step.place.unit for step in finding.because} == {"heads.py"}

    def test_a_notebook_is_no_module(self) -> None:
        Path("losses.ipynb").write_text(written(notebook("def loss(x): return x")))
        Path("a.py").write_text("import torch\nfrom losses import loss\n")
        assert api.check(["."], Settings()).findings == ()


class TestSuppressing:
    def test_comments_act_in_their_cell(self) -> None:
        cells = list(CELLS)
        cells[4] = TRAIN.replace("criterion(model(x), y)", "criterion(model(x), y)  # noqa: TL301")
        assert [each[0] for each in found(lint(*cells))] == ["TL201"]
        cells[4] = "# torchlint: file-ignore[TL301, TL201] known\n" + TRAIN.replace("%%time\n", "")
        assert found(lint(*cells)) == []

    def test_unused_ones_go_with_their_line(self) -> None:
        cell = "import torch\n# torchlint: ignore[TL301]"
        Path("nb.ipynb").write_text(written(notebook(cell, "x = 1")))
        report, _ = api.fix(["."], Settings(level=Level.PEDANTIC))
        assert [finding.place.cell for finding in report.fixed] == [1]
        assert Path("nb.ipynb").read_text() == written(notebook("import torch", "x = 1"))

    def test_findings_are_ignored_by_comments(self) -> None:
        lint(*CELLS)
        report, _ = api.ignore(["."], Settings(), "known")
        assert report.findings == ()
        assert [finding.place.cell for finding in report.ignored] == [5, 5]
        after = json.loads(Path("nb.ipynb").read_text())
        assert "backward()  # torchlint: ignore[TL201] known\n" in after["cells"][4]["source"][5]


class TestFixing:
    def test_only_the_line_changes(self) -> None:
        before = written(notebook(*CELLS))
        Path("nb.ipynb").write_text(before)
        report, (patch,) = api.fix(["."], Settings(), Fixing(unsafe=True))
        assert [(each.code, each.place.cell) for each in report.fixed] == [("TL201", 5)]
        clear = '    "    optimizer.zero_grad()\\n",\n'
        line = '    "    loss.backward()\\n",\n'
        assert Path("nb.ipynb").read_text() == before.replace(line, clear + line)
        assert patch.before == before.encode()

    def test_in_a_cell_that_begins_indented(self) -> None:
        cells = list(CELLS)
        cells[4] = "\n".join(f"  {line}" for line in TRAIN.split("\n")[1:])
        Path("nb.ipynb").write_text(written(notebook(*cells)))
        report, _ = api.fix(["."], Settings(), Fixing(unsafe=True))
        assert [(each.code, each.place.cell) for each in report.fixed] == [("TL201", 5)]
        lines = json.loads(Path("nb.ipynb").read_text())["cells"][4]["source"]
        assert "      optimizer.zero_grad()\n" in lines

    def test_standard_input(self) -> None:
        before = written(notebook(*CELLS))
        arguments = ["-", "--stdin-filename", "nb.ipynb", "--unsafe-fixes"]
        result = CliRunner().invoke(command, [*arguments, "--fix"], input=before)
        assert json.loads(result.stdout)["cells"][4]["source"][5] == "    optimizer.zero_grad()\n"
        assert "nb.ipynb:cell 5:5:12" in result.stderr
        result = CliRunner().invoke(command, [*arguments, "--diff"], input=before)
        assert '\n+    "    optimizer.zero_grad()\\n",\n' in result.stdout
        arguments = ["-", "--stdin-filename", "nb.ipynb", "--output-format", "concise"]
        result = CliRunner().invoke(command, arguments, input=before)
        assert result.stdout.startswith("nb.ipynb:cell 5:5:12: TL301 ")

    def test_what_is_as_it_should_be_comes_back(self) -> None:
        given = json.dumps(notebook("x = 1"), indent=3)
        arguments = ["-", "--stdin-filename", "nb.ipynb", "--fix"]
        assert CliRunner().invoke(command, arguments, input=given).stdout == given

    def test_the_last_line_of_a_cell(self) -> None:
        content = notebook("for x in y:\n    f(x)", "g()")
        source = read(content)
        insert = Edit(Place("nb.ipynb", 3, 1, 3, 1), "    h(x)\n")
        assert source.edited([insert]) == written(
            notebook("for x in y:\n    f(x)\n    h(x)", "g()")
        )
        delete = Edit(Place("nb.ipynb", 2, 1, 3, 1), "")
        assert source.edited([delete]) == written(notebook("for x in y:", "g()"))
        replace = Edit(Place("nb.ipynb", 2, 1, 3, 1), "    h(x)\n")
        assert source.edited([replace]) == written(notebook("for x in y:\n    h(x)", "g()"))
        everything = Edit(Place("nb.ipynb", 1, 1, 3, 1), "")
        assert json.loads(source.edited([everything]))["cells"][0]["source"] == []

    @pytest.mark.parametrize(
        "place",
        [
            (1, 1, 4, 1),  # from one cell into another
            (3, 1, 3, 4),  # the border
            (4, 1, 4, 5),  # a magic
            (4, 3, 4, 3),  # within it
            (4, 5, 4, 5),  # after it
            (4, 1, 5, 1),  # all of it
        ],
    )
    def test_what_cannot_be_made(self, place: tuple[int, int, int, int]) -> None:
        source = read(notebook("a = 1\nb = 2", "%cd ..\nc = 3"))
        assert source.edits([Edit(Place("nb.ipynb", *place), "")]) is None

    @pytest.mark.parametrize("place", [(4, 1, 4, 1), (5, 1, 5, 1), (3, 1, 3, 1)])
    def test_what_can(self, place: tuple[int, int, int, int]) -> None:
        source = read(notebook("a = 1\nb = 2", "%cd ..\nc = 3"))
        assert source.edits([Edit(Place("nb.ipynb", *place), "x\n")]) is not None

    def test_a_fix_that_would_leave_no_code_in_its_cell(self) -> None:
        report, patches = api.fix(
            ["-"], Settings(), Fixing(unsafe=True), stdin=Stdin(b"[]", "nb.ipynb")
        )
        assert patches == ()
        assert [finding.code for finding in report.findings] == ["TL001"]


KEYS = ("cells", "cell_type", "source", "metadata", "nbformat", "language_info", "name", "vscode")
VALUES = st.none() | st.integers() | st.sampled_from(["code", "python", "x = 1\n", "%%time\n", "("])


@given(
    st.recursive(
        VALUES,
        lambda inner: (
            st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5)
        ),
    )
)
def test_all_json_is_read_or_refused(content: object) -> None:
    source = decode(Found("nb.ipynb", Path("nb.ipynb")), json.dumps(content).encode())
    if isinstance(source, Source):
        ast.parse(source.text)
    else:
        assert isinstance(source, Finding)
        assert source.code == "TL001"


LINES = st.text(st.sampled_from('ab \t"\\/<é損🔥\u2028\x0c\u00ad'), max_size=6)
TEXTS = st.lists(LINES, max_size=5).map("\n".join)


@st.composite
def layouts(draw: st.DrawFn) -> tuple[dict[str, Any], str]:
    """A notebook and a text of it: any indentation, escapes, order of keys, kind of sources."""
    content = notebook(*draw(st.lists(TEXTS, min_size=1, max_size=4)))
    for cell in content["cells"]:
        if draw(st.booleans()):
            cell["source"] = "".join(cell["source"])
    text = json.dumps(
        content,
        indent=draw(st.sampled_from([None, 0, 1, 2, "\t"])),
        ensure_ascii=draw(st.booleans()),
        sort_keys=draw(st.booleans()),
    )
    return content, text + draw(st.sampled_from(["", "\n", "\r\n"]))


@given(layouts(), st.data())
def test_edits_change_nothing_else(layout: tuple[dict[str, Any], str], data: st.DataObject) -> None:
    content, text = layout
    number = data.draw(st.integers(1, len(content["cells"])))
    cell = content["cells"][number - 1]
    before = "".join(cell["source"])
    lines = before.split("\n")
    row = data.draw(st.integers(1, len(lines)))
    end_row = data.draw(st.integers(row, len(lines)))
    column = data.draw(st.integers(1, len(lines[row - 1]) + 1))
    least = column if end_row == row else 1
    end_column = data.draw(st.integers(least, len(lines[end_row - 1]) + 1))
    new = data.draw(TEXTS)
    after = notebook_text.written(
        text, [Edit(Place("nb", row, column, end_row, end_column, number), new)]
    )
    start = sum(len(line) + 1 for line in lines[: row - 1]) + column - 1
    end = sum(len(line) + 1 for line in lines[: end_row - 1]) + end_column - 1
    wanted = before[:start] + new + before[end:]
    changed = json.loads(after)
    assert "".join(changed["cells"][number - 1]["source"]) == wanted
    changed["cells"][number - 1]["source"] = cell["source"]
    assert changed == content
    begin, stop = dict(notebook_text.spans(text))[number]
    assert after.startswith(text[:begin])
    assert after.endswith(text[stop:])


@given(st.lists(TEXTS, min_size=1, max_size=4), st.data())
def test_a_notebook_is_written_as_jupyter_writes_it(cells: list[str], data: st.DataObject) -> None:
    plain = [text.translate({0x2028: None, 0x0C: None}) for text in cells]
    number = data.draw(st.integers(1, len(plain)))
    lines = plain[number - 1].split("\n")
    row = data.draw(st.integers(1, len(lines)))
    column = data.draw(st.integers(1, len(lines[row - 1]) + 1))
    new = data.draw(TEXTS).translate({0x2028: None, 0x0C: None})
    after = notebook_text.written(
        written(notebook(*plain)), [Edit(Place("nb", row, column, row, column, number), new)]
    )
    line = lines[row - 1]
    lines[row - 1] = line[: column - 1] + new + line[column - 1 :]
    plain[number - 1] = "\n".join(lines)
    if cells[number - 1]:
        assert after == written(notebook(*plain))
    assert json.loads(after) == notebook(*plain)
