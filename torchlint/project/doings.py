"""Doings: whether a function may walk back, or touch gradients, as it and what it calls say."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING

from torchlint.project.outline import Definition
from torchlint.project.selection import led_to, methods_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.index import Index

_TOUCHING = Pattern(
    r"backward|zero_grad|requires_grad|\.grad\b|\bgrad\(|\.step\b|\bfit\(|\w*attr\(|__dict__"
    r"|\bglobals\(|\blambda\b|\byield\b|\bawait\b"
)
"""What is in the text of whatever touches gradients, or may do anything."""

_CALL = Pattern(r"(?<![\w.)\]])((?:[^\W\d]\w*\.)*)([^\W\d]\w*)\(|[)\]]\.([^\W\d]\w*)\(")
_DEEPEST = 4


def leave_gradients(index: Index, definition: Definition, depth: int = 0) -> bool:
    """Whether neither a function nor what it leads to walks back, or touches gradients.

    What the project defines is followed where it is called by its own name; a method of something
    else may be any of that name.
    """
    known, key = index.foregone, (leave_gradients, definition, depth)
    if key not in known:
        known[key] = _leave_gradients(index, definition, depth)
    return bool(known[key])


def _leave_gradients(index: Index, definition: Definition, depth: int) -> bool:
    if depth > _DEEPEST or definition.is_class or _TOUCHING.search(definition.region.text):
        return False
    return all(
        _is_idle(index, definition, owner, name, depth) for owner, name in _calls(definition)
    )


def _calls(definition: Definition) -> Iterator[tuple[str, str]]:
    text = definition.region.text
    for found in _CALL.finditer(text, text.find("def ") + 4):
        yield found[1] or "", found[2] or found[3]


def _is_idle(index: Index, caller: Definition, owner: str, name: str, depth: int) -> bool:
    if name == caller.name:
        return True
    own = caller.nested_in
    if owner in {"self.", "cls."} and own is not None:
        methods = methods_of(index, own)
        if name in methods:
            led = list(led_to(methods, [name]))
            return caller in led or leave_gradients(index, methods[name], depth + 1)
    elif not owner and hasattr(builtins, name):
        return True
    meaning = index.meaning(caller.outline, f"{owner}{name}")
    if isinstance(meaning, Definition):
        return leave_gradients(index, _run(index, meaning), depth + 1)
    if meaning is not None:
        return True
    # A local function or a method of what is not known: any of that name may be meant.
    return bool(owner) and not index.says(caller.outline, name, rf"\bdef {name}\(")


def _run(index: Index, definition: Definition) -> Definition:
    """What runs when something is called: of a class its constructor."""
    made = methods_of(index, definition).get("__init__") if definition.is_class else None
    return made or definition
