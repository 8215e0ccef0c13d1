"""The forward of a module that is running: whose it is, and what it builds for itself."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import holdings, hooks, names
from torchlint.interpreter.events.layers import Forwarded, Fresh
from torchlint.interpreter.events.states import Load
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import FALSE, UNKNOWN, Instance, Ref
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, kinds, mode_layers, modules

if TYPE_CHECKING:
    from torchlint.interpreter.activations import Activation
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.project.regions import Region

_ON_PURPOSE = Pattern(r"MC(?![a-z])|(?:^|_)mc(?:$|_)|[Mm]onte|[Bb]ayes|[Uu]ncertain|[Aa]lways")
"""How classes and functions say that they drop in evaluation as well."""

_ASKING = Pattern(r"train|eval|determin|sampl|\bmc", re.IGNORECASE)
"""How tests ask for the mode."""


_PLAIN = frozenset({"classmethod", "property", "staticmethod"})
"""Decorators of Python's own that keep nothing."""


def running(machine: Machine) -> Activation | None:
    """The call of the outermost module's forward."""
    for activation in machine.activations:
        function = activation.function
        if (
            function is not None
            and function.owner is not None
            and function.name == "forward"
            and isinstance(activation.receiver, Ref)
            and kinds.is_module(machine.index, function.owner)
        ):
            return activation
    return None


def from_elsewhere(machine: Machine, definition: Definition, record: Instance) -> Instance:
    """An object that is built for an annotation, as it is where it may be one of a subclass.

    Where subclasses have forwards of their own, what it computes is not known.
    """
    below = machine.index.descendants(definition)
    own = {"forward": UNKNOWN} if any("forward" in each.members for each in below) else {}
    return replace(record, spot=None, attributes={**record.attributes, **own})


def asks_for_mode(machine: Machine) -> bool:
    """Whether what runs is under a test of the mode, or says that it does not go by it."""
    return any(map(_is_decided, machine.activations))


def _is_decided(activation: Activation) -> bool:
    function = activation.function
    said = [function.name, function.owner.name] if function and function.owner else []
    if any(map(_ON_PURPOSE.search, said)):
        return True
    return activation.is_tested(_ASKING.search, returns=True)


def applied(machine: Machine, layer: Value, instance: Instance, spot: Spot) -> None:
    """A layer that is applied in the forward that built it, and not kept for the next, is one."""
    forward = running(machine)
    if forward is None or not isinstance(layer, Ref) or layer.address < forward.frame:
        return
    if modules.holds_older(machine, instance, forward.frame):
        # A part of a container that was there before, in a container of its own.
        return
    touched = not instance.attributes.keys().isdisjoint({"weight", "bias"})
    if instance.escaped or touched or _is_loaded(machine, layer):
        # Its weights have been seen to.
        return
    earlier = machine.trace.of(Fresh)
    if _is_within_fresh(machine, forward) or (earlier and earlier[-1].within == spot):
        return
    holds = _new_each_time(machine, forward, layer, instance)
    if holds is None or (holds == _DROPS and asks_for_mode(machine)):
        return
    if instance.spot is not None and _is_built_elsewhere(machine, instance.spot.region):
        return
    if _is_kept(machine, forward, layer) and layer.address not in machine.trace.replaced:
        return
    built = instance.spot
    function = machine.activation.function
    here = built is not None and function is not None and built.region is function.region
    machine.emit(
        Fresh,
        built if built is not None and here else spot,
        kind=kinds.name_of(instance.cls),
        holds=holds,
        within=spot,
    )


def stored(machine: Machine, owner: Ref, value: Value) -> None:
    """A module is made an attribute of one that was there before, in every call of its forward."""
    forward = running(machine)
    if forward is None or not isinstance(value, Ref) or owner.address > forward.frame:
        return
    if machine.forks == forward.forks and not forward.returns:
        machine.trace.replaced.add(value.address)


_DROPS = "its mode is that of training"
_WEIGHTS = "its weights are new in each call, and no optimizer holds them"


def _new_each_time(
    machine: Machine, forward: Activation, layer: Ref, instance: Instance
) -> str | None:
    """What is lost with a layer; empty for one that has nothing to lose, None if not to be told."""
    new = modules.parametrised(machine, layer, since=forward.frame)
    if not isinstance(instance.cls, str):
        return _WEIGHTS if new is not None else None
    short = instance.cls.rpartition(".")[2]
    if instance.cls.startswith(kinds.PRETRAINED) or not generated.is_module(instance.cls):
        return None
    given = instance.attributes
    if FALSE in (given.get("affine"), given.get("elementwise_affine")):
        return "its statistics are new in each call" if "BatchNorm" in short else ""
    if given.get("track_running_stats") == FALSE:
        # It is to normalise by the batch, and its weights begin with ones and zeros.
        return ""
    if new is not None:
        return _WEIGHTS
    if "Dropout" in short:
        return _DROPS if mode_layers.kind_of(machine, instance, short) else None
    children = modules.children(machine, instance)
    if children is not None or modules.layers(machine, instance):
        return None
    return "" if kinds.is_module(machine.index, instance.cls) else None


def _is_within_fresh(machine: Machine, forward: Activation) -> bool:
    """Whether what applies the layer is itself a module that the forward has built."""
    for activation in machine.activations:
        receiver = activation.receiver
        if isinstance(receiver, Ref) and receiver.address > forward.frame:
            record = machine.get(receiver)
            if isinstance(record, Instance) and kinds.is_module(machine.index, record.cls):
                return True
    return False


def _is_built_elsewhere(machine: Machine, region: Region) -> bool:
    """Whether a module builds something as it is loaded, or a function perhaps only once."""
    return not region.scope or _may_be_cached(machine, region)


def _may_be_cached(machine: Machine, region: Region) -> bool:
    """Whether a function is wrapped by what may call it a single time: no decorator of torch's."""
    node = region.statement
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return False
    targets = (each.func if isinstance(each, ast.Call) else each for each in node.decorator_list)
    for name in map(names.dotted, targets):
        meaning = machine.index.meaning(region.outline, name)
        external = meaning.name if isinstance(meaning, External) else ""
        if name not in _PLAIN and (not external or external.startswith("functools.")):
            return True
    return False


def _is_kept(machine: Machine, forward: Activation, layer: Ref) -> bool:
    """Whether the module whose forward it is holds the layer when it is applied."""
    receiver = forward.receiver
    assert isinstance(receiver, Ref)
    return layer.address in holdings.modules_under(machine, frozenset({receiver.address}))


def named(machine: Machine, owner: Value, spot: Spot) -> None:
    """The forward of a module is about to be called by its name, which is an event."""
    record = machine.peek(owner)
    if not isinstance(record, Instance) or not kinds.is_module(machine.index, record.cls):
        return
    if kinds.is_loss(record.cls) or any(owner == item.receiver for item in machine.activations):
        return
    if isinstance(record.cls, Definition) and machine.index.member(record.cls, "__call__"):
        # What a call of the module does besides is for the class to say.
        return
    function = machine.activation.function
    if function is not None and function.name == "__call__":
        return
    if modules.parametrised(machine, owner) is None:
        return
    fresh = isinstance(owner, Ref) and _is_untouched(machine, owner, record)
    module = owner.address if isinstance(owner, Ref) else None
    machine.emit(
        Forwarded,
        spot,
        module=module,
        cls=kinds.name_of(record.cls),
        fresh=fresh,
        part=isinstance(owner, Ref) and _is_part(machine, owner),
    )


def _is_part(machine: Machine, owner: Ref) -> bool:
    """Whether a constructor has built a module, and is running outside of all forwards."""
    return running(machine) is None and any(
        each.function is not None
        and each.function.name == "__init__"
        and owner.address >= each.frame
        for each in machine.activations
    )


def _is_untouched(machine: Machine, owner: Ref, record: Instance) -> bool:
    """Whether what runs has built a module, and nothing has been done to it since."""
    if owner.address < machine.frame:
        return False
    if record.escaped or _is_loaded(machine, owner) or hooks.any_on(machine, owner):
        return False
    optimizers = map(machine.peek, map(Ref, machine.live.optimizers))
    return not any(
        isinstance(each, Optimizer)
        and (each.parameters is None or owner.address in each.parameters.owners)
        for each in optimizers
    )


def _is_loaded(machine: Machine, layer: Ref) -> bool:
    return any(event.module == layer.address for event in machine.trace.of(Load))
