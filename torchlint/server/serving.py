"""The server: what an editor says and asks, and who answers it."""

from __future__ import annotations

from functools import partial

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from torchlint import __version__
from torchlint.server.answers import Answers
from torchlint.server.desk import Desk
from torchlint.server.protocol import Protocol
from torchlint.server.session import Session

_NOTEBOOKS = lsp.NotebookDocumentSyncOptions(
    [
        lsp.NotebookDocumentFilterWithNotebook(
            lsp.NotebookDocumentFilterNotebookType("jupyter-notebook")
        )
    ]
)


def serve() -> None:
    """Serve the editor at the other end of standard input and output, until that ends."""
    server = LanguageServer(
        "torchlint-server",
        f"v{__version__}",
        notebook_document_sync=_NOTEBOOKS,
        protocol_cls=Protocol,
    )
    desk = Desk(server)
    for service in (Session(desk), Answers(desk)):
        for method, handler, *options in service.handlers():
            # A method of an object takes none of the marks that pygls puts on what it calls.
            server.feature(method, *options)(partial(handler))
    try:
        server.start_io()
    finally:
        desk.close()
