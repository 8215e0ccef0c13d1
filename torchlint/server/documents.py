"""The documents that an editor has open: their text is what counts, whatever lies on the disk."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol.types import TextDocumentContentChangePartial
from pygls.uris import from_fs_path, to_fs_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lsprotocol.types import TextDocumentContentChangeEvent, TextDocumentItem

    from torchlint.server.positions import Ruler


@dataclass(slots=True)
class Document:
    """An open document; ``path`` is where it lies, or would lie if it were saved here."""

    uri: str
    path: str
    version: int
    text: str

    def change(
        self, changes: Iterable[TextDocumentContentChangeEvent], ruler: Ruler, version: int
    ) -> None:
        """Take over what has been typed."""
        for change in changes:
            if isinstance(change, TextDocumentContentChangePartial):
                self.text = ruler.edited(self.text, change.range, change.text)
            else:
                self.text = change.text
        self.version = version


@dataclass(slots=True)
class Documents:
    """All open documents with Python code in them, by their addresses."""

    folders: list[str] = field(default_factory=list)
    by_uri: dict[str, Document] = field(default_factory=dict)

    def open(self, item: TextDocumentItem) -> Document | None:
        """Take in a document; what is no Python is left alone."""
        path = path_of(item.uri, self.home)
        if item.language_id != "python" and not path.endswith(".py"):
            return None
        document = Document(item.uri, path, item.version, item.text)
        self.by_uri[item.uri] = document
        return document

    def root_of(self, path: str) -> str:
        """The folder that a file is looked at from: the innermost of the editor's around it."""
        around = [each for each in self.folders if path.startswith(os.path.join(each, ""))]
        return max(around, key=len, default=os.path.dirname(path))

    def texts(self) -> dict[str, str]:
        """What is open, by absolute paths."""
        return {document.path: document.text for document in self.by_uri.values()}

    def uri_of(self, path: str) -> str:
        """The address of a file, as the editor has it if it is open."""
        uris = (document.uri for document in self.by_uri.values() if document.path == path)
        return next(uris, None) or from_fs_path(path) or ""

    def at(self, path: str) -> Iterator[Document]:
        """The documents of a file."""
        return (document for document in self.by_uri.values() if document.path == path)

    @property
    def home(self) -> str:
        """Where documents are taken to lie that lie nowhere."""
        return self.folders[0] if self.folders else os.path.expanduser("~")


def path_of(uri: str, folder: str) -> str:
    """The absolute path of a document; what is in no file is as if it were in the folder."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path:
        return os.path.normpath(path)
    name = os.path.basename(uri.rpartition(":")[2]) or "untitled"
    return os.path.join(folder, name if name.endswith(".py") else f"{name}.py")


def is_saved(document: Document) -> bool:
    """Whether the file has the document's text, as far as the letters of ASCII tell."""
    try:
        with open(document.path, encoding="ascii", newline="") as stream:
            return stream.read() == document.text
    except (OSError, ValueError):
        return False
