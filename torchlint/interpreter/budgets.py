"""How far runs go: how many nodes they evaluate, and how many calls deep they enter functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine

DEPTH = 14
"""How many calls deep functions are entered."""

NODES = 6_000
"""How many nodes one run evaluates before it stops entering functions."""

ALONE = 4_000
"""How many for a function that is looked at for what it does itself, whoever calls it."""

FORWARD_DEPTH = 4
"""How deep where a forward is looked at on its own: what is further away rarely tells more."""

FORWARD = 1_500
"""How many nodes there."""

METHODS = 1_000
"""How many of them there are for the methods, whatever the constructor has taken."""

DATASET = 800
"""How many of them the constructor of a dataset takes: it reads files, and is not about training.
Without this, what reads the words of a language leaves nothing for the loop that comes after."""

HELPERS = 400
"""How many for all that the constructor of a module calls, but constructors and methods that make
layers for it, where an object is looked at on its own: what takes longer does other things."""

_EARLY = 4
"""What began in such a part of its run's budget hardly comes further in a run of its own."""


def suffice(machine: Machine, began: int) -> bool:
    """Whether a call that began after so many nodes was seen as it would be in a run of its own.

    What the run is at its end in is not, as more is entered there.
    """
    return machine.steps <= machine.budget or _EARLY * began <= machine.budget
