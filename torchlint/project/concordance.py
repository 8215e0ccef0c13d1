"""The concordance of a project: in which of its texts each identifier stands."""

from __future__ import annotations

from array import array
from collections import defaultdict
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from torchlint.project import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

_NOWHERE: array[int] = array("I")


class Concordance:
    """Of each identifier, comments and strings included, the numbers of the texts it stands in."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = enumerate(texts)
        self._places: defaultdict[str, array[int]] = defaultdict(partial(array, "I"))

    def go_on(self, texts: int | None = None) -> None:
        """Read so many more texts, or all."""
        for number, text in islice(self._texts, texts):
            for word in words.plain(text):
                self._places[word].append(number)

    @property
    def words(self) -> Set[str]:
        """All identifiers."""
        return self._places.keys()

    def of(self, word: str) -> Sequence[int]:
        """The texts in which an identifier stands, in order."""
        return self._places.get(word, _NOWHERE)
