"""The documents that an editor has open: their text is what counts, whatever lies on the disk."""

from __future__ import annotations

import os
from dataclasses import field
from typing import TYPE_CHECKING, Protocol

from lsprotocol.types import TextDocumentContentChangePartial
from pygls.uris import from_fs_path, to_fs_path

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lsprotocol.types import TextDocumentContentChangeEvent, TextDocumentItem

    from torchlint.server.positions import Ruler


@dataclass(frozen=True, slots=True)
class Part:
    """What an editor shows as one text: a document, or a cell of a notebook by its number."""

    uri: str
    version: int
    text: str
    cell: int | None = None


class Open(Protocol):
    """An open document, or notebook; ``text`` is what its file has, or would have."""

    uri: str
    path: str
    version: int

    @property
    def text(self) -> str:
        """The text."""

    @property
    def parts(self) -> list[Part]:
        """What of it is shown."""

    def split(self, text: str) -> list[str]:
        """The texts of its parts in that of the file."""


@dataclass(slots=True)
class Document:
    """An open document; ``path`` is where it lies, or would lie if it were saved here."""

    uri: str
    path: str
    version: int
    text: str

    @property
    def parts(self) -> list[Part]:
        """The document itself."""
        return [Part(self.uri, self.version, self.text)]

    def split(self, text: str) -> list[str]:
        """The text itself."""
        return [text]

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
    by_uri: dict[str, Open] = field(default_factory=dict)

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

    def uri_of(self, path: str, cell: int | None = None) -> str:
        """The address of a file or cell, as the editor has it if it is open."""
        uris = (part.uri for each in self.at(path) for part in each.parts if part.cell == cell)
        return next(uris, None) or from_fs_path(path) or ""

    def part(self, uri: str) -> tuple[Open, Part] | None:
        """What is shown at an address, and the document that it is of."""
        for document in self.by_uri.values():
            for part in document.parts:
                if part.uri == uri:
                    return document, part
        return None

    def at(self, path: str) -> Iterator[Open]:
        """The documents of a file."""
        return (document for document in self.by_uri.values() if document.path == path)

    @property
    def home(self) -> str:
        """Where documents are taken to lie that lie nowhere."""
        return self.folders[0] if self.folders else os.path.expanduser("~")


def path_of(uri: str, folder: str, suffix: str = ".py") -> str:
    """The absolute path of a document; what is in no file is as if it were in the folder."""
    path = to_fs_path(uri) if uri.startswith("file:") else None
    if path:
        return os.path.normpath(path)
    name = os.path.basename(uri.rpartition(":")[2]) or "untitled"
    return os.path.join(folder, name if name.endswith(suffix) else name + suffix)


def is_saved(document: Open) -> bool:
    """Whether the file has the document's text, as far as the letters of ASCII tell."""
    try:
        with open(document.path, encoding="ascii", newline="") as stream:
            return stream.read() == document.text
    except (OSError, ValueError):
        return False
