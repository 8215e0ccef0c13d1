"""Methods that leave their tensor as it is, for statements that expect them to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import lost
from torchlint.project.dropped import MOVES, RESULTS
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Call


_TOLD = frozenset({"out", "inplace"})
"""Arguments that say where the result goes, which methods of tensors do not have."""


@hear("tensor", *MOVES, *RESULTS)
@hear("opaque", *MOVES, *RESULTS)
def _dropped(call: Call) -> None:
    if call.arguments.keywords.keys().isdisjoint(_TOLD):
        lost.dropped(call.machine, call.name, call.receiver, call.spot)
