"""Claims about two models that are trained against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..claims import NOTHING, Watches

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

    from ..claims import Training
    from ..tally import Answer

_LEAST = 2


def _gradient_goes_astray(training: Training) -> Answer:
    """Whether a step uses what the flagged backward left for it, or never finds anything."""
    match training.moment:
        case "before backward" if training.at_target:
            training.memory["found"] = _gradients(training)
        case "before backward":
            _look_again(training)
        case "backward" if training.at_target:
            training.memory["left"] = _added(training)
            training.memory["first"] = None
        case "line":
            training.memory["passed"] = True
        case "before step":
            _note_step(training)
            return _used_by_another(training)
        case "end" if training.memory.get("passed") and "left" not in training.memory:
            return _starving(training)
    return None


def _gradients(training: Training) -> dict[int, Tensor | None]:
    return {
        id(parameter): None if parameter.grad is None else parameter.grad.detach().clone()
        for _, parameter in training.held_parameters()
    }


def _added(training: Training) -> dict[int, Tensor]:
    """What a backward has given parameters, by parameter: the gradients that it has changed."""
    before = training.memory["found"]
    added = {}
    for key, gradient in _gradients(training).items():
        known = before.get(key)
        if gradient is None or not gradient.any():
            continue
        if known is None or not gradient.equal(known):
            added[key] = gradient
    return added


def _look_again(training: Training) -> None:
    """What the flagged backward has left counts for as long as nobody has cleared it."""
    left: dict[int, Tensor] = training.memory.get("left", {})
    now = _gradients(training)
    kept = {
        key: value
        for key, value in left.items()
        if (gradient := now.get(key)) is not None and gradient.equal(value)
    }
    if training.memory.get("first") is not None and "kept" not in training.memory:
        training.memory["kept"] = kept


def _used_by_another(training: Training) -> Answer:
    """What a step finds of it that comes after another optimizer's, which it was made for."""
    memory, optimizer = training.memory, training.stepping
    if optimizer is None or memory.get("left") is None:
        return None
    if memory.get("first") is None:
        memory["first"] = optimizer
        memory.pop("kept", None)
        return None
    if optimizer is memory["first"]:
        return None
    kept = memory.pop("kept", None)
    memory["left"] = None
    if kept is None:
        return None
    held = [item for group in optimizer.param_groups for item in group["params"]]
    own = {id(item) for group in memory["first"].param_groups for item in group["params"]}
    used = [item for item in held if id(item) in kept and id(item) not in own]
    if not used:
        return False
    size = kept[id(used[0])].norm().item()
    return (
        f"the backward leaves |gradient| = {size:.3g} in {training.names.of(used[0])}, and it is "
        "still there when the generator's own is added and used"
    )


def _note_step(training: Training) -> None:
    """Note whether the optimizer that steps has found any gradient."""
    assert training.stepping is not None
    finds: list[tuple[Optimizer, list[bool]]] = training.memory.setdefault("finds", [])
    held = [item for group in training.stepping.param_groups for item in group["params"]]
    found = any(item.grad is not None and bool(item.grad.any()) for item in held)
    for optimizer, known in finds:
        if optimizer is training.stepping:
            known.append(found)
            return
    finds.append((training.stepping, [found]))


def _starving(training: Training) -> Answer:
    """Whether one of two optimizers has never found any gradient in all its steps."""
    finds = [known for _, known in training.memory.get("finds", [])]
    if len(finds) < 2 or min(map(len, finds)) < _LEAST:
        return None
    starved = [known for known in finds if not any(known)]
    if not starved or len(starved) == len(finds):
        # What one finds may be of another part of its loss than what was cut off.
        return None
    return f"in {len(starved[0])} steps one of the optimizers finds no gradient at all"


gan_detach = Watches(
    "before backward, backward, before step, line, end",
    _gradient_goes_astray,
    times=1,
    matters=NOTHING,
    deciding=frozenset({"zero_grad"}),
    outside=frozenset({"zero_grad", "grad"}),
)
