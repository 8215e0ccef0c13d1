"""Methods of tensors that torch gives up: calls of them are uses of their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import released
from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.values import Ref, Tensor
from torchlint.torch_api import history
from torchlint.torch_api.registry import Call, hear

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine


@hear("tensor", *history.methods())
def _called(call: Call) -> None:
    if isinstance(call.receiver, Ref) and call.receiver.address in call.machine.trace.taken:
        # What only turned out to be a tensor may be an image, or an array, with methods of its own.
        return
    tensor = call.machine.get(call.receiver) if call.receiver is not None else None
    if not isinstance(tensor, Tensor) or _may_be_other(call.machine, tensor):
        return
    call.machine.emit(
        Named,
        call.spot,
        name=f"torch.Tensor.{call.name}",
        use=Use.CALLED,
        guarded=released.is_asked(call.machine),
        arguments=call.arguments,
    )


def _may_be_other(machine: Machine, tensor: Tensor) -> bool:
    """Whether it comes of something unseen, whose methods may give objects of the same kind."""
    for address in machine.trace.taken:
        record = machine.live.heap.get(address)
        if isinstance(record, Tensor) and not record.storages.isdisjoint(tensor.storages):
            return True
    return tensor.node is not None and any(n.opaque for n in machine.trace.reach(tensor.node))
