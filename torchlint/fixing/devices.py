"""Tensors, created where they are used."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.interpreter.values import Spot

_TENSOR_USE = r"\b{name}\.(?:shape|size|device|dtype|view|reshape|permute|transpose|flatten)\b"
"""What shows that a name means a tensor, in a function that is never given anything else."""


def follow_argument(factory: Spot) -> Repair | None:
    """Add ``device=x.device`` to a factory in a forward whose first argument is a tensor ``x``."""
    region = factory.region
    function = region.statement
    if not isinstance(function, cst.FunctionDef) or function.name.value != "forward":
        return None
    node = factory.node
    parameters = function.params.params
    if len(parameters) < 2 or not isinstance(node, cst.Call) or not node.args:
        return None
    name = parameters[1].name.value
    annotation = parameters[1].annotation
    if annotation is None:
        known = re.search(_TENSOR_USE.format(name=re.escape(name)), region.text) is not None
    else:
        known = "Tensor" in region.source_of(annotation.annotation).partition("[")[0]
    if not known or any(argument.star for argument in node.args):
        return None
    made = edits.with_argument(region, node, f"device={name}.device")
    return Repair(f"Create it where `{name}` is", Safety.SAFE, made) if made else None
