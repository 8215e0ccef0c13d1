"""Gradients: they come with a backward, and something unseen may clear them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from torchlint.interpreter import holdings, optimizers
from torchlint.interpreter.events.graph import Backward, GradientRead
from torchlint.interpreter.values import Gradients, Phase

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Optimizer, Spot, Tensor


def backward(machine: Machine, tensor: Tensor, spot: Spot, *, retained: bool = False) -> None:
    """Gradients flow from a tensor to the parameters in its graph."""
    machine.emit(Backward, spot, node=tensor.node, retained=retained)
    owners, whole = holdings.owners_of(tensor.node)
    known = list(optimizers.known(machine))
    for address, optimizer in known:
        sure = _reaches(machine, optimizer, owners) or (not whole and len(known) == 1)
        if sure or not whole:
            cleared = optimizers.CLEAR in optimizer.gradients
            after = {_after_backward(g, spot, cleared, sure) for g in optimizer.gradients}
            optimizers.update(machine, address, replace(optimizer, gradients=frozenset(after)))


def _after_backward(gradients: Gradients, spot: Spot, cleared: bool, sure: bool) -> Gradients:
    """The phase after a backward; where some path has cleared, all are taken to have."""
    match gradients.phase:
        case Phase.CLEAR:
            return Gradients(Phase.FRESH, backward=spot, sure=sure)
        case Phase.USED if cleared:
            return Gradients(Phase.FRESH, backward=spot, sure=sure)
        case Phase.USED:
            return replace(gradients, phase=Phase.STALE, backward=spot, sure=sure)
    if sure and not gradients.sure:
        return replace(gradients, backward=spot, sure=True)
    return gradients


def _reaches(machine: Machine, optimizer: Optimizer, owners: frozenset[int]) -> bool:
    """Whether gradients of these modules' parameters are the optimizer's, as far as is known."""
    if optimizer.parameters is None or not optimizer.parameters.whole:
        return True
    return not owners.isdisjoint(holdings.modules_under(machine, optimizer.parameters.owners))


def maybe_cleared(machine: Machine) -> None:
    """Any gradients may have been cleared, or set, unseen."""
    for key, optimizer in list(optimizers.known(machine)):
        optimizers.update(
            machine, key, replace(optimizer, gradients=optimizer.gradients | {optimizers.CLEAR})
        )


def gradient_read(machine: Machine, spot: Spot) -> None:
    """``p.grad`` is read, and may be changed in place."""
    machine.emit(GradientRead, spot)
    maybe_cleared(machine)
