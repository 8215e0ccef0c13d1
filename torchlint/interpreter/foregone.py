"""Foregone conclusions: what variables of modules, and calls with plain arguments, always come to.

Each is worked out once for a project, in a run of its own, so that it is the same whoever asks.
Where more happens than that a value comes about, or the value belongs to a run, there is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from torchlint.frozen import replace
from torchlint.interpreter import addresses
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.statements import Discarded
from torchlint.interpreter.machine import ExhaustedError, Machine
from torchlint.interpreter.values import (
    Class,
    Const,
    Either,
    Frame,
    Function,
    Instance,
    Mapping,
    Module,
    Opaque,
    Sequence,
    Tuple,
    Unknown,
)
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

    from torchlint.interpreter.machine import Arguments
    from torchlint.interpreter.values import Value
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition
    from torchlint.project.regions import Region

    Make = Callable[[Machine], Value]
    Conclusion = tuple[Make, frozenset[Definition], frozenset[tuple[str, str]]]
    """How to make the value in any run, the functions that were entered for it, and the variables
    of modules that were read, by the file."""

_BUDGET = 400
"""So many nodes are evaluated at most: what takes longer does more than look something up."""

_LONGEST = 100
"""How many lines a function may have for that."""

_CHANGED = (
    r"\b%s(?:\[[^]\n]*\][ \t]*=(?!=)"
    r"|\.(?:append|extend|insert|add|update|setdefault|pop|popitem|remove|discard|clear)\()"
)
_WORKING = object()
"""Stands for a conclusion while it is worked out."""


class CircularError(Exception):
    """What is being worked out rests on itself: on what has this key, or a call of its function."""

    def __init__(self, key: Hashable) -> None:
        super().__init__()
        self.key = key


class RecursionFoundError(CircularError):
    """It is a call with other arguments that it rests on, of which there may be no end."""


def variable(machine: Machine, name: str, region: Region, evaluate: Make) -> Value | None:
    """The value that a statement gives to a variable of its module, if it is foregone.

    What has been set for that was set when the module was imported, before all runs.
    """
    conclusion = _conclusion(machine.index, (name, region), region, evaluate, None)
    return conclusion[0](machine) if conclusion is not None else None


def call(machine: Machine, function: Function, arguments: Arguments, enter: Make) -> Value | None:
    """What a call comes to, if it is foregone.

    What a program or a ``global`` has set by now may be other than it was at the import.
    """
    if (
        function.definition is None
        or function.closure is not None
        or function.region.length > _LONGEST
        or machine.trace.program
        or not all(map(_is_plain, arguments.values()))
    ):
        return None
    keywords = ((name, _key(value)) for name, value in arguments.keywords.items())
    given = (*map(_key, arguments.positional), arguments.open, arguments.more, *keywords)
    key = (function.definition, function.owner, given)
    conclusion = _conclusion(machine.index, key, function.region, enter, function.definition)
    if conclusion is None:
        return None
    make, entered, read = conclusion
    if machine.rebound and any(
        (machine.modules.get(path), name) in machine.rebound for path, name in read
    ):
        return None
    machine.entered |= entered
    machine.read |= read
    return make(machine)


def _conclusion(
    index: Index, key: tuple[Hashable, ...], region: Region, evaluate: Make, of: Definition | None
) -> Conclusion | None:
    known = index.foregone
    if known.get(key) is _WORKING:
        raise CircularError(key)
    _refuse_recursion(index, [of] if of is not None else ())
    if key not in known:
        begun = (_WORKING, of or key)
        known[key], known[begun] = _WORKING, key
        found, lasts = None, True
        try:
            found = _worked_out(index, region, evaluate, repeated=of is not None)
        except CircularError as error:
            # All that rests on it is none either, wherever one begins; but what rests on it by
            # another call may be one, if it is asked for by itself.
            if error.key != key:
                lasts = not isinstance(error, RecursionFoundError)
                raise
        finally:
            known[key] = found
            if not lasts:
                del known[key]
            del known[begun]
    conclusion = cast("Conclusion | None", known[key])
    _refuse_recursion(index, conclusion[1] if conclusion is not None else ())
    return conclusion


def _refuse_recursion(index: Index, functions: Iterable[Definition]) -> None:
    """Refuse to conclude from a call of what is being worked out with other arguments."""
    for function in functions:
        begun = index.foregone.get((_WORKING, function))
        if begun is not None:
            raise RecursionFoundError(begun)


def _worked_out(
    index: Index, region: Region, evaluate: Make, *, repeated: bool
) -> Conclusion | None:
    with addresses.apart():
        run = Machine(index, region.outline)
        run.region, run.budget = region, _BUDGET
        before = run.live.fork()
        try:
            value = evaluate(run)
        except ExhaustedError:
            return None
        if run.state is None or replace(run.state, heap=before.heap) != before:
            return None
        if not _was_quiet(run) or (repeated and (run.rebound or _reads_changing(run))):
            return None
        make = _maker(run, value)
        if make is None:
            return None
        return make, frozenset(run.entered), frozenset(run.read)


def _was_quiet(run: Machine) -> bool:
    """Whether a run came to its end, and nothing happened in it that anybody could hear of."""
    trace = run.trace
    if run.steps > run.budget or run.has_processes or run.saved or run.frozen or run.profilers:
        return False
    if trace.compiled or trace.formatted:
        return False
    return all(type(event) is Discarded for event in trace.events)


def _reads_changing(run: Machine) -> bool:
    """Whether a run has read an object of a module, or a collection that its file changes."""
    frames = map(run.live.heap.get, run.modules.values())
    return any(
        _is_changing(run, name, value, frame.outline.text)
        for frame in frames
        if isinstance(frame, Frame)
        for name, value in frame.names.items()
    )


def _is_changing(run: Machine, name: str, value: Value, text: str) -> bool:
    match run.get(value):
        case Instance():
            return True
        case Sequence() | Mapping():
            return re.search(_CHANGED % name, text) is not None
    return False


def _is_plain(value: Value) -> bool:
    """Whether a value is the same in every run."""
    match value:
        case Const() | Unknown() | External() | Class() | Module() | Function(closure=None):
            return True
        case Number(array=array, dtype=dtype, picture=picture, made=made, shape=shape):
            plain = Number(array=array, dtype=dtype, picture=picture, made=made, shape=shape)
            return value == plain and all(type(dim) is int for dim in shape or ())
        case Tuple(items=items) | Either(options=items):
            return all(map(_is_plain, items))
    return False


def _key(value: Value) -> Hashable:
    """What tells a plain value from others: 1 is not True."""
    match value:
        case Const(value=constant):
            return type(constant), value
        case Function():
            return value.node, value.owner
        case Tuple(items=items, of=of):
            return Tuple, of, *map(_key, items)
        case Either(options=options, truth=truth):
            return Either, truth, *map(_key, options)
    return value


def _maker(run: Machine, value: Value) -> Make | None:
    """How to make the same value in another run; None for what belongs to this one."""
    if _is_plain(value):
        return lambda machine: value
    match value:
        case Tuple(items=items, of=of):
            return _made_of(run, items, lambda machine, made: Tuple(tuple(made), of))
        case Either(options=options, truth=truth):
            return _made_of(run, options, lambda machine, made: Either(tuple(made), truth))
    record = run.get(value)
    if isinstance(record, Opaque):
        own = Opaque(record.name, False, modes=record.modes, dtype=record.dtype)
        known = record.attributes
        if replace(record, attributes=own.attributes) != own:
            return None

        def same(machine: Machine, made: list[Value]) -> Value:
            return machine.new(replace(own, attributes=dict(zip(known, made, strict=True))))

        return _made_of(run, known.values(), same)
    if isinstance(record, (Sequence, Mapping)) and not record.escaped and not record.rounds:
        return _collected(run, record)
    return None


def _collected(run: Machine, record: Sequence | Mapping) -> Make | None:
    """How to make a list or dict again."""
    rest = () if record.rest is None else (record.rest,)
    if isinstance(record, Sequence):
        count = len(record.items)

        def listed(machine: Machine, made: list[Value]) -> Value:
            rest = made[count] if made[count:] else None
            items = tuple(made[:count])
            again = replace(record, items=items, rest=rest, rounds=machine.rounds, last=())
            return machine.new(again)

        return None if record.bound else _made_of(run, (*record.items, *rest), listed)
    keys = [key for key, _ in record.items]

    def mapped(machine: Machine, made: list[Value]) -> Value:
        rest = made[len(keys)] if made[len(keys) :] else None
        items = tuple(zip(keys, made, strict=False))
        return machine.new(Mapping(items, rest, machine.rounds))

    return _made_of(run, (*(value for _, value in record.items), *rest), mapped)


def _made_of(
    run: Machine, parts: Iterable[Value], whole: Callable[[Machine, list[Value]], Value]
) -> Make | None:
    makers = [_maker(run, part) for part in parts]
    makes = [make for make in makers if make is not None]
    if len(makes) < len(makers):
        return None
    return lambda machine: whole(machine, [make(machine) for make in makes])
