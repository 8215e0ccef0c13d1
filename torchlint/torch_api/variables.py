"""``Variable``, which was once what had a graph, and now leaves that of the tensor it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import cutting, provenance, tensors, trips
from torchlint.interpreter.cuts import By
from torchlint.interpreter.events.graph import Wrapped
from torchlint.interpreter.values import Tensor
from torchlint.torch_api import legacy
from torchlint.torch_api.factories import leaf_asked_for
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value


@function(legacy.VARIABLE)
def _variable(call: Call) -> Value:
    """The same values in the same memory, as of ``detach()``; a leaf where that is asked for."""
    machine, data = call.machine, call.get("data", 0)
    given = machine.get(data) if data is not None else None
    if not isinstance(given, Tensor):
        values = () if data is None else (data,)
        cuts = cutting.read_out(machine, values, By.VARIABLE, call.spot)
        node = leaf_asked_for(call, cuts)
        device = trips.made_of(machine, values, None)
        cuts = () if node is not None else cuts
        return tensors.new_tensor(machine, node, leaf=node is not None, cuts=cuts, device=device)
    detached = cutting.without(given, By.VARIABLE, call.spot)
    node = leaf_asked_for(call, detached.cuts)
    if given.node is not None:
        machine.emit(Wrapped, call.spot, tensor=given, leaf=node is not None)
    if node is not None:
        detached = replace(detached, node=node, leaf=True, cuts=())
    return provenance.passed_on(machine, data, machine.new(detached))
