"""Streams: what an iterable dataset goes through, and whether every worker does."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.interpreter.events.loading import Source
from torchlint.interpreter.values import (
    Const,
    Either,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    Zipped,
)
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_STREAM = "torch.utils.data.IterableDataset"
_FILES = frozenset(
    "open reader DictReader glob iglob listdir iterdir rglob walk readlines splitlines loads load "
    "arange linspace read_csv read_parquet itertuples iterrows items values keys".split()
)
_SHARED = Pattern(r"worker|shard|\brank\b|world_size|[Qq]ueue|socket|\benvs?\b")
_CHANCE = Pattern(r"rand|shuffle|choice|sample|normal|uniform|permut|seed")


def drawn(machine: Machine, source: Value, spot: Spot) -> Value:
    """Something is iterated, perhaps by the ``__iter__`` of a stream; gives it back."""
    for activation in reversed(machine.activations):
        function = activation.function
        if (
            function is not None
            and function.name == "__iter__"
            and isinstance(activation.receiver, Ref)
            and function.owner is not None
            and _STREAM in machine.index.externals(function.owner)
        ):
            if len(machine.rounds) > len(activation.rounds) and not _gives_items(spot):
                break
            record = machine.get(source)
            counts = isinstance(record, Sequence) and record.kind == "range"
            if counts and machine.activation is not activation and not _is_generator(machine):
                break  # What a helper counts are no items.
            inner = source.address if isinstance(source, Ref) and _streams(machine, source) else 0
            text = _text(machine, activation.receiver)
            endless = re.search(r"while (?:True|1)\b", text) is not None
            known = bool(inner) or _is_known(machine, source)
            known = known and not _SHARED.search(text)
            known = known and not ((counts or endless) and _CHANCE.search(text))
            machine.emit(Source, spot, stream=activation.receiver.address, whole=known, inner=inner)
            break
    return source


def _is_generator(machine: Machine) -> bool:
    """Whether the function that runs yields."""
    function = machine.activation.function
    return function is not None and "yield" in function.region.source


def _streams(machine: Machine, source: Ref) -> bool:
    """Whether something is a stream itself."""
    record = machine.get(source)
    return isinstance(record, Instance) and _STREAM in kinds.bases(machine.index, record.cls)


def _gives_items(spot: Spot) -> bool:
    """Whether what is gone through at a place gives whole items, and not parts of one of them."""
    outer = spot.region.parents.get(spot.node)
    loop = outer if isinstance(outer, (ast.For, ast.AsyncFor)) else spot.node
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in ast.walk(loop))


def _text(machine: Machine, stream: Ref) -> str:
    """What is written of the class of a stream."""
    record = machine.get(stream)
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return ""
    lineage = machine.index.ancestors(record.cls)
    return "\n".join(base.region.text for base in lineage if isinstance(base, Definition))


def _is_known(machine: Machine, source: Value) -> bool:
    """Whether a value is surely the same, and all of it, in every worker."""
    match source:
        case Zipped(parts=parts):
            return all(part is None or _is_known(machine, part) for part in parts)
        case Either(options=parts):
            return all(_is_known(machine, part) for part in parts)
        case Tuple() | Const():
            return True
    record = machine.get(source)
    match record:
        case Sequence() | Mapping() | Tensor():
            return True
        case Opaque(name=name, argument=False):
            return name in _FILES
        case Instance(cls=cls):
            return kinds.is_dataset(machine.index, cls) and _STREAM not in kinds.bases(
                machine.index, cls
            )
    return False
