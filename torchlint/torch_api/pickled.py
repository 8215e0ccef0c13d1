"""What a saved file holds beside tensors and plain values, which torch does not load by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.opaque import OPTIONS
from torchlint.interpreter.optimisation import Optimizer
from torchlint.interpreter.values import Instance, Mapping, Opaque
from torchlint.project.outline import Definition
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.index import Index
    from torchlint.project.outline import Outline

_ALLOWING = ("add_safe_globals", "safe_globals", "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD")
"""What programs say who allow classes to be loaded, or all that files hold."""

_ALLOWED = ("torch_geometric", "monai")
"""Packages that allow their own classes wherever they are imported."""

_PATCHED = r"\btorch\.load\s*=[^=]|\bpartial\(\s*torch\.load\b"
_PATCHING = r"^[ \t]*(?:from|import)[ \t]+ultralytics\b"
"""Packages of which releases put their own function in the place of `torch.load`: it loads all."""

_ANYTHING = r"\bweights_only\s*=\s*(?!True\b)"
_REDUCED = ("__reduce__", "__reduce_ex__")


@dataclass(frozen=True, slots=True)
class More:
    """What is saved and no weight: the key that has it in a dict, if one does, and what it is.

    ``own`` says that it is an object of a class of the program.
    """

    key: str
    kind: str
    own: bool


def allows_more(index: Index, outline: Outline, *, own: bool = False) -> bool:
    """Whether a program has some classes loaded, its ``own`` or any, or by another function."""
    packages = () if own else _ALLOWED
    if allows_its_own(index, outline) or any(index.says(outline, word) for word in packages):
        return True
    is_patched = index.says(outline, "torch.load", _PATCHED)
    return is_patched or index.says(outline, "ultralytics", _PATCHING)


def allows_its_own(index: Index, outline: Outline) -> bool:
    """Whether a program says itself which classes to load."""
    return any(index.says(outline, word) for word in _ALLOWING)


def is_refused(index: Index, outline: Outline, more: More) -> bool:
    """Whether a program loads files by default, and nothing says that they may hold this."""
    if not index.says(outline, "torch.load(") or index.says(outline, "weights_only", _ANYTHING):
        return False
    return not allows_more(index, outline, own=more.own)


def more(machine: Machine, value: Value) -> More | None:
    """What else is among what is saved."""
    record = machine.get(value)
    items = record.items if isinstance(record, Mapping) else (("", value),)
    for key, item in items:
        if not isinstance(key, str):
            continue
        own = _own_class(machine, item)
        kind = f"an object of `{own}`: save what it holds" if own else _kind(machine, item)
        if kind:
            return More(key, kind, own=bool(own))
    return None


def _kind(machine: Machine, value: Value) -> str:
    """What a value is that a load refuses; nothing where that is not sure."""
    match value:
        case Number(array=True):
            return "an array of NumPy's: save it as a tensor"
        case Number(made=True):
            return "a number of NumPy's: save `float(…)` of it"
    match machine.peek(value):
        case Opaque(name=name) if name == OPTIONS:
            return f"an `{OPTIONS}`: save `vars(…)` of it"
        case Optimizer(hinted=False):
            return "the optimizer itself: save its `state_dict()`"
    return ""


def _own_class(machine: Machine, value: Value) -> str:
    """The class of the program that a value is an object of, if that is no module."""
    match machine.peek(value):
        case Instance(cls=Definition() as cls) if not kinds.is_module(machine.index, cls):
            reduced = any(machine.index.member(cls, name) for name in _REDUCED)
            return "" if reduced else cls.name
    return ""
