"""Layers: what calling a module of torch does to what it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    amounts,
    calls,
    clocks,
    facts,
    meetings,
    mutations,
    opaque,
    pairs,
    passes,
    replicas,
    sequences,
    sizing,
    tensors,
    ties,
)
from torchlint.interpreter.events.affine import AffineLayer
from torchlint.interpreter.events.layers import TupleFed
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    FOLLOWS,
    NONE,
    UNKNOWN,
    Certainty,
    Const,
    Device,
    Instance,
    Node,
    Opaque,
    Ref,
    Tensor,
    Tuple,
)
from torchlint.torch_api import (
    generated,
    heads,
    initialising,
    kinds,
    mode_layers,
    modules,
    operations,
    reductions,
    registry,
    weights,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

_WRAPPERS = ("DataParallel", "DistributedDataParallel", "OptimizedModule", "AveragedModel")
_CTC_INPUT = ("input", "log_probs")
_RECURRENT = {"RNN": 1, "GRU": 1, "LSTM": 2}


def call(
    machine: Machine, callee: Ref, instance: Instance, arguments: Arguments, spot: Spot
) -> Value:
    """The value of calling a module that has its forward from torch."""
    bases = kinds.bases(machine.index, instance.cls)
    if "torch.nn.Sequential" in bases:
        return _sequential(machine, callee, instance, arguments, spot)
    inner = instance.attributes.get("module")
    wraps = any(base.endswith(_WRAPPERS) for base in bases)
    if wraps and inner is not None:
        replicas.note_call(machine, callee, inner, spot)
        return calls.call(machine, inner, _scattered(machine, inner, arguments), spot)
    known = [base for base in bases if generated.is_module(base) and base != "torch.nn.Module"]
    if len(known) == 1 and not wraps:
        return _layer(machine, callee, instance, known[0], arguments, spot)
    return _unseen(machine, callee, instance, arguments, spot)


def _scattered(machine: Machine, inner: Value, arguments: Arguments) -> Arguments:
    """The arguments as a parallel wrapper passes them on: moved to where the module is."""
    module = machine.get(inner)
    device = module.device if isinstance(module, Instance) else None

    def moved(value: Value) -> Value:
        given = machine.get(value)
        if isinstance(given, Tensor) or (isinstance(given, Opaque) and given.device is not None):
            return machine.new(replace(given, device=device))
        return value

    return replace(
        arguments,
        positional=tuple(moved(value) for value in arguments.positional),
        keywords={name: moved(value) for name, value in arguments.keywords.items()},
    )


def _sequential(
    machine: Machine, callee: Ref, instance: Instance, arguments: Arguments, spot: Spot
) -> Value:
    children = modules.children(machine, instance)
    machine.chains += 1
    if children is None or machine.chains > machine.budget:
        value = _unseen(machine, callee, instance, arguments, spot)
        children = modules.last(instance) if machine.chains <= machine.budget else []
    else:
        value = next(iter(arguments.values()), NONE)
    before: Value = NONE
    for child in children:
        if isinstance(value, Tuple) and _takes_one(machine, before, child, spot):
            return opaque.result(machine, arguments, spot)
        value = calls.call(machine, child, Arguments((value,)), spot)
        before = child
    return value


def _takes_one(machine: Machine, before: Value, layer: Value, spot: Spot) -> bool:
    """Whether a layer takes one tensor, and is given several, which is an event."""
    giver, taker = machine.get(before), machine.get(layer)
    if not isinstance(giver, Instance) or not isinstance(taker, Instance):
        return False
    if not isinstance(taker.cls, str) or not generated.is_module(taker.cls):
        return False
    if taker.cls.endswith((".Identity", ".Sequential", ".Module", "Wrapper", "Parallel")):
        return False
    names = kinds.name_of(giver.cls), kinds.name_of(taker.cls)
    machine.emit(TupleFed, spot, giver=names[0], taker=names[1], built=giver.spot)
    return True


def leaf(machine: Machine, callee: Ref, instance: Instance, spot: Spot) -> Node | None:
    """The parameters of a layer as a leaf of the graph; None where it has none, or is frozen."""
    if instance.frozen and not instance.escaped:
        return None
    sure = Certainty.SURE if instance.frozen is False else Certainty.UNSEEN
    return Node("parameter", instance.spot or spot, (), sure, owner=callee.address)


def home(machine: Machine, instance: Instance) -> Device | None:
    """Where a layer's parameters are."""
    return meetings.parameters(instance) or (FOLLOWS if machine.trace.together else None)


def _unseen(
    machine: Machine, callee: Ref, instance: Instance, arguments: Arguments, spot: Spot
) -> Value:
    """Call a module whose forward is not known but which has parameters."""
    objects = [value for value in arguments.values() if not tensors.is_tensor(machine, value)]
    # A library's own model does nothing to itself that anyone here could see.
    machine.escape(objects if isinstance(instance.cls, str) else [callee, *objects])
    _note_mode(machine, callee, instance, spot)
    record = opaque.given(machine, arguments, spot)
    owner = leaf(machine, callee, instance, spot)
    node = tensors.grown(machine, "opaque", spot, [record.node, owner], opaque=True)
    device = meetings.parameters(instance)
    if isinstance(instance.cls, str):
        clocks.worked(machine, device, spot)
        if device is not None and modules.is_plain_model(instance.cls):
            for given in arguments.positional:
                _meet(machine, given, device, spot)
    if isinstance(instance.cls, str) and instance.cls.startswith("torchvision.models."):
        weights.met_whole(machine, instance, arguments, spot)
        return heads.answer(machine, instance, arguments, node, device, spot)
    return opaque.found(machine, Opaque(node=node, device=device, source=record.source), spot)


def _note_mode(machine: Machine, callee: Ref, instance: Instance, spot: Spot) -> None:
    """A forward that is not seen leaves the mode as it is, and may well depend on it."""
    record = machine.get(callee)
    assert isinstance(record, Instance)
    machine.set(callee, replace(record, modes=instance.modes))
    kind = mode_layers.kind_of_whole(instance, kinds.full_name(instance.cls))
    if kind is not None:
        passes.use(machine, callee.address, instance, kind, spot)
        return
    for address, layer, inner in mode_layers.under(machine, callee):
        passes.use(machine, address, layer, inner, spot)


def _layer(
    machine: Machine,
    callee: Ref,
    instance: Instance,
    name: str,
    arguments: Arguments,
    spot: Spot,
) -> Value:
    """Apply one of torch's own layers."""
    short = name.rpartition(".")[2]
    inputs = _bound(short, arguments)
    registry.applied(machine, f"nn.{short}", {**inputs, **instance.attributes}, spot)
    pairs.given(machine, f"nn.{short}", inputs, spot)
    weights.met(machine, instance, short, inputs, spot)
    depends = mode_layers.kind_of(machine, instance, short)
    if depends is not None:
        passes.use(machine, callee.address, instance, depends, spot)
    first = next(iter(inputs.values()), NONE)
    if short == "Identity":
        return first
    loss = generated.loss_functional(name)
    if loss is not None:
        return computed_loss(machine, loss, inputs, spot, instance)
    if instance.attributes.get("inplace") == Const(True) and tensors.as_tensor(machine, first):
        _change(machine, instance, short, first, spot)
        return first
    if short == "Flatten" and tensors.is_tensor(machine, first):
        return tensors.view(machine, first, "nn.Flatten", spot, instance.attributes)
    owner = leaf(machine, callee, instance, spot) if generated.has_parameters(name) else None
    placed = home(machine, instance) if generated.has_parameters(name) else None
    clocks.worked(machine, placed, spot)
    if placed is not None:
        placed = _meet(machine, first, placed, spot)
    result = tensors.apply(
        machine,
        f"nn.{short}",
        inputs,
        spot,
        saved=generated.saved_module(short + _variant(instance.attributes)),
        owner=owner,
        device=placed,
        settings=instance.attributes,
    )
    _note(machine, callee, instance, inputs, result, spot)
    return _shaped(machine, short, result, {**instance.attributes, **inputs}, spot)


def _note(
    machine: Machine,
    callee: Ref,
    instance: Instance,
    inputs: Mapping[str, Value],
    result: Value,
    spot: Spot,
) -> None:
    """A layer has been applied, and gave a result."""
    short = kinds.name_of(instance.cls)
    pair = next(iter(inputs.values()), NONE), result
    sequences.applied(machine, instance, inputs, result, spot)
    weights.result(machine, instance, short, result)
    if short == "Linear":
        _note_affine(machine, callee, *pair, spot)
    initialising.applied(machine, callee, instance, pair, spot)


def _note_affine(machine: Machine, callee: Ref, given: Value, result: Value, spot: Spot) -> None:
    """A linear layer that is trained, and that nobody else may have changed."""
    layer, before, after = machine.get(callee), machine.get(given), machine.get(result)
    if not isinstance(layer, Instance) or not isinstance(after, Tensor) or after.node is None:
        return
    if layer.spot is None or layer.frozen is not False or layer.escaped:
        return
    if ties.shares_weight(machine, layer):
        return
    attributes = layer.attributes
    machine.emit(
        AffineLayer,
        spot,
        layer=callee.address,
        built=layer.spot,
        sizes=(attributes.get("in_features"), attributes.get("out_features")),
        given=before.node if isinstance(before, Tensor) else None,
        result=after.node,
    )


def _change(machine: Machine, instance: Instance, short: str, value: Value, spot: Spot) -> None:
    """Apply a layer in place; a dropout does so only if it has something to drop."""
    sure = True
    if "Dropout" in short:
        rate = instance.attributes.get("p", Const(0.5))
        if rate == Const(0) or instance.training is False:
            return
        sure = isinstance(rate, Const)
    saved = generated.saved_module(short, inplace=True)
    how = f"{short}(inplace=True)"
    mutations.mutate(machine, value, how, {}, spot, how, saved=saved, sure=sure)


def _variant(settings: Mapping[str, Value]) -> str:
    """What is added to an operation's name in the tables: padded copies are not what is given."""
    return "(same)" if settings.get("padding") == Const("same") else ""


def _is_elsewhere(tensor: Tensor) -> bool:
    """Whether a tensor was moved, which tells more of where things are than that they follow."""
    return tensor.device is not None and tensor.device.kind == "moved"


def _meet(machine: Machine, value: Value, placed: Device, spot: Spot) -> Device | None:
    """Bring what is given together with the parameters; gives where the result will be."""
    tensor = machine.get(value)
    if isinstance(tensor, Tensor):
        both = [tensor, meetings.placed(placed)]
        meetings.meet(machine, both, spot, meetings.PARAMETERS)
        if placed == FOLLOWS and _is_elsewhere(tensor):
            return tensor.device
    return placed


def _bound(short: str, arguments: Arguments) -> dict[str, Value]:
    names = generated.forward_names(short)
    inputs = dict(zip(names, arguments.positional, strict=False))
    for position, value in enumerate(arguments.positional[len(names) :]):
        inputs[f"_{position}"] = value
    return {**inputs, **arguments.keywords}


def _shaped(
    machine: Machine, short: str, result: Ref, inputs: Mapping[str, Value], spot: Spot
) -> Value:
    """Recurrent layers and attention give several tensors, and so does pooling with indices."""
    if inputs.get("return_indices") == Const(True):
        return operations.with_indices(machine, result, spot)
    if short not in {*_RECURRENT, "LSTMCell", "MultiheadAttention"}:
        return result
    others = facts.others(machine, f"nn.{short}", inputs, spot)

    def more(at: int) -> Value:
        made = tensors.view(machine, result, "getitem", spot)
        shape = others[at] if at < len(others) else None
        if shape is not None:
            sizing.learn(machine, made, shape)
        return made

    if short in _RECURRENT:
        state = more(0) if _RECURRENT[short] == 1 else Tuple((more(0), more(1)))
        return Tuple((result, state))
    return Tuple((result, more(0)))


def _class_weights(machine: Machine, settings: Mapping[str, Value]) -> Tensor | None:
    """What each class counts for a loss."""
    record = machine.get(settings.get("weight", NONE))
    return record if isinstance(record, Tensor) else None


def computed_loss(
    machine: Machine,
    kind: str,
    inputs: dict[str, Value],
    spot: Spot,
    instance: Instance | None = None,
) -> Value:
    """The value of a loss, whose computation is an event; there is none of None."""
    if inputs.get("input") == NONE:
        return UNKNOWN
    given = tensors.as_tensor(machine, inputs.get("input", NONE))
    settings = reductions.settled(
        {**(instance.attributes if instance is not None else {}), **inputs}
    )
    if instance is None:
        pairs.given(machine, f"nn.functional.{kind}", inputs, spot)
    if given is not None:
        machine.emit(
            LossCall,
            spot,
            kind=kind,
            input=given,
            target=tensors.as_tensor(machine, inputs.get("target", NONE)),
            settings=settings,
            weight=_class_weights(machine, settings),
            built=instance.spot if instance is not None else None,
            is_sole=not machine.choices,
        )
    if kind == "ctc_loss":
        # Its targets and lengths may stay on the CPU, and for some kernels have to.
        inputs = {name: value for name, value in inputs.items() if name in _CTC_INPUT}
    weights.compared(machine, kind, settings, spot)
    reduction = settings.get("reduction")
    operands = reductions.without(inputs)
    result = tensors.apply(
        machine,
        f"nn.functional.{kind}",
        operands,
        spot,
        settings={"reduction": settings.get("reduction", NONE)},
        scalar=reduction is None or (isinstance(reduction, Const) and reduction.value != "none"),
    )
    _note_reduction(machine, result, settings, spot)
    return result


def _note_reduction(
    machine: Machine, result: Value, settings: Mapping[str, Value], spot: Spot
) -> None:
    """A loss is the sum or mean of a batch, or has a value for each of it."""
    reduction = settings.get("reduction")
    if reduction in (None, Const("mean"), Const("sum")):
        of = amounts.Of.SUM if reduction == Const("sum") else amounts.Of.MEAN
        amounts.measured(machine, result, of, spot)
    if reduction == Const("none"):
        record = machine.get(result)
        assert isinstance(record, Tensor)
        machine.set(result, replace(record, unreduced=spot))
