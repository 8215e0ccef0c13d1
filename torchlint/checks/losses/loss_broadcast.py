"""TL311: losses between shapes that broadcast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter import shapes
from torchlint.interpreter.questions import losses
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


_NAMES = ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss")


@check(
    code="TL311",
    name="loss-broadcast",
    level=Level.CORRECTNESS,
    words={*_NAMES, "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss"},
    callers={*_NAMES, "MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss"},
)
def loss_broadcast(trace: Trace) -> Iterator[Claim]:
    """A loss compares each prediction with all targets, as their shapes broadcast."""
    for kind in _NAMES:
        for loss in losses.losses(trace, kind):
            given = loss.input.shape
            target = loss.target.shape if loss.target is not None else None
            if shapes.grows(given, target):
                message = (
                    f"a prediction of shape {shapes.written(given)} and a target of shape "
                    f"{shapes.written(target)} broadcast: each prediction is compared with all "
                    "targets"
                )
                sure = shapes.is_whole(given) and shapes.is_whole(target)
                level = None if sure else Level.SUSPICIOUS
                yield Claim(loss.spot, message, loss.building, level=level)
    for table, others in losses.crossed(trace):
        column, row = table.column.shape, table.row.shape
        message = (
            f"a column of shape {shapes.written(column)} and a row of shape {shapes.written(row)} "
            "broadcast: each prediction is combined with all targets"
        )
        sure = column is not None and row == column[:1] != (None,)
        level = None if sure else Level.SUSPICIOUS
        so_too = tuple((each.spot, "and so here") for each in others)
        yield Claim(table.spot, message, so_too, level=level)
