"""Portions: which samples of which dataset a loader has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.loading import LoaderBuilt, Portion, Split
from torchlint.interpreter.values import NONE, Const, Instance, Ref, Sequence, Tensor, Tuple
from torchlint.project.outline import Definition

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_SUBSET = "torch.utils.data.Subset"
_SUBSET_SAMPLER = "torch.utils.data.SubsetRandomSampler"
_OF_ALL = frozenset(
    f"torch.utils.data.{name}"
    for name in ("RandomSampler", "SequentialSampler", "DistributedSampler")
)
_HELD = frozenset({"torch.utils.data.TensorDataset"})


def split(call: Call, parts: list[Ref]) -> None:
    """Note that a dataset is split at random."""
    seeded = call.get("generator", 2) is not None or call.arguments.open
    addresses = tuple(part.address for part in parts)
    call.machine.emit(Split, call.spot, parts=addresses, seeded=seeded)


def of(machine: Machine, source: Value | None, settings: dict[str, Value]) -> Portion | None:
    """What a loader with these settings has of a dataset; None where that is not known."""
    cuts: list[tuple[int, ...]] = []
    sampler = settings.get("sampler", NONE)
    if settings.get("batch_sampler", NONE) != NONE:
        return None
    if sampler != NONE:
        drawn = _drawn(machine, sampler)
        if drawn is None:
            return None
        cuts.extend(drawn)
    while isinstance(source, Ref):
        record = machine.get(source)
        if not isinstance(record, Instance) or record.cls != _SUBSET:
            if not _stays(machine, source):
                return None
            return Portion(_original(machine, source.address, record), tuple(cuts))
        cut = _cut(machine, source.address, record)
        if cut is None:
            return None
        cuts.append(cut)
        source = record.attributes.get("dataset")
    return None


def _drawn(machine: Machine, sampler: Value) -> list[tuple[int, ...]] | None:
    """What a sampler leaves of a dataset: what is not known is some part of it, of its own."""
    chosen = machine.get(sampler)
    if not isinstance(chosen, Instance) or not isinstance(sampler, Ref):
        return None
    if chosen.cls == _SUBSET_SAMPLER:
        indices = chosen.attributes.get("indices")
        return [(indices.address,)] if isinstance(indices, Ref) else None
    return [] if chosen.cls in _OF_ALL else [(sampler.address,)]


def _original(machine: Machine, address: int, dataset: object) -> int:
    """The first object that is known to hold the same data as a dataset: it, or one of before."""
    if isinstance(dataset, Instance) and _tells_data(dataset):
        for event in machine.trace.of(LoaderBuilt):
            other = machine.get(Ref(event.portion.base)) if event.portion else None
            if isinstance(other, Instance) and _data(other) == _data(dataset):
                assert event.portion is not None
                return event.portion.base
    return address


def _tells_data(dataset: Instance) -> bool:
    """Whether all is known that a dataset was given, and its data comes from some of it."""
    _, given = _data(dataset)
    return all(map(_is_known, given.values())) and (
        any(isinstance(value, (Ref, Tuple)) for value in given.values()) or "root" in given
    )


def _data(dataset: Instance) -> tuple[object, dict[str, Value]]:
    """What a dataset is made of; how its items are changed is another matter."""
    given = {
        name: value
        for name, value in dataset.attributes.items()
        if "transform" not in name and name != "download"
    }
    return dataset.cls, given


def _is_known(value: Value) -> bool:
    """Whether a value is one thing wherever it is met."""
    if isinstance(value, Tuple):
        return all(map(_is_known, value.items))
    return isinstance(value, (Const, Ref))


def _cut(machine: Machine, address: int, subset: Instance) -> tuple[int, ...] | None:
    for event in machine.trace.of(Split):
        if address in event.parts:
            return event.index, event.parts.index(address)
    indices = subset.attributes.get("indices")
    return (indices.address,) if isinstance(indices, Ref) else None


def _stays(machine: Machine, base: Ref) -> bool:
    """Whether a dataset is one that no method and nothing out of sight switches to other data."""
    record = machine.get(base)
    if isinstance(record, (Tensor, Sequence)):
        return True
    if not isinstance(record, Instance) or base.address in machine.trace.escaped:
        return False
    if not isinstance(record.cls, Definition):
        return record.cls in _HELD or record.cls.startswith("torchvision.datasets.")
    return not any(
        machine.index.method(member).writes
        for owner in machine.index.ancestors(record.cls)
        if isinstance(owner, Definition)
        for name, member in owner.members.items()
        if not member.is_class and name != "__init__"
    )
