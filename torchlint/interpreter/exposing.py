"""What a function of the project that is not entered may get at, as its text tells."""

from __future__ import annotations

import ast
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import optimizers, syntax
from torchlint.interpreter.optimisation import HIDDEN, Optimizer
from torchlint.interpreter.values import Instance, Ref
from torchlint.project import doings
from torchlint.project.outline import Definition
from torchlint.project.selection import led_to, methods_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Arguments, Machine
    from torchlint.interpreter.values import Function, Value

_GRADIENTS = Pattern(r"\.grad\b|zero_grad|backward")
"""What a function has in its text that reaches gradients through the parameters in groups."""

_ASKED = frozenset({"state_dict", "load_state_dict", "param_groups", "defaults", "zero_grad"})
"""What is asked of an optimizer that neither steps it nor hands it on."""

_OWN = Pattern(r"(?<![\w.])self\.(\w+)(?:\.(\w+))?")
_WHOLE = Pattern(r"(?<![\w.])(?:self(?!\.\w)|super\b)")
"""An object that is handed on whole, or asked for what its bases do."""

_ASSIGNED = Pattern(r"\bself\.(\w+)(?:[ \t]*:[^=\n]+)?[ \t]*=(?!=)")
_HEADING = Pattern(r"\bdef\s+\w+\s*\(\s*self\b")


def exposed(machine: Machine, function: Function, arguments: Arguments) -> list[Value]:
    """The values that a function gets hold of and may do anything to.

    Of its own object it is what its methods name, unless they hand that on. An optimizer that is
    only asked for its state, or told to clear, is stepped by nobody there.
    """
    values = list(arguments.values())
    if function.definition is None or arguments.open:
        return values
    found: list[Value] = []
    positional = syntax.positional(function.node)
    names = [each.arg for each in positional[: len(arguments.positional)]]
    if len(names) < len(arguments.positional):
        return values
    handed = [*zip(names, arguments.positional, strict=True), *arguments.keywords.items()]
    for place, (name, value) in enumerate(handed):
        own = _of_object(machine, function, value) if not place and function.owner else None
        if own is not None:
            found += own
        elif not isinstance(machine.peek(value), Optimizer) or not _is_only_asked(function, name):
            found.append(value)
        elif _GRADIENTS.search(function.region.text):
            _hide(machine, value)
    return found


def leaves_gradients(machine: Machine, function: Function) -> bool:
    """Whether a function neither walks back nor touches gradients, whatever it does besides."""
    definition = function.definition
    return definition is not None and doings.leave_gradients(machine.index, definition)


@contextmanager
def leaving(machine: Machine, *, idle: bool) -> Iterator[None]:
    """Within this, what gets hold of things leaves gradients and graphs alone if it is ``idle``."""
    before = dict(optimizers.known(machine)) if idle else {}
    handed = len(machine.trace.handed)
    yield
    if not idle:
        return
    del machine.trace.handed[handed:]
    for address, optimizer in optimizers.known(machine):
        if address in before:
            gradients = before[address].gradients
            optimizers.update(machine, address, replace(optimizer, gradients=gradients))


def _hide(machine: Machine, value: Value) -> None:
    """The gradients of an optimizer may have been cleared, or computed."""
    record = machine.peek(value)
    if isinstance(value, Ref) and isinstance(record, Optimizer):
        gradients = record.gradients | {HIDDEN}
        optimizers.update(machine, value.address, replace(record, gradients=gradients))


def _is_only_asked(function: Function, name: str) -> bool:
    """Whether a function only asks an optimizer that it is given for what it is."""
    asked = {
        id(node.value)
        for node in ast.walk(function.node)
        if isinstance(node, ast.Attribute) and node.attr in _ASKED
    }
    return all(
        id(node) in asked
        for node in ast.walk(function.node)
        if isinstance(node, ast.Name) and node.id == name
    )


def _of_object(machine: Machine, function: Function, value: Value) -> list[Value] | None:
    """What a method gets hold of through its object; None for all that this holds."""
    record = machine.peek(value)
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return None
    methods = methods_of(machine.index, record.cls)
    if methods.get(function.name) is not function.definition or record.escaped:
        return None
    reads: set[tuple[str, str]] = set()
    walked = list(led_to(methods, [function.name]))
    for method in walked:
        found = _reads(method.region.text)
        if found is None:
            return None
        reads |= found
    known = methods.keys() | record.attributes.keys()
    assigned = {name for method in methods.values() for name in _assigned(method.region.text)}
    if any(name not in known and name not in assigned for name, _ in reads):
        return None
    named = {name for name, _ in reads} & record.attributes.keys()
    idle = named - {name for name, asked in reads if asked not in _ASKED}
    idle = {name for name in idle if isinstance(machine.peek(record.attributes[name]), Optimizer)}
    if any(_GRADIENTS.search(method.region.text) for method in walked):
        for name in sorted(idle):
            _hide(machine, record.attributes[name])
    return [record.attributes[name] for name in sorted(named - idle)]


@lru_cache(maxsize=1024)  # Most methods of a class are led to by several that are left out.
def _reads(text: str) -> frozenset[tuple[str, str]] | None:
    """The attributes that a method names, with what it asks these for; None for all there are."""
    heading = _HEADING.search(text)
    body = text[heading.end() :] if heading is not None else ""
    if heading is None or _WHOLE.search(body) or "locals()" in text:
        return None
    return frozenset(_OWN.findall(body))


@lru_cache(maxsize=1024)
def _assigned(text: str) -> frozenset[str]:
    return frozenset(_ASSIGNED.findall(text))
