"""The language server, by an editor that starts it and speaks with it over standard input."""

from __future__ import annotations

import asyncio
import functools
import inspect
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cases import ROOT
from editor import PULLING, PUSHED, editing, encoded, span
from lsprotocol import types as lsp

from torchlint import __version__
from torchlint.api import check
from torchlint.findings import Level
from torchlint.server import main
from torchlint.server.analysis import Analysis, Job
from torchlint.server.kept import Kept, _Held
from torchlint.server.scheduling import Analyst
from torchlint.settings import Settings

LOSS = """\
import torch
import torch.nn.functional as F


def step(model, x, y):
    probs = torch.softmax(model(x), 1)
    return F.cross_entropy(probs, y)
"""


def session(test: Callable[..., Any]) -> Callable[..., Any]:
    """Runs a test that waits for the server."""

    @functools.wraps(test)
    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    assert inspect.iscoroutinefunction(test)
    return run


@session
async def test_what_is_opened_is_shown(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        uri = editor.open("a.py", LOSS)
        (shown,) = await editor.shown("a.py", 1)
        assert (shown.code, shown.source) == ("TL301", "torchlint")
        assert shown.severity is lsp.DiagnosticSeverity.Error
        assert shown.range == span(6, 11, 6, 36)
        assert shown.code_description is not None
        assert shown.code_description.href.endswith("TL301-softmax-before-cross-entropy.md")
        (related,) = shown.related_information or ()
        assert related.location == lsp.Location(uri, span(5, 12, 5, 38))
        assert "softmax" in related.message
        editor.close("a.py")
        assert await editor.shown("a.py") == []


BEFORE = "x = '\U0001f525é'; "


@pytest.mark.parametrize(
    ("encoding", "units"),
    [
        (lsp.PositionEncodingKind.Utf8, 6),
        (lsp.PositionEncodingKind.Utf16, 3),
        (lsp.PositionEncodingKind.Utf32, 2),
    ],
)
@session
async def test_positions_are_in_the_units_of_the_editor(
    tmp_path: Path, encoding: lsp.PositionEncodingKind, units: int
) -> None:
    """Behind a form feed, which ends no line, and characters of several units."""
    lines = LOSS.splitlines()
    lines[5] = "\f    " + BEFORE + lines[5].strip()
    text = "\n".join(lines) + "\n"
    async with editing(tmp_path, encoded(encoding)) as editor:
        assert editor.capabilities.position_encoding == encoding
        editor.open("a.py", text)
        (shown,) = await editor.shown("a.py", 1)
        (related,) = shown.related_information or ()
        start = 5 + len(BEFORE) - 2 + units + len("probs = ")
        assert related.location.range == span(5, start, 5, start + 26)
        # The name of the function is in the line of the form feed, behind it.
        at = start + len("torch.")
        editor.change("a.py", 2, (5, at, 5, at + len("softmax"), "log_softmax"))
        assert await editor.shown("a.py", 2) == []
        editor.change("a.py", 3, (5, at, 5, at + 4, ""), (7, 0, 7, 0, "# \U0001f525\n"))
        assert len(await editor.shown("a.py", 3)) == 1


@session
async def test_open_documents_count_and_not_what_lies_on_the_disk(tmp_path: Path) -> None:
    model = "def scores(x):\n    return x\n"
    wrong = "import torch\n\n\ndef scores(x):\n    return torch.softmax(x, 1)\n"
    loss = LOSS.replace("torch.softmax(model(x), 1)", "scores(model(x))")
    loss = f"from model import scores\n{loss}"
    (tmp_path / "model.py").write_text(model)
    async with editing(tmp_path) as editor:
        editor.open("loss.py", loss)
        assert await editor.shown("loss.py") == []
        uri = editor.open("model.py", wrong)
        assert await editor.shown("model.py") == []
        (shown,) = await editor.shown("loss.py")
        (related,) = shown.related_information or ()
        assert related.location == lsp.Location(uri, span(4, 11, 4, 30))
        editor.change("model.py", 2, model)
        assert await editor.shown("loss.py") == []
        editor.change("model.py", 3, wrong)
        assert len(await editor.shown("loss.py")) == 1
        editor.close("model.py")
        assert await editor.shown("loss.py") == []


@session
async def test_only_the_newest_text_is_shown(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        editor.open("a.py", LOSS)
        for version in range(2, 30):
            editor.change("a.py", version, LOSS + "#" * version + "\n")
        editor.change("a.py", 30, "import torch\n")
        assert await editor.shown("a.py", 30) == []
        versions = [params.version for params in editor.sent[editor.uri("a.py")]._queue]  # type: ignore[attr-defined]
        assert versions == []


@session
async def test_what_is_pulled(tmp_path: Path) -> None:
    async with editing(tmp_path, PULLING) as editor:
        editor.open("a.py", LOSS)
        first = await editor.pulled("a.py")
        assert [each.code for each in first.items] == ["TL301"]
        # This editor shows no other places, so that they are in the message.
        assert "a.py:6: " in first.items[0].message
        again = await editor.pulled("a.py", first.result_id)
        assert isinstance(again, lsp.RelatedUnchangedDocumentDiagnosticReport)
        editor.change("a.py", 2, "import torch\n")
        changed = await editor.pulled("a.py", first.result_id)
        assert changed.items == ()
        assert (await editor.pulled("elsewhere.py")).items == ()
        assert not editor.sent


@session
async def test_settings_are_read_again(tmp_path: Path) -> None:
    async with editing(tmp_path, PULLING) as editor:
        editor.open("a.py", LOSS)
        assert len((await editor.pulled("a.py")).items) == 1
        (watching,) = editor.registered
        assert watching.method == lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        configuration = tmp_path / "torchlint.toml"
        configuration.write_text('ignore = ["TL301"]\n')
        editor.files_changed("torchlint.toml", kind=lsp.FileChangeType.Created)
        await editor.refresh()
        assert (await editor.pulled("a.py")).items == ()
        configuration.write_text("ignor = []\n")
        editor.files_changed("torchlint.toml", kind=lsp.FileChangeType.Changed)
        assert (await editor.pulled("a.py")).items == ()
        said = await editor.message()
        assert said.startswith("torchlint: torchlint.toml:1: there is no option ignor")
        configuration.unlink()
        editor.files_changed("torchlint.toml", kind=lsp.FileChangeType.Deleted)
        assert len((await editor.pulled("a.py")).items) == 1
        editor.settings = {"select": ["TL2"]}
        editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(None))
        await editor.refresh()
        while (await editor.pulled("a.py")).items:
            await editor.refresh()


@session
async def test_what_the_editor_says_of_the_settings(tmp_path: Path) -> None:
    async with editing(tmp_path, options={"ignore": ["TL301"], "level": None}) as editor:
        editor.open("a.py", LOSS)
        assert await editor.shown("a.py") == []
        told = lsp.DidChangeConfigurationParams({"torchlint": {"select": ["TL301"]}})
        editor.client.workspace_did_change_configuration(told)
        assert len(await editor.shown("a.py")) == 1
        told = lsp.DidChangeConfigurationParams({"torchlint": {"select": ["TL999"]}})
        editor.client.workspace_did_change_configuration(told)
        assert "the editor's settings, select: 'TL999' in select is no" in await editor.message()
        assert len(await editor.shown("a.py")) == 1
        other = lsp.DidChangeConfigurationParams({"pylint": {"select": 1}})
        editor.client.workspace_did_change_configuration(other)
        editor.open("b.py", LOSS)
        assert len(await editor.shown("b.py")) == 1
        assert editor.messages.empty()


@session
async def test_documents_of_all_kinds(tmp_path: Path) -> None:
    (tmp_path / "torchlint.toml").write_text('exclude = ["third_party"]\n')
    async with editing(tmp_path) as editor:
        editor.open("untitled:Untitled-1", LOSS)
        assert len(await editor.shown("untitled:Untitled-1")) == 1
        editor.open("third_party/a.py", LOSS)
        assert await editor.shown("third_party/a.py") == []
        editor.open("notes.md", LOSS, "markdown")
        editor.open("wrong.py", "import torch\nx = = 1\n")
        (shown,) = await editor.shown("wrong.py")
        assert (shown.code, shown.range) == ("TL001", span(1, 4, 1, 5))
        editor.open("odd.py", "import torch\nx = '\ud800'\n\0")
        assert len(await editor.shown("odd.py")) == 1
        editor.open("long.py", "import torch\n" + "#" * 1_500_000)
        assert await editor.shown("long.py") == []
        assert "long.py is 1.5 MB long" in await editor.message()
        assert editor.uri("notes.md") not in editor.sent


TRAINING = """\
import torch


def train(model, loader):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in loader:
        loss = ((model(x) - y) ** 2).mean()
        loss.backward()
        optimizer.step()
"""


def made(text: str, edits: Any) -> str:
    """The text with an editor's edits made, of which none overlap."""
    lines = text.splitlines(keepends=True)

    def at(position: lsp.Position) -> int:
        return sum(map(len, lines[: position.line])) + position.character

    for edit in sorted(edits, key=lambda edit: at(edit.range.start), reverse=True):
        text = text[: at(edit.range.start)] + edit.new_text + text[at(edit.range.end) :]
    return text


@session
async def test_actions(tmp_path: Path) -> None:
    async with editing(tmp_path) as editor:
        provider = editor.capabilities.code_action_provider
        assert isinstance(provider, lsp.CodeActionOptions)
        assert "source.fixAll.torchlint" in (provider.code_action_kinds or ())
        uri = editor.open("a.py", TRAINING)
        shown = {str(each.code): each for each in await editor.shown("a.py")}
        assert shown.keys() == {"TL201"}
        repair, ignore = await editor.actions("a.py", shown["TL201"].range)
        assert repair.kind == lsp.CodeActionKind.QuickFix.value
        assert repair.title.startswith("Clear the gradients before the backward (TL201")
        assert repair.is_preferred is False
        assert [each.code for each in repair.diagnostics or ()] == ["TL201"]
        assert repair.edit is not None
        assert repair.edit.changes is not None
        fixed = made(TRAINING, repair.edit.changes[uri])
        assert "        optimizer.zero_grad()\n        loss.backward()\n" in fixed
        assert ignore.title == "Ignore TL201 (missing-zero-grad) here"
        assert ignore.edit is not None
        assert ignore.edit.changes is not None
        ignored = made(TRAINING, ignore.edit.changes[uri])
        assert "loss.backward()  # torchlint: ignore[TL201]\n" in ignored
        editor.change("a.py", 2, ignored)
        # What is asked before the analysis is answered of the text as it is by now.
        everywhere = span(0, 0, 99, 0)
        codes = {str(each) for each in await editor.actions("a.py", everywhere)}
        assert not [each for each in codes if "TL201" in each]
        assert await editor.actions("a.py", span(0, 0, 0, 3)) == []
        assert await editor.actions("a.py", everywhere, ["refactor"]) == []
        assert await editor.actions("b.py", everywhere) == []


SAFE = """\
import torch


def read(path, rows):
    x = torch.tensor(rows)
    # torchlint: ignore[TL301]
    y = x.clone()
    z = x + y  # torchlint: ignore[TL302]
    return z
"""


@pytest.mark.parametrize("resolves", [True, False])
@session
async def test_everything_is_fixed_at_once(tmp_path: Path, resolves: bool) -> None:
    options = {"level": "pedantic"}
    capabilities = PULLING if resolves else PUSHED
    async with editing(tmp_path, capabilities, options) as editor:
        uri = editor.open("a.py", SAFE)
        (action,) = await editor.actions("a.py", span(0, 0, 0, 0), ["source.fixAll"])
        assert action.kind == "source.fixAll.torchlint"
        if resolves:
            assert action.edit is None
            action = await editor.client.code_action_resolve_async(action)
            assert action.edit is not None
            (change,) = action.edit.document_changes or ()
            assert isinstance(change, lsp.TextDocumentEdit)
            assert change.text_document.version == 1
            edits: Any = change.edits
        else:
            assert action.edit is not None
            edits = (action.edit.changes or {})[uri]
        assert len(edits) == 2
        assert made(SAFE, edits) == SAFE.replace("    # torchlint: ignore[TL301]\n", "").replace(
            "  # torchlint: ignore[TL302]", ""
        )


@session
async def test_hovering_shows_the_page(tmp_path: Path) -> None:
    text = LOSS.replace("probs, y)", "probs, y)  # torchlint: ignore[TL303]  # noqa: TL999")
    async with editing(tmp_path) as editor:
        editor.open("a.py", text)
        await editor.shown("a.py")
        shown = await editor.hover("a.py", 6, 15)
        assert shown is not None
        assert shown.range == span(6, 11, 6, 36)
        assert isinstance(shown.contents, lsp.MarkupContent)
        assert shown.contents.kind is lsp.MarkupKind.Markdown
        assert "softmax-before-cross-entropy" in shown.contents.value
        start = text.splitlines()[6].index("TL303")
        named = await editor.hover("a.py", 6, start + 5 - 1)
        assert named is not None
        assert named.range == span(6, start, 6, start + 5)
        assert isinstance(named.contents, lsp.MarkupContent)
        assert "nll-without-log-softmax" in named.contents.value
        assert "](TL" not in named.contents.value
        for line, column in ((6, start + 5), (0, 0), (99, 5)):
            assert await editor.hover("a.py", line, column) is None
        assert await editor.hover("b.py", 0, 0) is None


CELLS = [
    "import torch\nimport torch.nn.functional as F\n%matplotlib inline",
    "x, y = torch.randn(4, 3), torch.arange(4) % 3\nprobs = torch.softmax(x, 1)",
    "F.cross_entropy(probs, y)  # torchlint: ignore[TL302]",
]


def cells(numbers: range) -> list[lsp.NotebookCell]:
    return [lsp.NotebookCell(lsp.NotebookCellKind.Code, f"cell:{number}") for number in numbers]


def texts(numbers: range) -> list[lsp.TextDocumentItem]:
    return [
        lsp.TextDocumentItem(f"cell:{number}", "python", 1, CELLS[number]) for number in numbers
    ]


@session
async def test_notebooks(tmp_path: Path) -> None:
    capabilities = lsp.ClientCapabilities(
        text_document=PUSHED.text_document,
        notebook_document=lsp.NotebookDocumentClientCapabilities(
            lsp.NotebookDocumentSyncClientCapabilities()
        ),
    )
    async with editing(tmp_path, capabilities, {"level": "pedantic"}) as editor:
        assert editor.capabilities.notebook_document_sync is not None
        uri = editor.uri("a.ipynb")
        notebook = lsp.NotebookDocument(uri, "jupyter-notebook", 1, cells(range(2)))
        opened = lsp.DidOpenNotebookDocumentParams(notebook, texts(range(2)))
        editor.client.notebook_document_did_open(opened)
        for number in range(2):
            assert await editor.shown(f"cell:{number}", 1) == []
        # A cell comes first that is none of code, and one comes last.
        notes = lsp.NotebookCell(lsp.NotebookCellKind.Markup, "cell:notes")
        changed = lsp.VersionedNotebookDocumentIdentifier(2, uri)
        for array, items in (
            (lsp.NotebookCellArrayChange(2, 0, cells(range(2, 3))), texts(range(2, 3))),
            (lsp.NotebookCellArrayChange(0, 0, [notes]), []),
        ):
            structure = lsp.NotebookDocumentCellChangeStructure(array, items)
            change = lsp.NotebookDocumentChangeEvent(
                cells=lsp.NotebookDocumentCellChanges(structure)
            )
            params = lsp.DidChangeNotebookDocumentParams(changed, change)
            editor.client.notebook_document_did_change(params)
        unused, wrong = sorted(await editor.shown("cell:2"), key=lambda each: str(each.code))
        assert (unused.code, unused.tags) == ("TL002", (lsp.DiagnosticTag.Unnecessary,))
        assert (wrong.code, wrong.range) == ("TL301", span(0, 0, 0, 25))
        (related,) = wrong.related_information or ()
        assert related.location == lsp.Location("cell:1", span(1, 8, 1, 27))
        hovered = await editor.hover("cell:2", 0, 3)
        assert hovered is not None
        assert hovered.range == wrong.range
        assert await editor.hover("cell:0", 0, 3) is None
        titles = {each.title: each for each in await editor.actions("cell:2", wrong.range)}
        ignore = titles["Ignore TL301 (softmax-before-cross-entropy) here"].edit
        assert ignore is not None
        assert made(CELLS[2], (ignore.changes or {})["cell:2"]).endswith("ignore[TL302, TL301]")
        (everything,) = await editor.actions("cell:2", span(0, 0, 0, 0), ["source.fixAll"])
        assert everything.edit is not None
        assert list(everything.edit.changes or {}) == ["cell:2"]
        assert made(CELLS[2], (everything.edit.changes or {})["cell:2"]) == CELLS[2].split("  #")[0]
        content = lsp.NotebookDocumentCellContentChanges(
            lsp.VersionedTextDocumentIdentifier(2, "cell:1"),
            [lsp.TextDocumentContentChangePartial(span(1, 8, 1, 27), "x * 2")],
        )
        change = lsp.NotebookDocumentChangeEvent(
            cells=lsp.NotebookDocumentCellChanges(text_content=[content])
        )
        changed = lsp.VersionedNotebookDocumentIdentifier(3, uri)
        params = lsp.DidChangeNotebookDocumentParams(changed, change)
        editor.client.notebook_document_did_change(params)
        (unused,) = await editor.shown("cell:2")
        assert unused.code == "TL002"
        closed = lsp.DidCloseNotebookDocumentParams(lsp.NotebookDocumentIdentifier(uri), [])
        editor.client.notebook_document_did_close(closed)
        assert await editor.shown("cell:2") == []


class TestStart:
    def test_without_pygls_a_sentence_says_what_to_install(self) -> None:
        code = "import sys; sys.modules['pygls'] = None; import torchlint.server as s; s.main()"
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert run.returncode == 2
        assert run.stderr == (
            "torchlint-server: it needs pygls, which is not installed; "
            "install it with: pip install 'torchlint[lsp]'\n"
        )

    @pytest.mark.parametrize(
        ("argument", "status", "said"),
        [
            ("--version", 0, f"torchlint-server {__version__}\n"),
            ("--help", 0, "Usage: torchlint-server"),
            ("--tcp", 2, "Error: there is no --tcp.\n"),
        ],
    )
    def test_arguments(
        self,
        argument: str,
        status: int,
        said: str,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        monkeypatch.setattr(sys, "argv", ["torchlint-server", argument])
        if status:
            with pytest.raises(SystemExit) as ended:
                main()
            assert ended.value.code == status
        else:
            main()
        assert said in "".join(capsys.readouterr())


def test_what_is_outdated_is_cut_short(tmp_path: Path) -> None:
    """A job under way stops at the next step; one that has not begun never does."""
    begun: list[str] = []

    class Slow(Job):
        def run(self) -> Analysis:
            begun.append(self.path)
            while True:
                self._heed("Analysing", 0, 1)
                time.sleep(0.01)

    def prepare(uri: str) -> Job:
        kind = Job if uri == "last" else Slow
        path = os.fspath(tmp_path / f"{uri}.py")
        return kind(path, os.fspath(tmp_path), {path: "import torch\n"}, {})

    async def work() -> Analysis | None:
        analyst = Analyst(prepare)
        analyst.renew("slow")
        await asyncio.sleep(0.1)
        analyst.renew("never")
        analyst.renew("last")
        analyst.renew("never", 60)
        analyst.forget("slow")
        try:
            return await asyncio.wait_for(analyst.of("last"), 60)
        finally:
            analyst.forget("never")
            analyst.close()

    analysis = asyncio.run(work())
    assert analysis is not None
    assert analysis.read == {os.fspath(tmp_path / "last.py")}
    assert [os.path.basename(path) for path in begun] == ["slow.py"]


def test_what_is_kept_changes_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not when files are looked at one after the other, nor when one of them is being changed."""
    monkeypatch.chdir(ROOT)
    kept = Kept()
    settings = Settings(level=Level.PEDANTIC)
    folders = ("fixtures/demo", "fixtures/training/step-order")
    paths = [os.fspath(path) for folder in folders for path in sorted(Path(folder).rglob("*.py"))]
    for path in paths[:20]:
        text = Path(path).read_text("utf-8")
        for texts in ({}, {path: "\n" + text}, {path: text.replace("softmax", "relu")}, {}):
            again = check([path], settings, texts=texts, resources=kept.resources)
            assert again.findings == check([path], settings, texts=texts).findings


def test_what_nobody_asks_for_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchlint.server.kept._MOST_BYTES", 10)
    held = _Held()
    held.put("a", "1", b"12345")
    held.put("a", "1", b"123456")
    held.put("a", "2", b"1234")
    assert held.get("a", "1") == b"123456"
    held.put("a", "3", b"1")
    assert held.get("a", "2") is None
    assert held.get("a", "1") == b"123456"
