"""Objects that hold the settings of a model: the project's own, kept small, or made up."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

from torch import nn

from .guesses import WIDTH, by_name, tells_size
from .signatures import signature_of

if TYPE_CHECKING:
    from .means import Means, Usage

# Sizes that are large by default, and what they are cut down to.
_LESS: tuple[tuple[str, int], ...] = (
    (r"(num|n)_?(hidden_|encoder_|decoder_|\w+_)?layers?$|^depth$", 2),
    (r"^(hidden_size|d_model|n_embd|embed_dim|hidden_dim|dim|width)$", WIDTH),
    (r"intermediate_size|ffn_dim|d_ff$|mlp_dim", 2 * WIDTH),
    (r"num_key_value_heads", 2),
    (r"heads?$", 4),
    (r"vocab_size", 1024),
    (r"head_(dim|width|size)$", 16),
    (r"max_position_embeddings", 128),
    (r"experts$", 4),
)


class Passing(nn.Module):
    """Stands for a module of which nothing is known: hands on the first thing that it is given."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The first argument, whatever else comes with it."""
        return next(iter([*args, *kwargs.values()]), None)


class MadeUp:
    """Settings whose values are guessed by their names; remembers which decide anything."""

    def __init__(self, path: str, usage: Usage) -> None:
        self.__dict__.update(_path=path, _usage=usage, _guessed=set())

    @property
    def guessed_(self) -> set[str]:
        """The settings that were read and are no mere sizes."""
        found: set[str] = self.__dict__["_guessed"]
        return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        path = f"{self.__dict__['_path']}.{name}"
        usage: Usage = self.__dict__["_usage"]
        value = _setting(name, usage.of(path), path, usage)
        self.__dict__[name] = value
        if not (tells_size(name) and isinstance(value, (int, float, list))):
            self.guessed_.add(path)
        return value

    def __getitem__(self, name: Any) -> Any:
        return getattr(self, str(name))

    def __contains__(self, name: Any) -> bool:
        return name in self.__dict__

    def __deepcopy__(self, memo: Any) -> MadeUp:
        return self

    def get(self, name: str, default: Any = None) -> Any:
        """As of a dictionary."""
        return self.__dict__.get(name, default)

    def keys(self) -> list[str]:
        """What has been asked for."""
        return [name for name in self.__dict__ if not name.startswith("_")]


def _setting(name: str, means: Means, path: str, usage: Usage) -> Any:
    for choice in [*means.choices, *usage.keys(means)]:
        return choice
    value = by_name(name)
    if means.iterated or means.indices:
        number = value if type(value) in (int, float) else WIDTH
        return [number] * max(means.parts, 2)
    if means.called:
        return called_by_name(name)[0]
    if means.attributes:
        return MadeUp(path, usage)
    return value


def called_by_name(name: str) -> list[Any]:
    """What can be called and has such a name: classes of layers, then layers."""
    lower = name.lower()
    if re.search(r"norm|bn", lower):
        return [nn.BatchNorm2d, nn.LayerNorm, nn.BatchNorm1d, Passing()]
    if re.search(r"act|relu|nonlin|gate", lower):
        return [nn.ReLU, nn.ReLU()]
    if re.search(r"conv", lower):
        return [nn.Conv2d, nn.Conv2d(WIDTH, WIDTH, 3, padding=1)]
    if re.search(r"drop", lower):
        return [nn.Dropout, nn.Dropout(0.1)]
    if re.search(r"layer|cls|class|type|block", lower):
        return [nn.Identity, nn.Linear, Passing()]
    return [Passing(), nn.Identity, nn.Linear(WIDTH, WIDTH)]


def of_class(cls: type, guesses: bool = True) -> Any:
    """An object of a class of settings, mostly from its own defaults; None where there is none."""
    try:
        parameters = signature_of(cls).parameters.values()
    except (TypeError, ValueError):
        return None
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    wanted = [item for item in parameters if item.kind not in variadic]
    needed = {item.name: by_name(item.name) for item in wanted if item.default is item.empty}
    if needed and not guesses:
        return None
    smaller = {item.name: _cut(item.name, item.default) for item in wanted}
    small = {name: value for name, value in smaller.items() if value is not None}
    for arguments in ({**needed, **small}, needed):
        try:
            return cls(**arguments)
        except Exception:
            continue
    return None


def _cut(name: str, default: object) -> int | None:
    if type(default) is not int:
        return None
    for expression, most in _LESS:
        if re.search(expression, name.lower()):
            return most if default > most else None
    return None
