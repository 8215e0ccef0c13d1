"""Datasets: how their items are had and ordered, as far as a loader of them has to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import augmentation, containers, iterators, portions, streams
from torchlint.interpreter.events.data import OldNext
from torchlint.interpreter.events.loading import MAP, STREAM, LoaderBuilt, WorkerAsked
from torchlint.interpreter.values import Const, Either, Instance, Ref, Sequence, Tensor, Tuple
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import assigned, given, hear, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Attribute, Call

_STREAM = "torch.utils.data.IterableDataset"
_SUBSET = "torch.utils.data.Subset"
_SETTINGS = (
    "dataset batch_size shuffle sampler batch_sampler num_workers collate_fn pin_memory drop_last "
    "timeout worker_init_fn multiprocessing_context generator"
).split()
_DRAWS = "rand randn randint normal randperm rand_like randn_like bernoulli".split()
_ORDERS = Pattern(r"shuffle|perm\w*\(|rand(?:int|range|n|om)?\(|\bchoice\w*\(|\bsample\(")


@given("torch.utils.data.DataLoader")
def _built(call: Call, value: Value) -> None:
    """Note a loader, and what is known of its dataset."""
    machine = call.machine
    settings = dict(zip(_SETTINGS, call.arguments.positional, strict=False))
    settings.update(call.arguments.keywords)
    source = settings.get("dataset")
    if isinstance(value, Ref):
        machine.emit(
            LoaderBuilt,
            call.spot,
            loader=value.address,
            dataset=source.address if isinstance(source, Ref) else None,
            base=_base(machine, source),
            settings=settings,
            open=call.arguments.open,
            style=style(machine, source),
            mixed=_is_mixed(machine, source),
            length=length(machine, source),
            augmented=augmentation.of(machine, source),
            portion=portions.of(machine, source, settings),
        )


@assigned("loader", "num_workers", "pin_memory", "worker_init_fn", "generator")
def _told(written: Attribute, value: Value) -> None:
    """A loader asks for some of its settings only when somebody goes over it."""
    for built in written.machine.trace.of(LoaderBuilt):
        if isinstance(written.owner, Ref) and built.loader == written.owner.address:
            built.settings[written.name] = value


def _base(machine: Machine, source: Value | None) -> int | None:
    """The dataset that subsets are of."""
    record = machine.get(source) if source is not None else None
    inner = record.attributes.get("dataset") if isinstance(record, Instance) else None
    if isinstance(record, Instance) and not isinstance(record.cls, Definition) and inner:
        return _base(machine, inner)
    return source.address if isinstance(source, Ref) else None


def length(machine: Machine, source: Value | None) -> int | None:
    """How many items a dataset has, where that is known."""
    record = machine.get(source) if source is not None else None
    if isinstance(record, Instance) and not isinstance(record.cls, Definition):
        known = record.attributes.get("@length")
        if isinstance(known, Const) and type(known.value) is int:
            return known.value
        held = record.attributes.get("tensors")
        return length(machine, held.items[0]) if isinstance(held, Tuple) and held.items else None
    if isinstance(record, Tensor):
        size = record.shape[0] if record.shape else None
        return size if isinstance(size, int) else None
    items = containers.known_items(machine, source) if source is not None else None
    return len(items) if items is not None else None


def style(machine: Machine, source: Value | None) -> str:
    """How the items of a dataset are had; empty where that is not known."""
    if isinstance(source, Either):
        styles = {style(machine, option) for option in source.options}
        return styles.pop() if len(styles) == 1 else ""
    record = machine.get(source) if source is not None else None
    if isinstance(record, (Sequence, Tensor)) or isinstance(source, Tuple):
        return MAP
    if not isinstance(record, Instance):
        return ""
    bases = kinds.bases(machine.index, record.cls)
    if _STREAM in bases:
        return STREAM
    if "?" in bases or not kinds.is_dataset(machine.index, record.cls):
        return ""
    inner = record.attributes.get("dataset")
    # What takes items out of a dataset takes them by their index.
    mapped = inner is None or record.cls == _SUBSET
    return (style(machine, inner) if inner is not None else "") or (MAP if mapped else "")


@given(*(f"torch.{name}" for name in _DRAWS))
def _drawn(call: Call, value: Value) -> None:
    """Remember what is drawn at random."""
    if isinstance(value, Ref):
        call.machine.amounts.drawn.add(value.address)


def _is_mixed(machine: Machine, source: Value | None) -> bool:
    """Whether items were drawn at random, or their dataset draws or shuffles by itself."""
    if isinstance(source, Either):
        return any(_is_mixed(machine, option) for option in source.options)
    if isinstance(source, Ref) and source.address in machine.amounts.drawn:
        return True
    record = machine.get(source) if source is not None else None
    if not isinstance(record, Instance):
        return False
    if record.cls == "torchvision.datasets.FakeData":
        return True
    held = record.attributes.get("tensors")
    parts = held.items if isinstance(held, Tuple) else tuple(record.attributes.values())
    if any(isinstance(part, Ref) and part.address in machine.amounts.drawn for part in parts):
        return True
    inner = record.attributes.get("dataset")
    if isinstance(record.cls, Definition):
        lineage = machine.index.ancestors(record.cls)
        texts = [base.region.text for base in lineage if isinstance(base, Definition)]
        if any(_ORDERS.search(text) for text in texts):
            return True
    return inner is not None and _is_mixed(machine, inner)


@method("torch.utils.data.DataLoader", "next")
def _next(call: Call) -> Value:
    assert call.receiver is not None
    record = call.machine.get(call.receiver)
    if isinstance(record, Instance) and iterators.is_begun(record):
        call.machine.emit(OldNext, call.spot)
    return containers.following(call.machine, call.receiver, call.spot)


@hear("function", "torch.utils.data.get_worker_info")
def _asked(call: Call) -> None:
    call.machine.emit(WorkerAsked, call.spot)


@hear("function", "builtins.iter", "builtins.map", "builtins.zip")
def _iterated(call: Call) -> None:
    """The items of something are handed on, perhaps by a stream."""
    for value in call.arguments.positional[1 if call.name == "builtins.map" else 0 :]:
        streams.drawn(call.machine, value, call.spot)
