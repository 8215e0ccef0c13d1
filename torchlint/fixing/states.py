"""States that are kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Safety
from torchlint.fixing import edits
from torchlint.fixing.written import fix
from torchlint.interpreter.repairs import Repair
from torchlint.project.outline import Import

if TYPE_CHECKING:
    from torchlint.fixing.written import Site


@fix
def deep_copy(taken: Site) -> Repair | None:
    """``model.state_dict()`` becomes a deep copy, where the file imports what makes one."""
    region = taken.region
    for name, bound in region.outline.bindings.items():
        if not isinstance(bound, Import) or bound.level or bound.module != "copy":
            continue
        if bound.attribute in {"", "deepcopy"}:
            function = name if bound.attribute else f"{name}.deepcopy"
            text = f"{function}({region.source_of(taken.node)})"
            made = edits.replaced(region, taken.node, text)
            return Repair("Keep a copy", Safety.UNSAFE, made)
    return None


@fix
def onto_the_cpu(read: Site) -> Repair | None:
    """``torch.load(f)`` loads to the CPU, from where ``load_state_dict`` copies."""
    call = read.node
    if not isinstance(call, cst.Call) or any(item.star for item in call.args):
        return None
    for item in call.args:
        if item.keyword is not None and item.keyword.value == "map_location":
            made = edits.replaced(read.region, item.value, '"cpu"')
            break
    else:
        found = edits.with_argument(read.region, call, 'map_location="cpu"')
        if found is None:
            return None
        made = found
    return Repair("Load it onto the CPU", Safety.UNSAFE, made)
