"""Walks back through graphs, asked for no more than they are to give."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair

if TYPE_CHECKING:
    from torchlint.fixing.written import Site


@fix
def without_retained_graph(backward: Site) -> Repair | None:
    """Take ``retain_graph=True`` out of a call."""
    region, call = backward.region, backward.node
    if not isinstance(call, cst.Call):
        return None
    for argument in call.args:
        if argument.keyword is not None and argument.keyword.value == "retain_graph":
            made = edits.without_argument(region, call, argument)
            if made is not None:
                return Repair("Let the graph be freed", Safety.SAFE, made)
    return None
