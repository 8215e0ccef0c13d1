"""Questions about files that torch refuses to load."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.states import MoreSaved
from torchlint.interpreter.questions import names
from torchlint.project import attempts
from torchlint.torch_api import loaded, pickled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.names import Named
    from torchlint.interpreter.trace import Trace

_BY_DEFAULT = "2.6"


def refused_loads(trace: Trace) -> Iterator[tuple[Named, str]]:
    """Loads of more than weights that say nothing of it, and what shows that there is more.

    It is for releases alone that load weights and nothing else by default.
    """
    for call in names.calls(trace, "torch.load"):
        given = call.arguments
        is_told = bool(given.keywords.keys() & {"weights_only", "pickle_module"})
        if is_told or given.open or len(given.positional) > 2 or call.guarded:
            continue
        if names.releases(trace, call).reach_below(_BY_DEFAULT):
            continue
        region, node, asking = call.spot.region, call.spot.node, call.asking
        assert isinstance(node, ast.Call)
        assert asking is not None
        shows = loaded.surely_more(region, node, asking)
        if not shows or attempts.is_attempt(region, node):
            continue
        if not pickled.allows_more(asking.index, region.outline):
            yield call, shows


def saved_and_refused(trace: Trace) -> Iterator[MoreSaved]:
    """What is saved beside weights that a load by default does not give back."""
    if trace.releases.reach(_BY_DEFAULT):
        yield from trace.of(MoreSaved)
