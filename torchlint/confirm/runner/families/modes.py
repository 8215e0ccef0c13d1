"""Claims about training and evaluation mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from ..claims import NOTHING, Watches

if TYPE_CHECKING:
    from torch import nn

    from ..claims import Training
    from ..tally import Answer


def _trains_in_eval(training: Training) -> Answer:
    """Whether a model that trained in training mode steps in eval once the flagged line has run."""
    switched: list[nn.Module] = training.memory.setdefault("switched", [])
    trained: list[nn.Module] = training.memory.setdefault("trained", [])
    if training.moment == "line":
        switched += [model for model in trained if not model.training]
        return None
    for model in training.models:
        if not _steps(training, model):
            continue
        if any(model is known for known in switched):
            if model.training:
                return False
            name = type(model).__name__
            return f"at step {training.counts['before step']} `{name}.training` is False"
        if model.training and not any(model is known for known in trained):
            trained.append(model)
    return None


def _steps(training: Training, model: nn.Module) -> bool:
    """Whether the optimizer that is about to step holds a parameter of the model."""
    assert training.stepping is not None
    held = [item for group in training.stepping.param_groups for item in group["params"]]
    return any(parameter is item for parameter in model.parameters() for item in held)


train_mode_not_restored = Watches(
    "line, before step",
    _trains_in_eval,
    times=2,
    matters=NOTHING,
    deciding=frozenset({"train"}),
    outside=frozenset({"train"}),
)


def _statistics_move(training: Training) -> Answer:
    """Whether the statistics of a frozen batch norm move from step to step."""
    seen: dict[int, Any] = training.memory.setdefault("seen", {})
    if training.moment == "line":
        training.memory["frozen"] = True
        return None
    if "frozen" not in training.memory:
        return None
    answer: Answer = None
    for model in training.models:
        for name, part in model.named_modules():
            mean = getattr(part, "running_mean", None)
            if mean is None or part.weight is None or part.weight.requires_grad:
                continue
            before = seen.get(id(part))
            seen[id(part)] = mean.clone()
            if before is not None and not torch.equal(mean, before):
                moved = float((mean - before).abs().max())
                return f"`{name}.running_mean`, which is frozen, moved by {moved:.3g} in a step"
            answer = False if before is not None else answer
    return answer


frozen_norm_updates = Watches(
    "line, step",
    _statistics_move,
    times=2,
    deciding=frozenset({"eval", "train"}),
    outside=frozenset({"eval", "train"}),
)
