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
