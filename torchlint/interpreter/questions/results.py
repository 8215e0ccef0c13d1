"""Classes whose methods do not give back what they compute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen
from torchlint.project.endings import dropped_call, drops_result
from torchlint.project.index import External
from torchlint.torch_api import contracts, generated, modules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method

_GIVING = {"module": "forward", "dataset": "__getitem__"}


def resultless(trace: Trace) -> Iterator[tuple[Method, bool]]:
    """Forwards and ``__getitem__`` that may end without giving what they have computed.

    With each goes whether it gives a value on some other way.
    """
    for seen in trace.of(ClassSeen):
        method = seen.family.own(_GIVING.get(seen.kind, ""))
        if method is None or not method.decorators <= contracts.PLAIN_DECORATORS:
            continue
        # A call of its own may make something of what its forward does not give.
        if seen.kind == "module" and seen.family.has_member("__call__"):
            continue
        if drops_result(method) or _is_layer(seen.family, dropped_call(method)):
            yield method, "return" in method.definition.region.text


def _is_layer(family: Family, name: str) -> bool:
    """Whether an attribute is a layer of torch's, which is called for nothing but what it gives."""
    made = family.method("__init__") if name else None
    written = [write for write in (made.writes if made else ()) if write.name == name]
    meant = [family.index.meaning(family.definition.outline, write.called) for write in written]
    return bool(meant) and all(
        isinstance(each, External)
        and (generated.has_parameters(each.name) or each.name in modules.CONTAINERS)
        for each in meant
    )
