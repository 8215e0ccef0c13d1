"""Optimizers, schedulers of the learning rate, scalers of losses, and clipping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import (
    calls,
    gradients,
    opaque,
    optimizers,
    scalers,
    schedulers,
    tensors,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.training import Closure, EpochTold, RatesComputed
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Bound,
    Const,
    Function,
    Instance,
    Opaque,
    Partial,
    Tensor,
)
from torchlint.project.index import External
from torchlint.torch_api import generated, kinds, speed
from torchlint.torch_api.registry import Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

# Optimizers.


@method("optimizer", "step")
def _step(call: Call) -> Value:
    """An optimizer may call a closure first, which makes its gradients."""
    machine = call.machine
    given = call.get("closure", 0)
    assert call.receiver is not None
    if given is None or given == NONE:
        bare = not call.arguments.open
        optimizers.step(machine, call.receiver, call.spot, bare=bare)
        return UNKNOWN
    start = len(machine.trace.events)
    called = tensors.is_tensor(machine, given)
    result: Value = UNKNOWN
    if called and not _is_torchs(call):
        # A wrapper that walks back by itself.
        gradients.unseen(machine, call.spot)
        optimizers.unseen_step(machine, call.spot)
        return UNKNOWN
    if not called:
        if not isinstance(given, (Function, Bound, Partial)):
            gradients.maybe_cleared(machine)
        result = calls.call(machine, given, Arguments(), call.spot)
    closure = Closure(
        spot=call.spot, given=given, result=result, start=start, called=called, index=start
    )
    optimizers.step(machine, call.receiver, call.spot, closure=closure)
    return result


def _is_torchs(call: Call) -> bool:
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    return isinstance(record, Optimizer) and generated.is_optimizer(record.kind)


@method("optimizer", "zero_grad")
def _zero_grad(call: Call) -> Value:
    assert call.receiver is not None
    speed.zeroed(call)
    optimizers.clear(call.machine, call.receiver, call.spot)
    return NONE


@method("optimizer", "add_param_group")
def _add_group(call: Call) -> Value:
    assert call.receiver is not None
    optimizers.alter(call.machine, call.receiver)
    return NONE


@method("optimizer", "load_state_dict")
def _load_state_dict(call: Call) -> Value:
    return NONE


@method("optimizer", "state_dict", "train", "eval")
def _optimizer_state(call: Call) -> Value:
    return UNKNOWN


# Clipping.

_HUGE = 1e5
"""A limit that is never met."""


@function("torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_")
@function("torch.nn.utils.clip_grad_norm", "torch.nn.utils.clip_grads_with_norm_")
def _clip(call: Call) -> Value:
    """Clipping to infinity is a way to ask for the norm."""
    limit = call.get("max_norm", 1) or call.get("clip_value", 1)
    if limit not in _ENDLESS and not (isinstance(limit, Const) and _is_huge(limit.value)):
        gradients.clip(call.machine, call.get("parameters", 0), call.spot)
    return tensors.new_tensor(call.machine, None)


_ENDLESS = tuple(External(f"{owner}.inf") for owner in ("math", "numpy", "torch"))


def _is_huge(limit: object) -> bool:
    return isinstance(limit, (int, float)) and limit >= _HUGE


# Schedulers.


@method("scheduler", "step")
def _scheduler_step(call: Call) -> Value:
    assert call.receiver is not None
    bare = not (call.arguments.positional or call.arguments.keywords or call.arguments.open)
    schedulers.step(call.machine, call.receiver, call.spot, bare=bare)
    told = None if bare else _told_epoch(call)
    if told is not None:
        call.machine.emit(EpochTold, call.spot, measured=_is_measured(call.machine, told))
    return NONE


_NOT_COUNTING = frozenset({"CosineAnnealingWarmRestarts", "SequentialLR", "ChainedScheduler"})
"""Schedulers that are told part of an epoch, or take nothing at all."""


def _told_epoch(call: Call) -> Value | None:
    """The epoch that a step is surely told; what a caller may leave out can be None.

    Of one of several schedulers the setting that chose it may be asked again.
    """
    if call.machine.choices:
        return None
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    if not isinstance(record, Instance):
        return None
    kind = (kinds.scheduler(call.machine.index, record.cls) or "").rpartition(".")[2]
    if not kind or kind in _NOT_COUNTING:
        return None
    given = call.get("epoch", 1 if kind == "ReduceLROnPlateau" else 0)
    if given is None or given == NONE:
        return None
    told = call.machine.get(given)
    return None if isinstance(told, Opaque) and told.argument else given


def _is_measured(machine: Machine, told: Value) -> bool:
    """Whether a number was computed of a loss, or of what a model gives."""
    record = machine.get(told)
    cuts = told.cuts if isinstance(told, Number) else ()
    nodes = [cut.of for cut in cuts]
    if isinstance(record, Tensor):
        nodes += [*filter(None, [record.node]), *(cut.of for cut in record.cuts)]
    return any(
        each.op == "parameter" or generated.loss_function(f"torch.{each.op}")
        for node in nodes
        for each in machine.trace.reach(node)
    )


@method("scheduler", "get_lr")
def _rates(call: Call) -> Value:
    call.machine.emit(RatesComputed, call.spot)
    return UNKNOWN


# Scalers.

_SCALERS = ("torch.GradScaler", "torch.amp.GradScaler", "torch.cuda.amp.GradScaler")


@function(*_SCALERS)
def _scaler(call: Call) -> Value:
    position = 4 if call.name == "torch.cuda.amp.GradScaler" else 5
    return scalers.build(call.machine, call.get("enabled", position), call.spot)


@method("scaler", "scale")
def _scale(call: Call) -> Value:
    given = call.get("outputs", 0)
    if given is None or call.receiver is None:
        return UNKNOWN
    if not tensors.is_tensor(call.machine, given):
        for item in tensors.flatten(call.machine, given):
            tensors.as_tensor(call.machine, item)
    return scalers.scale(call.machine, call.receiver, given, call.spot)


@method("scaler", "unscale_")
def _unscale(call: Call) -> Value:
    given = call.get("optimizer", 0)
    assert call.receiver is not None
    if given is not None and opaque.as_optimizer(call.machine, given):
        scalers.unscale(call.machine, call.receiver, given, call.spot)
    return NONE


@method("scaler", "step")
def _scaler_step(call: Call) -> Value:
    """``scaler.step(optimizer)``; what is passed may be an optimizer under its own name."""
    given = call.get("optimizer", 0)
    assert call.receiver is not None
    if given is None or not opaque.as_optimizer(call.machine, given):
        return opaque.scaler_step(call.machine, call.arguments, call.spot)
    scalers.step(call.machine, call.receiver, given, call.spot)
    return UNKNOWN


@method("scaler", "update")
def _update(call: Call) -> Value:
    assert call.receiver is not None
    scalers.update(call.machine, call.receiver, call.spot)
    return NONE


@method("scaler", "get_scale")
def _get_scale(call: Call) -> Value:
    """Who asks for the scale may multiply by it."""
    assert call.receiver is not None
    call.machine.escape([call.receiver])
    return UNKNOWN


@method("scaler", *"state_dict load_state_dict is_enabled get_growth_factor".split())
@method("scaler", *"set_growth_factor set_backoff_factor get_backoff_factor".split())
@method("scaler", "get_growth_interval", "set_growth_interval")
def _scaler_state(call: Call) -> Value:
    return UNKNOWN
