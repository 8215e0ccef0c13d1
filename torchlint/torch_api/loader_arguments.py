"""Arguments of loaders that exclude each other: with these there is no loader, but an exception."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.data import LoaderRefused
from torchlint.interpreter.values import NONE, Const, Either, Instance, Sequence, Tuple, options_of
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_POSITIONS = {
    name: position
    for position, name in enumerate(
        "dataset batch_size shuffle sampler batch_sampler num_workers collate_fn pin_memory "
        "drop_last timeout worker_init_fn multiprocessing_context generator".split()
    )
}
_STREAM = "torch.utils.data.IterableDataset"
_FOR_WORKERS = ("persistent_workers", "prefetch_factor", "multiprocessing_context")


def settings(call: Call) -> dict[str, Value]:
    """The arguments of a loader by name."""
    positional = dict(zip(_POSITIONS, call.arguments.positional, strict=False))
    return {**positional, **call.arguments.keywords}


@hear("function", "torch.utils.data.DataLoader")
def _built(call: Call) -> None:
    """Arguments that a loader refuses, the first of the reasons that there are."""
    if call.machine.tries:
        # Somebody is waiting for the exception.
        return
    given = settings(call)
    for names, reason in _conflicts(call.machine, given, open_=call.arguments.open):
        if names:
            call.machine.emit(LoaderRefused, call.spot, names=names, reason=reason)
            return
    if _is_asked_for(call.machine, given, "shuffle") and _may_be_one(call.machine, given):
        reason = "cannot go with `sampler`, which says the order wherever there is one"
        call.machine.emit(LoaderRefused, call.spot, names=("shuffle",), reason=reason, sure=False)


def _conflicts(
    machine: Machine, given: dict[str, Value], *, open_: bool
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Arguments that are refused, and why, in the order in which torch looks at them."""
    if given.get("num_workers", Const(0)) == Const(0) and not (
        open_ and "num_workers" not in given
    ):
        refused = (name for name in _FOR_WORKERS if _is_asked_for(machine, given, name))
        yield tuple(refused), "needs workers, and `num_workers` is 0"
    if _is_stream(machine, given.get("dataset")):
        clashing = ("shuffle", "sampler", "batch_sampler")
        refused = (name for name in clashing if _is_asked_for(machine, given, name))
        yield tuple(refused), "cannot go with an IterableDataset, which has an order of its own"
    if _is_asked_for(machine, given, "sampler") and _is_asked_for(machine, given, "shuffle"):
        yield ("shuffle",), "cannot go with `sampler`, which says the order"
    if _is_asked_for(machine, given, "batch_sampler"):
        doubled = ("batch_size", "shuffle", "sampler", "drop_last")
        refused = (name for name in doubled if _is_asked_for(machine, given, name))
        yield tuple(refused), "cannot go with `batch_sampler`, which makes the batches"
    if given.get("batch_size") == NONE and _is_asked_for(machine, given, "drop_last"):
        yield ("drop_last",), "cannot go with `batch_size=None`, which makes no batches"


def _is_asked_for(machine: Machine, given: dict[str, Value], name: str) -> bool:
    """Whether an argument is surely given, and is another than the one that stands for none."""
    value = given.get(name)
    if value is None:
        return False
    if name == "batch_size":
        return isinstance(value, Const) and value != Const(1)
    options = options_of(value)
    return all(
        bool(option.value)
        if isinstance(option, Const)
        else isinstance(option, Tuple) or isinstance(machine.get(option), (Instance, Sequence))
        for option in options
    )


def _may_be_one(machine: Machine, given: dict[str, Value]) -> bool:
    """Whether the program gives a sampler in some cases, and None in the others."""
    value = given.get("sampler")
    options = value.options if isinstance(value, Either) else ()
    samplers = [option for option in options if option != NONE]
    return len(samplers) < len(options) and all(
        isinstance(machine.get(sampler), Instance) for sampler in samplers
    )


def _is_stream(machine: Machine, dataset: Value | None) -> bool:
    record = machine.get(dataset) if dataset is not None else None
    return isinstance(record, Instance) and _STREAM in kinds.bases(machine.index, record.cls)
