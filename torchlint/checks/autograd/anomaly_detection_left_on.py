"""TL110: training that looks for anomalies all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import autograd
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL110",
    name="anomaly-detection-left-on",
    level=Level.SUSPICIOUS,
    words={"set_detect_anomaly", "detect_anomaly"},
    callers=ALONE,
)
def anomaly_detection_left_on(trace: Trace) -> Iterator[Claim]:
    """A training loop runs under anomaly detection, which is there for debugging."""
    for switch, backward in autograd.searches(trace):
        message = (
            "anomaly detection is on for all of the training: every operation notes where it was "
            "called, and every backward is checked for NaN"
        )
        yield Claim(switch.spot, message, ((backward.spot, "training goes back here"),))
