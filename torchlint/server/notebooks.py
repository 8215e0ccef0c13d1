"""Notebooks that an editor has open: cells with texts of their own, which are one document here."""

from __future__ import annotations

import json
from dataclasses import field
from typing import TYPE_CHECKING

from lsprotocol.types import NotebookCellKind

from torchlint.frozen import dataclass
from torchlint.server.documents import Document, Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol.types import (
        NotebookCell,
        NotebookDocumentCellChanges,
        NotebookDocumentCellChangeStructure,
        TextDocumentItem,
    )

    from torchlint.server.positions import Ruler


@dataclass(slots=True)
class Notebook:
    """An open notebook; ``texts`` are those of the cells, by their addresses."""

    uri: str
    path: str
    version: int
    cells: list[NotebookCell]
    texts: dict[str, Document] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The notebook as a file has it, but for what it shows."""
        cells = [_written(each, self.texts) for each in self.cells]
        return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})

    @property
    def parts(self) -> list[Part]:
        """The cells that are shown as texts."""
        return [
            Part(each.document, self.texts[each.document].version, text, number)
            for number, (each, text) in enumerate(
                zip(self.cells, self.split(self.text), strict=True), start=1
            )
            if each.document in self.texts
        ]

    def split(self, text: str) -> list[str]:
        """The texts of all cells in that of the file."""
        return ["".join(each["source"]) for each in json.loads(text)["cells"]]

    def take(self, items: Iterable[TextDocumentItem]) -> None:
        """Learn the texts of cells."""
        for item in items:
            self.texts[item.uri] = Document(item.uri, self.path, item.version, item.text)

    def change(self, changes: NotebookDocumentCellChanges | None, ruler: Ruler) -> None:
        """Take over what has been typed, and which cells have come, gone or changed places."""
        if changes is None:
            return
        if changes.structure is not None:
            self._rearrange(changes.structure)
        for changed in changes.data or ():
            self.cells = [
                changed if each.document == changed.document else each for each in self.cells
            ]
        for edited in changes.text_content or ():
            document = self.texts.get(edited.document.uri)
            if document is not None:
                document.change(edited.changes, ruler, edited.document.version)

    def _rearrange(self, structure: NotebookDocumentCellChangeStructure) -> None:
        start = structure.array.start
        end = start + structure.array.delete_count
        self.cells[start:end] = structure.array.cells or ()
        for closed in structure.did_close or ():
            self.texts.pop(closed.uri, None)
        self.take(structure.did_open or ())


def _written(cell: NotebookCell, texts: dict[str, Document]) -> dict[str, object]:
    document = texts.get(cell.document)
    is_code = cell.kind == NotebookCellKind.Code
    return {
        "cell_type": "code" if is_code else "markdown",
        "metadata": {},
        "source": document.text if document is not None else "",
        **({"execution_count": None, "outputs": []} if is_code else {}),
    }
