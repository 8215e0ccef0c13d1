"""An editor, as far as a language server can tell: a client that starts it and speaks with it."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from cases import ROOT
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

PATIENCE = 60.0

RELATED = lsp.PublishDiagnosticsClientCapabilities(related_information=True)
PUSHED = lsp.ClientCapabilities(
    text_document=lsp.TextDocumentClientCapabilities(publish_diagnostics=RELATED)
)


def encoded(encoding: lsp.PositionEncodingKind) -> lsp.ClientCapabilities:
    """An editor that counts in these units."""
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=[encoding]),
        text_document=PUSHED.text_document,
    )


PULLING = lsp.ClientCapabilities(
    text_document=lsp.TextDocumentClientCapabilities(
        diagnostic=lsp.DiagnosticClientCapabilities(),
        code_action=lsp.CodeActionClientCapabilities(
            resolve_support=lsp.ClientCodeActionResolveOptions(["edit"])
        ),
    ),
    workspace=lsp.WorkspaceClientCapabilities(
        configuration=True,
        workspace_edit=lsp.WorkspaceEditClientCapabilities(document_changes=True),
        diagnostics=lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True),
        did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
            dynamic_registration=True
        ),
    ),
)


class Editor:
    """A client with documents; what the server sends is kept until it is asked for."""

    def __init__(self, folder: Path, settings: object = None) -> None:
        self.client = LanguageClient("test", "v1")
        self.folder = folder
        self.settings = settings
        self.sent: dict[str, asyncio.Queue[lsp.PublishDiagnosticsParams]] = {}
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.refreshes: asyncio.Queue[None] = asyncio.Queue()
        self.registered: list[lsp.Registration] = []
        self.capabilities = lsp.ServerCapabilities()
        for method, handler in (
            (lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, self._publish),
            (lsp.WINDOW_SHOW_MESSAGE, self._show),
            (lsp.CLIENT_REGISTER_CAPABILITY, self._register),
            (lsp.WORKSPACE_CONFIGURATION, self._configuration),
            (lsp.WORKSPACE_DIAGNOSTIC_REFRESH, self._refresh),
        ):

            def call(params: Any, handler: Any = handler) -> Any:
                return handler(params)

            self.client.feature(method)(call)

    def _publish(self, params: lsp.PublishDiagnosticsParams) -> None:
        self.queue(params.uri).put_nowait(params)

    def _show(self, params: lsp.ShowMessageParams) -> None:
        self.messages.put_nowait(params.message)

    def _register(self, params: lsp.RegistrationParams) -> None:
        self.registered += params.registrations

    def _configuration(self, params: lsp.ConfigurationParams) -> list[object]:
        return [self.settings for _ in params.items]

    def _refresh(self, params: None) -> None:
        self.refreshes.put_nowait(None)

    def queue(self, uri: str) -> asyncio.Queue[lsp.PublishDiagnosticsParams]:
        return self.sent.setdefault(uri, asyncio.Queue())

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri() if ":" not in name else name

    def open(self, name: str, text: str, language: str = "python") -> str:
        uri = self.uri(name)
        item = lsp.TextDocumentItem(uri, language, 1, text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        return uri

    def change(self, name: str, version: int, *changes: Any) -> None:
        """Each change is a whole text, or a range of four numbers and what comes there."""
        made = [
            lsp.TextDocumentContentChangeWholeDocument(change)
            if isinstance(change, str)
            else lsp.TextDocumentContentChangePartial(span(*change[:4]), change[4])
            for change in changes
        ]
        document = lsp.VersionedTextDocumentIdentifier(version, self.uri(name))
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, made))

    def close(self, name: str) -> None:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(document))

    async def shown(self, name: str, version: int | None = None) -> list[lsp.Diagnostic]:
        """The next diagnostics of a document, of this version if one is given."""
        queue = self.queue(self.uri(name))
        while True:
            params = await asyncio.wait_for(queue.get(), PATIENCE)
            if version is None or params.version == version:
                return list(params.diagnostics)

    async def pulled(self, name: str, known: str | None = None) -> Any:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        params = lsp.DocumentDiagnosticParams(document, previous_result_id=known)
        return await asyncio.wait_for(self.client.text_document_diagnostic_async(params), PATIENCE)

    async def message(self) -> str:
        return await asyncio.wait_for(self.messages.get(), PATIENCE)

    async def refresh(self) -> None:
        await asyncio.wait_for(self.refreshes.get(), PATIENCE)

    async def actions(
        self, name: str, where: lsp.Range, only: list[str] | None = None
    ) -> list[lsp.CodeAction]:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        context = lsp.CodeActionContext([], only=only)
        params = lsp.CodeActionParams(document, where, context)
        offered = await asyncio.wait_for(
            self.client.text_document_code_action_async(params), PATIENCE
        )
        return [action for action in offered or () if isinstance(action, lsp.CodeAction)]

    async def hover(self, name: str, line: int, character: int) -> lsp.Hover | None:
        document = lsp.TextDocumentIdentifier(self.uri(name))
        params = lsp.HoverParams(document, lsp.Position(line, character))
        return await asyncio.wait_for(self.client.text_document_hover_async(params), PATIENCE)

    def files_changed(self, *names: str, kind: lsp.FileChangeType) -> None:
        events = [lsp.FileEvent(self.uri(name), kind) for name in names]
        params = lsp.DidChangeWatchedFilesParams(events)
        self.client.workspace_did_change_watched_files(params)


def span(line: int, column: int, end_line: int, end_column: int) -> lsp.Range:
    return lsp.Range(lsp.Position(line, column), lsp.Position(end_line, end_column))


@asynccontextmanager
async def editing(
    folder: Path,
    capabilities: lsp.ClientCapabilities = PUSHED,
    options: object = None,
    settings: object = None,
) -> AsyncIterator[Editor]:
    """An editor in a folder, with the server running; both end with the block."""
    editor = Editor(folder, settings)
    environment = {**os.environ, "PYTHONPATH": os.fspath(ROOT)}
    command = (sys.executable, "-c", "from torchlint.server import main; main()")
    await editor.client.start_io(*command, env=environment, cwd="/")
    try:
        workspace = [lsp.WorkspaceFolder(folder.as_uri(), "test")]
        params = lsp.InitializeParams(
            capabilities, workspace_folders=workspace, initialization_options=options
        )
        result = await asyncio.wait_for(editor.client.initialize_async(params), PATIENCE)
        editor.capabilities = result.capabilities
        editor.client.initialized(lsp.InitializedParams())
        yield editor
        await asyncio.wait_for(editor.client.shutdown_async(None), PATIENCE)
        editor.client.exit(None)
        await asyncio.wait_for(editor.client.stop(), PATIENCE)
    finally:
        process = editor.client._server
        if process is not None and process.returncode is None:
            process.kill()
            await process.wait()
