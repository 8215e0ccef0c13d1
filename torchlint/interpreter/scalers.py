"""Scalers of losses: how far they have come with each optimizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import clocks, optimizers, tensors
from torchlint.interpreter.events.training import ScalerBuilt, ScalerCall
from torchlint.interpreter.multiples import SCALED
from torchlint.interpreter.optimisation import Optimizer, Scaler, Stage
from torchlint.interpreter.values import Const, Node, Ref, Tensor

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def build(machine: Machine, enabled: Value | None, spot: Spot) -> Ref:
    """A new scaler; unless it is told otherwise it is enabled."""
    known = bool(enabled.value) if isinstance(enabled, Const) else enabled is None or None
    value = machine.new(Scaler(spot, known))
    machine.emit(ScalerBuilt, spot, address=value.address)
    return value


def take_for_scaler(machine: Machine, value: Ref) -> None:
    """Treat an object as a scaler from now on, because it is called like one."""
    scaler = Scaler(None, enabled=None, used=True, hinted=True, local=False)
    machine.set(value, scaler)


def scale(machine: Machine, receiver: Value, given: Value, spot: Spot) -> Value:
    """The multiple of a loss that a scaler makes."""
    scaler = _scaler(machine, receiver)
    if scaler.enabled is False:
        return given
    machine.set(receiver, replace(scaler, used=True))
    result = tensors.apply(machine, "mul", (given,), spot, scalar=True)
    tensor = machine.get(result)
    if isinstance(tensor, Tensor) and tensor.node is not None:
        node = tensor.node
        marked = Node(SCALED, spot, node.parents, node.certainty, rounds=machine.rounds)
        machine.set(result, replace(tensor, node=marked))
    return result


def _scaler(machine: Machine, value: Value) -> Scaler:
    record = machine.get(value)
    assert isinstance(record, Scaler)
    return record


def unscale(machine: Machine, receiver: Value, optimizer: Value, spot: Spot) -> None:
    """The gradients of an optimizer are divided by the scale."""
    _call(machine, receiver, "unscale_", optimizer, spot)
    record = machine.get(optimizer)
    assert isinstance(record, Optimizer)
    assert isinstance(optimizer, Ref)
    gradients = frozenset(replace(each, unscaled=True) for each in record.gradients)
    optimizers.update(machine, optimizer.address, replace(record, gradients=gradients))
    _set_stage(machine, receiver, optimizer.address, Stage.UNSCALED)


def step(machine: Machine, receiver: Value, optimizer: Value, spot: Spot) -> None:
    """A scaler steps an optimizer, unless its gradients are infinite."""
    _call(machine, receiver, "step", optimizer, spot)
    clocks.waited(machine, spot)
    optimizers.step(machine, optimizer, spot)
    assert isinstance(optimizer, Ref)
    _set_stage(machine, receiver, optimizer.address, Stage.STEPPED)


def update(machine: Machine, receiver: Value, spot: Spot) -> None:
    """A scaler adapts its scale, and begins anew with every optimizer."""
    scaler = _scaler(machine, receiver)
    assert isinstance(receiver, Ref)
    stages = [scaler.stages_of(address) for address in machine.live.optimizers]
    machine.emit(
        ScalerCall,
        spot,
        method="update",
        address=receiver.address,
        scaler=scaler,
        stages=frozenset[Stage]().union(*stages),
    )
    if not scaler.escaped:
        machine.set(receiver, replace(scaler, stages={}))


def _call(machine: Machine, receiver: Value, method: str, optimizer: Value, spot: Spot) -> None:
    scaler, record = _scaler(machine, receiver), machine.get(optimizer)
    assert isinstance(record, Optimizer)
    assert isinstance(optimizer, Ref)
    assert isinstance(receiver, Ref)
    machine.emit(
        ScalerCall,
        spot,
        method=method,
        address=receiver.address,
        scaler=scaler,
        optimizer=optimizer.address,
        stages=scaler.stages_of(optimizer.address),
        gradients=record.gradients,
    )


def _set_stage(machine: Machine, receiver: Value, optimizer: int, stage: Stage) -> None:
    scaler = _scaler(machine, receiver)
    after = frozenset({stage, Stage.UNSEEN} if scaler.escaped else {stage})
    machine.set(receiver, replace(scaler, stages={**scaler.stages, optimizer: after}))
