"""TL205: a schedule of the learning rate that does not run as it is laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.events.training import SchedulerStep
from torchlint.interpreter.questions import schedules
from torchlint.interpreter.trace import Claim
from torchlint.registry import check
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Chain, Trace

_BUILT = "the scheduler is built here"
_CLASSES = frozenset(f"{name}()" for name in generated.scheduler_names())


@check(
    code="TL205",
    name="scheduler-misuse",
    level=Level.SUSPICIOUS,
    words=_CLASSES,
    callers=_CLASSES,
)
def scheduler_misuse(trace: Trace) -> Iterator[Claim]:
    """A scheduler steps too early, too often or too rarely, or for another optimizer."""
    for scheduled in schedules.without_metric(trace):
        yield Claim(scheduled.spot, "`ReduceLROnPlateau.step` needs the metric that it watches")
    for scheduled, built, end, mode in schedules.at_the_wrong_end(trace):
        message = (
            f"the {end} value of this metric is kept as the best, and the scheduler takes it for "
            f'the worst: `mode="{mode}"` is meant'
        )
        yield Claim(scheduled.spot, message, ((built.spot, _BUILT),))
    for scheduled, step in schedules.too_early(trace):
        because: Chain = ((step.spot, "the optimizer takes its first step only here"),)
        message = "the scheduler steps before the optimizer: the first learning rate is skipped"
        yield Claim(scheduled.spot, message, because)
    for built, scheduled, step in schedules.of_another_optimizer(trace):
        because = (
            (scheduled.spot, "the scheduler steps here"),
            (step.spot, "and another optimizer here; its own never steps"),
        )
        yield Claim(built.spot, "the scheduler is built for an optimizer that never steps", because)
    for built, other in schedules.never_stepped(trace):
        said = "its optimizer steps here, always at the same rate"
        if isinstance(other, SchedulerStep):
            said = "another scheduler of its optimizer steps here"
        yield Claim(built.spot, "the scheduler never steps", ((other.spot, said),))
    for built, scheduled, step in schedules.once_an_epoch(trace):
        because = ((built.spot, _BUILT), (step.spot, "the optimizer steps more often"))
        message = f"`{built.kind}` is laid out in steps, and goes on once an epoch only"
        yield Claim(scheduled.spot, message, because)
    for built, scheduled in schedules.told_parts_of_epochs(trace):
        message = f"`{built.kind}` is laid out in steps, and is told how many epochs have passed"
        yield Claim(scheduled.spot, message, ((built.spot, _BUILT),))
    for built, scheduled, step in schedules.every_step(trace):
        because = ((built.spot, _BUILT), (step.spot, "the optimizer steps as often"))
        message = f"this `{built.kind}` is laid out in epochs, and goes on with every batch"
        yield Claim(scheduled.spot, message, because)
    for built, scheduled, left in schedules.fading(trace):
        after = f"{left**100:.1g} of it is left after a hundred"
        message = f"the learning rate is multiplied by {left} with every batch: {after}"
        yield Claim(scheduled.spot, message, ((built.spot, _BUILT),))
