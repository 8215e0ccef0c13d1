"""What loaders and splits ask of a dataset, and whether it has that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import ContractBroken
from torchlint.interpreter.values import NONE, Instance, Ref, Spot
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds
from torchlint.torch_api.loader_arguments import settings
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.project.classes import Family
    from torchlint.torch_api.registry import Call

_MAP_STYLE = "torch.utils.data.Dataset"
_STREAM = "torch.utils.data.IterableDataset"
_EMPTY = {_MAP_STYLE, _STREAM, "abc.ABC", "typing.Generic"}
"""Bases outside the project that give a dataset none of the methods."""


@hear("function", "torch.utils.data.DataLoader")
def _loaded(call: Call) -> None:
    given = settings(call)
    ordered = {given.get("sampler", NONE), given.get("batch_sampler", NONE)} == {NONE}
    _ask(call, given.get("dataset"), length=ordered and not call.arguments.open)


@hear("function", "torch.utils.data.random_split")
def _split(call: Call) -> None:
    _ask(call, call.get("dataset", 0), length=True)


def _ask(call: Call, dataset: Value | None, *, length: bool) -> None:
    """Note what a dataset is asked for and does not have."""
    machine = call.machine
    record = machine.get(dataset) if dataset is not None and not machine.tries else None
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return
    cls = record.cls
    bases = machine.index.externals(cls)
    family = machine.index.family(cls)
    if not kinds.is_dataset(machine.index, cls) or not bases <= _EMPTY or family.is_magic:
        return
    wanted: list[tuple[str, ...]]
    if _STREAM in bases:
        wanted = [("__iter__",)]
    else:
        wanted = [("__getitem__", "__getitems__"), *([("__len__",)] if length else [])]
    missing = [names[0] for names in wanted if not any(map(family.has_member, names))]
    if not missing or (_may_be_below(call, dataset) and _is_below(family, missing[0])):
        return
    # A class may be given its methods after it was made.
    if not machine.index.says(cls.outline, f".{missing[0]} = "):
        spot = Spot(cls.region, cls.region.heading())
        machine.emit(ContractBroken, spot, dataset=cls.name, missing=missing[0], asks=call.spot)


def _may_be_below(call: Call, dataset: Value | None) -> bool:
    """Whether an object was not made in sight, and may be of a class that derives from its own."""
    return isinstance(dataset, Ref) and dataset.address < call.machine.trace.begun


def _is_below(family: Family, name: str) -> bool:
    """Whether a class that derives from one has a method."""
    return any(name in below.members for below in family.descendants)
