"""Numbers made of losses: sums, multiples, and what a scaler makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.graphs import back

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.values import Node

SCALED = "scaled"
"""The operation of a scaler, in the graph."""

_ARITHMETIC = frozenset(
    # The last part of the name, without underscores.
    {"add", "mul", "div", "truediv", "sub", "rmul", "radd", "neg", "join", "kept", "accumulate"}
    | {"to", "itruediv", "imul", "roots", SCALED}
)
_MULTIPLES = frozenset({"div", "truediv", "itruediv", "mul", "rmul", "imul"})


def short(op: str) -> str:
    """The last part of an operation's name, without underscores and variants."""
    return op.partition("(")[0].rpartition(".")[2].strip("_")


def is_arithmetic(node: Node) -> bool:
    """Whether an operation makes another number of a loss, and no other loss."""
    return short(node.op) in _ARITHMETIC


def is_scaled(node: Node | None) -> bool | None:
    """Whether a scaler has scaled a loss; None where the loss comes from out of sight."""
    return _made(node, lambda current: current.op == SCALED)


def is_multiple(node: Node | None) -> bool:
    """Whether a loss has been multiplied or divided, or may have been."""
    return _made(node, lambda current: short(current.op) in _MULTIPLES) is not False


def _made(node: Node | None, sought: Callable[[Node], bool]) -> bool | None:
    """Whether an operation is among those that made a number of losses; None if out of sight."""
    if node is None:
        return None
    seen = False
    for current in back([node], is_arithmetic):
        if sought(current):
            return True
        seen = seen or current.opaque
    return None if seen else False
