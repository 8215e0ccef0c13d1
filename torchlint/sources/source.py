"""A file to lint, read and decoded."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.sources.edits import apply
from torchlint.sources.packing import Packed, unpacked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from torchlint.findings import Edit, Finding, Place
    from torchlint.sources.cells import Cells


@dataclass(frozen=True, slots=True)
class Source:
    """Python code: ``path`` as reports show its file, ``file`` where it lies, and its text.

    Newlines are as in the file; ``reported`` is False for a file that only informs the analysis of
    others (the rest of the package of a file that was named). ``cells`` are those of a file that
    holds more than code, and ``broken`` says which of them are none that Python reads.
    """

    path: str
    file: Path
    packed: Packed = field(repr=False)
    reported: bool = True
    cells: Cells | None = None
    broken: tuple[Finding, ...] = ()

    @property
    def text(self) -> str:
        """The text, decoded."""
        return unpacked(self.packed)

    @property
    def is_module(self) -> bool:
        """Whether it is a file that Python could run or import."""
        return self.cells is None

    @property
    def whole(self) -> str:
        """The text of the file."""
        return self.text if self.cells is None else self.cells.whole

    @property
    def texts(self) -> Mapping[int | None, str]:
        """What readers see, by cell."""
        return {None: self.text} if self.cells is None else self.cells.texts

    def until(self, line: int) -> str:
        """The code up to the end of the cell of a line."""
        return self.text if self.cells is None else self.cells.until(self.text, line)

    def place(self, place: Place) -> Place:
        """Where a place of the code is for readers."""
        return place if self.cells is None else self.cells.place(place)

    def edits(self, edits: Sequence[Edit]) -> tuple[Edit, ...] | None:
        """Edits of the code as readers know them; None where they cannot be made in the file."""
        return tuple(edits) if self.cells is None else self.cells.edits(edits)

    def edited(self, edits: Sequence[Edit]) -> str:
        """The text of the file with edits of the code made, all of which can be."""
        return apply(self.text, edits) if self.cells is None else self.cells.edited(edits)
