"""Inputs of another kind, by what a failure says: a list, a dict, a number, a text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from .guesses import WIDTH
from .specs import BATCH, SIDE, TIME, Spec, floats, longs, plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .trials import Attempt

Specs = dict[str, Spec]
_LACKING = re.compile(r"'(?:\w+\.)*(\w+)' object has no attribute '(\w+)'")
_KINDS = (
    (re.compile(r"between 0 and 1|\[0(\.0)?, ?1(\.0)?\]|probabilit"), "unit"),
    (re.compile(r"\bbool(ean)?s?\b(?! value)", re.IGNORECASE), "bool"),
    (re.compile(r"\b(long|int64|integers?)\b", re.IGNORECASE), "long"),
    (
        re.compile(r"non-complex|\bc(float|double)\b|[Cc]omplex (type|tensor|dtype|valued)"),
        "complex",
    ),
)
_NUMBER = re.compile(
    r"only one element tensors|only integer tensors|as an integer|of ints, ?but got Tensor"
)
_OF_DICTS = frozenset({"keys", "items", "values", "get"})
_OF_LISTS = frozenset({"append", "extend", "copy", "index", "pop", "insert"})
_OF_TEXTS = frozenset({"startswith", "lower", "split", "strip", "upper", "encode"})
_MAPS = tuple(floats(BATCH, WIDTH, SIDE >> index, SIDE >> index) for index in range(4))
_DICT = Spec("dict", items=_MAPS, keys=tuple(str(index) for index in range(len(_MAPS))))


def of_kinds(failed: Attempt, message: str) -> Iterator[Specs]:
    """Changed inputs, the likeliest to help first."""
    told = _LACKING.search(message)
    for name, spec in failed.leaves():
        tensor = spec.kind in ("float", "long", "bool")
        if told:
            wanted = _with_attribute(told[1], told[2], spec)
            yield from (failed.replaced(name, other) for other in wanted)
        if "values expected sparse tensor" in message and tensor:
            yield failed.replaced(name, _DICT)
        for expression, kind in _KINDS if tensor else ():
            if spec.kind != kind and expression.search(message):
                yield failed.replaced(name, replace(spec, kind=kind))
        yield from (failed.replaced(name, other) for other in _by_message(message, spec, tensor))
    for name, whole in failed.specs.items():
        if whole.kind == "record" and told and told[1] == "SimpleNamespace":
            keys = (*whole.keys, told[2])
            items = (*whole.items, _attribute(told[2]))
            yield {**failed.specs, name: replace(whole, items=items, keys=keys)}
        if whole.kind in ("list", "tuple") and "list index out of range" in message:
            for items in ((*whole.items, whole.items[-1]), whole.items * 2):
                yield {**failed.specs, name: replace(whole, items=items)}


def _by_message(message: str, spec: Spec, tensor: bool) -> Iterator[Spec]:
    if spec.kind == "long" and spec.high > 1 and re.search(r"larger|exceed|out of", message):
        yield replace(spec, high=1)
    if "Boolean value of Tensor" in message and tensor:
        yield plain(False)
    if "has no len()" in message and spec.kind == "plain":
        yield from (plain((SIDE, SIDE)), floats(BATCH, TIME, WIDTH))
    if _NUMBER.search(message) and tensor:
        yield plain(2)


def _with_attribute(kind: str, attribute: str, spec: Spec) -> Iterator[Spec]:
    """What has an attribute that something of this kind has not."""
    if kind == "Tensor" and spec.kind in ("float", "long", "bool"):
        if attribute in _OF_DICTS:
            yield _DICT
        elif attribute in _OF_LISTS:
            yield Spec("list", items=(spec,) * 2)
            yield Spec("list", items=_MAPS)
        elif not hasattr(torch.Tensor, attribute):
            yield Spec("record", items=(_attribute(attribute),), keys=(attribute,))
    elif spec.kind == "plain":
        if attribute in _OF_TEXTS:
            yield plain("x")
        elif attribute in _OF_DICTS:
            yield _DICT
        yield from (floats(BATCH, WIDTH), floats(BATCH, WIDTH, SIDE, SIDE))


def _attribute(name: str) -> Spec:
    """What an attribute of that name may hold."""
    if "mask" in name:
        return Spec("bool", (BATCH, TIME))
    return longs(10, BATCH, TIME) if name.endswith("ids") else floats(BATCH, TIME, WIDTH)
