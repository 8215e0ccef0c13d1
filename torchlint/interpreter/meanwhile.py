"""What an object has become by the time that one of its methods runs on its own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import Const, Instance, Mapping, Sequence
from torchlint.project.selection import led_to, methods_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Ref, Value
    from torchlint.project.outline import Definition

_CHANGED = re.compile(
    r"\bself\.(\w+)(?:[ \t]*(?:[-+*/@%&|]|//|\*\*)?=(?!=)"
    r"|\.(?:append|extend|insert|update|add|setdefault|clear|pop)\()"
)
"""How methods give other values to attributes of their object, or put something into them."""


def changed(
    machine: Machine, receiver: Ref, definition: Definition, running: Iterable[str]
) -> None:
    """Other methods than those that run now may have given other values to plain attributes."""
    instance = machine.get(receiver)
    if not isinstance(instance, Instance):
        return
    methods = methods_of(machine.index, definition)
    # What only the constructor leads to has run by then, and does not run again.
    initial = [method.name for method in led_to(methods, ["__init__"])]
    others = {*led_to(methods, methods.keys() - set(initial))}
    others.difference_update(methods.get(name) for name in ("__init__", *running))
    # What is put into a collection is seen, if the method that runs leads to what does that.
    replaced, filled = _changed_by(others), _changed_by(others.difference(led_to(methods, running)))
    given: dict[str, Value] = {}
    for name in sorted(replaced & instance.attributes.keys()):
        value = instance.attributes[name]
        record = machine.peek(value)
        if isinstance(value, (Const, Number)):
            given[name] = machine.opaque(name)
        elif isinstance(record, (Sequence, Mapping)) and not record.items and name in filled:
            # Others may have put anything into it.
            machine.set(value, replace(record, escaped=True))
    if given:
        machine.set(receiver, replace(instance, attributes={**instance.attributes, **given}))


def _changed_by(methods: Iterable[Definition]) -> set[str]:
    return {name for method in methods for name in _names(method.region.text)}


@lru_cache(maxsize=1024)
def _names(text: str) -> frozenset[str]:
    return frozenset(_CHANGED.findall(text))
