"""Questions about moves to CUDA by its name."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.questions import names
from torchlint.interpreter.values import Const
from torchlint.project import portability
from torchlint.project.index import External
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.events.names import Named
    from torchlint.interpreter.trace import Trace

CUDA = (".cuda", '.to("cuda")')
"""Methods that move something to CUDA."""

_WEIGHTS = frozenset({"weight", "pos_weight", None})
"""What a loss holds, if it is given any; None is for what is expanded."""


def hard_coded(trace: Trace) -> Iterator[tuple[Named, bool]]:
    """Calls that need CUDA without asking, and whether the file mostly leaves the choice."""
    found = list(names.calls(trace, *CUDA))
    asking = sum(call.name == ".cuda" and call.chosen for call in found)
    free = [call for call in found if not (call.chosen or call.guarded)]
    fixed = [call for call in free if _is_cuda(call) and not _is_of_a_loss(call)]
    for call in fixed:
        text = call.spot.region.outline.said
        if portability.needs_cuda(text):
            continue
        others = asking + portability.moves_by_choice(text)
        yield call, portability.chooses(text) and others >= len(fixed)


def _is_cuda(call: Named) -> bool:
    """Whether the device that is named is one of CUDA, and no variable takes part."""
    given = [*call.arguments.positional, *call.arguments.keywords.values()]
    if call.arguments.open or not all(isinstance(value, Const) for value in given):
        return False
    if call.name == ".cuda":
        return True
    first = given[0] if given else None
    return isinstance(first, Const) and str(first.value).startswith("cuda")


def _is_of_a_loss(call: Named) -> bool:
    """Whether a loss is moved that is built on the spot and holds no tensor: that needs nothing."""
    match call.spot.node:
        case ast.Call(func=ast.Attribute(value=ast.Call(func=built, args=[], keywords=told))):
            assert call.asking is not None
            meant = call.asking.index.meaning(call.asking.outline, ast.unparse(built))
            holds = any(keyword.arg in _WEIGHTS for keyword in told)
            return isinstance(meant, External) and kinds.is_loss(meant.name) and not holds
    return False
