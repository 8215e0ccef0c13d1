"""What an object has become by the time that one of its methods runs on its own."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import NONE, Const, Instance, Mapping, Sequence, Tensor
from torchlint.project.outline import Definition
from torchlint.project.selection import led_to, methods_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Record, Ref, Value

_ASSIGNED = r"[ \t]*(?:[-+*/@%&|]|//|\*\*)?=(?!=)"
_CHANGED = re.compile(
    rf"\bself\.(\w+)(?:{_ASSIGNED}"
    r"|\.(?:append|extend|insert|update|add|setdefault|clear|pop)\()"
)
"""How methods give other values to attributes of their object, or put something into them."""

_FILLED = re.compile(rf"\bself\.(\w+)\[[^\n]*?\]{_ASSIGNED}")
"""How they put something into collections by keys."""

_CHANGED_WITHIN = re.compile(rf"\bself\.(\w+)\.(\w+){_ASSIGNED}")
"""How they do so with attributes of what their object holds."""


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
    unseen = others.difference(led_to(methods, running))
    bases = [base for base in machine.index.ancestors(definition) if isinstance(base, Definition)]
    before = _with_overridden(others, bases)
    replaced, fillings = _changed_by(before), _with_overridden(unseen, bases)
    filled = _changed_by(fillings) | _filled_by(fillings)
    given: dict[str, Value] = {}
    for name in sorted((replaced | filled) & instance.attributes.keys()):
        value = instance.attributes[name]
        record = machine.peek(value)
        if name in replaced and (isinstance(value, (Const, Number)) or _is_placeholder(record)):
            given[name] = machine.opaque(name)
        elif isinstance(record, (Sequence, Mapping)) and not record.items and name in filled:
            # Others may have put anything into it.
            machine.set(value, replace(record, escaped=True))
    if given:
        machine.set(receiver, replace(instance, attributes={**instance.attributes, **given}))
    within = {found for method in before for found in _names_within(method)}
    for holder, name in sorted(within):
        _change(machine, instance.attributes.get(holder, NONE), name)


def _is_placeholder(record: Record | None) -> bool:
    """Whether something is a tensor that nothing is trained by, as long as it stays."""
    return isinstance(record, Tensor) and record.node is None


def _change(machine: Machine, held: Value, name: str) -> None:
    """An attribute of what the object holds has another value if it had a plain one."""
    record = machine.get(held)
    if isinstance(record, Instance) and isinstance(record.attributes.get(name), (Const, Number)):
        attributes = {**record.attributes, name: machine.opaque(name)}
        machine.set(held, replace(record, attributes=attributes))


def _with_overridden(methods: set[Definition], bases: list[Definition]) -> list[Definition]:
    """The methods, and those of the bases that they override, as ``super()`` leads to them."""
    called = {method.name for method in methods}
    return [base.members[name] for base in bases for name in called & base.members.keys()]


def _changed_by(methods: list[Definition]) -> set[str]:
    return {name for method in methods for name in _names(method)}


def _filled_by(methods: list[Definition]) -> set[str]:
    return {name for method in methods for name in _names_of_filled(method)}


@lru_cache(maxsize=1024)
def _names_of_filled(method: Definition) -> frozenset[str]:
    return frozenset(_FILLED.findall(method.region.text))


@lru_cache(maxsize=1024)
def _names_within(method: Definition) -> frozenset[tuple[str, str]]:
    return frozenset(_CHANGED_WITHIN.findall(method.region.text))


@lru_cache(maxsize=1024)
def _names(method: Definition) -> frozenset[str]:
    return frozenset(_CHANGED.findall(method.region.text))
