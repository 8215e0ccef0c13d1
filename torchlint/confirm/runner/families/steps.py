"""Claims about the order of the optimisation step."""

from __future__ import annotations

from ..built import LivesShortly, MovesBadly
from ..claims import NOTHING
from ..clipping import ClipsNothing
from ..closures import Leaves
from ..emptiness import FindsNothing
from ..held import Holds
from ..scaling import Misuses
from ..schedules import Misplaced
from ..summing import SumsWhole

_PARTS = frozenset({"backward", "step", "zero_grad"})
_SCALER = frozenset({"scale", "unscale_", "update"})

step_order = FindsNothing(matters=NOTHING, deciding=_PARTS, outside=frozenset({"zero_grad"}))

missing_backward = FindsNothing(
    matters=NOTHING, deciding=frozenset({"backward"}), outside=frozenset({"backward"})
)

clip_misplaced = ClipsNothing(deciding=frozenset({"unscale_"}), outside=frozenset({"unscale_"}))

scaler_misuse = Misuses(
    r"unscale_\(\) (has already|is being)|step\(\) has already|No inf checks were recorded"
    r"|Attempted (step|unscale_) but _scale is None",
    kinds=(RuntimeError, AssertionError),
    matters=NOTHING,
    deciding=_SCALER,
    outside=_SCALER,
)

optimizer_parameters = Holds("empty parameter list|can't optimize a non-leaf", kinds=(ValueError,))

closure_missing = Leaves(
    r"required positional argument: 'closure'|float\(\) argument must be|object is not callable",
    kinds=(TypeError,),
    matters=NOTHING,
)

scheduler_misuse = Misplaced()

learning_rate = MovesBadly("Invalid learning rate", kinds=(ValueError,))

rebuilt_in_loop = LivesShortly(matters=NOTHING)

accumulation_unscaled = SumsWhole()
