"""Events of shapes that do not fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.shaping.mismatch import Mismatch
    from torchlint.interpreter.values import Value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Refused(Event):
    """An operation is given shapes that it can never take.

    ``op`` is what the source calls it, ``inputs`` are its arguments, settings of a layer included.
    """

    op: str
    mismatch: Mismatch
    inputs: Mapping[str, Value]
