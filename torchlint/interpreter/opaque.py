"""What cannot be seen into: opaque objects, their methods, and results of unknown calls."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    callbacks,
    clocks,
    cutting,
    dtypes,
    gradients,
    hooks,
    iterators,
    lost,
    meetings,
    optimizers,
    passes,
    ranks,
    scalers,
    squeezing,
    syntax,
    tensors,
    trips,
    unknowns,
)
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.arraytypes import OF_ARRAYS
from torchlint.interpreter.cuts import PLAIN
from torchlint.interpreter.events.data import OldNext
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.modes import UNSEEN, Freeze
from torchlint.interpreter.facts import is_like_the_unseen
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Bound,
    Certainty,
    Instance,
    Mapping,
    Node,
    Opaque,
    Parameters,
    Ref,
    Sequence,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, placing, registry
from torchlint.torch_api.registry import METHODS, Call, heard

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Spot, Value

_OPTIMIZER = Pattern(r"opt(?!ion)|sgd|adam", re.IGNORECASE)
"""What an optimizer is called: a hint of last resort, which lowers levels."""

_SCHEDULER = Pattern(r"sched|warmup|ema", re.IGNORECASE)
_STEPPING = Pattern(f"^(?!.*({_SCHEDULER.pattern})).*({_OPTIMIZER.pattern})", re.IGNORECASE)

_SCALER = Pattern(r"scaler", re.IGNORECASE)

_DEVICE = Pattern(r"(?:^|_)device$|^dev$", re.IGNORECASE)
"""What a device is called: a hint that only rules on speed take."""

OPTIONS = "argparse.Namespace"
"""The name of what a parser has made of the command line, wherever it is handed to."""

_TENSOR_METHODS = frozenset(
    "detach item backward squeeze unsqueeze permute contiguous view softmax sigmoid log_softmax "
    "argmax numel requires_grad_ unbind expand expand_as masked_fill masked_fill_ clone detach_ "
    "view_as type_as clamp clamp_ add_ mul_ div_ sub_ zero_ fill_ copy_ bmm matmul size dim numpy "
    "tolist register_hook eq ne gt lt ge le topk byte masked_select masked_scatter "
    "index_select".split()
)

_NO_MODES = (Tensor, Instance, Optimizer, Sequence, Mapping)
"""What no module takes for a mode."""

_OF_MODULES = frozenset({"eval", "train", "register_backward_hook", *hooks.REGISTERING})
"""Methods that no other thing has."""


def is_device(machine: Machine, value: Value, written: str) -> bool:
    """Whether a value is a device, or is called one where it comes from or is ``written``."""
    record = machine.get(value)
    if isinstance(record, Opaque) or value == UNKNOWN:
        name = record.name if isinstance(record, Opaque) else written.rpartition(".")[2]
        return _DEVICE.search(name) is not None
    return isinstance(record, Instance) and record.cls == "torch.device"


def result(machine: Machine, arguments: Arguments, spot: Spot) -> Ref:
    """What an unknown call gives: it may be computed from all the tensors among its arguments."""
    return found(machine, given(machine, arguments, spot), spot)


def found(machine: Machine, record: Opaque, spot: Spot) -> Ref:
    """What a call gives: a tensor, where an earlier round has walked back from what it gave."""
    value = machine.new(record)
    if spot in machine.trace.losses:
        tensors.as_tensor(machine, value)
    return value


def given(machine: Machine, arguments: Arguments, spot: Spot) -> Opaque:
    """What is known of that before it is there."""
    nodes, origin = [], 0
    trips.touched(machine, arguments.values(), spot)
    for value in arguments.values():
        callbacks.left(machine, value)
        for item in tensors.flatten(machine, value):
            for option in options_of(item):
                record = machine.get(option)
                squeezing.taken(machine, option, spot)
                if isinstance(record, (Tensor, Opaque)):
                    nodes.append(record.node)
                    origin = max(origin, record.origin)
    if nodes:
        clocks.waited(machine, spot, sure=False)
    node = tensors.grown(machine, "opaque", spot, nodes, opaque=True)
    if node is not None:
        machine.trace.handed.append(node)
    return Opaque(node=node, origin=origin, source=unknowns.source(machine, node, spot))


def unseen(machine: Machine, arguments: Arguments, spot: Spot) -> Ref:
    """Call what nothing is known of, which may do anything with what it is handed."""
    lend(machine, arguments, spot)
    return result(machine, arguments, spot)


def lend(machine: Machine, arguments: Arguments, spot: Spot) -> None:
    """Something unseen gets hold of objects: of a model, it may compute the gradients itself."""
    objects = _objects(machine, arguments)
    for value in objects:
        record = machine.peek(value)
        is_model = isinstance(record, Instance) and kinds.is_module(machine.index, record.cls)
        if is_model or (isinstance(record, Opaque) and record.modes):
            machine.trace.lent.add(spot)
    machine.escape(objects)


def call(machine: Machine, callee: Value, arguments: Arguments, spot: Spot) -> Value:
    """Call an opaque object, which may be a model or any function."""
    record = machine.get(callee)
    assert isinstance(record, Opaque)
    assert isinstance(callee, Ref)
    machine.escape(_objects(machine, arguments))
    ranks.given(machine, arguments.values(), spot)
    ranks.unseen(machine, spot)
    if record.device is not None and record.device.kind == "moved":
        meetings.meet_unseen(machine, record.device, arguments.positional, spot)
    if record.modes:
        value = passes.apply(
            machine, callee, arguments, spot, lambda: _model(machine, callee, arguments, spot)
        )
    elif optimizers.trains(machine, callee):
        value = of_model(machine, arguments, spot, callee.address)
    else:
        made = given(machine, arguments, spot)
        made = replace(made, source=None) if record.bare else unknowns.of_graph(made, spot)
        value = found(machine, made, spot)
        if callee.address in machine.trace.inner:
            machine.trace.inner.add(value.address)
    clocks.worked(machine, record.device, spot)
    if record.modes and record.device is None:
        clocks.worked_beside(machine, arguments, spot)
    return value


def _model(machine: Machine, callee: Value, arguments: Arguments, spot: Spot) -> Value:
    """Apply what is a model, as it has been switched like one."""
    record = machine.get(callee)
    assert isinstance(record, Opaque)
    assert isinstance(callee, Ref)
    passes.use(machine, callee.address, record, UNSEEN, spot)
    return of_model(machine, arguments, spot, callee.address)


def of_model(machine: Machine, arguments: Arguments, spot: Spot, owner: int | None = None) -> Ref:
    """What an unknown call gives that has parameters of its own."""
    record, rounds = given(machine, arguments, spot), machine.rounds
    leaf = Node("model", spot, certainty=Certainty.UNSEEN, owner=owner, opaque=True, rounds=rounds)
    cuts = cutting.left_out(machine, arguments.values())
    node = tensors.grown(machine, "opaque", spot, [record.node, leaf], opaque=True, cuts=cuts)
    return found(machine, replace(record, node=node), spot)


def _objects(machine: Machine, arguments: Arguments) -> list[Value]:
    """The arguments but for tensors, whose graphs an unknown function does not change."""
    return [value for value in arguments.values() if not tensors.is_tensor(machine, value)]


def method(machine: Machine, receiver: Value, name: str, arguments: Arguments, spot: Spot) -> Value:
    """Call a method of an opaque object, whose name may tell what the object is."""
    record = machine.get(receiver)
    assert isinstance(record, Opaque)
    assert isinstance(receiver, Ref)
    call = Call(machine, name, arguments, spot, receiver)
    match name:
        case "step" | "zero_grad" if _STEPPING.search(record.name):
            optimizers.take_for_optimizer(machine, receiver)
            return METHODS["optimizer", name](call)
        case "scale" | "unscale_" | "step" | "update" if _SCALER.search(record.name):
            scalers.take_for_scaler(machine, receiver)
            return METHODS["scaler", name](call)
        case "zero_grad":
            optimizers.clear_all(machine, spot)
            return NONE
        case "step":
            return _step(machine, record, arguments, spot)
        case "backward" if arguments.positional:
            return _framework_backward(machine, record, arguments, spot)
        case "parameters":
            return Parameters(frozenset({receiver.address}), whole=False, stream=new_address())
        case "named_parameters":
            leaf = tensors.parameter(machine, receiver.address, spot)
            return machine.new(Sequence("list", rest=Tuple((UNKNOWN, leaf))))
        case "to" | "cuda" | "cpu":
            clocks.waited(machine, spot)
            heard("opaque", call)
            placed = replace(record, device=placing.target(call))
            return _cast(machine, placed, _asked(arguments) or record.dtype)
        case _ if name in _OF_MODULES and not _trains(machine, name, arguments):
            lost.switched(machine, receiver)
            return METHODS["module", name](call)
        case "state_dict" | "load_state_dict" if passes.is_model(machine, receiver):
            return METHODS["module", name](call)
        case "next" if iterators.is_begun(record):
            machine.emit(OldNext, spot, sure=False)
        case "requires_grad_" if _may_thaw(machine, record, arguments, spot):
            return receiver
        case "half" | "bfloat16" | "float" | "double":
            narrow = not record.modes and (record.dtype or name in {"half", "bfloat16"})
            return _cast(machine, record, dtypes.cast(name)) if narrow else receiver
    if _is_of_tensor(call, receiver):
        return _of_tensor(call)
    return _of_unseen_method(machine, receiver, name, arguments, spot)


def _is_of_tensor(call: Call, receiver: Ref) -> bool:
    """Whether a method is one that as good as nothing but a tensor has."""
    is_one = call.name in _TENSOR_METHODS or unknowns.tells_a_tensor(call)
    return is_one and receiver.address not in call.machine.trace.inner


def _trains(machine: Machine, name: str, arguments: Arguments) -> bool:
    """Whether ``x.train(…)`` is no switch of a mode, by what it is given: it does the training."""
    if name not in {"train", "eval"}:
        return False
    given = list(arguments.values())
    more = bool(arguments.keywords.keys() - {"mode"}) or len(given) > (name == "train")
    return more or any(isinstance(machine.get(value), _NO_MODES) for value in given)


def _may_thaw(machine: Machine, record: Opaque, arguments: Arguments, spot: Spot) -> bool:
    """Whether ``requires_grad_`` may be called of a whole module, which it freezes or thaws.

    What the caller gives for a statement to say so is rather a tensor.
    """
    is_told = bool({*arguments.values()} - {TRUE})
    return bool(record.modes) or is_told or (spot.node is machine.statement and not record.argument)


def _of_tensor(call: Call) -> Value:
    """A method that as good as nothing else has: what was opaque is a tensor from now on."""
    assert call.receiver is not None
    handler = METHODS.get(("tensor", call.name)) or METHODS["tensor", "*"]
    tensors.as_tensor(call.machine, call.receiver)
    heard("tensor", call)
    value = handler(call)
    if call.name in OF_ARRAYS and isinstance(value, Ref):
        # An array has it as well, and what it gives is as little sure to be a tensor.
        call.machine.trace.taken.add(value.address)
    return value


def _cast(machine: Machine, record: Opaque, dtype: str | None) -> Ref:
    """What was moved or cast: of a module and of most other things it tells nothing."""
    dtype = dtype if dtypes.is_narrow(dtype) and not record.modes else None
    return machine.new(replace(record, dtype=dtype))


def _asked(arguments: Arguments) -> str | None:
    """The type that something is moved to, if one is named."""
    return next(filter(None, map(dtypes.named, arguments.values())), None)


def _of_unseen_method(
    machine: Machine, receiver: Ref, name: str, arguments: Arguments, spot: Spot
) -> Value:
    """What a method gives of which nothing is known; it may be computed from its object."""
    record = machine.get(receiver)
    assert isinstance(record, Opaque)
    heard("opaque", Call(machine, name, arguments, spot, receiver))
    if name == "forward" and passes.is_model(machine, receiver):
        return call(machine, receiver, arguments, spot)
    if name == "freeze" and not arguments.positional:
        machine.emit(Freeze, spot, modules=frozenset({receiver.address}), frozen=True)
    if record.name == "ArgumentParser" and name in {"parse_args", "parse_known_args"}:
        options = machine.new(Opaque(OPTIONS, bare=True))
        return options if name == "parse_args" else Tuple((options, UNKNOWN))
    clocks.waited(machine, spot, sure=False)
    machine.escape(_objects(machine, arguments))
    made = given(machine, arguments, spot)
    node = tensors.grown(machine, "opaque", spot, [record.node, made.node], opaque=True)
    source = unknowns.source(machine, node, spot, [record])
    origin = max(record.origin, made.origin)
    device = unknowns.place(record, name)
    return found(machine, Opaque(node=node, origin=origin, source=source, device=device), spot)


def _step(machine: Machine, record: Opaque, arguments: Arguments, spot: Spot) -> Value:
    """``x.step()`` of something unknown: a scaler, if given an optimizer; else it may step any."""
    if any(as_optimizer(machine, value) for value in arguments.positional):
        return scaler_step(machine, arguments, spot)
    # Environments take steps as well, by an action that has to be where they are.
    given(machine, arguments, spot)
    if syntax.is_taken_apart(spot.region.parents.get(spot.node)):
        return UNKNOWN
    if not _SCHEDULER.search(record.name) or _has_optimizer(machine, record):
        optimizers.unseen_step(machine, spot)
    return UNKNOWN


def _has_optimizer(machine: Machine, record: Opaque) -> bool:
    """Whether an attribute of an object is used as an optimizer, which its methods may step."""
    held = map(machine.peek, record.attributes.values())
    return any(isinstance(each, Optimizer) for each in held)


def as_optimizer(machine: Machine, value: Value) -> bool:
    """Whether a value is an optimizer, or is called like one and taken for one from now on."""
    record = machine.get(value)
    if isinstance(record, Opaque) and _OPTIMIZER.search(record.name):
        assert isinstance(value, Ref)
        optimizers.take_for_optimizer(machine, value)
        return True
    return isinstance(record, Optimizer)


def scaler_step(machine: Machine, arguments: Arguments, spot: Spot) -> Value:
    """``scaler.step(optimizer)`` steps the optimizer."""
    for value in arguments.positional:
        if as_optimizer(machine, value):
            optimizers.step(machine, value, spot)
        else:
            optimizers.unseen_step(machine, spot)
    return UNKNOWN


def _framework_backward(
    machine: Machine, record: Opaque, arguments: Arguments, spot: Spot
) -> Value:
    """``engine.backward(loss)``: the framework may also clear and step."""
    tensor = tensors.as_tensor(machine, arguments.positional[0])
    # What was never in a graph is no loss, but the gradient that a tensor's own backward is given;
    # nor is what was cut off one, where the receiver is computed from what has a graph.
    if tensor is not None and (tensor.node is not None or (tensor.cuts and record.node is None)):
        gradients.backward(machine, [tensor], spot, gradients.UNSURE)
    else:
        machine.emit(Backward, spot, node=None)
    gradients.maybe_cleared(machine)
    return NONE


def attribute(machine: Machine, owner: Value, tensor: Tensor, name: str) -> Value:
    """An attribute that tensors do not have: of something that is only taken for a tensor."""
    node = tensor.node
    if node is not None and node.opaque:
        return machine.new(Opaque(name, device=tensor.device, node=node))
    if node is None or not isinstance(owner, Ref) or generated.is_method(f"Tensor.{name}"):
        return Bound(owner, name)
    if not is_like_the_unseen(node) or ("tensor", name) in METHODS:
        return Bound(owner, name)
    machine.set(owner, Opaque(device=tensor.device, node=node))
    return machine.new(Opaque(name, device=tensor.device, node=node))


def taken(machine: Machine, value: Value) -> bool:
    """What a forward is given, and has sizes, is taken for a tensor; whether it is one now."""
    record = machine.get(value)
    if isinstance(record, Opaque) and record.argument and machine.trace.forward:
        tensors.as_tensor(machine, value)
    return tensors.is_tensor(machine, value)


def sizes(machine: Machine, owner: Value, name: str, spot: Spot) -> Value:
    """The shape of an object, or the number of its dimensions."""
    known = registry.read("tensor", machine, owner, name, spot) if taken(machine, owner) else None
    return PLAIN if known is None else known
