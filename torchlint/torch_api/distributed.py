"""Programs in several processes: ``torch.distributed``, its collectives, and what wraps modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import calls, containers, opaque, preparing, ranks, replicas
from torchlint.interpreter.events.distributed import (
    Collective,
    WorkAwaited,
    WorkStarted,
)
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.processes import IS_TOGETHER
from torchlint.interpreter.replicas import REPLICATED
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Instance,
    Ref,
    Sequence,
)
from torchlint.project.index import External
from torchlint.torch_api.kinds import WORK
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

# Where each collective takes its group, and whether it is to return at once.
_COLLECTIVES: dict[str, tuple[int, int | None]] = {
    "all_reduce": (2, 3),
    "broadcast": (2, 3),
    "reduce": (3, 4),
    "all_gather": (2, 3),
    "all_gather_into_tensor": (2, 3),
    "gather": (3, 4),
    "scatter": (3, 4),
    "reduce_scatter": (3, 4),
    "reduce_scatter_tensor": (3, 4),
    "all_to_all": (2, 3),
    "all_to_all_single": (4, 5),
    "barrier": (0, 1),
    "monitored_barrier": (0, None),
    "broadcast_object_list": (2, None),
    "all_gather_object": (2, None),
    "gather_object": (3, None),
    "scatter_object_list": (3, None),
}


_FILLED = {
    "broadcast_object_list": ("object_list", 0),
    "all_gather_object": ("object_list", 0),
    "gather_object": ("object_gather_list", 1),
    "scatter_object_list": ("scatter_object_output_list", 0),
}
"""What they fill a list of with what other processes have: its name and position."""


@function(*(f"torch.distributed.{name}" for name in _COLLECTIVES))
def _collective(call: Call) -> Value:
    """What all processes call together, and wait for together unless ``async_op`` is true."""
    op = call.name.rpartition(".")[2]
    group, at_once = _COLLECTIVES[op]
    collective(call, op, grouped=_is_grouped(call.get("group", group)))
    if op in _FILLED:
        _fill(call.machine, call.get(*_FILLED[op]))
    wanted = call.get("async_op", at_once)
    if op == "barrier" and wanted != TRUE:
        # It comes after all that was started before it.
        call.machine.emit(WorkAwaited, call.spot, work=None)
    if wanted == TRUE:
        return _work(call, op)
    return (
        NONE if wanted in {None, FALSE} else opaque.result(call.machine, call.arguments, call.spot)
    )


def _fill(machine: Machine, filled: Value | None) -> None:
    """Nothing is known of what other processes have sent."""
    record = machine.get(filled) if filled is not None else None
    if filled is not None and isinstance(record, Sequence):
        items = tuple(machine.opaque() for _ in record.items)
        machine.set(filled, replace(record, items=items, rest=machine.opaque(), last=()))


def collective(call: Call, op: str, *, grouped: bool = False) -> None:
    """Note that the processes which get here take part in a collective."""
    call.machine.emit(Collective, call.spot, op=op, ranks=call.machine.live.ranks, grouped=grouped)


def _is_grouped(group: Value | None) -> bool:
    return group not in {None, NONE, External("torch.distributed.group.WORLD")}


@function("torch.distributed.new_group")
def _new_group(call: Call) -> Value:
    """A group is made by all processes, whether they are to be in it or not."""
    collective(call, "new_group")
    return call.machine.opaque()


@function("torch.distributed.isend", "torch.distributed.irecv")
def _point_to_point(call: Call) -> Value:
    return _work(call, call.name.rpartition(".")[2])


@function("torch.distributed.batch_isend_irecv")
def _batch(call: Call) -> Value:
    works = _work(call, "batch_isend_irecv")
    return call.machine.new(Sequence("list", rest=works, rounds=call.machine.rounds))


def _work(call: Call, op: str) -> Ref:
    """The handle of an operation that goes on in the background."""
    work = call.machine.new(Instance(WORK, {}, spot=call.spot))
    call.machine.emit(WorkStarted, call.spot, op=op, work=work.address)
    return work


@method(WORK, "wait", "get_future", "is_completed", "synchronize", "block_current_stream")
@method(WORK, "is_success", "exception", "result")
def _await(call: Call) -> Value:
    assert isinstance(call.receiver, Ref)
    call.machine.emit(WorkAwaited, call.spot, work=call.receiver.address)
    return call.machine.opaque()


# Who and how many there are.


@function("torch.distributed.init_process_group")
def _initialise(call: Call) -> Value:
    """What is handed over as the rank is the rank, whatever it is called."""
    ranks.take_for_rank(call.machine, call.get("rank", 4))
    return NONE


@function("torch.distributed.get_rank", "torch.distributed.get_node_local_rank")
def _rank(call: Call) -> Value:
    number = "computed" if _is_grouped(call.get("group", 0)) else "rank"
    return ranks.process(call.machine, number)


@function("torch.distributed.get_world_size")
def _world(call: Call) -> Value:
    return UNKNOWN if call.get("group", 0) is not None else ranks.process(call.machine, "world")


@function("torch.distributed.is_initialized")
def _is_initialised(call: Call) -> Value:
    return IS_TOGETHER


@function("os.getenv", "os.environ.get")
def _variable(call: Call) -> Value:
    return ranks.of_environment(call.machine, call.get("key", 0))


@function("torch.multiprocessing.spawn", "torch.multiprocessing.start_processes")
def _spawn(call: Call) -> Value:
    """Each process runs the function with its rank and the arguments."""
    worker, given = call.get("fn", 0), call.get("args", 1)
    items = [] if given is None else containers.known_items(call.machine, given)
    if worker is None or items is None or call.get("nprocs", 2) == Const(1):
        call.machine.escape(call.arguments.values())
        return NONE
    rank = ranks.process(call.machine, "rank")
    calls.call(call.machine, worker, Arguments((rank, *items)), call.spot)
    return NONE


# What wraps modules.


@function(REPLICATED, "torch.nn.DataParallel", "torch.nn.parallel.DataParallel")
def _parallel(call: Call) -> Value:
    inner = call.get("module", 0) or UNKNOWN
    wrapper = call.machine.new(Instance(call.name, {"module": inner}, spot=call.spot))
    devices = call.get("device_ids", 1)
    known = None if devices is None else containers.known_items(call.machine, devices)
    if call.name == REPLICATED:
        for device in known or ():
            ranks.take_for_rank(call.machine, device)
        replicas.wrap(call.machine, wrapper, inner, call.spot)
    elif known is None or len(known) == 1:
        replicas.bring(call.machine, inner)
    return wrapper


@function("torch.distributed.fsdp.fully_shard", "torch.distributed._composable.fsdp.fully_shard")
def _sharded(call: Call) -> Value:
    """The parameters of a module are divided among processes, on the device of their mesh."""
    module = call.get("module", 0)
    if isinstance(module, Ref):
        preparing.placed(call.machine, frozenset({module.address}))
    return module or UNKNOWN
