"""TL802: a total that keeps the graph of every round."""

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
    code="TL802",
    name="graph-kept-by-sum",
    level=Level.CORRECTNESS,
    words={"backward()", "eval()"},
    callers={"backward()"},
    long_runs=True,
)
def graph_kept_by_sum(trace: Trace) -> Iterator[Claim]:
    """A running total of tensors keeps the graph of every round, and memory grows."""
    for accumulate, because, sure in memory.totals(trace):
        message = (
            f"`{accumulate.what}` adds up tensors with their graphs, so that the graphs of all "
            "rounds stay in memory"
        )
        repair = fixing.detach_added(accumulate.spot, sure)
        yield Claim(accumulate.spot, message, because, repair=repair)
    for total in memory.totals_of_steps(trace):
        message = (
            f"`{total.what}` adds up tensors with their graphs, step after step, so that the "
            "graphs of all steps stay in memory"
        )
        yield Claim(total.spot, message, repair=fixing.detach_added(total.spot, sure=False))
