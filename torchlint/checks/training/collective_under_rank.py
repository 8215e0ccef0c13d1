"""TL230: an operation of all processes that only some of them get to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.processes import FIRST
from torchlint.interpreter.questions.distributed import partial_collectives
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WORDS = frozenset(
    {"barrier()", "all_reduce()", "all_gather()", "all_gather_object()", "broadcast()"}
    | {"broadcast_object_list()", "gather_object()", "reduce_scatter()", "all_to_all()"}
    | {"all_gather_into_tensor()", "scatter_object_list()", "monitored_barrier()", "new_group()"}
    | {"wait_for_everyone()", "gather_for_metrics()", "init_process_group()", "is_global_zero"}
)
# Who is called by whom matters in programs; libraries call collectives from everywhere.
_PROGRAMS = frozenset({"init_process_group()", "barrier()", "wait_for_everyone()"})


@check(
    code="TL230",
    name="collective-under-rank",
    level=Level.CORRECTNESS,
    words=_WORDS,
    callers=_PROGRAMS,
)
def collective_under_rank(trace: Trace) -> Iterator[Claim]:
    """Only some of the processes call a collective, and wait for the others for ever."""
    for call in partial_collectives(trace):
        message = f"only the first process may get to `{call.op}`, and waits there for the others"
        if FIRST not in call.ranks:
            message = f"the first process may not get to `{call.op}`, where the others wait for it"
        yield Claim(call.spot, message)
