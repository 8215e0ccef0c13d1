"""Questions about what gives other results from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.questions import names
from torchlint.interpreter.values import FALSE, TRUE
from torchlint.torch_api import determinism

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


def refused(trace: Trace) -> Iterator[tuple[Named, str]]:
    """Calls of what torch refuses where the project demands determinism, and what is missing."""
    for call in names.calls(trace, *determinism.OPERATIONS) if trace.deterministic else ():
        lacks = determinism.refused(call.name, call.arguments)
        if lacks:
            yield call, lacks


def measured(trace: Trace) -> Iterator[tuple[Named, Named]]:
    """Where cuDNN is told to measure, and a seed that is set wherever that runs."""
    switched = [item for item in trace.of(Named) if item.use is Use.SET]
    switched = [item for item in switched if item.name == determinism.MEASURES]
    seeds = [call for call in names.calls(trace, *determinism.SEEDS) if _is_told(call)]
    off = {_scope(item) for item in switched if item.arguments.positional == (FALSE,)}
    for switch in switched:
        if switch.arguments.positional != (TRUE,) or _scope(switch) in off:
            continue
        for seed in seeds:
            together = _scope(seed) in {_scope(switch), ""}
            if together and switch.conditions <= seed.conditions:
                yield switch, seed
                break


def _is_told(call: Named) -> bool:
    return bool(call.arguments.positional or call.arguments.keywords)


def _scope(named: Named) -> str:
    """The function that it stands in; nothing for the top level of a file."""
    return named.spot.region.scope
