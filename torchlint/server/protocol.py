"""The protocol, but that what is open is kept by nobody but ourselves.

What comes with pygls splits lines at form feeds too, where no editor does, and then changes the
positions that it hands on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.protocol import LanguageServerProtocol, lsp_method

if TYPE_CHECKING:
    from collections.abc import Iterator

    _Calls = Iterator[tuple[Any, tuple[object, ...], None]]


class Protocol(LanguageServerProtocol):
    """Hands on what it is told of documents, as it is."""

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> _Calls:
        """A document was opened."""
        yield from self._hand_on(lsp.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> _Calls:
        """A document was changed."""
        yield from self._hand_on(lsp.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> _Calls:
        """A document was closed."""
        yield from self._hand_on(lsp.TEXT_DOCUMENT_DID_CLOSE, params)

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: lsp.DidOpenNotebookDocumentParams) -> _Calls:
        """A notebook was opened."""
        yield from self._hand_on(lsp.NOTEBOOK_DOCUMENT_DID_OPEN, params)

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(
        self, params: lsp.DidChangeNotebookDocumentParams
    ) -> _Calls:
        """A notebook was changed."""
        yield from self._hand_on(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE, params)

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(
        self, params: lsp.DidCloseNotebookDocumentParams
    ) -> _Calls:
        """A notebook was closed."""
        yield from self._hand_on(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE, params)

    def _hand_on(self, method: str, params: object) -> _Calls:
        handler = self.fm.features.get(method)
        if handler is not None:
            yield handler, (params,), None
