"""Values to try for an argument of a constructor, the likeliest first."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import contextlib
import dataclasses
import enum
import inspect
import re
import sys
import types
import typing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from . import configs
from .defaults import NAMED
from .guesses import WIDTH, by_name
from .signatures import fields_of
from .taint import Poison, StandIn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .loading import Program
    from .means import Means, Usage

_MODULE = re.compile(
    r"(encoder|decoder|backbone|model|net|network|module|^fn|base|generator|discriminator|body|"
    r"extractor|transformer|teacher|student|trunk|layer|head|attn|attention|mlp|critic|(?<!f)actor)$"
)
_INDEX = re.compile(r"(^|_)(idx|index|level|stage|id)$")
_OF_TENSORS = frozenset(
    {"shape", "size", "dim", "view", "unsqueeze", "float", "dtype", "numel", "device", "ndim", "t"}
)
_OF_MODULES = frozenset(
    {"parameters", "state_dict", "named_parameters", "modules", "children", "out_channels"}
    | {"in_channels", "in_features", "out_features", "weight", "forward", "eval", "named_children"}
)
_SEQUENCES = (list, tuple, collections.abc.Sequence, collections.abc.Iterable)
_UNIONS = (typing.Union, getattr(types, "UnionType", typing.Union))


@dataclass
class Wanted:
    """An argument that a class wants, and what is known of it.

    ``build`` makes an object of another class of the project, or gives None.
    """

    parameter: inspect.Parameter
    cls: type
    usage: Usage
    program: Program
    build: Callable[[type], Any]

    @property
    def name(self) -> str:
        """Its name."""
        return self.parameter.name

    @property
    def means(self) -> Means:
        """How it is used."""
        return self.usage.of(self.name)

    @property
    def annotation(self) -> Any:
        """What it is said to be, or else the attribute of that name of the project's class."""
        if self.parameter.annotation is not self.parameter.empty:
            return _resolved(self.parameter.annotation, self.cls)
        for base in self.cls.__mro__:
            written = fields_of(base).get(self.name)
            if written is not None and not base.__module__.startswith("torch."):
                return _resolved(written, base)
        return self.parameter.empty


def proposals(wanted: Wanted) -> list[Any]:
    """Values, each once."""
    found: list[Any] = []
    for value in _all(wanted):
        if not any(value is other or _same(value, other) for other in found):
            found.append(value)
    return found


def _same(one: Any, other: Any) -> bool:
    plain = (bool, int, float, str, list, tuple, type(None))
    return type(one) is type(other) and isinstance(one, plain) and repr(one) == repr(other)


def _all(wanted: Wanted) -> Iterator[Any]:
    yield from wanted.means.choices
    yield from wanted.usage.keys(wanted.means)
    widens = getattr(wanted.cls, "expansion", 1)
    if re.search(r"^in_?(planes|channels)$", wanted.name) and type(widens) is int and widens > 1:
        yield WIDTH * widens
    yield from _of_type(wanted.annotation, wanted)
    yield from _of_settings(wanted)
    yield from _of_use(wanted)
    yield from _of_module(wanted)
    if _INDEX.search(wanted.name.lower()):
        yield 0
    yield by_name(wanted.name)
    yield from (WIDTH, 2, [2, 2], "x", configs.Passing(), False, None)


def _resolved(annotation: Any, cls: type) -> Any:
    """What an annotation means, itself where that cannot be told."""
    if not isinstance(annotation, str):
        return annotation
    try:
        return eval(annotation, {}, _Scope(sys.modules.get(cls.__module__)))
    except Exception:
        return annotation


class _Scope(dict[str, Any]):
    """The names of a module, as they are asked for."""

    def __init__(self, module: Any) -> None:
        super().__init__()
        self._module = module

    def __missing__(self, name: str) -> Any:
        for owner in (self._module, builtins, typing):
            if hasattr(owner, name):
                return getattr(owner, name)
        raise KeyError(name)


def _of_type(annotation: Any, wanted: Wanted) -> Iterator[Any]:
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if isinstance(annotation, (Poison, StandIn)) or annotation is inspect.Parameter.empty:
        return
    if origin in _UNIONS:
        for part in inner:
            if part is not type(None):
                yield from _of_type(part, wanted)
        yield from (None for part in inner if part is type(None))
    elif origin is typing.Literal:
        yield from inner
    elif origin is typing.Annotated:
        yield from _of_type(inner[0], wanted)
    elif origin in _SEQUENCES or annotation in _SEQUENCES:
        yield from _of_sequence(origin or annotation, inner, wanted)
    elif origin is type or origin is collections.abc.Callable or annotation is typing.Callable:
        yield from configs.called_by_name(wanted.name)
    elif origin is dict or annotation is dict:
        yield {}
    elif isinstance(annotation, type):
        yield from _of_class(annotation, wanted)
    elif isinstance(annotation, str):
        yield from _of_text(annotation, wanted)


def _of_text(annotation: str, wanted: Wanted) -> Iterator[Any]:
    """An annotation whose names are not there."""
    if re.match(r"(typing\.)?(list|tuple|sequence)\b", annotation, re.IGNORECASE):
        yield [_number(wanted)] * 3
    elif re.search(r"\b(nn\.)?Module$", annotation):
        yield configs.Passing()


def _of_class(cls: type, wanted: Wanted) -> Iterator[Any]:
    number = _number(wanted)
    if cls is bool:
        yield from (False, True)
    elif cls is int:
        yield int(number) or WIDTH
    elif cls is float:
        yield float(number) if number != WIDTH else 0.1
    elif cls is str:
        yield "x"
    elif issubclass(cls, enum.Enum):
        yield from cls
    elif cls is torch.dtype:
        yield torch.float32
    elif issubclass(cls, torch.Tensor):
        yield torch.randn(WIDTH)
        yield torch.randn(8, WIDTH)
    elif issubclass(cls, nn.Module):
        yield from _module(cls, wanted)
    elif dataclasses.is_dataclass(cls) or NAMED.search(cls.__name__.lower()):
        yield configs.of_class(cls)
    else:
        yield wanted.build(cls)


def _module(cls: type[nn.Module], wanted: Wanted) -> Iterator[Any]:
    if cls is nn.Module:
        yield from _own_modules(wanted)
        yield configs.Passing()
    elif cls is nn.Linear:
        yield nn.Linear(WIDTH, WIDTH)
    elif cls.__module__.startswith("torch."):
        with contextlib.suppress(Exception):
            yield cls()
    else:
        yield wanted.build(cls)


def _of_sequence(kind: Any, inner: tuple[Any, ...], wanted: Wanted) -> Iterator[Any]:
    item = inner[0] if inner else int
    if typing.get_origin(item) in _SEQUENCES:
        yield [[_number(wanted)] * 2] * 2
        return
    if isinstance(item, type) and issubclass(item, nn.Module):
        values = [configs.Passing()]
    else:
        values = [value for value in _of_type(item, wanted) if value is not None][:1]
    value = values[0] if values else _number(wanted)
    fixed = len(inner) if kind is tuple and Ellipsis not in inner else 0
    for count in dict.fromkeys([fixed or max(wanted.means.parts, 0) or 4, 2, 3, 1]):
        yield (value,) * count if kind is tuple else [value] * count
        if fixed:
            return


def _number(wanted: Wanted) -> int | float:
    """A number by the name, or by its singular."""
    for name in (wanted.name, wanted.name.rstrip("s")):
        value = by_name(name)
        if type(value) in (int, float) and value != WIDTH:
            return value  # type: ignore[no-any-return]
    return WIDTH


def _of_settings(wanted: Wanted) -> Iterator[Any]:
    """An object of settings: of a class that the file has for it, or made up."""
    told = wanted.means.attributes - _OF_TENSORS - _OF_MODULES
    if not NAMED.search(wanted.name.lower()) and len(told) < 2:
        return
    if told or NAMED.search(wanted.name.lower()):
        for cls in _classes(wanted, re.compile(r"config|args|cfg|params|options", re.IGNORECASE)):
            if not issubclass(cls, nn.Module):
                made = configs.of_class(cls, guesses=False)
                if made is not None and all(hasattr(made, name) for name in told):
                    yield made
        yield configs.MadeUp(wanted.name, wanted.usage)


def _of_use(wanted: Wanted) -> Iterator[Any]:
    means = wanted.means
    if not issubclass(wanted.cls, nn.Module) and (means.iterated or means.indices):
        yield torch.randn(8, WIDTH)
        yield [(torch.randn(WIDTH), 0)] * 8
    if means.called:
        yield from _own_classes(wanted)
        yield from configs.called_by_name(wanted.name)
    if means.attributes & _OF_MODULES:
        yield from _own_modules(wanted)
        yield nn.Linear(WIDTH, WIDTH)
        yield nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
    if (means.iterated or means.indices) and not means.attributes:
        number = _number(wanted)
        for count in dict.fromkeys([means.parts or 4, 2, 3]):
            yield [number] * count
    if means.ranged:
        yield 2
    if means.attributes & _OF_TENSORS or means.indices:
        yield from (torch.randn(8, WIDTH), torch.randn(WIDTH, WIDTH))
        yield [(torch.randn(WIDTH), 0)] * 8


def _of_module(wanted: Wanted) -> Iterator[Any]:
    if _MODULE.search(wanted.name.lower()) and not wanted.means.counted:
        yield from _own_modules(wanted)
        yield configs.Passing()
    if re.search(r"norm_?(layer|fn|cls)?$|^bn$|act(ivation)?_?(layer|fn|func|cls)?$", wanted.name):
        yield from configs.called_by_name(wanted.name)


def _own_classes(wanted: Wanted) -> Iterator[Any]:
    """Classes of the file whose name is like the argument's."""
    name = wanted.name.lower().replace("_", "").rstrip("s")
    if re.search(r"block|layer|cell|unit", name):
        pattern = re.compile(r"block|bottleneck|layer|cell|unit", re.IGNORECASE)
        yield from (cls for cls in _classes(wanted, pattern) if issubclass(cls, nn.Module))


def _own_modules(wanted: Wanted) -> Iterator[Any]:
    """Modules of the file's classes whose name is like the argument's."""
    name = re.escape(wanted.name.lower().replace("_", ""))
    if len(name) > 2:
        for cls in [*_classes(wanted, re.compile(name, re.IGNORECASE))][:2]:
            if issubclass(cls, nn.Module):
                made = wanted.build(cls)
                if made is not None:
                    yield made


def _classes(wanted: Wanted, pattern: re.Pattern[str]) -> Iterator[type]:
    """Other classes of the file with such a name."""
    module = sys.modules.get(wanted.cls.__module__)
    file = getattr(module, "__file__", None) or ""
    if not wanted.program.finder.owns(file):
        return
    for node in wanted.program.tree(file).body:
        if isinstance(node, (ast.ClassDef, ast.ImportFrom)):
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.ImportFrom) and "config" in (node.module or ""):
                names = [item.asname or item.name for item in node.names]
            for name in names:
                found = getattr(module, name, None) if pattern.search(name) else None
                if isinstance(found, type) and found is not wanted.cls:
                    yield found
