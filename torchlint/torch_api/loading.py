"""Loaders and samplers: what they load, for whom, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import batches, calls, containers, imaging, names, portions
from torchlint.interpreter.cuts import PLAIN
from torchlint.interpreter.events.data import EpochSet, Loading, SamplerBuilt, WholeLoader
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Instance,
    Ref,
    Sequence,
    Tuple,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import datasets, kinds, placing
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Value

LOADER = "torch.utils.data.DataLoader"
DISTRIBUTED_SAMPLER = "torch.utils.data.DistributedSampler"
_STREAM = "torch.utils.data.IterableDataset"
_OF_ALL = ("torch.utils.data.RandomSampler", "torch.utils.data.SequentialSampler")
_BATCH_SAMPLER = "torch.utils.data.BatchSampler"
_LOADER_ARGUMENTS = ("dataset", "batch_size", "shuffle", "sampler", "batch_sampler")


@function(LOADER)
def _loader(call: Call) -> Value:
    """A loader, whose items are what the dataset's ``__getitem__`` gives."""
    machine = call.machine
    source = call.get("dataset", 0)
    dataset = machine.get(source) if source is not None else None
    drawn: set[Value | None] = {call.get("sampler", 3), call.get("batch_sampler", 4)} - {None, NONE}
    item: Value | None = None
    if isinstance(dataset, Instance) and isinstance(dataset.cls, Definition):
        workers = call.get("num_workers", 5)
        machine.emit(Loading, call.spot, dataset=dataset.cls.name, in_process=workers == Const(0))
        for name in ("__getitem__", "__iter__"):
            found = machine.index.member(dataset.cls, name)
            if source is not None and isinstance(found, Definition):
                given = (source,) if name == "__iter__" else (source, _index(call, drawn))
                function = names.function_of(found)
                made = calls.enter(machine, function, Arguments(given), call.spot)
                _forget(machine, source, dataset)
                item = made if name == "__getitem__" else None
                break
    elif isinstance(dataset, Instance):
        item = batches.items(machine, dataset)
        item = item or imaging.item(machine, dataset, chosen=bool(drawn))
    settings = call.arguments.keywords
    collated = "collate_fn" not in settings and settings.get("batch_size") != NONE
    collated = collated and not call.arguments.open
    attributes = _given(call, _LOADER_ARGUMENTS)
    attributes["@even"] = Const(_is_even(call, source))
    if item is not None and collated:
        attributes["@item"] = item
    collate = call.get("collate_fn", 6)
    if collate is not None:
        attributes["collate_fn"] = collate
    device = _home(call, source)
    loader = machine.new(Instance(LOADER, attributes, spot=call.spot, device=device))
    whole = all(_goes_over_all(machine, each) for each in drawn if each is not None)
    if whole and not call.arguments.open and _is_map_style(machine, source):
        machine.emit(WholeLoader, call.spot, loader=loader.address)
    return loader


def _index(call: Call, drawn: set[Value | None]) -> Value:
    """What an item is asked for by: a number, unless some sampler has a say in that."""
    return call.machine.opaque("index") if drawn or call.arguments.open else PLAIN


def _goes_over_all(machine: Machine, sampler: Value) -> bool:
    """Whether a sampler is one of torch's for all items, and is told nothing but these."""
    match machine.get(sampler):
        case Instance(cls=cls, attributes=given) if cls in _OF_ALL:
            return given.keys() <= {"data_source"}
    return False


def _is_even(call: Call, source: Value | None) -> bool:
    """Whether all batches have one size: what is left over is dropped, or there is nothing."""
    size, dropping = call.get("batch_size", 1), call.get("drop_last", 8)
    if call.arguments.open or dropping not in {None, FALSE}:
        return True
    count = datasets.length(call.machine, source)
    if count is None or not isinstance(size, Const) or type(size.value) is not int:
        return False
    return size.value > 0 and count % size.value == 0


def _forget(machine: Machine, source: Value, before: Instance) -> None:
    """Undo what a method has set: it has not been called yet, and may be in another process."""
    now = machine.get(source)
    if isinstance(now, Instance):
        machine.set(source, replace(now, attributes=before.attributes))


def _home(call: Call, source: Value | None) -> Device | None:
    """Where the batches of a loader are made: on the CPU, unless dataset or collation move them."""
    collation = call.get("collate_fn", 6) or NONE
    made = [source] if collation == NONE else [source, collation]
    if call.arguments.open or not all(batches.leaves_at_home(call.machine, one) for one in made):
        return None
    return placing.home(call.machine, call.spot)


def _is_map_style(machine: Machine, value: Value | None) -> bool:
    """Whether a value is surely a dataset that has an index, and is not divided already."""
    record = machine.get(value) if value is not None else None
    if not isinstance(record, Instance):
        return False
    bases = kinds.bases(machine.index, record.cls)
    if "?" in bases or _STREAM in bases or not kinds.is_dataset(machine.index, record.cls):
        return False
    return "dataset" not in record.attributes or _is_map_style(
        machine, record.attributes["dataset"]
    )


@function("torch.utils.data.TensorDataset")
def _tensor_dataset(call: Call) -> Value:
    attributes: dict[str, Value] = {"tensors": Tuple(call.arguments.positional)}
    return call.machine.new(Instance(call.name, {} if call.arguments.open else attributes))


_PICTURES = (
    "MNIST FashionMNIST KMNIST EMNIST QMNIST CIFAR10 CIFAR100 SVHN STL10 ImageNet ImageFolder "
    "DatasetFolder CelebA Flowers102 Food101 OxfordIIITPet StanfordCars Caltech101 Caltech256 USPS "
    "Omniglot Places365 EuroSAT GTSRB DTD PCAM SUN397 Country211 FGVCAircraft VOCSegmentation "
    "Cityscapes FakeData"
).split()


_LENGTHS = {
    **dict.fromkeys("MNIST FashionMNIST KMNIST".split(), (60_000, 10_000)),
    **dict.fromkeys("CIFAR10 CIFAR100".split(), (50_000, 10_000)),
    "USPS": (7_291, 2_007),
}
"""How many pictures there are to train with, and to test."""


_CHANGES = ("transform", "target_transform")
_PARAMETERS = {
    **dict.fromkeys(
        "MNIST FashionMNIST KMNIST CIFAR10 CIFAR100 USPS".split(),
        ("root", "train", *_CHANGES, "download"),
    ),
    **dict.fromkeys(
        "SVHN Flowers102 Food101 StanfordCars GTSRB PCAM Country211".split(),
        ("root", "split", *_CHANGES, "download"),
    ),
    "STL10": ("root", "split", "folds", *_CHANGES, "download"),
    "CelebA": ("root", "split", "target_type", *_CHANGES, "download"),
    "ImageFolder": ("root", *_CHANGES, "loader", "is_valid_file", "allow_empty"),
    "DatasetFolder": ("root", "loader", "extensions", *_CHANGES, "is_valid_file", "allow_empty"),
}
"""What these datasets are told, in the order of their parameters."""


@function(*(f"torchvision.datasets.{name}" for name in _PICTURES))
def _pictures(call: Call) -> Value:
    """A dataset of torchvision, with what it is told."""
    name = call.name.rpartition(".")[2]
    attributes: dict[str, Value] = {}
    if not call.arguments.open:
        placed = call.arguments.positional
        parameters = _PARAMETERS.get(name, ())
        attributes = {**dict(zip(parameters, placed, strict=False)), **call.arguments.keywords}
        if rest := placed[len(parameters) :]:
            attributes["@positional"] = Tuple(rest)
    lengths, train = _LENGTHS.get(name), call.get("train", 1) or TRUE
    if lengths is not None and train in (TRUE, FALSE) and not call.arguments.open:
        attributes["@length"] = Const(lengths[train == FALSE])
    return call.machine.new(Instance(call.name, attributes, spot=call.spot))


@function("torch.utils.data.Subset")
def _subset(call: Call) -> Value:
    return call.machine.new(Instance(call.name, _given(call, ("dataset", "indices"))))


@function("torch.utils.data.random_split")
def _split(call: Call) -> Value:
    """Parts of a dataset, one for each length."""
    lengths = call.get("lengths", 1)
    number = None if lengths is None else containers.known_items(call.machine, lengths)
    parts = [
        call.machine.new(
            Instance("torch.utils.data.Subset", {**_given(call, ("dataset",)), "@length": length})
        )
        for length in number or (UNKNOWN,)
    ]
    portions.split(call, parts if number is not None else [])
    if number is None:
        return call.machine.new(Sequence("list", rest=parts[0]))
    return call.machine.new(Sequence("list", tuple(parts)))


def _given(call: Call, parameters: tuple[str, ...]) -> dict[str, Value]:
    """The arguments among these parameters, by name; ``**kwargs`` may bring others."""
    given = {name: call.get(name, position) for position, name in enumerate(parameters)}
    known = {name: value for name, value in given.items() if value is not None}
    if call.arguments.open:
        known.update((name, call.machine.opaque(name)) for name in parameters if name not in known)
    return known


@function(DISTRIBUTED_SAMPLER)
def _sampler(call: Call) -> Value:
    """A sampler of one process's share, which shuffles unless it is told not to."""
    parameters = ("dataset", "num_replicas", "rank", "shuffle", "seed", "drop_last")
    sampler = call.machine.new(
        Instance(DISTRIBUTED_SAMPLER, _given(call, parameters), spot=call.spot)
    )
    shuffles = call.get("shuffle", 3) in {None, Const(True)} and not call.arguments.open
    call.machine.emit(SamplerBuilt, call.spot, sampler=sampler.address, shuffles=shuffles)
    return sampler


@method(DISTRIBUTED_SAMPLER, "set_epoch")
def _set_epoch(call: Call) -> Value:
    assert isinstance(call.receiver, Ref)
    call.machine.emit(EpochSet, call.spot, sampler=call.receiver.address)
    return NONE


@function(_BATCH_SAMPLER)
def _batch_sampler(call: Call) -> Value:
    parameters = ("sampler", "batch_size", "drop_last")
    return call.machine.new(Instance(_BATCH_SAMPLER, _given(call, parameters), spot=call.spot))


@function(*_OF_ALL)
def _order(call: Call) -> Value:
    """A sampler of all items."""
    parameters = ("data_source", "replacement", "num_samples", "generator")
    return call.machine.new(Instance(call.name, _given(call, parameters), spot=call.spot))


@function("torch.utils.data.SubsetRandomSampler", "torch.utils.data.WeightedRandomSampler")
def _choice(call: Call) -> Value:
    """A sampler of some items."""
    return call.machine.new(Instance(call.name, spot=call.spot))
