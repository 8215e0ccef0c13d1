"""Training or evaluation: the modes that a module can be in, and where it was switched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from torchlint.interpreter.values import Round, Spot


@dataclass(frozen=True, slots=True)
class Mode:
    """A mode, the call that switched to it (None: as modules are built), and when that was.

    It is for training, or not, or None on a way on which nothing tells. It is ``chosen`` where the
    call may have been for another module in this one's place.
    """

    training: bool | None
    spot: Spot | None = None
    rounds: tuple[Round, ...] = ()
    index: int = 0
    chosen: bool = False


Modes = frozenset[Mode]
"""The modes that a module can be in, one for each way the program may have come; none: unknown."""

BUILT: Modes = frozenset({Mode(training=True)})
UNSEEN: Modes = frozenset()
_UNTOLD: Modes = frozenset({Mode(training=None)})


def either(left: Modes, right: Modes) -> Modes:
    """The modes after two ways have met."""
    return (left or _UNTOLD) | (right or _UNTOLD) if left or right else UNSEEN


def training(modes: Modes) -> bool | None:
    """Whether the module is in training mode; None where that is not known."""
    known = {mode.training for mode in modes}
    return known.pop() if len(known) == 1 else None
