"""How far runs go: how many nodes they evaluate, and how many calls deep they enter functions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Function

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

DECORATOR = 400
"""How many for each decorator of the project's: it is called again wherever its function is."""

_A_LINE = 4
"""So many nodes are evaluated for a line of a function, by and large."""

_GIVING = Pattern(r"^[ \t]+self\.\w+[ \t]*=[ \t]*(?:nn\.|\w+\.)?[A-Z]\w*\(", re.MULTILINE)
"""A method that gives its object what may be a layer, on behalf of a constructor."""


def suffice(machine: Machine, began: int) -> bool:
    """Whether a call that began after so many nodes was seen as it would be in a run of its own.

    What the run is at its end in is not, as more is entered there.
    """
    return machine.steps <= machine.budget or _EARLY * began <= machine.budget


def nodes(lines: int) -> int:
    """How many nodes are evaluated for so many lines of a function, by and large."""
    return _A_LINE * lines


def helps(machine: Machine, function: Function) -> bool:
    """Whether a function is called by a constructor that has only so much to spare for it."""
    if machine.spare is None or function.definition is None:
        return False
    builds = function.name == "__init__" or _GIVING.search(function.region.text)
    owner = function.owner if builds else None
    return owner is None or not kinds.is_module(machine.index, owner)
