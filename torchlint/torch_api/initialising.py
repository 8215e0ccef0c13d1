"""Initialisation: what functions of ``nn.init`` are given, and by which names they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.layers import Initialised
from torchlint.interpreter.values import Tensor
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    import libcst as cst

    from torchlint.torch_api.registry import Call

_NAMES = (
    "uniform normal constant eye dirac xavier_uniform xavier_normal kaiming_uniform "
    "kaiming_normal orthogonal sparse"
).split()


@hear("function", *(f"torch.nn.init.{name}" for name in _NAMES))
@hear(
    "function", *(f"torch.nn.init.{name}_" for name in (*_NAMES, "zeros", "ones", "trunc_normal"))
)
def _initialise(call: Call) -> None:
    tensor = call.get("tensor", 0)
    record = call.machine.get(tensor) if tensor is not None else None
    copied = record.copied if isinstance(record, Tensor) else None
    lost = copied is not None and _is_statement(call) and _is_within(copied.node, call.spot.node)
    name = call.name.rpartition(".")[2]
    call.machine.emit(Initialised, call.spot, name=name, lost=lost)


def _is_statement(call: Call) -> bool:
    """Whether nothing takes what the call gives."""
    return call.machine.statement is call.spot.node


def _is_within(inner: cst.CSTNode, outer: cst.CSTNode) -> bool:
    """Whether a copy is taken in the call itself, so that it has no name."""
    pending = [outer]
    while pending:
        node = pending.pop()
        if node is inner:
            return True
        pending.extend(node.children)
    return False
