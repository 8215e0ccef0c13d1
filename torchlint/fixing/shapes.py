"""Shapes, given as they are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.edits import Edits
    from torchlint.fixing.written import Site, Written

_TITLE = "Keep the samples of the batch apart"


@fix
def flattened_by_sample(spot: Site) -> Repair | None:
    """``x.flatten()`` becomes ``x.flatten(start_dim=1)``, and so does ``x.view(-1)``."""
    made = _by_sample(spot.region, spot.node)
    return Repair(_TITLE, Safety.UNSAFE, made) if made else None


@fix
def by_sample(spot: Site) -> Repair | None:
    """``x.view(-1, 400)`` becomes ``x.view(x.size(0), -1)``, what is computed ``.flatten(1)``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value=name))) if not _is_torch(
            owner
        ) and "#" not in spot.region.source_of(spot.node):
            text = spot.region.source_of(owner)
            call = f".{name}({text}.size(0), -1)" if _is_plain(owner) else ".flatten(1)"
            made = edits.replaced(spot.region, spot.node, text + call)
            return Repair("Give each sample a row", Safety.UNSAFE, made)
    return None


def _is_plain(owner: cst.BaseExpression) -> bool:
    return isinstance(owner, cst.Name)


@fix
def reshaped(spot: Site) -> Repair | None:
    """``x.view(...)`` becomes ``x.reshape(...)``, which copies where there is no such view."""
    match spot.node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value="view" | "view_as" as name) as attr)):
            new = name.replace("view", "reshape")
            made = edits.replaced(spot.region, attr, new)
            return Repair(f"Use `{new}`, which copies if it has to", Safety.SAFE, made)
    return None


def _by_sample(region: Written, call: cst.CSTNode) -> Edits | None:
    match call:
        case (
            cst.Call(
                func=cst.Attribute(value=cst.Name(value="torch"), attr=cst.Name(value="flatten"))
                | cst.Name(value="flatten"),
                args=[cst.Arg(keyword=None, star="")],
            )
            | cst.Call(func=cst.Attribute(attr=cst.Name(value="flatten")), args=[])
        ):
            return edits.with_argument(region, call, "start_dim=1")
        case cst.Call(
            func=cst.Attribute(value=owner, attr=cst.Name(value="view" | "reshape" | "ravel")),
            args=args,
        ) if not _is_torch(owner) and len(args) < 2:
            if "#" in region.source_of(call):
                return None
            text = f"{region.source_of(owner)}.flatten(start_dim=1)"
            return edits.replaced(region, call, text)
    return None


def _is_torch(owner: cst.BaseExpression) -> bool:
    return isinstance(owner, cst.Name) and owner.value == "torch"


@fix
def permuted(
    spot: Site, merged: list[list[int]] | None, split: list[list[int]] | None
) -> Repair | None:
    """``x.view(b, h, w, c)`` becomes ``x.permute(0, 2, 3, 1)``, where it is of (b, c, h, w).

    Which dimensions those of the result are to be ``merged`` of decides on the order, or else
    which ones of the result each is ``split`` into.
    """
    match spot.node:
        case cst.Call(func=cst.Attribute(value=owner, attr=cst.Name(value=name)), args=args) if (
            not _is_torch(owner) and "#" not in spot.region.source_of(spot.node)
        ):
            given = [spot.region.source_of(arg).rstrip(", ") for arg in args]
            made = _permuted(name, given, merged, split)
            if made is not None:
                text = spot.region.source_of(owner) + made
                change = edits.replaced(spot.region, spot.node, text)
                return Repair("Put the dimensions in this order", Safety.UNSAFE, change)
    return None


def _permuted(
    name: str, given: list[str], merged: list[list[int]] | None, split: list[list[int]] | None
) -> str | None:
    """The calls that do it, from the arguments of the view."""
    if merged is not None:
        turn = _turn([at for group in merged for at in group])
        if all(len(group) == 1 for group in merged):
            return turn
        return f"{turn}.reshape({', '.join(given)})" if name in {"view", "reshape"} else None
    if split is None or name not in {"view", "reshape"}:
        return None
    order = [at for group in split for at in group]
    if len(given) != len(order):
        return None
    sizes = ", ".join(given[at] for at in order)
    return f".{name}({sizes}){_turn([order.index(at) for at in range(len(order))])}"


def _turn(order: list[int]) -> str:
    """The call that puts dimensions in an order."""
    moved = [at for at, dim in enumerate(order) if at != dim]
    if len(moved) == 2:
        return f".transpose({moved[0]}, {moved[1]})"
    return f".permute({', '.join(map(str, order))})"
