"""Hugging Face Accelerate: what is prepared stays what it is, and is shared by the processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import gradients, preparing, ranks, tensors
from torchlint.interpreter.events.frameworks import ManagedBackward
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.processes import IS_FIRST
from torchlint.interpreter.values import NONE, UNKNOWN, Instance, Tuple
from torchlint.torch_api import distributed, walks
from torchlint.torch_api.registry import Attribute, Call, attribute, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

ACCELERATOR = "accelerate.Accelerator"


@function(ACCELERATOR)
def _accelerator(call: Call) -> Value:
    return call.machine.new(Instance(ACCELERATOR, spot=call.spot))


@method(ACCELERATOR, "backward")
def _backward(call: Call) -> Value:
    loss = call.get("loss", 0)
    tensor = tensors.as_tensor(call.machine, loss) if loss is not None else None
    call.machine.emit(ManagedBackward, call.spot)
    preparing.look_for_missing(call.machine, tensor)
    if tensor is None:
        call.machine.emit(Backward, call.spot, node=None)
    else:
        gradients.backward(call.machine, [tensor], call.spot, walks.asked(call, 9, 9, 9))
    return NONE


@method(ACCELERATOR, "prepare")
def _prepare(call: Call) -> Value:
    given = call.arguments.positional
    preparing.note(call.machine, given, call.spot, more=call.arguments.open)
    if call.arguments.open:
        return UNKNOWN
    return given[0] if len(given) == 1 else Tuple(given)


@method(ACCELERATOR, "prepare_model", "prepare_optimizer", "prepare_data_loader")
@method(ACCELERATOR, "prepare_scheduler")
def _prepare_one(call: Call) -> Value:
    given = call.arguments.positional[:1]
    preparing.note(call.machine, given, call.spot, more=not given)
    return given[0] if given else UNKNOWN


@method(ACCELERATOR, "accumulate", "no_sync", "autocast", "print", "log", "clip_grad_norm_")
@method(ACCELERATOR, "clip_grad_value_", "save_state", "init_trackers", "end_training")
def _unknown(call: Call) -> Value:
    return UNKNOWN


@method(ACCELERATOR, "unwrap_model")
def _unwrapped(call: Call) -> Value:
    return call.get("model", 0) or UNKNOWN


@method(ACCELERATOR, "gather", "gather_for_metrics", "reduce", "pad_across_processes")
def _together(call: Call) -> Value:
    distributed.collective(call, call.name)
    given = call.get("model", 0)
    return UNKNOWN if given is None else given


@method(ACCELERATOR, "wait_for_everyone")
def _wait(call: Call) -> Value:
    distributed.collective(call, call.name)
    return NONE


@attribute(ACCELERATOR, "optimizer_step_was_skipped", "is_last_process", "use_distributed")
def _flag(_: Attribute) -> Value:
    return UNKNOWN


@attribute(ACCELERATOR, "is_main_process", "is_local_main_process")
def _is_first(read: Attribute) -> Value:
    return IS_FIRST


@attribute(ACCELERATOR, "process_index", "local_process_index")
def _rank(read: Attribute) -> Value:
    return ranks.process(read.machine, "rank")


@attribute(ACCELERATOR, "num_processes")
def _world(read: Attribute) -> Value:
    return ranks.process(read.machine, "world")
