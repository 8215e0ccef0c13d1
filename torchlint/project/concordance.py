"""The concordance of a project: in which of its texts each identifier stands."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from torchlint.project import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

_NOWHERE: array[int] = array("I")


class Concordance:
    """Of each identifier, comments and strings included, the numbers of the texts it stands in."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._places: dict[str, array[int]] = {}
        for number, text in enumerate(texts):
            for word in words.plain(text):
                known = self._places.get(word)
                if known is None:
                    known = self._places[word] = array("I")
                known.append(number)

    @property
    def words(self) -> Set[str]:
        """All identifiers."""
        return self._places.keys()

    def of(self, word: str) -> Sequence[int]:
        """The texts in which an identifier stands, in order."""
        return self._places.get(word, _NOWHERE)
