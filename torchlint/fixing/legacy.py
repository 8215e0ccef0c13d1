"""Tensors of the first releases, made as they are today."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.flags import torch_name
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written


@fix
def detached_variable(spot: Site) -> Repair | None:
    """``Variable(x)`` becomes ``x.detach()``, which requires grad where that was asked for."""
    region = spot.region
    match spot.node:
        case cst.Call(args=[cst.Arg(value=value, star="", keyword=None), *rest]) as call:
            pass
        case _:
            return None
    if "#" in region.source_of(call) or isinstance(value, cst.GeneratorExp):
        return None
    text = f"{edits.grouped(region, value)}.detach()"
    match [each for each in rest if not _is_idle(each)]:
        case []:
            pass
        case [cst.Arg(keyword=keyword, value=cst.Name(value="True" | "False" as flag))] if (
            keyword is None or keyword.value == "requires_grad"
        ):
            text += ".requires_grad_()" if flag == "True" else ""
        case _:
            return None
    made = edits.replaced(region, call, text)
    return Repair(f"Use `{text}`" if len(text) < 40 else "Use `.detach()`", Safety.SAFE, made)


def _is_idle(given: cst.Arg) -> bool:
    """Whether an argument asks for a graph, which is recorded anyway."""
    match given:
        case cst.Arg(keyword=cst.Name("volatile"), value=cst.Name("False")):
            return True
    return False


@fix
def with_dtype(spot: Site, dtype: str) -> Repair | None:
    """``torch.FloatTensor([1, 2])`` becomes ``torch.tensor([1, 2], dtype=torch.float32)``."""
    region, torch = spot.region, torch_name(spot.region)
    if torch is None:
        return None
    match spot.node:
        case cst.Call(args=[cst.Arg(value=cst.List() as data, star="", keyword=None)]) as call:
            if not _are_numbers(data):
                return None
            made = (
                *edits.replaced(region, call.func, f"{torch}.tensor"),
                *_told(region, call, f"dtype={torch}.{dtype}"),
            )
            return Repair(f"Use `torch.tensor` with `torch.{dtype}`", Safety.SAFE, made)
    return None


def _told(region: Written, call: cst.Call, argument: str) -> edits.Edits:
    return edits.with_argument(region, call, argument) or ()


def _are_numbers(data: cst.List) -> bool:
    """Whether a list is not empty, and of numbers that are written out."""
    return bool(data.elements) and all(_is_number(item.value) for item in data.elements)


def _is_number(node: cst.BaseExpression) -> bool:
    match node:
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return _is_number(inner)
        case cst.List():
            return _are_numbers(node)
    return isinstance(node, (cst.Integer, cst.Float))
