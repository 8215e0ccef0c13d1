"""Seeding of the global random generators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.seeds import Seed
from torchlint.interpreter.values import NONE, UNKNOWN, Const, Frame
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import Call, function, hear

if TYPE_CHECKING:
    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_RESTORE = ("fork_rng", "rng_state", "isolate_rng")
_PER_ITEM = frozenset({"forward", "__getitem__"})


@function("torch.manual_seed", "torch.random.manual_seed", "torch.cuda.manual_seed_all")
def _seed(call: Call) -> Value:
    """Every draw after it follows from the seed."""
    machine, given = call.machine, call.get("seed", 0)
    running = (each for each in machine.activations if _is_per_item(machine, each))
    item = next(running, None)
    within = item.function.name if item is not None and item.function is not None else ""
    is_constant = isinstance(given, Const) and given != NONE and not _is_of_item(call, given)
    machine.emit(
        Seed,
        call.spot,
        constant=given if is_constant else None,
        within=within,
        frame=item.frame if item is not None else 0,
        restored=any(word in call.spot.region.text for word in _RESTORE),
    )
    return UNKNOWN


def _is_per_item(machine: Machine, activation: Activation) -> bool:
    """Whether this happens in every call of a method for single items, of what is trained with."""
    function = activation.function
    if function is None or function.owner is None or function.name not in _PER_ITEM:
        return False
    if machine.forks != activation.forks or activation.returns:
        return False
    is_one = kinds.is_module if function.name == "forward" else kinds.is_dataset
    return is_one(machine.index, function.owner)


def _is_of_item(call: Call, given: Value) -> bool:
    """Whether the number is what a method for single items was given, such as the item's index."""
    machine = call.machine
    for activation in machine.activations:
        function, frame = activation.function, machine.live.heap.get(activation.frame)
        if function is None or function.name not in _PER_ITEM or not isinstance(frame, Frame):
            continue
        parameters = [one.arg for one in syntax.positional(function.node)]
        if any(frame.names.get(name) == given for name in parameters):
            return True
    return False


_FRAMEWORKS = "lightning lightning.pytorch lightning.fabric pytorch_lightning".split()


@hear("function", *(f"{name}.seed_everything" for name in _FRAMEWORKS), "transformers.set_seed")
@hear("function", "accelerate.utils.set_seed", "torch.cuda.manual_seed", "torch.set_rng_state")
@hear("function", "torch.seed", "torch.random.seed", "torch.random.set_rng_state")
def _seeded(call: Call) -> None:
    """Something else sets the generators, which is all that is known of it."""
    call.machine.emit(Seed, call.spot)
