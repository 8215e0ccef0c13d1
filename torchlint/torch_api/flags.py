"""``requires_grad`` where it is set, and what is written in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import holdings
from torchlint.interpreter.events.autograd import Misspelt, ModuleFlag, StateFlag
from torchlint.interpreter.events.states import StateTaken
from torchlint.interpreter.values import (
    FALSE,
    NONE,
    UNKNOWN,
    Const,
    Instance,
    Mapping,
    Ref,
    Tensor,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds
from torchlint.torch_api.registry import Attribute, Call, assigned, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

MISSPELT = frozenset(
    "require_grad require_grads requires_grads required_grad required_grads requires_gard "
    "require_gard requres_grad requires_garad requiers_grad require_gradient requires_gradient "
    "requires_gradients require_gradients reqires_grad requirs_grad requires_grd requries_grad "
    "need_grad needs_grad requiresgrad requiresGrad require_Grad requires_Grad".split()
)
"""What people write for ``requires_grad``."""


def on_module(written: Attribute, value: Value) -> None:
    """Setting ``requires_grad`` on a module is an event, unless its class may read it."""
    record = written.machine.get(written.owner)
    if not isinstance(record, Instance) or _is_own(written):
        return
    if isinstance(record.cls, Definition):
        if written.machine.index.member(record.cls, "requires_grad") is not None:
            return
        if "?" in kinds.bases(written.machine.index, record.cls):
            return
    if isinstance(value, Const) and value.value and record.frozen is not True:
        # Its parameters need a gradient already, unless someone has told them otherwise.
        return
    cls = kinds.name_of(record.cls)
    written.machine.emit(ModuleFlag, written.spot, cls=cls)


def on_tensor(machine: Machine, value: Value | None, wanted: Value, spot: Spot) -> None:
    """A state dict holds the parameters without their flags: to set one there is an event."""
    if wanted != FALSE:
        return
    for taken in machine.trace.of(StateTaken):
        state = machine.get(Ref(taken.state))
        if taken.modules and isinstance(state, Mapping) and state.rest == value:
            machine.emit(StateFlag, spot)
            return


def _is_own(written: Attribute) -> bool:
    """Whether a method sets an attribute of its own object, which may mean something to it."""
    function = written.machine.activation.function
    if function is None or function.owner is None:
        return False
    return written.machine.variables().names.get("self") == written.owner


@assigned("tensor", *MISSPELT)
def _misspelt_on_tensor(written: Attribute, value: Value) -> None:
    written.machine.emit(Misspelt, written.spot, name=written.name)
    _meant(written.machine, written.owner, written.spot)


def _meant(machine: Machine, value: Value, spot: Spot) -> None:
    """Those who misspell it mean it: what follows is not held against them."""
    tensor = machine.get(value)
    if isinstance(tensor, Tensor):
        holdings.require_grad(machine, value, tensor, UNKNOWN, spot)


@assigned("module", *MISSPELT)
def _misspelt_on_module(written: Attribute, value: Value) -> None:
    record = written.machine.get(written.owner)
    if not isinstance(record, Instance) or written.name in record.attributes or _is_own(written):
        return
    if isinstance(record.cls, Definition):
        # A class may have an attribute of that name, of which its constructor does not tell.
        known = written.machine.index.member(record.cls, written.name) is not None
        if known or written.name in record.cls.region.text:
            return
    written.machine.emit(Misspelt, written.spot, name=written.name)


def _misspelt_method(call: Call) -> Value:
    call.machine.emit(Misspelt, call.spot, name=call.name, method=True)
    if call.receiver is not None:
        _meant(call.machine, call.receiver, call.spot)
    return call.receiver or NONE


for _family in ("tensor", "module"):
    method(_family, *(f"{name}_" for name in MISSPELT))(_misspelt_method)


def told(call: Call) -> None:
    """A keyword of torch's functions that does not exist, but nearly, is an event."""
    if not call.arguments.keywords or not call.name.startswith("torch."):
        return
    if call.name.rpartition(".")[2].startswith("_"):
        # What is not public has parameters of such names: ``_make_subclass`` takes one.
        return
    for name in MISSPELT.intersection(call.arguments.keywords):
        call.machine.emit(Misspelt, call.spot, name=name, keyword=True)
