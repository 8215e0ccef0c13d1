"""Texts: what the files of a project speak of, all of them together."""

from __future__ import annotations

import re
from functools import cache, cached_property
from typing import TYPE_CHECKING

from torchlint.project import portability
from torchlint.project.concordance import Concordance
from torchlint.project.determinism import is_demanded
from torchlint.project.spelling import usual_spelling
from torchlint.project.usual import renamed
from torchlint.sources.packing import packed, unpacked
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.sources.packing import Packed

_OPTIMIZERS = frozenset({"optim", "configure_optimizers"})
_DEVICES = Pattern(
    r"^[^#\n]*?"
    r"(?:\.cuda\(|\.to\([^)\n]*(?:device|cuda|mps|rank)|\baccelerat(?:e|or)\b|\blightning\b)",
    re.MULTILINE,
)
"""What moves things, where that is not commented out."""
_WORKERS = Pattern(
    r"\bnum_workers(?:[ \t]*=(?![ \t]*(?:0\b|=|None\b|num_workers\b))"
    r"|[ \t]*:[^\n,)]*?\b[1-9]|[\"'][ \t]*:(?![ \t]*(?:0\b|None\b|num_workers\b)))"
)
"""What sets a number of workers; what hands one on, under the same name, sets none."""
_APART = Pattern(r"\bworker_init_fn\b|\bget_worker_info\b|\bworker_id\b")
_DROPS = r"\bdrop_last\s*=\s*True\b"
_LOADER = r"\bDataLoader\("
_IN_CALL = r"(?:[^()]|\((?:[^()]|\([^()]*\))*\))*?"
_REMAINDER = Pattern(rf"{_LOADER}(?!{_IN_CALL}{_DROPS})")
_WHOLE = Pattern(rf"{_LOADER}{_IN_CALL}{_DROPS}")
_TYPES = "set_default_tensor_type"
_ANY = "|"
_GOES_ON = frozenset(",([{")
"""At the end of a line these say that the next one belongs to it."""


def any_of(names: Iterable[str]) -> str:
    """The hint of the texts, as a whole, in which any of some identifiers stands."""
    return _ANY + _ANY.join(names)


class Texts:
    """The texts of all files."""

    def __init__(self, texts: Iterable[Packed]) -> None:
        self._packed = tuple(texts)
        self._matching = cache(self._searched)

    @cached_property
    def _said(self) -> tuple[Packed, ...]:
        """The texts in usual names."""
        return tuple(map(_in_usual_names, self._packed))

    @property
    def _texts(self) -> Iterator[str]:
        return map(unpacked, self._said)

    def say(self, hint: str, patterns: Iterable[str] = ()) -> bool:
        """Whether one of them has the hint in it, and matches all patterns in the lines there, in
        their usual spelling.

        All lines count where there is no hint, and where it is :func:`any_of` some names.
        """
        return bool(self._matching(hint, *patterns))

    def _searched(self, hint: str, *patterns: str) -> tuple[Packed, ...]:
        """The lines around the hint of each text that has it and matches the patterns."""
        if not patterns and hint.startswith(_ANY):
            places = map(self.concordance.of, hint.split(_ANY)[1:])
            return tuple(self._said[number] for number in sorted(set().union(*places)))
        if not patterns:
            return tuple(self._around(hint)) if hint else self._said
        *others, last = patterns
        matches = Pattern(last, re.MULTILINE).search
        return tuple(each for each in self._matching(hint, *others) if matches(unpacked(each)))

    def _around(self, hint: str) -> Iterator[Packed]:
        """The lines of each text that have a hint in them, each with the one before it."""
        texts = self._speaking_of(hint) if hint.isidentifier() else self._texts
        return (packed(_around(hint, text)) for text in texts if hint in text)

    def _speaking_of(self, word: str) -> Iterator[str]:
        """The texts in which an identifier stands."""
        return (unpacked(self._said[number]) for number in self.concordance.of(word))

    def with_all(self, words: Iterable[str]) -> list[Packed]:
        """The texts in which all of some identifiers stand."""
        places = [self.concordance.of(word) for word in words]
        if not all(places):
            return []
        rarest, *others = sorted(places, key=len)
        return [self._packed[number] for number in sorted(set(rarest).intersection(*others))]

    @cached_property
    def _concordance(self) -> Concordance:
        return Concordance(self._texts)

    @property
    def concordance(self) -> Concordance:
        """In which texts each identifier stands, by their numbers."""
        self._concordance.go_on()
        return self._concordance

    def read_on(self, texts: int) -> None:
        """Read so many texts for the concordance, of which all are read when it is asked for."""
        self._concordance.go_on(texts)

    @cached_property
    def set_default_device(self) -> bool:
        """Whether any makes torch create tensors elsewhere by default."""
        return self.say("set_default_device") or self.say(_TYPES)

    @cached_property
    def set_default_dtype(self) -> bool:
        """Whether any makes torch create tensors of another type by default."""
        return self.say("set_default_dtype") or self.say(_TYPES)

    @cached_property
    def are_deterministic(self) -> bool:
        """Whether torch is to refuse what gives other results from run to run."""
        return is_demanded(self._texts)

    @cached_property
    def move(self) -> bool:
        """Whether any moves things to devices."""
        return any(map(_DEVICES.search, self._texts))

    @cached_property
    def optimize(self) -> bool:
        """Whether any builds an optimizer, or names one."""
        return not self.concordance.words.isdisjoint(_OPTIMIZERS)

    @cached_property
    def narrow(self) -> bool:
        """Whether any casts something to a floating point type of 16 bits."""
        return any(map(portability.is_narrow, self._texts))

    @cached_property
    def ask_for_workers(self) -> bool:
        """Whether a loader of the project may have workers, for all that is written."""
        return any(map(_WORKERS.search, self._speaking_of("num_workers")))

    @cached_property
    def tell_workers_apart(self) -> bool:
        """Whether anything is done about a worker when it begins, or asks which one it is."""
        return any(map(tells_workers_apart, self._texts))

    @cached_property
    def drop_remainders(self) -> bool:
        """Whether loaders are built, and each of them leaves out what makes no whole batch."""
        found = False
        for text in self._speaking_of("DataLoader"):
            if _REMAINDER.search(text):
                return False
            found = found or _WHOLE.search(text) is not None
        return found

    @property
    def nature(self) -> tuple[bool, ...]:
        """All of these."""
        return (
            self.set_default_device,
            self.set_default_dtype,
            self.are_deterministic,
            self.move,
            self.optimize,
            self.narrow,
            self.ask_for_workers,
            self.tell_workers_apart,
            self.drop_remainders,
        )


def _in_usual_names(kept: Packed) -> Packed:
    """A text in usual names; where it has these already it is kept once only."""
    text = unpacked(kept)
    said = renamed(text)
    return kept if said is text else packed(said)


def _around(hint: str, text: str) -> str:
    found, end = [], 0
    at = text.find(hint)
    while at >= 0:
        line = text.rfind("\n", 0, at) + 1
        start = max(end, text.rfind("\n", 0, max(0, line - 1)) + 1)
        while start > end and _goes_on(text, start - 1):
            start = max(end, text.rfind("\n", 0, start - 1) + 1)
        end = text.find("\n", at) + 1 or len(text)
        while end < len(text) and _goes_on(text, end - 1):
            end = text.find("\n", end) + 1 or len(text)
        found.append(text[start:end])
        at = text.find(hint, end)
    return usual_spelling("".join(found))


def _goes_on(text: str, end: int) -> bool:
    """Whether a line that ends there goes on in the next, whatever blanks are behind it."""
    while end and text[end - 1] in " \t":
        end -= 1
    return text[end - 1 : end] in _GOES_ON


def tells_workers_apart(text: str) -> bool:
    """Whether some code speaks of which worker it is in, or of one that begins."""
    return _APART.search(text) is not None
