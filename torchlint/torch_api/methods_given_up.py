"""Methods of tensors that torch gives up: calls of them are uses of their names."""

from __future__ import annotations

from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.values import Ref
from torchlint.torch_api import history
from torchlint.torch_api.registry import Call, hear


@hear("tensor", *history.methods())
def _called(call: Call) -> None:
    if isinstance(call.receiver, Ref) and call.receiver.address in call.machine.trace.taken:
        # What only turned out to be a tensor may be an image, or an array, with methods of its own.
        return
    call.machine.emit(
        Named,
        call.spot,
        name=f"torch.Tensor.{call.name}",
        use=Use.CALLED,
        guarded=False,
        arguments=call.arguments,
    )
