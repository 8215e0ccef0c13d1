"""TL801: a container that keeps the graph of every round."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import memory
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL801",
    name="graph-kept-by-append",
    level=Level.CORRECTNESS,
    words={"backward()", "eval()"},
    callers={"backward()"},
    long_runs=True,
)
def graph_kept_by_append(trace: Trace) -> Iterator[Claim]:
    """A tensor is stored with its graph, round after round, and memory grows."""
    message = (
        "a tensor is stored together with its graph in every round, so that the graphs of "
        "all rounds stay in memory"
    )
    for keep, because, sure in memory.kept(trace):
        repair = None if keep.part else fixing.detach_stored(keep.spot, sure)
        yield Claim(keep.spot, message, because, repair=repair)
    for join, because, _ in memory.totals(trace, joined=True):
        yield Claim(join.spot, message, because)
