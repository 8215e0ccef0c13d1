"""What an object has become by what was not seen of its methods."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import holdings
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import NONE, Const, Instance, Mapping, Ref, Sequence, Tensor
from torchlint.project.outline import Definition
from torchlint.project.selection import led_to, methods_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Record, Value

_ASSIGNED = r"[ \t]*(?:[-+*/@%&|]|//|\*\*)?=(?!=)"
_CHANGED = Pattern(
    rf"\bself\.(\w+)(?:{_ASSIGNED}"
    r"|\.(?:append|extend|insert|update|add|setdefault|clear|pop)\()"
)
"""How methods give other values to attributes of their object, or put something into them."""

_FILLED = Pattern(rf"\bself\.(\w+)\[[^\n]*?\]{_ASSIGNED}")
"""How they put something into collections by keys."""

_CHANGED_WITHIN = Pattern(rf"\bself\.(\w+)\.(\w+){_ASSIGNED}")
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


def left_out(machine: Machine, receiver: Value, method: str) -> None:
    """A method that is not entered may have given other values to plain attributes and tensors.

    Those of a forward are of the modules below as well, whose forwards it leads to.
    """
    if not isinstance(receiver, Ref):
        return
    only = frozenset({receiver.address})
    below = holdings.modules_under(machine, only, build=False) if method == "forward" else only
    for address in sorted(below):
        instance = machine.live.heap.get(address)
        if not isinstance(instance, Instance) or not isinstance(instance.cls, Definition):
            continue
        run = list(led_to(methods_of(machine.index, instance.cls), [method]))
        names = _changed_by(run) & instance.attributes.keys()
        held = {name: machine.peek(instance.attributes[name]) for name in sorted(names)}
        given: dict[str, Value] = {
            name: machine.opaque(name)
            for name, record in held.items()
            if record is None or isinstance(record, Tensor)
        }
        if given:
            attributes = {**instance.attributes, **given}
            machine.live.heap[address] = replace(instance, attributes=attributes)


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
