"""TL415: a container of layers that is given something else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.layers import NotListed, NotModules
from torchlint.interpreter.trace import Claim
from torchlint.project.given import NO_MODULES
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL415",
    name="sequential-of-list",
    level=Level.CORRECTNESS,
    words={NO_MODULES},
    callers=ALONE,
)
def sequential_of_list(trace: Trace) -> Iterator[Claim]:
    """A container of layers is given a whole list of them, or something that is no layer."""
    for built in trace.of(NotModules):
        if built.whole:
            message = f"`{built.kind}` takes layers one by one, and is given {built.item} of them"
            yield Claim(built.spot, message, repair=fixing.one_by_one(built.spot))
        else:
            yield Claim(built.spot, f"`{built.kind}` takes layers, and {built.item} is none")
    for listed in trace.of(NotListed):
        given = "layers one by one" if listed.several else "a layer"
        message = f"`{listed.kind}` takes a list of layers, and is given {given}"
        yield Claim(listed.spot, message, repair=fixing.as_a_list(listed.spot))
