"""What a saved file holds beside tensors and plain values, which torch does not load by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
_ANYTHING = r"\bweights_only\s*=\s*(?!True\b)"
_REDUCED = ("__reduce__", "__reduce_ex__")


def allows_more(index: Index, outline: Outline) -> bool:
    """Whether a program has some classes loaded, or loads by another function."""
    if allows_its_own(index, outline) or any(index.says(outline, word) for word in _ALLOWED):
        return True
    return index.says(outline, "torch.load", _PATCHED)


def allows_its_own(index: Index, outline: Outline) -> bool:
    """Whether a program says itself which classes to load."""
    return any(index.says(outline, word) for word in _ALLOWING)


def loads_by_default(index: Index, outline: Outline) -> bool:
    """Whether a program loads files, and never says that they may hold anything."""
    if not index.says(outline, "torch.load(") or index.says(outline, "weights_only", _ANYTHING):
        return False
    return not allows_more(index, outline)


def more(machine: Machine, value: Value) -> tuple[str, str] | None:
    """What else is among what is saved: the key that has it in a dict, and what it is."""
    record = machine.get(value)
    items = record.items if isinstance(record, Mapping) else (("", value),)
    for key, item in items:
        kind = _kind(machine, item)
        if kind and isinstance(key, str):
            return key, kind
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
        case Instance(cls=Definition() as cls) if not kinds.is_module(machine.index, cls):
            if not any(machine.index.member(cls, name) for name in _REDUCED):
                return f"an object of `{cls.name}`: save what it holds"
    return ""
