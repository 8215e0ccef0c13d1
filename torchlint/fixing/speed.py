"""The same result for less."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written

_ANY_DTYPE = frozenset({"zeros", "ones", "empty", "eye"})
"""Factories that make in any type what they would make in another and have converted."""


@fix
def created_there(spot: Site) -> Repair | None:
    """``torch.zeros(n).to(device)`` becomes ``torch.zeros(n, device=device)``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(value=cst.Call() as factory)) as move:
            wanted = _wanted(spot.region, move)
            if wanted is None or ("dtype" in wanted and not _takes_dtype(factory)):
                return None
            settings = ", ".join(f"{name}={text}" for name, text in wanted.items())
            added = edits.with_argument(spot.region, factory, settings)
            dropped = edits.without_call(spot.region, move)
            if added and dropped:
                return Repair("Create it on the device", Safety.SAFE, (*added, *dropped))
    return None


@fix
def as_one_array(spot: Site) -> Repair | None:
    """``torch.tensor(arrays)`` becomes ``torch.tensor(np.array(arrays))``."""
    match spot.node:
        case cst.Call(args=[cst.Arg(value=value, star="", keyword=None), *_]):
            numpy = next(
                (
                    name
                    for name, bound in spot.region.outline.bindings.items()
                    if isinstance(bound, Import) and bound == Import("numpy", 0, "")
                ),
                None,
            )
            if numpy is None or isinstance(value, cst.GeneratorExp):
                return None
            text = f"{numpy}.array({spot.region.source_of(value)})"
            made = edits.replaced(spot.region, value, text)
            return Repair("Make one array of them first", Safety.UNSAFE, made)
    return None


@fix
def dropped(spot: Site) -> Repair | None:
    """``zero_grad(set_to_none=False)`` becomes ``zero_grad()``."""
    match spot.node:
        case cst.Call(args=[cst.Arg() as argument]) as call:
            made = edits.without_argument(spot.region, call, argument)
            return Repair("Drop the gradients", Safety.UNSAFE, made) if made else None
    return None


def _wanted(region: Written, move: cst.Call) -> dict[str, str] | None:
    """The settings of a factory that say what a ``.to`` or ``.cuda`` does to its tensor."""
    found: dict[str, str] = {}
    names = iter(("device", "dtype"))
    for argument in move.args:
        name = argument.keyword.value if argument.keyword is not None else next(names, None)
        if argument.star or name is None:
            return None
        if name == "non_blocking":
            continue
        found[name] = region.source_of(argument.value)
    if isinstance(move.func, cst.Attribute) and move.func.attr.value == "cuda":
        return {"device": '"cuda"'} if not found else None
    return found if "device" in found and found.keys() <= {"device", "dtype"} else None


def _takes_dtype(factory: cst.Call) -> bool:
    name = factory.func.attr.value if isinstance(factory.func, cst.Attribute) else ""
    given = any(
        argument.keyword is not None and argument.keyword.value == "dtype"
        for argument in factory.args
    )
    return name in _ANY_DTYPE and not given
