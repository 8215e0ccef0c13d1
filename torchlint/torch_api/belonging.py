"""What ``isinstance`` and ``type`` say: of which classes an object is, and of which none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.cuts import Number
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    FALSE,
    TRUE,
    UNKNOWN,
    Class,
    Const,
    Instance,
    Mapping,
    Parameters,
    Sequence,
    Tensor,
    Tuple,
    options_of,
)
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.torch_api import generated
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

TENSOR = "torch.Tensor"

_PLAIN = {
    f"builtins.{kind.__name__}": kind
    for kind in (bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset)
}
"""Classes that no object is of but those that are known to be."""

_NO_OBJECTS = _PLAIN.keys() | {TENSOR}

_OTHERS = frozenset(
    {
        *("torch.Size", "torch.device", "torch.dtype", "numpy.ndarray"),
        *(f"typing.{name}" for name in "List Tuple Dict Set Sequence Mapping".split()),
        *(f"collections.abc.{name}" for name in "Sequence Mapping Set".split()),
    }
)
"""Classes that no tensor and no layer is of, beside the plain ones."""


@function("builtins.isinstance")
def _isinstance(call: Call) -> Value:
    subject, cls = call.get("object", 0), call.get("cls", 1)
    if subject is None or cls is None:
        return UNKNOWN
    found = {_is_of(call.machine, option, cls) for option in options_of(subject)}
    answer = found.pop() if len(found) == 1 else None
    return UNKNOWN if answer is None else TRUE if answer else FALSE


@function("builtins.type")
def _type(call: Call) -> Value:
    """The class of a number, a text, a tensor or a layer; others may be of one derived from it."""
    given = call.arguments.positional
    if len(given) != 1 or call.arguments.open:
        return UNKNOWN
    match given[0]:
        case Const(value=value) if type(value) in _PLAIN.values():
            return External(f"builtins.{type(value).__name__}")
    record = call.machine.get(given[0])
    if isinstance(record, Tensor) and not record.leaf and not _is_announced(record):
        return External(TENSOR)
    if isinstance(record, Instance) and isinstance(record.cls, str):
        return External(record.cls) if generated.is_module(record.cls) else UNKNOWN
    return UNKNOWN


@function("torch.is_tensor")
def _is_tensor(call: Call) -> Value:
    given = Arguments((*call.arguments.values(), External(TENSOR)))
    return _isinstance(Call(call.machine, call.name, given, call.spot))


def _is_of(machine: Machine, subject: Value, cls: Value) -> bool | None:
    """Whether an object is of a class, or of one of several; None where that is not known."""
    answers = {
        _is_of_one(machine, subject, one)
        for one in (cls.items if isinstance(cls, Tuple) else (cls,))
    }
    if True in answers:
        return True
    return None if None in answers else False


def _is_of_one(machine: Machine, subject: Value, cls: Value) -> bool | None:
    name = cls.name if isinstance(cls, External) else ""
    match subject:
        case Const(value=value):
            return isinstance(value, _PLAIN.get(name, ())) if name in _NO_OBJECTS else None
        case Tuple():
            return name == "builtins.tuple" if name in _NO_OBJECTS else None
        case Number(array=array):
            return False if name == TENSOR or (array and name in _PLAIN) else None
        case Class():
            return True if name == "builtins.type" else None
        case Parameters():
            is_module = name == "torch.nn.Module" or generated.is_module(name)
            return False if is_module or name == TENSOR else None
        case External(name=known) if generated.is_module(known):
            return True if name == "builtins.type" else None
    match machine.get(subject):
        case Tensor() as tensor:
            if name == TENSOR:
                return True
            return False if _is_none_of(machine, tensor, cls) else _is_other(name)
        case Instance(cls=str() as known):
            if name == known:
                return True
            if generated.is_module(known) and generated.is_module(name):
                return _is_layer_of(known, name)
            return False if _is_schedule(known) and _is_schedule(name) else _is_other(name)
        case Instance(cls=Definition() as definition):
            return _is_object_of(machine, definition, cls)
        case Sequence():
            # What is walked through like a list may be a generator, and the other way round.
            return False if name in {"builtins.dict", "builtins.str", TENSOR} else None
        case Mapping():
            return name == "builtins.dict" if name in _PLAIN else None
    return None


def _is_layer_of(known: str, name: str) -> bool | None:
    """Whether a layer of torch, which may be of a class derived from its own, is of another one."""
    if generated.is_layer_of(known, name):
        return True
    return None if generated.is_layer_of(name, known) else False


def _is_schedule(name: str) -> bool:
    """Whether a class is one of torch's schedulers, none of which derives from another."""
    return generated.is_scheduler(name) and name not in _SCHEDULERS


def _is_none_of(machine: Machine, tensor: Tensor, cls: Value) -> bool:
    """Whether a tensor that the program has made is of no class that has no base elsewhere."""
    if _is_announced(tensor) or not isinstance(cls, Class):
        return False
    return all(isinstance(base, Definition) for base in machine.index.ancestors(cls.definition))


def _is_announced(tensor: Tensor) -> bool:
    """Whether a tensor was not made by the program, so that it may be of a class of its own."""
    return tensor.node is not None and (tensor.node.opaque or tensor.node.op == "input")


def _is_other(name: str) -> bool | None:
    known = name in _PLAIN or name in _OTHERS or name.startswith("PIL.")
    return False if known else None


def _is_object_of(machine: Machine, definition: Definition, cls: Value) -> bool | None:
    """Whether an object of a class of the project is of another class."""
    bases = machine.index.ancestors(definition)
    wanted = cls.definition if isinstance(cls, Class) else cls
    if wanted in bases:
        return True
    if External("?") in bases or not isinstance(cls, External):
        return None
    outside = {base.name for base in bases if isinstance(base, External)}
    derived = generated.is_module(cls.name) or _is_schedule(cls.name)
    if outside <= _PLAIN_BASES and derived and cls.name not in outside:
        return False
    return _is_other(cls.name)


_SCHEDULERS = frozenset(
    f"torch.optim.lr_scheduler.{name}" for name in ("LRScheduler", "_LRScheduler")
)
_PLAIN_BASES = frozenset({"torch.nn.Module", "abc.ABC", "builtins.object"}) | _SCHEDULERS
"""Bases from elsewhere that make a class no layer of torch, and none of its schedulers."""
