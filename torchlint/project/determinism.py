"""Determinism: whether a project has torch refuse what gives other results from run to run."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SAID = "deterministic"
_SPEAKS = Pattern(
    r"\buse_deterministic_algorithms\(|\bset_deterministic_debug_mode\(|\bdeterministic\s*=\s*True"
)
_ALWAYS = Pattern(r"__name__|cuda")
_STRICT = ("error", 2)
_OFF = ("default", 0)


def is_demanded(texts: Iterable[str]) -> bool:
    """Whether some file asks for it, and none takes that back, be it for a single operation.

    Who is content with warnings does not ask: torch tells by itself.
    """
    orders = [order for text in texts if _SAID in text for order in _orders(text)]
    return True in orders and False not in orders


def _orders(text: str) -> Iterator[bool]:
    if not _SPEAKS.search(text):
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    by_lightning = "lightning" in text
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    for call in calls:
        order = _order(call, by_lightning)
        # What only an option asks for is not demanded.
        if order is False or (order and not _is_by_choice(tree, call)):
            yield order


def _is_by_choice(tree: ast.Module, call: ast.Call) -> bool:
    """Whether a call stands under a test."""
    tests = (node for node in ast.walk(tree) if isinstance(node, ast.If))
    return any(
        node.lineno <= call.lineno <= (node.end_lineno or node.lineno)
        and not _ALWAYS.search(ast.unparse(node.test))
        for node in tests
    )


def _order(call: ast.Call, by_lightning: bool) -> bool | None:
    """What a call says: to refuse (True) or not to (False), or nothing that is known."""
    told = {item.arg: item.value for item in call.keywords}
    match call.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            pass
        case _:
            return None
    match name, call.args[0] if call.args else told.get("mode", told.get("debug_mode")):
        case "use_deterministic_algorithms", ast.Constant(value=True):
            warns = told.get("warn_only")
            return True if warns is None or _is(warns, False) else None
        case "use_deterministic_algorithms", ast.Constant(value=False):
            return False
        case "set_deterministic_debug_mode", ast.Constant(value=mode):
            return True if mode in _STRICT else False if mode in _OFF else None
        case "Trainer", _ if by_lightning and "deterministic" in told:
            return True if _is(told["deterministic"], True) else None
    return None


def _is(node: ast.expr, value: bool) -> bool:
    return isinstance(node, ast.Constant) and node.value is value
