"""What is saved to a file, and read from it again."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import lost, opaque, optimizers, states, syntax
from torchlint.interpreter.events.modes import Switch
from torchlint.interpreter.events.states import MoreSaved, WholeSaved
from torchlint.interpreter.values import (
    NONE,
    Const,
    Device,
    Either,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Tuple,
)
from torchlint.project import buffers
from torchlint.project.outline import Definition
from torchlint.torch_api import given_modules, kinds, pickled
from torchlint.torch_api.registry import Call, function

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.project.regions import Spot


@function("torch.save")
def _save(call: Call) -> Value:
    """A state, or a dict that holds one."""
    value, node = call.get("obj", 0), call.spot.node
    if value is not None:
        states.used(call.machine, value, call.spot)
    if value is None or not isinstance(node, ast.Call) or not syntax.given(node):
        return NONE
    machine, given = call.machine, syntax.given(node)[0]
    file = call.get("f", 1)
    if isinstance(file, (Const, Ref)):
        machine.keep_file(file, value, call.spot)
    lost.saved(machine, value, machine.spot(given))
    record = machine.get(value)
    whole = _modules(machine, value, given)
    if whole and not _is_copied(call.spot):
        if not pickled.allows_its_own(machine.index, call.spot.region.outline):
            machine.emit(WholeSaved, call.spot, cls=whole[0])
    elif not whole:
        _note_more(call, value)
    if isinstance(record, Mapping) and isinstance(given, ast.Dict):
        known = dict(record.items)
        for key, element in zip(given.keys, given.values, strict=True):
            item = known.get(key.value) if isinstance(key, ast.Constant) else None
            if item is not None:
                lost.saved(machine, item, machine.spot(element))
    return NONE


def _modules(machine: Machine, value: Value, given: ast.AST) -> list[str]:
    """The classes of the modules that a value is, by what is known of it, or has among its items.

    Where it is not known, it may be an attribute that is always given a module.
    """
    record = machine.get(value)
    items = value.items if isinstance(value, Tuple) else ()
    if isinstance(record, Sequence):
        items = record.items
    elif isinstance(record, Mapping):
        items = tuple(item for _, item in record.items)
    found = [_class_of_module(machine, each) for each in (value, *items)]
    if isinstance(record, Opaque) and not any(found):
        found.append(given_modules.class_given(machine, given))
    return list(filter(None, found))


def _class_of_module(machine: Machine, value: Value) -> str:
    """The class of what is surely a module; nothing for what may be something else.

    What has been switched to training or evaluation is a module, of whatever class, and so is what
    has the parameters of an optimizer.
    """
    if isinstance(value, Either):
        found = {_class_of_module(machine, option) for option in value.options}
        return "" if "" in found else found.pop() if len(found) == 1 else "module"
    match machine.get(value):
        case Instance(cls=cls) if kinds.is_module(machine.index, cls):
            # What a function has made is of a class that is not known.
            name = kinds.name_of(cls)
            return name if isinstance(cls, Definition) or name[:1].isupper() else "module"
        case Opaque(modes=modes) if modes and (
            _is_switched(machine, value) or _is_applied(machine, value)
        ):
            return "module"
        case Opaque() if optimizers.trains(machine, value):
            return "module"
    return ""


def _is_switched(machine: Machine, value: Value) -> bool:
    """Whether something is told itself to train or to evaluate.

    Whatever an object holds is switched with it, and an option that it was built with is no module.
    """
    told = (event.module for event in machine.trace.of(Switch))
    return isinstance(value, Ref) and value.address in told


def _note_more(call: Call, value: Value) -> None:
    """Whether some of what is saved will not be loaded by default, though the program does that."""
    more = pickled.more(call.machine, value)
    if more is None or _is_copied(call.spot):
        return
    if pickled.is_refused(call.machine.index, call.spot.region.outline, more):
        call.machine.emit(MoreSaved, call.spot, key=more.key, kind=more.kind)


def _is_copied(spot: Spot) -> bool:
    """Whether what is saved goes to memory, and is loaded from there at once."""
    region = spot.region
    return buffers.is_loaded_whole(region.text_of(spot.node), region.text)


def _is_applied(machine: Machine, value: Value) -> bool:
    """Whether an object that holds something calls it, as a module does that wraps another."""
    return any(
        held == value
        and isinstance(record.cls, Definition)
        and machine.index.family(record.cls).asks_for(f"{name}(")
        for record in machine.live.heap.values()
        if isinstance(record, Instance)
        for name, held in record.attributes.items()
    )


@function("torch.load")
def _load(call: Call) -> Value:
    """What was saved there before, if that was in sight."""
    file = call.get("f", 0)
    if file is not None and file not in call.machine.saved:
        file = _named(call, file)
    if file is None or file not in call.machine.saved:
        return _from_anywhere(call, opaque.result(call.machine, call.arguments, call.spot))
    return states.read_back(call.machine, call.machine.saved[file][1])


def _named(call: Call, name: Value) -> Value | None:
    """The open file that something was saved to, of which this is the name."""
    for file in call.machine.saved:
        record = call.machine.get(file)
        if isinstance(record, Opaque) and record.attributes.get("name") == name:
            return file
    return None


def _from_anywhere(call: Call, value: Ref) -> Ref:
    """What is loaded goes where it was when it was saved, unless the call says where."""
    record = call.machine.get(value)
    told = call.get("map_location", 1)
    if isinstance(record, Opaque) and told in {None, NONE} and not _says_where(call.spot.node):
        call.machine.set(value, replace(record, device=Device("loaded", call.spot)))
    return value


def _says_where(node: ast.AST) -> bool:
    """Whether a call hands on a place, if only that its own caller may give."""
    if not isinstance(node, ast.Call):
        return True
    spread = any(isinstance(item, ast.Starred) for item in node.args)
    if spread or any(keyword.arg is None for keyword in node.keywords):
        return True
    second = node.args[1] if len(node.args) > 1 else None
    told = syntax.named(node, "map_location") or second
    return told is not None and not syntax.is_none(told)
