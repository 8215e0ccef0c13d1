"""Methods that leave their tensor as it is, for statements that expect them to change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import lost
from torchlint.project.dropped import MOVES, RESULTS
from torchlint.torch_api import generated
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from collections.abc import Collection

    from torchlint.torch_api.registry import Call


_TOLD = frozenset({"out", "inplace"})
"""Arguments that say where the result goes, which methods of tensors do not have."""


@hear("tensor", *MOVES, *RESULTS)
@hear("opaque", *MOVES, *RESULTS)
def _dropped(call: Call) -> None:
    told = call.arguments.keywords.keys()
    if told.isdisjoint(_TOLD) and _may_be_tensors(call.name, told):
        lost.dropped(call.machine, call.name, call.receiver, call.spot)


def _may_be_tensors(name: str, told: Collection[str]) -> bool:
    """Whether the method of tensors takes these arguments by name; others are of something else."""
    overloads = generated.signatures(f"Tensor.{name}")
    taken = {parameter for one in overloads for parameter in (*one.positional, *one.keyword_only)}
    return not overloads or taken.issuperset(told)
