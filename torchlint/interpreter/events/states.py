"""Events of state dicts: what gives them, uses them, and takes them back."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Load(Event):
    """A state is loaded into a module."""

    module: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateTaken(Event):
    """A state dict is made: its tensors, with this ``memory``, are those of the ``modules``."""

    memory: int
    modules: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StateUsed(Event):
    """Tensors of state dicts are loaded, saved, or handed to the caller."""

    memories: frozenset[int]
