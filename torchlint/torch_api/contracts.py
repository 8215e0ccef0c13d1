"""What torch asks of the methods of modules that a class may redefine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from torchlint.project.methods import Method


@dataclass(frozen=True, slots=True)
class Use:
    """A call with so many values and these keywords, and who makes it."""

    count: int
    keywords: tuple[str, ...]
    why: str


PLAIN_DECORATORS = frozenset({"override", "no_grad", "ignore", "unused", "export", "classmethod"})
"""Decorators that leave the parameters of a method, and what it gives, as they are."""

_BARE = (Use(0, (), "it is called without arguments"),)
_ONE = (Use(1, (), "it is called with one argument"),)
CALLS: dict[str, tuple[Use, ...]] = {
    "train": (
        Use(0, (), "`model.train()` gives it no arguments"),
        Use(1, (), "`eval()`, and the `train()` of whatever holds it, call `train(mode)`"),
    ),
    "eval": _BARE,
    "to": _ONE,
    "apply": (Use(1, (), "the `apply(fn)` of whatever holds it calls `apply(fn)`"),),
    "parameters": (Use(0, (), "`zero_grad()` and optimizers ask for `parameters()`"),),
    "named_parameters": (
        Use(0, ("recurse",), "`parameters()` calls `named_parameters(recurse=…)`"),
    ),
    "children": (Use(0, (), "`train()`, `to()` and `apply()` go through `children()`"),),
    "named_children": (Use(0, (), "`children()` goes through `named_children()`"),),
    "modules": _BARE,
    "named_modules": (Use(0, (), "`modules()` goes through `named_modules()`"),),
    "zero_grad": _BARE,
    "float": _BARE,
    "half": _BARE,
    "cuda": _BARE,
    "cpu": _BARE,
}
"""The usual calls of methods of modules, by torch itself or by whoever holds one."""

OTHER = "`eval()` no longer switches to evaluation mode"


def is_other(method: Method) -> bool:
    """Whether an ``eval`` does something else, and leaves the mode alone."""
    if method.name != "eval":
        return False
    text = method.definition.region.text
    return not any(word in text for word in ("super", "train", ".eval(", "raise", "...", "pass"))
