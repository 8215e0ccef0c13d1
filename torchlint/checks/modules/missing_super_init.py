"""TL401: a module that is given layers, or used, before `nn.Module` has set it up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.classes import AssignedTooEarly
from torchlint.interpreter.questions import classes, supers
from torchlint.interpreter.trace import Claim
from torchlint.project.classwords import EARLY
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL401",
    name="missing-super-init",
    level=Level.CORRECTNESS,
    inside={EARLY},
    classes=True,
)
def missing_super_init(trace: Trace) -> Iterator[Claim]:
    """A module gets layers or parameters, or is called, and `nn.Module.__init__` has not run."""
    for early in trace.of(AssignedTooEarly):
        message = (
            f"`self.{early.name}` is a {early.what}, and `nn.Module.__init__` has not run on this "
            f"{early.cls.name}: to register it raises AttributeError"
        )
        repair = fixing.begin_module(early.spot) if early.alone else None
        yield Claim(early.spot, message, repair=repair)
    for spot, other, own in supers.misdirected(trace):
        message = f"`super({other}, …)` raises TypeError here: a {own} is no {other}"
        yield Claim(spot, message, repair=fixing.plain_super(spot))
    for made, own in supers.never_begun(trace):
        spot = classes.heading(made)
        message = (
            f"`nn.Module.__init__` never runs on a {own}: to call it, to move it or to put it into "
            "another module raises AttributeError"
        )
        yield Claim(spot, message, repair=fixing.begin_module(spot))
