"""Augmentation: transforms of a dataset's items that draw at random."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.interpreter.events.transforms import Composed, Made
from torchlint.interpreter.values import Bound, Function, Instance, Ref, Spot
from torchlint.project.outline import Definition

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_CHANCE = re.compile(
    r"^(?:Random\w+|ColorJitter|AutoAugment|RandAugment|TrivialAugmentWide|AugMix|ElasticTransform)$"
)
_DRAWS = re.compile(r"\brand(?:n|int|perm|_like|n_like)?\(|\brandom\.\w+\(|\bbernoulli\w*\(")
_TRANSFORMS = ("transform", "transforms")


def of(machine: Machine, source: Value | None) -> Spot | None:
    """Where a transform of a dataset, or of the one that it is a part of, draws at random."""
    record = machine.get(source) if source is not None else None
    if not isinstance(record, Instance):
        return None
    for name in _TRANSFORMS:
        value = record.attributes.get(name)
        found = _chance(machine, value) if value is not None else None
        if found is not None:
            return found
    return of(machine, record.attributes.get("dataset"))


def _chance(machine: Machine, value: Value) -> Spot | None:
    match value:
        case Function() if _DRAWS.search(value.region.text):
            return Spot(value.region, value.region.heading(value.node))
        case Bound(method=Function() as method):
            return _chance(machine, method)
        case Ref(address=address):
            record = machine.get(value)
            if isinstance(record, Instance) and isinstance(record.cls, Definition):
                called = machine.index.member(record.cls, "__call__")
                called = called or machine.index.member(record.cls, "forward")
                draws = isinstance(called, Definition) and _DRAWS.search(called.region.text)
                return record.spot if draws else None
            return _of_torchvision(machine, address)
    return None


def _of_torchvision(machine: Machine, address: int) -> Spot | None:
    for made in machine.trace.of(Made):
        if made.transform == address and _CHANCE.match(made.name):
            return made.spot
    for event in machine.trace.of(Composed):
        if event.transforms == address:
            steps = (step for step in event.steps if step is not None)
            return next((step.spot for step in steps if _CHANCE.match(step.name)), None)
    return None
