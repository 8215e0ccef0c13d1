"""Numbers and losses, asked for as they have to be."""

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


@fix
def test_for_nan(spot: Site) -> Repair | None:
    """``x == float("nan")`` becomes ``torch.isnan(x)``, and ``x != …`` its negation."""
    match spot.node:
        case cst.Comparison(left=left, comparisons=[cst.ComparisonTarget() as target]):
            other = target.comparator
            equal = isinstance(target.operator, cst.Equal)
        case _:
            return None
    subject = other if _is_nan(left) else left
    if subject is left and not _is_nan(other):
        return None
    text = ("" if equal else "~") + _isnan(spot.region, subject)
    made = edits.replaced(spot.region, spot.node, text)
    return Repair(f"Use `{text}`", Safety.SAFE, made)


def _is_nan(node: cst.BaseExpression) -> bool:
    """Whether an expression is NaN as it is usually written; a variable's may be of more use."""
    match node:
        case cst.Call(func=cst.Name(value="float"), args=[cst.Arg(value=cst.SimpleString())]):
            return True
        case cst.Attribute(attr=cst.Name(value="nan" | "NaN" | "NAN")):
            return True
    return False


def _isnan(region: Written, subject: cst.BaseExpression) -> str:
    known = region.outline.bindings.get("torch")
    if isinstance(known, Import) and known.module == "torch" and not known.attribute:
        return f"torch.isnan({region.source_of(subject)})"
    return f"{edits.grouped(region, subject)}.isnan()"


@fix
def call_what_is_built(spot: Site) -> Repair | None:
    """``nn.MSELoss(output, target)`` becomes ``nn.MSELoss()(output, target)``."""
    match spot.node:
        case cst.Call(func=function, args=arguments) if all(
            item.keyword is None for item in arguments
        ):
            text = spot.region.source_of(function)
            made = edits.replaced(spot.region, function, f"{text}()")
            return Repair("Build the loss, then call it", Safety.SAFE, made)
    return None


@fix
def take_item(spot: Site) -> Repair | None:
    """``loss.data[0]`` becomes ``loss.item()``."""
    match spot.node:
        case cst.Subscript(value=cst.Attribute(value=owner, attr=cst.Name(value="data"))):
            pass
        case cst.Subscript(value=owner):
            pass
        case _:
            return None
    text = f"{edits.grouped(spot.region, owner)}.item()"
    made = edits.replaced(spot.region, spot.node, text)
    return Repair(f"Use `{text}`", Safety.SAFE, made)
