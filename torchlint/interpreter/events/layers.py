"""Events of layers and of the functions that stand for them."""

from __future__ import annotations

from dataclasses import dataclass

from torchlint.interpreter.trace import Event


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unconditional(Event):
    """A function that is for training is called in a forward, whatever the mode.

    ``mode`` is how the mode is written there, empty where the function does not know its module.
    """

    name: str
    mode: str = ""

    @property
    def normalises(self) -> bool:
        """Whether it normalises, rather than drops."""
        return self.name == "batch_norm"
