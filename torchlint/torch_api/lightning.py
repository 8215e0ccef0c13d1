"""Lightning: what its trainers make of what a module's methods return."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import containers, ranks
from torchlint.interpreter.events.frameworks import (
    EarlyClip,
    HookReturned,
    Logged,
    OwnBackward,
    TrainerRefuses,
)
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.loading import Trained
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.training import Built, Clip
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.processes import IS_FIRST
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Certainty,
    Const,
    Instance,
    Mapping,
    Ref,
    Tensor,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import distributed, generated, kinds
from torchlint.torch_api.registry import Call, attribute, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_TRAINERS = ("pytorch_lightning.Trainer", "lightning.Trainer", "lightning.pytorch.Trainer")
_PLATEAU = "torch.optim.lr_scheduler.ReduceLROnPlateau"
_INTERVALS = frozenset({"step", "epoch"})
_AUTOMATIC = "automatic_optimization"

_STEPS = frozenset({"training_step", "validation_step", "test_step", "predict_step"})
"""Methods that a trainer calls, with a batch that it has moved to where the module is."""

NOTHING = "it returns nothing"


def is_step(machine: Machine, definition: Definition) -> bool:
    """Whether a method is a step that a trainer calls."""
    owner = definition.nested_in if definition.name in _STEPS else None
    return owner is not None and kinds.is_lightning(machine.index, owner)


def returned(machine: Machine, hook: str, receiver: Value, result: Value, spot: Spot) -> None:
    """Look at what a method has returned that Lightning will call."""
    module = machine.get(receiver)
    if not isinstance(module, Instance):
        return
    if hook == "train_dataloader" and kinds.is_of_lightning(machine.index, module.cls):
        for loader in (result, *(containers.known_items(machine, result) or ())):
            if isinstance(loader, Ref):
                machine.emit(Trained, spot, loader=loader.address)
    if not kinds.is_lightning(machine.index, module.cls):
        return
    automatic = _is_automatic(machine, module)
    problem = ""
    if hook == "training_step" and automatic:
        known = {own.spot for own in machine.trace.of(OwnBackward)}
        places = {backward.spot for backward in machine.trace.of(Backward)}
        for place in places - known:
            machine.emit(OwnBackward, place, how="backward")
        for place in {clip.spot for clip in machine.trace.of(Clip)} if not places else ():
            machine.emit(EarlyClip, place)
        problem = "" if places else _step_problem(machine, result, module)
    elif hook == "configure_optimizers":
        problem = _configuration_problem(machine, result, module, automatic=automatic)
    if problem:
        machine.emit(HookReturned, spot, hook=hook, problem=problem)


def _is_automatic(machine: Machine, module: Instance) -> bool | None:
    """Whether Lightning optimises by itself; None where that is not known.

    So it is where a method sets it that has not run here, as those do that run before training.
    """
    known = module.attributes.get(_AUTOMATIC)
    if known is not None:
        return bool(known.value) if isinstance(known, Const) else None
    if isinstance(module.cls, Definition):
        if "?" in kinds.bases(machine.index, module.cls):
            return None
        family = machine.index.family(module.cls)
        if family.has_member(_AUTOMATIC) or family.writes(_AUTOMATIC):
            return None
    return None if module.escaped else True


def _is_of_two(machine: Machine, module: Instance) -> bool:
    """Whether a module is for releases that no longer take what those before 2 did."""
    if not isinstance(module.cls, Definition):
        return True
    return machine.index.releases(module.cls.outline, "pytorch_lightning").reach("2.0")


def _step_problem(machine: Machine, result: Value, module: Instance) -> str:
    record = machine.get(result)
    if result == NONE and machine.trace.of(LossCall):
        return f"{NOTHING}: the loss that it computes is never walked back"
    if result == NONE and machine.trace.of(Logged):
        return f"{NOTHING}: what it computes and logs is never walked back"
    if not isinstance(record, Mapping) or record.rest is not None or record.escaped:
        return ""
    if "loss" in dict(record.items) or _ends_steps(machine, module):
        return ""
    return "the dictionary that it returns has no `loss`"


def _ends_steps(machine: Machine, module: Instance) -> bool:
    """Whether the loss may come of a hook that gets what the step returns."""
    if _is_of_two(machine, module) or not isinstance(module.cls, Definition):
        return False
    return machine.index.member(module.cls, "training_step_end") is not None


def _configuration_problem(
    machine: Machine, result: Value, module: Instance, *, automatic: bool | None
) -> str:
    if result == NONE:
        built = machine.trace.of(Built)
        return f"{NOTHING}: no optimizer will step" if built else ""
    record = machine.get(result)
    if isinstance(record, Mapping):
        return _group_problem(machine, record) if record.rest is None and automatic else ""
    items = containers.known_items(machine, result)
    if not items or not automatic or isinstance(record, Optimizer):
        return ""
    return _several_problem(machine, items, module)


def _several_problem(machine: Machine, items: list[Value], module: Instance) -> str:
    """Of a tuple or list: optimizers, or a list of optimizers and one of schedulers."""
    optimizers = [item for item in items if isinstance(machine.get(item), Optimizer)]
    if len(optimizers) > 1 and _is_of_two(machine, module):
        return "several optimizers need `self.automatic_optimization = False`"
    if len(optimizers) == 1 and len(items) == 2 and _is_scheduler(machine, items[1]):
        return "an optimizer and a scheduler have to be in lists of their own, or in a dictionary"
    if len(items) == 2 and not optimizers:
        first = containers.known_items(machine, items[0])
        second = containers.known_items(machine, items[1])
        if first and second and isinstance(machine.get(first[0]), Optimizer):
            problems = (_scheduler_problem(machine, each, None) for each in second)
            return next(filter(None, problems), "")
    return ""


def _group_problem(machine: Machine, group: Mapping) -> str:
    items = dict(group.items)
    if "optimizer" not in items:
        return "the dictionary that it returns has no `optimizer`"
    scheduler = items.get("lr_scheduler")
    if scheduler is not None:
        return _scheduler_problem(machine, scheduler, items.get("monitor"))
    ignored = [key for key, value in items.items() if _is_scheduler(machine, value)]
    return f"a scheduler is looked for under `lr_scheduler`, not `{ignored[0]}`" if ignored else ""


def _scheduler_problem(machine: Machine, scheduler: Value, monitor: Value | None) -> str:
    """Of a scheduler, or of a dictionary about one; only the former asks the outer monitor."""
    record = machine.get(scheduler)
    if isinstance(record, Mapping):
        items = dict(record.items)
        if record.rest is not None:
            return ""
        if "scheduler" not in items:
            return "the dictionary of the scheduler has no `scheduler`"
        interval = items.get("interval")
        if isinstance(interval, Const) and interval.value not in _INTERVALS:
            return 'the `interval` of a scheduler is "step" or "epoch"'
        if items.get("reduce_on_plateau") == FALSE:
            return ""
        return _scheduler_problem(machine, items["scheduler"], items.get("monitor"))
    plateau = isinstance(record, Instance) and record.cls == _PLATEAU
    if plateau and monitor in {None, NONE}:
        return "`ReduceLROnPlateau` needs a `monitor`"
    return ""


def _is_scheduler(machine: Machine, value: Value) -> bool:
    record = machine.get(value)
    return (
        isinstance(record, Instance)
        and isinstance(record.cls, str)
        and generated.is_scheduler(record.cls)
    )


def manual_backward(machine: Machine, receiver: Value, spot: Spot) -> None:
    """``manual_backward`` is for modules that do not leave the optimisation to Lightning."""
    module = machine.get(receiver)
    lightning = isinstance(module, Instance) and kinds.is_lightning(machine.index, module.cls)
    if isinstance(module, Instance) and lightning and _is_automatic(machine, module):
        machine.emit(OwnBackward, spot, how="manual_backward")


@method("module", "log")
def _log(call: Call) -> Value:
    """What is logged with its graph is computed by what is to be trained."""
    logged = call.get("value", 1)
    tensor = call.machine.get(logged) if logged is not None else None
    if isinstance(tensor, Tensor) and tensor.node and tensor.node.certainty is Certainty.SURE:
        call.machine.emit(Logged, call.spot)
    return UNKNOWN


@function(*_TRAINERS)
def _trainer(call: Call) -> Value:
    return call.machine.new(Instance(call.name, dict(call.arguments.keywords), spot=call.spot))


def _fit(call: Call) -> Value:
    """A module that optimises by itself is not clipped or accumulated for."""
    trainer = call.machine.get(call.receiver) if call.receiver is not None else None
    given = call.get("model", 0)
    module = call.machine.get(given) if given is not None else None
    if isinstance(trainer, Instance) and isinstance(module, Instance):
        _refuse(call.machine, trainer, module)
    call.machine.escape(call.arguments.values())
    return NONE


def _refuse(machine: Machine, trainer: Instance, module: Instance) -> None:
    if _is_automatic(machine, module) is not False or trainer.spot is None:
        return
    for option, harmless in (("gradient_clip_val", 0), ("accumulate_grad_batches", 1)):
        setting = trainer.attributes.get(option)
        if isinstance(setting, Const) and setting.value not in (None, harmless):
            machine.emit(TrainerRefuses, trainer.spot, option=option)


def _save(call: Call) -> Value:
    """All processes write a checkpoint together, and wait for each other when it is there."""
    distributed.collective(call, call.name)
    return NONE


for _name in _TRAINERS:
    method(_name, "fit")(_fit)
    method(_name, "save_checkpoint")(_save)
    attribute(_name, "is_global_zero")(lambda read: IS_FIRST)
    attribute(_name, "global_rank")(lambda read: ranks.process(read.machine, "rank"))
