"""Classes as they are written: a trace of each one that torch has a base for.

It holds what is known without making an object: the facts are worked out when they are asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen
from torchlint.interpreter.trace import Trace
from torchlint.interpreter.values import Spot
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition

_KINDS = {
    "module": kinds.is_module,
    "dataset": kinds.is_dataset,
    "sampler": kinds.is_sampler,
    "function": kinds.is_function,
    "optimizer": kinds.is_optimizer,
}


def look(index: Index, definition: Definition) -> Trace | None:
    """The trace of a class; None for one that is none of torch's.

    In a template it is not whole: what is missing there is put in where it is generated.
    """
    if index.is_template(definition.outline):
        return None
    kind = next((kind for kind, of_it in _KINDS.items() if of_it(index, definition)), None)
    if kind is None:
        return None
    trace = Trace(index.releases(definition.outline))
    spot = Spot(definition.region, definition.region.whole)
    trace.add(ClassSeen(spot=spot, family=index.family(definition), kind=kind))
    return trace
