"""Claims about layers and the containers that they are put into."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torch import nn

from ..claims import NOTHING, After, Raises
from ..settings_of_data import built_of_data

if TYPE_CHECKING:
    from ..claims import Aftermath
    from ..tally import Answer


sequential_of_list = Raises("is not a Module subclass", (TypeError,), matters=NOTHING)


def _built(seen: Aftermath) -> list[nn.Module]:
    """The modules that the names and attributes are bound to which the statement assigns."""
    match seen.statement:
        case (
            ast.Assign(targets=[target])
            | ast.AnnAssign(target=target)
            | ast.AugAssign(target=target)
        ):
            value = seen.value(_loaded(target))
            return _modules(value)
    return []


def _loaded(target: ast.expr) -> ast.expr:
    text = ast.unparse(target)
    return ast.parse(text, mode="eval").body


def _modules(value: Any) -> list[nn.Module]:
    items = (
        list(value) if isinstance(value, (list, tuple, nn.ModuleList, nn.Sequential)) else [value]
    )
    return [item for item in items if isinstance(item, nn.Module)]


def _are_one(seen: Aftermath) -> Answer:
    """Whether modules with parameters of a list that was built there are one and the same."""
    items = [item for item in _built(seen) if next(item.parameters(), None) is not None]
    if len(items) < 2:
        return None
    for item in items:
        same = sum(item is other for other in items)
        if same > 1:
            name, size = type(item).__name__, sum(p.numel() for p in item.parameters())
            return f"{same} items are one `{name}` with {size} parameters in all"
    return False


shared_layer = After("(?!)", (TypeError,), judge=_are_one, matters=NOTHING)


layer_called_as_function = built_of_data
