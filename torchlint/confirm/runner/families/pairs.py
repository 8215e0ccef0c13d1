"""Claims about values and indices that are used as one tensor."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from ..claims import UNDER, After, Raises
from ..protocol import OPEN, Observation

if TYPE_CHECKING:
    from ..claims import Aftermath
    from ..protocol import Job
    from ..tally import Answer

_DATA = frozenset({"data"})

_raises = Raises(
    r"torch\.return_types\.|'tuple' object has no attribute|to tuple|tuple indices must be"
    r"|only integer tensors of a single element can be converted to an index",
    (TypeError, AttributeError),
    at=UNDER,
    matters=_DATA,
)


def reduction_returns_pair(job: Job) -> Observation:
    """TL711: it raises; or the pair is compared, is equal to no tensor, and that is no tensor."""
    seen = _raises(job)
    if seen.outcome == "shown":
        return seen
    open_ = False

    def judge(after: Aftermath) -> Answer:
        nonlocal open_
        for node in ast.walk(after.statement) if after.statement is not None else ():
            match node:
                case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                    open_ = True
                    return _is_no_tensor(after.value(left), after.value(right))
        return None

    compared = After(
        "'bool' object has no attribute", (AttributeError,), judge=judge, matters=_DATA
    )
    found = compared(replace(job, seconds=job.seconds / 2))
    if found.outcome == "shown":
        return found
    if open_ and seen.outcome != OPEN:
        return Observation(OPEN, reason="what is compared there is not seen")
    return seen


def _is_no_tensor(left: object, right: object) -> Answer:
    for one, other in ((left, right), (right, left)):
        if type(one).__module__ == "torch.return_types" and isinstance(other, torch.Tensor):
            return f"a {type(one).__name__} pair is compared with a tensor, which is never equal"
    return None
