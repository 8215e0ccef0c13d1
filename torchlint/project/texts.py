"""Texts: what the files of a project speak of, all of them together."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.project import portability
from torchlint.project.determinism import is_demanded

if TYPE_CHECKING:
    from collections.abc import Iterable

_OPTIMIZERS = re.compile(r"\boptim\b|configure_optimizers")
_DEVICES = re.compile(
    r"\.cuda\(|\.to\([^)\n]*(?:device|cuda|mps|rank)|\baccelerat(?:e|or)\b|\blightning\b"
)
_WORKERS = re.compile(r"\bnum_workers[\"']?[ \t]*[=:][ \t]*(?!0\b|int\b|=)")
_APART = re.compile(r"\bworker_init_fn\b|\bget_worker_info\b|\bworker_id\b")
_TYPES = "set_default_tensor_type"


class Texts:
    """The texts of all files."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)

    def say(self, hint: str, patterns: Iterable[str] = ()) -> bool:
        """Whether one of them has the hint in it, and matches all patterns somewhere."""
        compiled = [re.compile(pattern, re.MULTILINE) for pattern in patterns]
        return any(
            hint in text and all(pattern.search(text) for pattern in compiled)
            for text in self._texts
        )

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
        return any(map(_OPTIMIZERS.search, self._texts))

    @cached_property
    def narrow(self) -> bool:
        """Whether any casts something to a floating point type of 16 bits."""
        return any(map(portability.is_narrow, self._texts))

    @cached_property
    def ask_for_workers(self) -> bool:
        """Whether a loader of the project may have workers, for all that is written."""
        return any(map(_WORKERS.search, self._texts))

    @cached_property
    def tell_workers_apart(self) -> bool:
        """Whether anything is done about a worker when it begins, or asks which one it is."""
        return any(map(tells_workers_apart, self._texts))

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
        )


def tells_workers_apart(text: str) -> bool:
    """Whether some code speaks of which worker it is in, or of one that begins."""
    return _APART.search(text) is not None
