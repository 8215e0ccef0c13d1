"""TL911: code that decides by the values of tensors, and is traced, exported or compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter import recording
from torchlint.interpreter.questions import exports
from torchlint.interpreter.trace import Claim
from torchlint.project import ownfiles
from torchlint.project.idioms import COMPILING, EXPORTED
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL911",
    name="traced-control-flow",
    level=Level.SUSPICIOUS,
    words={EXPORTED, COMPILING},
    callers=ALONE,
)
def traced_control_flow(trace: Trace) -> Iterator[Claim]:
    """Code that is traced, exported or compiled decides by a tensor's value in Python."""
    for decided in exports.decided_once(trace):
        message = (
            f"`{decided.how}` on a tensor's value is settled once, for the example that "
            f"`{decided.recorder}` is given"
        )
        yield Claim(decided.spot, message)
    for decided in exports.refused(trace):
        message = f"`{decided.how}` on a tensor's value is what `{decided.recorder}` cannot record"
        yield Claim(decided.spot, message)
    for decided in exports.broken(trace):
        message = (
            f"`{decided.how}` needs a tensor's value, at which `{recording.COMPILE}` breaks the "
            "graph: what comes before and after is compiled apart"
        )
        is_tested = ownfiles.is_in_tests(decided.spot)
        level = Level.PEDANTIC if is_tested else Level.PERFORMANCE
        yield Claim(decided.spot, message, level=level)
