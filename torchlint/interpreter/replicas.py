"""Replicas: modules that are wrapped so that several processes train them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import holdings
from torchlint.interpreter.events.distributed import Wrapped, WrapperCall
from torchlint.interpreter.values import Instance, Ref
from torchlint.torch_api import modules

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

REPLICATED = "torch.nn.parallel.DistributedDataParallel"
"""What reduces the gradients of the parameters that it has found when it was built."""


def wrap(machine: Machine, wrapper: Ref, inner: Value, spot: Spot) -> None:
    """Note what a wrapper finds in the module that it is given."""
    machine.emit(Wrapped, spot, wrapper=wrapper.address, modules=_inside(machine, inner))


def _inside(machine: Machine, inner: Value) -> frozenset[int]:
    if not isinstance(inner, Ref):
        return frozenset()
    return frozenset(holdings.modules_under(machine, frozenset({inner.address})))


def note_call(machine: Machine, wrapper: Ref, inner: Value, spot: Spot) -> None:
    """A wrapper is called: it will reduce the gradients of what it knows, and of nothing else."""
    for wrapped in machine.trace.of(Wrapped):
        if wrapped.wrapper == wrapper.address and machine.live.grad is not False:
            late = _late(machine, _inside(machine, inner) - wrapped.modules)
            sure = machine.choices == 0
            machine.emit(WrapperCall, spot, wrapper=wrapper.address, sure=sure, late=late)


def _late(machine: Machine, addresses: frozenset[int]) -> Spot | None:
    """Where the first of these modules that has parameters is built."""
    for address in sorted(addresses):
        record = machine.live.heap.get(address)
        if isinstance(record, Instance) and modules.parametrised(machine, Ref(address)):
            return record.spot
    return None
