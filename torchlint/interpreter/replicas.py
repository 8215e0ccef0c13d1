"""Replicas: modules that are wrapped so that several processes train them together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import choosing, holdings
from torchlint.interpreter.events.distributed import Wrapped, WrapperCall
from torchlint.interpreter.values import Bound, Function, Instance, Ref, options_of
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import modules

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

REPLICATED = "torch.nn.parallel.DistributedDataParallel"
"""What reduces the gradients of the parameters that it has found when it was built."""

_PARALLEL = frozenset({REPLICATED, "torch.nn.DataParallel", "torch.nn.parallel.DataParallel"})

_OF_SEVERAL = Pattern(r"> *1\b|>= *2\b")
"""A test for more than one."""


def wrap(machine: Machine, wrapper: Ref, inner: Value, spot: Spot) -> None:
    """Note what a wrapper finds in the module that it is given."""
    machine.emit(Wrapped, spot, wrapper=wrapper.address, modules=_inside(machine, inner))


def bring(machine: Machine, inner: Value) -> None:
    """A wrapper over a single device brings the module there itself, if nobody else has moved it.

    How many there are is up to the machine, unless the program has counted them.
    """
    tests = [test for activation in machine.activations for test in activation.tests]
    if any(_OF_SEVERAL.search(test.region.text_of(test.node)) for test in tests):
        return
    for address in _inside(machine, inner):
        record = machine.live.heap.get(address)
        device = record.device if isinstance(record, Instance) else None
        if isinstance(record, Instance) and device is not None and device.kind == "home":
            machine.live.heap[address] = replace(record, device=None)


def _inside(machine: Machine, inner: Value) -> frozenset[int]:
    if not isinstance(inner, Ref):
        return frozenset()
    return frozenset(holdings.modules_under(machine, frozenset({inner.address})))


def unwrapped(machine: Machine, options: tuple[Value, ...], spot: Spot) -> Value | None:
    """What is called whichever of these is: a module that all others wrap, or its forward."""
    modules_ = [_applied(option) for option in options]
    for bare, option in zip(modules_, options, strict=True):
        others = [module for module in modules_ if module != bare]
        if all(_is_wrapper_of(machine, module, bare) for module in others):
            with choosing.one_of(machine):
                for wrapper in others:
                    assert isinstance(wrapper, Ref)
                    note_call(machine, wrapper, bare, spot)
            return option
    return None


def _applied(value: Value) -> Value:
    """The module that is applied by calling something, or that itself."""
    match value:
        case Bound(receiver=module, method="forward" | Function(name="forward")):
            return module
    return value


def _is_wrapper_of(machine: Machine, value: Value, inner: Value) -> bool:
    record = machine.peek(value)
    return (
        isinstance(record, Instance)
        and record.cls in _PARALLEL
        and record.attributes.get("module") == inner
    )


def wraps(record: Instance, inner: Value) -> bool:
    """Whether a module is what wraps another, or what that is one of."""
    return record.cls in _PARALLEL and inner in options_of(record.attributes.get("module"))


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
