"""Questions about files that torch refuses to load."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.questions import names
from torchlint.project import attempts
from torchlint.torch_api import loaded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.names import Named
    from torchlint.interpreter.trace import Trace

_BY_DEFAULT = "2.6"
_ALLOWING = (
    *("add_safe_globals", "safe_globals", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD"),
    *("torch_geometric", "monai"),
)
"""What programs say who allow classes to be loaded, or all that files hold.

Some packages allow their own classes wherever they are imported.
"""

_PATCHED = r"\btorch\.load\s*=[^=]|\bpartial\(\s*torch\.load\b"


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
        says = asking.index.says
        if not any(says(region.outline, word) for word in _ALLOWING) and not says(
            region.outline, "torch.load", _PATCHED
        ):
            yield call, shows
