"""What the editor tells: that it begins and ends, what is open, typed, and changed on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from torchlint.frozen import dataclass
from torchlint.registry import rules
from torchlint.releases import declarations
from torchlint.server.documents import Document, is_saved, path_of
from torchlint.server.editor import SECTION, concerns
from torchlint.server.notebooks import Notebook
from torchlint.sources.discovery import CONFIGURATIONS

if TYPE_CHECKING:
    from torchlint.server import Handlers
    from torchlint.server.desk import Desk

# What a finding can depend on besides the open files: code, settings, and what is said of torch.
_WATCHED = (
    "**/*.py",
    *(f"**/{name}" for name in CONFIGURATIONS),
    *(f"**/{pattern}" for pattern in declarations.FILES),
)


@dataclass(frozen=True, slots=True)
class Session:
    """Keeps the desk in the state that the editor is in."""

    desk: Desk

    def handlers(self) -> Handlers:
        """Which method is answered by what."""
        yield lsp.INITIALIZE, self.begin
        yield lsp.INITIALIZED, self.get_ready
        yield lsp.SHUTDOWN, self.end
        yield lsp.TEXT_DOCUMENT_DID_OPEN, self.open
        yield lsp.TEXT_DOCUMENT_DID_CHANGE, self.change
        yield lsp.TEXT_DOCUMENT_DID_CLOSE, self.close
        yield lsp.NOTEBOOK_DOCUMENT_DID_OPEN, self.open_notebook
        yield lsp.NOTEBOOK_DOCUMENT_DID_CHANGE, self.change_notebook
        yield lsp.NOTEBOOK_DOCUMENT_DID_CLOSE, self.close_notebook
        yield lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.notice_files
        yield lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, self.configure
        yield lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self.move

    def begin(self, params: lsp.InitializeParams) -> None:
        """Learn where the editor is, and what it says of the settings."""
        folders = [folder.uri for folder in params.workspace_folders or ()]
        if not folders and params.root_uri:
            folders = [params.root_uri]
        self.desk.documents.folders += filter(None, map(to_fs_path, folders))
        self.desk.configure(params.initialization_options)

    def get_ready(self, params: lsp.InitializedParams) -> None:
        """Load what an analysis needs, and ask to be told of changes to files and settings."""
        self.desk.analyst.executor.submit(rules)
        self.desk.do(self._ask())

    async def _ask(self) -> None:
        editor, server = self.desk.editor, self.desk.server
        if editor.watches:
            watchers = [lsp.FileSystemWatcher(pattern) for pattern in _WATCHED]
            method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            wanted = lsp.Registration("torchlint-files", method, options)
            await server.client_register_capability_async(lsp.RegistrationParams([wanted]))
        if editor.answers_for_settings:
            await self._fetch_settings()

    async def _fetch_settings(self) -> None:
        items = [lsp.ConfigurationItem(section=SECTION)]
        server = self.desk.server
        (said,) = await server.workspace_configuration_async(lsp.ConfigurationParams(items))
        if said:
            self.desk.configure(said)
            self.desk.renew_all()

    def end(self, params: None) -> None:
        """Stop whatever is under way."""
        self.desk.close()

    def open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Look at a document that has been opened."""
        document = self.desk.documents.open(params.text_document)
        if document is not None:
            self.desk.renew([document.uri])
            if not is_saved(document):
                self.desk.renew_others(document)

    def change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Look at a document again."""
        document = self.desk.documents.by_uri.get(params.text_document.uri)
        if isinstance(document, Document):
            document.change(params.content_changes, self.desk.ruler, params.text_document.version)
            self.desk.edited(document)

    def close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """From now on what lies on the disk counts."""
        document = self.desk.documents.by_uri.pop(params.text_document.uri, None)
        if document is not None:
            self.desk.forget(document)

    def open_notebook(self, params: lsp.DidOpenNotebookDocumentParams) -> None:
        """Look at a notebook that has been opened."""
        told = params.notebook_document
        path = path_of(told.uri, self.desk.documents.home, ".ipynb")
        notebook = Notebook(told.uri, path, told.version, list(told.cells))
        notebook.take(params.cell_text_documents)
        self.desk.documents.by_uri[notebook.uri] = notebook
        self.desk.renew([notebook.uri])

    def change_notebook(self, params: lsp.DidChangeNotebookDocumentParams) -> None:
        """Look at a notebook again."""
        notebook = self.desk.documents.by_uri.get(params.notebook_document.uri)
        if isinstance(notebook, Notebook):
            gone = {part.uri for part in notebook.parts}
            notebook.version = params.notebook_document.version
            notebook.change(params.change.cells, self.desk.ruler)
            self.desk.clear(gone - {part.uri for part in notebook.parts})
            self.desk.edited(notebook)

    def close_notebook(self, params: lsp.DidCloseNotebookDocumentParams) -> None:
        """A notebook is no longer open."""
        notebook = self.desk.documents.by_uri.pop(params.notebook_document.uri, None)
        if notebook is not None:
            self.desk.forget(notebook)

    def notice_files(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        """Look again at what depends on files; new ones, and settings, may concern everything."""
        for event in params.changes:
            path = to_fs_path(event.uri) or ""
            is_code = path.endswith(".py")
            if not is_code or event.type is not lsp.FileChangeType.Changed:
                self.desk.renew_all()
                return
        for event in params.changes:
            path = to_fs_path(event.uri) or ""
            if not any(self.desk.documents.at(path)):
                self.desk.renew(self.desk.analyst.depending_on(path), unasked=True)

    def configure(self, params: lsp.DidChangeConfigurationParams) -> None:
        """Take over what the editor says of the settings, or ask it."""
        if concerns(params.settings):
            self.desk.configure(params.settings)
            self.desk.renew_all()
        elif self.desk.editor.answers_for_settings:
            self.desk.do(self._fetch_settings())

    def move(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Look from other folders."""
        folders = self.desk.documents.folders
        gone = {to_fs_path(folder.uri) for folder in params.event.removed}
        come = [to_fs_path(folder.uri) for folder in params.event.added]
        folders[:] = [folder for folder in folders if folder not in gone]
        folders += [folder for folder in come if folder]
        self.desk.renew_all()
