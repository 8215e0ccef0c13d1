"""Training and evaluation, switched where they should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.flags import torch_name
from torchlint.fixing.written import fix, site
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site, Written
    from torchlint.interpreter.values import Spot


@fix
def train_in_each_round(switched: Site, trained: Spot) -> Repair | None:
    """Insert ``model.train()`` at the start of the loop that both evaluates and trains."""
    region, call, training = switched.region, switched.node, site(trained)
    if training.region is not region or not isinstance(call, cst.Call):
        return None
    match call.func:
        case cst.Attribute(value=cst.Name() | cst.Attribute() as model):
            first = _start_of_loop(region, call, training.node)
        case _:
            return None
    if first is None:
        return None
    made = edits.inserted_before(region, first, f"{region.source_of(model)}.train()")
    if made is None:
        return None
    return Repair("Switch back at the start of each round", Safety.UNSAFE, made)


def _start_of_loop(region: Written, one: cst.CSTNode, other: cst.CSTNode) -> cst.CSTNode | None:
    """The first statement of the innermost loop that holds both nodes."""
    others = region.chain(other)
    for item in region.chain(one):
        if isinstance(item, (cst.For, cst.While)) and any(item is each for each in others):
            first = item.body.body[0]
            return first.body[0] if isinstance(first, cst.SimpleStatementLine) else first
    return None


@fix
def evaluated_without_grad(evaluation: Site, *, trains: bool) -> Repair | None:
    """Put the loop that evaluates, or the statement, under ``torch.no_grad()``.

    A loop that ``trains`` as well stays outside.
    """
    region = evaluation.region
    name = torch_name(region)
    if name is None:
        return None
    node = evaluation.node
    for item in region.chain(evaluation.node):
        if isinstance(item, (cst.FunctionDef, cst.ClassDef)) or trains:
            break
        if isinstance(item, (cst.For, cst.While)):
            node = item
            break
    made = edits.wrapped(region, node, f"with {name}.no_grad()")
    return Repair("Evaluate without gradients", Safety.UNSAFE, made) if made is not None else None


@fix
def evaluated_before(export: Site) -> Repair | None:
    """Insert ``model.eval()`` before the statement that exports ``model``."""
    match export.node:
        case cst.Call(args=[cst.Arg(star="", value=cst.Name() | cst.Attribute() as model), *_]):
            line = f"{export.region.source_of(model)}.eval()"
            made = edits.inserted_before(export.region, export.node, line)
            return Repair("Switch to evaluation before", Safety.UNSAFE, made) if made else None
    return None
