"""Loaders: what a loop over them draws on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import iterators
from torchlint.interpreter.events.data import Cycled, Pass, Taken
from torchlint.interpreter.values import Either, Instance, Ref, Zipped, options_of
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def begin(machine: Machine, source: Value, loop: int, spot: Spot) -> None:
    """Note that a loop begins, if it is over loaders or over what gives its items once."""
    iterators.begin(machine, source, spot)
    found = dict(_loaders(machine, source))
    if found:
        attributes = [loader.attributes for loader in found.values()]
        machine.emit(
            Pass,
            spot,
            loop=loop,
            loaders=frozenset(found),
            samplers=frozenset(one for each in attributes for one in _samplers(machine, each)),
            sure=not _is_either(source),
        )


def paused(machine: Machine, source: Value | None = None) -> None:
    """Note whose batches a generator yields here, in a loop around the one over them.

    ``source`` is what it yields from, item by item.
    """
    activation = machine.activation
    inner = machine.rounds[len(activation.rounds) :]
    found = set(dict(_loaders(machine, source))) if inner else set()
    for each in machine.trace.of(Pass):
        if any(each.loop == round_.loop for round_ in inner[1:]):
            found |= each.loaders
    activation.cycled |= found


def cycled(machine: Machine, activation: Activation, generator: Value, spot: Spot) -> Value:
    """Note what the generator of a call goes over; gives it back."""
    if activation.cycled and isinstance(generator, Ref):
        machine.emit(Cycled, spot, generator=generator.address, loaders=activation.cycled)
    return generator


def taken(machine: Machine, source: Value, spot: Spot) -> None:
    """A round of a loop asks what goes over loaders again and again for the next batch."""
    given = source.parts if isinstance(source, Zipped) else (source,)
    addresses = {one.address for one in given if isinstance(one, Ref)}
    for each in machine.trace.of(Cycled):
        if each.generator in addresses:
            machine.emit(Taken, spot, generator=each.generator)


def _is_either(source: Value | None) -> bool:
    if isinstance(source, Zipped):
        return any(map(_is_either, source.parts))
    return isinstance(source, Either)


def _loaders(machine: Machine, source: Value | None) -> Iterator[tuple[int, Instance]]:
    match source:
        case Zipped(parts=items) | Either(options=items):
            for item in items:
                yield from _loaders(machine, item)
        case Ref():
            record = machine.get(source)
            if isinstance(record, Instance) and kinds.is_loader(machine.index, record.cls):
                yield iterators.loader(source, record), record


def _samplers(machine: Machine, attributes: dict[str, Value]) -> Iterator[int]:
    """The samplers among these attributes, and those within them."""
    for name in ("sampler", "batch_sampler"):
        for option in options_of(attributes.get(name)):
            if isinstance(option, Ref):
                yield option.address
                record = machine.get(option)
                if isinstance(record, Instance):
                    yield from _samplers(machine, record.attributes)
