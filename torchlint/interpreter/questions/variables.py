"""Questions about ``Variable``, as it was in the first releases of torch."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.values import FALSE
from torchlint.project import around

if TYPE_CHECKING:
    from torchlint.interpreter.events.names import Named

_ASKED = r"\bvolatile\s*=(?!=)\s*(?!False\b|volatile\b)\w"
"""How a call asks for no graph."""


def is_volatile(made: Named) -> bool:
    """Whether a variable is to be in no graph, or may be for all that the project's calls say.

    A function that takes it from its callers asks for a graph where none of them says otherwise.
    """
    told = made.arguments.keywords.get("volatile", FALSE)
    if told == FALSE:
        return False
    return made.asking is None or not _is_passed_on(made) or _is_asked(made)


def _is_passed_on(made: Named) -> bool:
    """Whether it is a parameter of the function around it, which is ``False`` by default."""
    node = made.spot.node
    given = node.keywords if isinstance(node, ast.Call) else []
    if not any(isinstance(each.value, ast.Name) and each.arg == "volatile" for each in given):
        return False
    functions = [
        outer
        for outer in around.path(made.spot.region, node)
        if isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    arguments = functions[-1].args if functions else ast.arguments([], [], None, [], [], None, [])
    taken = [each.arg for each in (*arguments.posonlyargs, *arguments.args)]
    defaults = dict(zip(reversed(taken), reversed(arguments.defaults), strict=False))
    default = defaults.get("volatile")
    return isinstance(default, ast.Constant) and default.value is False


def _is_asked(made: Named) -> bool:
    assert made.asking is not None
    return made.asking.index.says(made.asking.outline, "volatile", _ASKED)
