"""What a dataset takes along into its workers: modules, and what cannot be pickled."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import DatasetModule
from torchlint.interpreter.events.workers import Closed, DatasetMade, Load, Unpicklable
from torchlint.interpreter.values import (
    NONE,
    Either,
    Function,
    Instance,
    Mapping,
    Partial,
    Ref,
    Sequence,
    Spot,
    Tuple,
    options_of,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_OF_ITS_OWN = ("__getstate__", "__reduce__", "__reduce_ex__", "__deepcopy__")
"""Methods by which a class says itself what is pickled of its objects."""

_DEEPEST = 4


def stored(machine: Machine, owner: Ref, instance: Instance, value: Value, spot: Spot) -> None:
    """A Dataset is given an attribute: note modules with parameters, and generators."""
    if not isinstance(instance.cls, Definition) or not kinds.is_dataset(
        machine.index, instance.cls
    ):
        return
    at = _assigned(spot)
    for option in options_of(value):
        # What was there before the Dataset has come in as an argument.
        if not isinstance(option, Ref) or option.address < owner.address:
            continue
        record = machine.get(option)
        if isinstance(record, Sequence) and record.kind == "generator":
            what, address = "a generator", option.address
            machine.emit(Unpicklable, at, value=address, what=what, shared=False)
        found = modules.parametrised(machine, option)
        if found is not None:
            _note_module(machine, instance.cls, option, found, at)


def _assigned(spot: Spot) -> Spot:
    """The value of an assignment, rather than all of it."""
    if isinstance(spot.node, (ast.Assign, ast.AnnAssign)) and spot.node.value is not None:
        return Spot(spot.region, spot.node.value)
    return spot


def _note_module(
    machine: Machine, cls: Definition, value: Ref, found: Instance, spot: Spot
) -> None:
    """A module with parameters, built in the Dataset's own code, is an event."""
    record = machine.get(value)
    built = record.spot if isinstance(record, Instance) else None
    if built is not None and built.region is not spot.region:
        built = None
    machine.emit(
        DatasetModule,
        built or spot,
        dataset=cls.name,
        module=kinds.name_of(record.cls if isinstance(record, Instance) else found.cls),
        how="stores",
        frozen=found.frozen,
    )


def made(machine: Machine, dataset: Ref) -> None:
    """A Dataset of the project has been built: what it holds open is an event.

    One that has a method for the end of a ``with`` is opened by who reads from it.
    """
    loads = tuple(load for load in of(machine, dataset) if load.lasting)
    if loads:
        record = machine.get(dataset)
        cls = record.cls if isinstance(record, Instance) else None
        is_opened = isinstance(cls, Definition) and machine.index.member(cls, "__exit__")
        apart = machine.index.texts.ask_for_workers and not is_opened
        machine.emit(DatasetMade, loads[0].spot, loads=loads, apart=apart)


def left(machine: Machine, managers: list[Value], spot: Spot) -> None:
    """The end of a ``with`` closes what it was opened for."""
    for event in list(machine.trace.of(Unpicklable)):
        if any(isinstance(each, Ref) and each.address == event.value for each in managers):
            machine.emit(Closed, spot, value=event.value)


def of(machine: Machine, value: Value | None) -> Iterator[Load]:
    """What a dataset, or one that it is a part of, holds that cannot be pickled."""
    record = machine.get(value) if value is not None else None
    if not isinstance(record, Instance) or not kinds.is_dataset(machine.index, record.cls):
        return
    if not isinstance(record.cls, Definition):
        yield from of(machine, record.attributes.get("dataset"))
    if _sees_to_it(machine, record.cls):
        return
    owner = kinds.name_of(record.cls)
    for name, held in record.attributes.items():
        for event in _unpicklable(machine, held, _DEEPEST):
            yield Load(
                owner,
                name,
                event.what,
                shared=event.shared,
                lasting=event.shared and event.sure,
                spot=event.spot,
            )


def functions(machine: Machine, settings: dict[str, Value]) -> Iterator[Load]:
    """What a loader hands to its workers beside the dataset, if it cannot be pickled."""
    for name in ("collate_fn", "worker_init_fn"):
        for event in _unpicklable(machine, settings.get(name, NONE), _DEEPEST):
            yield Load("the loader", name, event.what, event.shared, lasting=False, spot=event.spot)


def _sees_to_it(machine: Machine, cls: Definition | str) -> bool:
    """Whether a class says itself how its objects are pickled."""
    return isinstance(cls, Definition) and any(
        map(machine.index.family(cls).has_member, _OF_ITS_OWN)
    )


def _unpicklable(machine: Machine, value: Value, depth: int) -> Iterator[Unpicklable]:
    """What cannot be pickled in a value."""
    match value:
        case Function(closure=int(), node=ast.Lambda() as node):
            spot = Spot(value.region, node)
            yield Unpicklable(spot=spot, value=0, what="a lambda", shared=False)
        case Function(closure=int(), name=name, node=node):
            what = f"the local function `{name}`"
            spot = Spot(value.region, value.region.heading(node))
            yield Unpicklable(spot=spot, value=0, what=what, shared=False)
        case Ref(address=address):
            closed = {event.value for event in machine.trace.of(Closed)}
            for event in machine.trace.of(Unpicklable):
                if event.value == address and address not in closed:
                    yield event
    for item in _parts(machine, value) if depth else ():
        yield from _unpicklable(machine, item, depth - 1)


def _parts(machine: Machine, value: Value) -> tuple[Value, ...]:
    match value:
        case Tuple(items=items) | Either(options=items):
            return items
        case Partial(callee=callee, positional=positional):
            return callee, *positional
    match machine.get(value):
        case Sequence(items=items, rest=rest):
            return (*items, rest or NONE)
        case Mapping(items=pairs, rest=rest):
            return (*(item for _, item in pairs), rest or NONE)
        case Instance(cls=Definition() as cls, attributes=attributes) if not _sees_to_it(
            machine, cls
        ):
            return tuple(attributes.values())
    return ()
