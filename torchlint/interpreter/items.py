"""Items: which dataset the code that runs is to give an item of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torchlint.interpreter.values import Instance, Ref
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine

_GIVING = frozenset({"__getitem__", "__getitems__", "__iter__"})


class Asked(NamedTuple):
    """A dataset of the project, by its address and class, and the method that gives its items."""

    dataset: int
    cls: Definition
    method: str


def asked(machine: Machine) -> Asked | None:
    """The dataset that is being asked for an item; None where none is."""
    for activation in machine.activations:
        called, receiver = activation.function, activation.receiver
        if called is None or called.name not in _GIVING or called.owner is None:
            continue
        record = machine.get(receiver) if isinstance(receiver, Ref) else None
        if (
            isinstance(receiver, Ref)
            and isinstance(record, Instance)
            and isinstance(record.cls, Definition)
            and kinds.is_dataset(machine.index, record.cls)
        ):
            return Asked(receiver.address, record.cls, called.name)
    return None
