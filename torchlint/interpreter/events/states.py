"""Events of state dicts: what gives them, keeps them, and takes them back."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Load(Event):
    """A state is loaded into a module."""

    module: int
