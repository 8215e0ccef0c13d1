"""Methods of torch's that the classes of a project redefine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen
from torchlint.torch_api import contracts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method

_CALLER = {"train": "eval", "named_parameters": "parameters"}
"""Methods of torch's that call others of the same object with arguments."""


def overridden(trace: Trace) -> Iterator[tuple[Method, str]]:
    """Methods of ``nn.Module`` that a class redefines so that a usual call of them fails.

    With each goes the call. What follows a base of the project in that is told of the base.
    """
    for seen in trace.of(ClassSeen):
        for name in seen.family.definition.members if seen.kind == "module" else ():
            found = _overriding(seen.family, name)
            if found is not None and not _follows_a_base(seen.family, name):
                yield found


def _overriding(family: Family, name: str) -> tuple[Method, str] | None:
    calls = contracts.CALLS.get(name)
    method = family.own(name) if calls else None
    if calls is None or method is None or not method.decorators <= contracts.PLAIN_DECORATORS:
        return None
    for call in calls:
        # What calls it is its own as well, and calls it as it likes.
        caller = _CALLER.get(name) if call.count or call.keywords else None
        excused = caller is not None and family.has_member(caller)
        if not excused and not method.accepts(call.count, *call.keywords):
            return method, call.why
    return (method, contracts.OTHER) if contracts.is_other(method) else None


def _follows_a_base(family: Family, name: str) -> bool:
    bases = (family.index.family(base) for base in family.lineage if base is not family.definition)
    return any(_overriding(base, name) is not None for base in bases)
