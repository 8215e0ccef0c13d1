"""What loaders and splits ask of a dataset, and whether it has that."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import containers, names
from torchlint.interpreter.events.data import ContractBroken
from torchlint.interpreter.values import NONE, Either, Instance, Ref, Spot, options_of
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

_ROUNDS, _ITEMS, _LENGTH = [("__iter__",)], [("__getitem__", "__getitems__")], [("__len__",)]
"""Names of methods of which a dataset has to have one."""


@hear("function", "torch.utils.data.DataLoader")
@hear("derived", "torch.utils.data.DataLoader")
def _loaded(call: Call) -> None:
    given = settings(call)
    ordered = {given.get("sampler", NONE), given.get("batch_sampler", NONE)} == {NONE}
    for dataset in _ways(call, given.get("dataset")):
        _ask(call, dataset, length=ordered and not call.arguments.open)


@hear("function", "torch.utils.data.random_split")
def _split(call: Call) -> None:
    for dataset in _ways(call, call.get("dataset", 0)):
        _ask(call, dataset, length=True)


@hear("function", "torch.utils.data.ConcatDataset")
def _joined(call: Call) -> None:
    """All that are put together are asked how long they are."""
    parts = call.get("datasets", 0)
    for part in containers.known_items(call.machine, parts) or () if parts is not None else ():
        _ask(call, part, length=True)


@hear("function", "builtins.len")
def _measured(call: Call) -> None:
    _ask(call, call.get("obj", 0), length=True, items=False)


def _ways(call: Call, dataset: Value | None) -> tuple[Value, ...]:
    """The datasets that may be there: tests may tell one of several from the others."""
    return () if call.machine.forks and isinstance(dataset, Either) else options_of(dataset)


def _ask(call: Call, dataset: Value | None, *, length: bool, items: bool = True) -> None:
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
    if _is_never_made(call, cls):
        return
    wanted = _LENGTH if length and not (items and _STREAM in bases) else []
    if items:
        wanted = [*(_ROUNDS if _STREAM in bases else _ITEMS), *wanted]
    missing = [names[0] for names in wanted if not any(map(family.has_member, names))]
    if not missing or (_may_be_below(call, dataset) and _is_below(family, missing[0])):
        return
    # A class may be given its methods after it was made.
    if not machine.index.says(cls.outline, f".{missing[0]} = "):
        spot = Spot(cls.region, cls.region.heading())
        machine.emit(ContractBroken, spot, dataset=cls.name, missing=missing[0], asks=call.spot)


def _is_never_made(call: Call, cls: Definition) -> bool:
    """Whether the constructor ends in an exception, as that of what is still to be written."""
    made = call.machine.index.member(cls, "__init__")
    if not isinstance(made, Definition):
        return False
    node = names.function_of(made).node
    return isinstance(node, ast.FunctionDef) and isinstance(node.body[-1], ast.Raise)


def _may_be_below(call: Call, dataset: Value | None) -> bool:
    """Whether an object was not made in sight, and may be of a class that derives from its own."""
    return isinstance(dataset, Ref) and dataset.address < call.machine.trace.begun


def _is_below(family: Family, name: str) -> bool:
    """Whether a class that derives from one has a method."""
    return any(name in below.members for below in family.descendants)
