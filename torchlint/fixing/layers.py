"""Layers and their functions, used as they are meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site

_TITLE = "Drop in training only"


@fix
def by_mode(spot: Site, mode: str) -> Repair | None:
    """Tell a functional dropout the mode; ``mode`` is how that is written there, if it can be."""
    region, call = spot.region, spot.node
    if not mode or not isinstance(call, cst.Call):
        return None
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == "dropout_p":
            text = f"{edits.grouped(region, argument.value)} if {mode} else 0.0"
            made = edits.replaced(region, argument.value, text)
            return Repair(_TITLE, Safety.SAFE, made)
    if len([item for item in call.args if item.keyword is None]) > 2:
        return None
    added = edits.with_argument(region, call, f"training={mode}")
    return Repair(_TITLE, Safety.SAFE, added) if added is not None else None


@fix
def each_anew(spot: Site) -> Repair | None:
    """``[Layer(…)] * n`` becomes ``[Layer(…) for _ in range(n)]``."""
    region = spot.region
    match spot.node:
        case (
            cst.BinaryOperation(
                left=cst.List(elements=[cst.Element(value=cst.Call() as layer)]), right=count
            )
            | cst.BinaryOperation(
                left=count, right=cst.List(elements=[cst.Element(value=cst.Call() as layer)])
            )
        ) if not spot.node.lpar:
            if "#" in region.source_of(spot.node):
                return None
            text = f"[{region.source_of(layer)} for _ in range({region.source_of(count)})]"
            made = edits.replaced(region, spot.node, text)
            return Repair("Build each of them", Safety.UNSAFE, made)
    return None


@fix
def apply_what_is_built(spot: Site) -> Repair | None:
    """``nn.Softmax(x, dim=1)`` becomes ``nn.Softmax(dim=1)(x)``."""
    region = spot.region
    match spot.node:
        case cst.Call(func=function, args=[first, *others]) if (
            not first.star
            and first.keyword is None
            and all(item.keyword is not None for item in others)
        ):
            if "#" in region.source_of(spot.node) or not _is_class(function):
                return None
            settings = ", ".join(
                f"{item.keyword.value}={region.source_of(item.value)}"
                for item in others
                if item.keyword is not None
            )
            layer = f"{region.source_of(function)}({settings})"
            text = f"{layer}({region.source_of(first.value)})"
            made = edits.replaced(region, spot.node, text)
            return Repair("Build the layer, then apply it", Safety.SAFE, made)
    return None


def _is_class(function: cst.BaseExpression) -> bool:
    """Whether a class itself is called: by another name an object may be meant as well."""
    match function:
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name[:1].isupper()
    return False


@fix
def one_by_one(spot: Site) -> Repair | None:
    """``nn.Sequential(layers)`` becomes ``nn.Sequential(*layers)``."""
    match spot.node:
        case cst.Call(args=[only]) if not only.star and only.keyword is None:
            if isinstance(only.value, cst.GeneratorExp) and not only.value.lpar:
                text = f"*({spot.region.source_of(only.value)})"
                made = edits.replaced(spot.region, only.value, text)
            else:
                text = f"*{edits.grouped(spot.region, only.value)}"
                if isinstance(only.value, (cst.List, cst.ListComp, cst.Tuple)):
                    made = edits.put_before(spot.region, only.value, "*")
                else:
                    made = edits.replaced(spot.region, only.value, text)
            return Repair("Pass the layers one by one", Safety.SAFE, made)
    return None


@fix
def as_a_list(spot: Site) -> Repair | None:
    """``nn.ModuleList(a, b)`` becomes ``nn.ModuleList([a, b])``."""
    match spot.node:
        case cst.Call(args=[first, *_] as args) if all(
            not arg.star and arg.keyword is None for arg in args
        ):
            before = edits.put_before(spot.region, first.value, "[")
            after = edits.put_after(spot.region, args[-1].value, "]")
            return Repair("Pass a list of layers", Safety.SAFE, (*before, *after))
    return None


@fix
def call_the_module(spot: Site) -> Repair | None:
    """``net.forward(x)`` becomes ``net(x)``; the spot is that of ``net.forward``."""
    match spot.node:
        case cst.Attribute(value=owner):
            made = edits.replaced(spot.region, spot.node, edits.grouped(spot.region, owner))
            return Repair("Call the module", Safety.UNSAFE, made)
    return None


@fix
def with_underscore(spot: Site) -> Repair | None:
    """``nn.init.normal(…)`` becomes ``nn.init.normal_(…)``."""
    match spot.node:
        case cst.Call(func=cst.Attribute(attr=cst.Name(value=name) as attr)):
            made = edits.replaced(spot.region, attr, f"{name}_")
            return Repair(f"Write `{name}_`", Safety.SAFE, made)
    return None
