"""Batches: what a loader makes of the items of its dataset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import cutting, dimensions, imaging, shapes, spans, tensors
from torchlint.interpreter.cuts import By, Cut, Number
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    Bound,
    Const,
    Function,
    Instance,
    Mapping,
    Opaque,
    Tensor,
    Tuple,
)
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Value

_LOADER = "torch.utils.data.DataLoader"

_OF_NUMBERS: dict[type, str] = {bool: "bool", int: "int64", float: "float64"}


def batch(machine: Machine, loader: Instance) -> Value:
    """A batch of a loader: its items stacked, where what they are is known."""
    item = loader.attributes.get("@item")
    name = _size(loader)
    if item is None:
        return tensors.new_tensor(machine, None, device=_made_at(loader), cuts=_collated(loader))
    made = _stacked(machine, item, name, _made_at(loader), _lent(machine, loader))
    size = loader.attributes.get("batch_size", Const(1))
    if isinstance(size, Const) and type(size.value) is int:
        _draw(machine, made, size.value)
    return made


def _collated(loader: Instance) -> tuple[Cut, ...]:
    """What says of a batch that it may be anything, where the project or another library makes it.

    Most are tensors even then, or hold some.
    """
    own = loader.cls != _LOADER or loader.attributes.get("collate_fn", NONE) != NONE
    return (Cut(By.COLLATION, loader.spot, cutting.UNCLEAR),) if own and loader.spot else ()


def is_of_its_own_kind(tensor: Tensor) -> bool:
    """Whether what is taken for a tensor came out of a batch that may be anything."""
    return tensor.node is None and any(cut.by is By.COLLATION for cut in tensor.cuts)


def _draw(machine: Machine, value: Value, size: int) -> None:
    """Note of how many draws a batch of so many samples is made, where samples are drawn."""
    for part in tensors.flatten(machine, value):
        record = machine.get(part)
        if isinstance(record, Tensor) and record.span is not None and record.span.drawn:
            shape = (size, *(record.shape or ())[1:])
            span = spans.looser(record.span, spans.count(shape))
            machine.set(part, replace(record, span=span))


def _size(loader: Instance) -> Dim:
    """How many samples a batch has: one, or a name, which tells if they are more."""
    given = loader.attributes
    if loader.escaped or given.get("batch_sampler", NONE) != NONE:
        return dimensions.new_batch()
    size = given.get("batch_size", Const(1))
    if size == Const(1):
        return 1
    known = isinstance(size, Const) and isinstance(size.value, int)
    return dimensions.new_batch(several=known, even=given.get("@even") == TRUE)


def _made_at(loader: Instance) -> Device | None:
    """Where a loader makes batches; something unseen may have told it to bring them elsewhere."""
    return None if loader.escaped else loader.device


_ELSEWHERE = Pattern(r"cuda|device|gpu|\.to\(")
"""What a dataset says that does not leave its items on the CPU."""


def leaves_at_home(machine: Machine, source: Value | None) -> bool:
    """Whether the items of a dataset, or what a function makes of them, are on the CPU."""
    if isinstance(source, Function):
        return not _ELSEWHERE.search(source.region.text_of(source.node))
    if isinstance(source, Tuple):
        return all(leaves_at_home(machine, item) for item in source.items)
    match machine.get(source) if source is not None else None:
        case Tensor(device=device):
            return device is not None and device.kind in {"home", "cpu", "default"}
        case Instance(cls=Definition() as cls, attributes=held):
            if any(_is_moved(machine, value) for value in held.values()):
                return False
            lineage = machine.index.ancestors(cls)
            texts = [base.region.text for base in lineage if isinstance(base, Definition)]
            known = "?" not in kinds.bases(machine.index, cls)
            return known and not any(map(_ELSEWHERE.search, texts))
        case Instance(cls=str() as name, attributes=held):
            inner = held.get("tensors") or held.get("dataset")
            if inner is not None:
                return leaves_at_home(machine, inner)
            told = [each for each in held.values() if isinstance(each, Function)]
            return name.startswith("torchvision.datasets.") and all(
                leaves_at_home(machine, each) for each in told
            )
    return False


def _is_moved(machine: Machine, value: Value) -> bool:
    """Whether a dataset was given tensors that are elsewhere, or what may bring its items there."""
    return any(_is_elsewhere(machine, part) for part in cutting.parts(machine, value))


def _is_elsewhere(machine: Machine, value: Value) -> bool:
    """Whether a tensor is elsewhere, or what is called speaks of that, or cannot all be seen."""
    record = machine.peek(value)
    match record:
        case Tensor(device=device) | Opaque(device=device) if device is not None:
            return device.kind == "moved"
        case Instance(cls=Definition() as cls) if machine.index.member(cls, "__call__"):
            return not leaves_at_home(machine, value)
    method = value.method if isinstance(value, Bound) else value
    if isinstance(method, Function):
        return not leaves_at_home(machine, method)
    steps = imaging.steps(machine, value) or ()
    return any(
        step is None or any(_is_elsewhere(machine, given) for _, given in step.settings)
        for step in steps
    )


def items(machine: Machine, dataset: Instance) -> Value | None:
    """An item of a dataset of tensors; None where it is not known what it is made of."""
    held = dataset.attributes.get("tensors")
    if not isinstance(held, Tuple):
        return None
    return Tuple(tuple(_row(machine, value) for value in held.items))


def _lent(machine: Machine, loader: Instance) -> frozenset[str]:
    """What a dataset calls that of which only who made it knows more: it may be anywhere."""
    dataset = machine.get(loader.attributes.get("dataset", NONE))
    held = dataset.attributes.values() if isinstance(dataset, Instance) else ()
    records = map(machine.peek, held)
    return frozenset(one.name for one in records if isinstance(one, Opaque) and one.name)


def _row(machine: Machine, value: Value) -> Value:
    record = machine.get(value)
    if not isinstance(record, Tensor):
        return tensors.new_tensor(machine, None)
    row = record.shape[1:] if record.shape and shapes.is_whole(record.shape) else None
    repeats = record.repeats if row is not None else None
    span = spans.looser(record.span)
    return machine.new(replace(record, shape=row, span=span, repeats=repeats))


def _stacked(
    machine: Machine,
    item: Value,
    name: Dim,
    device: Device | None,
    lent: frozenset[str] = frozenset(),
) -> Value:
    """Items put together along a new dimension at the front, as ``default_collate`` does."""
    match item:
        case Tuple(items=parts):
            return Tuple(tuple(_stacked(machine, part, name, device, lent) for part in parts))
        case Const(value=bool() | int() | float() as number):
            dtype = _OF_NUMBERS[type(number)]
            return tensors.new_tensor(machine, None, dtype=dtype, shape=(name,), device=device)
        case Number(dtype=str() as dtype):
            return tensors.new_tensor(machine, None, dtype=dtype, device=device)
    match machine.get(item):
        case Mapping(items=pairs, rest=None) as mapping:
            stacked = tuple(
                (key, _stacked(machine, value, name, device, lent)) for key, value in pairs
            )
            return machine.new(replace(mapping, items=stacked))
        case Tensor() as tensor:
            shape = (name, *tensor.shape) if tensor.shape is not None else None
            facts: dict[str, object] = {
                "range": tensor.range,
                "dtype": tensor.dtype,
                "shape": shape,
            }
            facts["span"] = spans.looser(tensor.span)
            facts["repeats"] = tensor.repeats
            return tensors.new_tensor(machine, None, device=device, **facts)
        case Opaque(name=called) if called in lent:
            # It is cut out of that.
            return tensors.new_tensor(machine, None)
    return tensors.new_tensor(machine, None, device=device)
