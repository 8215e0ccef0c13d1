"""What the server has before it: the open documents, what is known of them, and the editor."""

from __future__ import annotations

import asyncio
from itertools import chain
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from torchlint.server.actions import differences
from torchlint.server.analysis import Job
from torchlint.server.diagnostics import View
from torchlint.server.documents import Documents, is_saved
from torchlint.server.editor import Editor, settings
from torchlint.server.kept import Kept
from torchlint.server.positions import Ruler
from torchlint.server.scheduling import PATIENCE, Analyst
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

    from pygls.lsp.server import LanguageServer

    from torchlint.config.files import Layer
    from torchlint.server.analysis import Analysis
    from torchlint.server.documents import Open


class Desk:
    """The state of the server; what has changed is analysed anew, and told unless it is asked for.

    ``given`` is what the editor says of the settings.
    """

    def __init__(self, server: LanguageServer) -> None:
        self.server = server
        self.documents = Documents()
        self.analyst = Analyst(self.job)
        self.given: Layer = {}
        self._kept = Kept()
        self._editor: Editor | None = None
        self._publishing: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._troubles: dict[str, tuple[str, ...]] = {}

    @property
    def editor(self) -> Editor:
        """What the editor can do."""
        if self._editor is None:
            self._editor = Editor(self.server.client_capabilities)
        return self._editor

    @property
    def ruler(self) -> Ruler:
        """The units that positions are in."""
        return Ruler(lsp.PositionEncodingKind(self.server.workspace.position_encoding).value)

    def close(self) -> None:
        """Leave nothing running."""
        self.analyst.close()

    def configure(self, said: object) -> None:
        """Take over settings; wrong ones are told, and the former hold."""
        try:
            self.given = settings(said, self.documents.home)
        except SettingsError as error:
            for sentence in error.sentences:
                self.complain(sentence)

    def complain(self, sentence: str) -> None:
        """Tell whoever sits before the editor."""
        message = f"torchlint: {sentence}"
        self.server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))

    def job(self, uri: str) -> Job:
        """What there is to do for a document as everything is now."""
        document = self.documents.by_uri[uri]
        root = self.documents.root_of(document.path)
        return Job(document.path, root, self.documents.texts(), self.given, self._kept)

    def view(self, analysis: Analysis) -> View:
        """An analysis as the editor sees it."""
        return View(analysis, self.ruler, self.documents.uri_of, self.editor.relates)

    def workspace_edit(self, changes: dict[str, list[lsp.TextEdit]]) -> lsp.WorkspaceEdit:
        """Edits of documents; with versions, so that no other text than was meant is changed."""
        if not self.editor.versions:
            return lsp.WorkspaceEdit(changes=changes)
        versioned = []
        for uri, edits in changes.items():
            shown = self.documents.part(uri)
            version = shown[1].version if shown is not None else None
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
            versioned.append(lsp.TextDocumentEdit(identifier, [*edits]))
        return lsp.WorkspaceEdit(document_changes=versioned)

    async def fixed(self, uri: str) -> dict[str, list[lsp.TextEdit]] | None:
        """The edits that fix everything in a document that can be fixed safely."""
        while (document := self.documents.by_uri.get(uri)) is not None:
            job = self.job(uri)
            text = await self.analyst.run(job, job.fixed)
            if self.documents.by_uri.get(uri) is document and document.text == job.text:
                texts = document.split(text)
                return {
                    part.uri: differences(part.text, texts[(part.cell or 1) - 1], self.ruler)
                    for part in document.parts
                }
        return None

    def edited(self, document: Open) -> None:
        """A document has another text than before."""
        self.renew([document.uri], PATIENCE)
        self.renew_others(document)

    def renew_others(self, document: Open) -> None:
        """Analyse anew what has read a document that has another text now."""
        others = self.analyst.depending_on(document.path)
        self.renew([uri for uri in others if uri != document.uri], 2 * PATIENCE, unasked=True)

    def forget(self, document: Open) -> None:
        """A document is no longer open."""
        self.analyst.forget(document.uri)
        self._troubles.pop(document.uri, None)
        self.clear(part.uri for part in document.parts)
        if not is_saved(document):
            self.renew_others(document)

    def renew(self, uris: Iterable[str], patience: float = 0, *, unasked: bool = False) -> None:
        """Analyse documents anew; ``unasked`` says that the editor cannot know that it is due."""
        outdated = list(uris)
        for uri in outdated:
            self.analyst.renew(uri, patience)
            if not self.editor.pulls:
                self.do(self._publish(uri))
        if outdated and unasked and self.editor.repulls:
            self.do(self._refresh())

    def renew_all(self) -> None:
        """Analyse everything anew."""
        self.renew(list(self.documents.by_uri), unasked=True)

    def do(self, work: Coroutine[object, object, None]) -> None:
        """Have something done while the server goes on."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _publish(self, uri: str) -> None:
        """Send the diagnostics of a document once they are those of its present text."""
        if uri in self._publishing:
            return
        self._publishing.add(uri)
        try:
            analysis = await self.analyst.of(uri)
            document = self.documents.by_uri.get(uri)
            if analysis is not None and document is not None:
                self.tell_troubles(uri, analysis)
                view = self.view(analysis)
                for part in document.parts:
                    self.show(part.uri, part.version, view.diagnostics(part.cell))
        finally:
            self._publishing.discard(uri)

    def clear(self, uris: Iterable[str]) -> None:
        """Have the editor show nothing of ours any more there."""
        for uri in () if self.editor.pulls else uris:
            self.show(uri, None, [])

    def show(self, uri: str, version: int | None, diagnostics: list[lsp.Diagnostic]) -> None:
        """Have the editor show these diagnostics of a document, and no others."""
        parameters = lsp.PublishDiagnosticsParams(uri, diagnostics, version)
        self.server.text_document_publish_diagnostics(parameters)

    async def _refresh(self) -> None:
        await self.server.workspace_diagnostic_refresh_async(None)

    def tell_troubles(self, uri: str, analysis: Analysis) -> None:
        """Say what went wrong, unless it was said before and is still so."""
        known = set(chain.from_iterable(self._troubles.values()))
        for sentence in analysis.troubles:
            if sentence not in known:
                self.complain(sentence)
        self._troubles[uri] = analysis.troubles
