"""Python's own functions and containers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    amounts,
    calls,
    containers,
    cutting,
    deleting,
    edges,
    holdings,
    hooks,
    iterators,
    objects,
    opaque,
    sizing,
    tensors,
)
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.cuts import PLAIN, Number
from torchlint.interpreter.events.data import Taken
from torchlint.interpreter.keeping import BOUNDED
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Const,
    Either,
    Instance,
    Mapping,
    Opaque,
    Parameters,
    Partial,
    Ref,
    Sequence,
    Storage,
    Tensor,
    Tuple,
    Zipped,
    either,
    options_of,
)
from torchlint.project.outline import Definition
from torchlint.torch_api import placing
from torchlint.torch_api.registry import METHODS, Call, function, method

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


def _builtins(names: str) -> list[str]:
    return [f"builtins.{name}" for name in names.split()]


@function(*_builtins("bool str repr id hash format chr ord divmod"))
@function(*_builtins("any all callable issubclass input dir bytes"))
def _plain(call: Call) -> Value:
    return UNKNOWN


@function("builtins.hasattr")
def _has(call: Call) -> Value:
    """An object has its methods, and a module has all kinds of hooks by now."""
    given, name = (*call.arguments.positional, None, None)[:2]
    if given is None or not isinstance(name, Const):
        return UNKNOWN
    if name.value in hooks.REGISTERING:
        return TRUE
    known = all(_has_method(call.machine, one, str(name.value)) for one in options_of(given))
    return TRUE if known else UNKNOWN


def _has_method(machine: Machine, owner: Value, name: str) -> bool:
    match machine.peek(owner):
        case Tensor():
            return ("tensor", name) in METHODS
        case Instance(cls=Definition() as cls):
            return isinstance(machine.index.member(cls, name), Definition)
    return False


@function(*_builtins("abs pow"))
def _arithmetic(call: Call) -> Value:
    """What Python asks of the tensor itself."""
    op = call.name.rpartition(".")[2]
    given = call.arguments.positional
    if given and tensors.is_tensor(call.machine, given[0]):
        return tensors.apply(call.machine, op, given, call.spot)
    return Number(cutting.left_out(call.machine, given))


@function("builtins.len")
def _length(call: Call) -> Value:
    machine, given = call.machine, call.get("obj", 0)
    if isinstance(given, Const) and isinstance(given.value, (str, bytes)):
        return Const(len(given.value))
    items = containers.known_items(machine, given) if given is not None else None
    # A list outside of a module may have been added to by more rounds than are walked.
    if items is not None and (isinstance(given, Tuple) or placing.is_in_module(machine)):
        return Const(len(items))
    rank = sizing.rank(machine, given) if isinstance(given, Number) else None
    if rank is not None:
        return Const(rank)
    amount = amounts.length(machine, given, call.spot)
    return Number(amount=amount, dim=sizing.length(machine, given))


@function(*_builtins("print"), "logging.info", "gc.collect")
def _nothing(call: Call) -> Value:
    return NONE


_MOST_LAYERS = 8
"""A module that is built layer by layer has each of them, if they are not too many."""


@function("builtins.range", "tqdm.trange", "tqdm.auto.trange", "tqdm.notebook.trange")
def _range(call: Call) -> Value:
    given = call.arguments.positional
    numbers = [value.value for value in given if isinstance(value, Const)]
    ends = [number for number in numbers if type(number) is int]
    if given and len(ends) == len(given) and 0 not in ends[2:]:
        counted = range(*ends)
        few = len(counted) <= _MOST_LAYERS and placing.is_in_module(call.machine)
        # No round comes after another where there is one at most.
        if few or len(counted) < 2:
            return Tuple(tuple(map(Const, counted)))
    return call.machine.new(Sequence("range", rest=PLAIN, bound=_rounds(call.machine, list(given))))


def _rounds(machine: Machine, given: list[Value]) -> Value | None:
    """How many numbers there are, or the end of those that do not begin with one."""
    if not given:
        return None
    end = given[min(1, len(given) - 1)]
    if given[0] != Const(1) or len(given) == 1:
        return end
    return sizing.value_of(sizing.computed(machine, "Sub", end, Const(1)))


@function("builtins.enumerate")
def _enumerate(call: Call) -> Value:
    source = call.get("iterable", 0) or UNKNOWN
    return Zipped((None, source), new_address())


@function("itertools.chain")
def _chain(call: Call) -> Value:
    """Parameters of several modules, one after the other."""
    given = call.arguments.positional
    found = [holdings.parameters_in(call.machine, value) for value in given]
    owned = [parameters for parameters in found if parameters is not None]
    if call.arguments.open or not owned or len(owned) < len(found):
        return opaque.result(call.machine, call.arguments, call.spot)
    return replace(holdings.together(owned), stream=new_address())


@function("builtins.zip", "itertools.zip_longest")
def _zip(call: Call) -> Value:
    if call.arguments.open:
        return _columns(call.machine, call.arguments.positional) or call.machine.opaque()
    return Zipped(call.arguments.positional, new_address())


def _columns(machine: Machine, rows: tuple[Value, ...]) -> Value | None:
    """What ``zip(*rows)`` makes of rows that are not counted: as many tuples as each has items."""
    match rows:
        case (Tuple(items=items),):
            columns = (Sequence("tuple", rest=item, rounds=machine.rounds) for item in items)
            return Tuple(tuple(map(machine.new, columns)))
    return None


@function("builtins.iter")
def _iter(call: Call) -> Value:
    if len(call.arguments.positional) != 1:
        return call.machine.opaque()
    return iterators.begun(call.machine, call.arguments.positional[0], call.spot)


@function(*_builtins("reversed filter"), "itertools.cycle", "itertools.islice")
@function("tqdm.tqdm", "tqdm.auto.tqdm", "tqdm.notebook.tqdm", "rich.progress.track")
def _itself(call: Call) -> Value:
    """The same items, in some order or number."""
    position = 1 if call.name == "builtins.filter" else 0
    source = call.get("iterable", position)
    if source is None:
        return call.machine.opaque()
    if call.name == "itertools.islice" and iterators.is_stream(call.machine, source):
        # What is left of the stream is there for later.
        rest = containers.element(call.machine, source, call.spot)
        return call.machine.new(Sequence("slice", rest=rest))
    items = containers.known_items(call.machine, source)
    if call.name == "builtins.reversed" and items is not None:
        return Tuple(tuple(reversed(items)))
    if call.name in {"itertools.cycle", "itertools.islice"} and items is not None:
        rest = call.machine.join_all(items) or UNKNOWN
        return call.machine.new(Sequence("iterator", rest=rest))
    if containers.last_items(call.machine, source) and not call.name.startswith(_ALL_IN_ORDER):
        rest = containers.element(call.machine, source, call.spot)
        return call.machine.new(Sequence("iterator", rest=rest))
    return source


_ALL_IN_ORDER = ("tqdm.", "rich.")


@function("builtins.next")
def _next(call: Call) -> Value:
    source = call.get("iterator", 0)
    if isinstance(source, Ref):
        call.machine.emit(Taken, call.spot, generator=source.address)
    return UNKNOWN if source is None else containers.following(call.machine, source, call.spot)


@function(*_builtins("list tuple set frozenset sorted"), "collections.deque")
def _sequence(call: Call) -> Value:
    """A list or the like of the items of something; a deque may be one that drops what is old."""
    kind = call.name.rpartition(".")[2]
    if kind == "deque" and call.get("maxlen", 1) is not None:
        kind = BOUNDED
    rounds = call.machine.rounds
    source = call.get("iterable", 0)
    if source is None:
        return call.machine.new(Sequence(kind, rounds=rounds))
    if isinstance(source, Parameters):
        holdings.drain(call.machine, source, call.spot)
        return replace(source, stream=None)
    items = containers.known_items(call.machine, source)
    if items is not None and kind == "tuple":
        return Tuple(tuple(items))
    if items is not None:
        return call.machine.new(Sequence(kind, tuple(items), rounds=rounds))
    rest = containers.element(call.machine, source, call.spot)
    return call.machine.new(Sequence(kind, rest=rest, rounds=rounds))


@function("random.sample", "random.choices")
def _some(call: Call) -> Value:
    """A list of some of the items of something, in any order."""
    source = call.get("population", 0)
    if source is None:
        return call.machine.opaque()
    rest = containers.element(call.machine, source, call.spot)
    return call.machine.new(Sequence("list", rest=rest, rounds=call.machine.rounds))


@function("builtins.dict", "collections.OrderedDict", "collections.Counter")
def _dict(call: Call) -> Value:
    items = dict(call.arguments.keywords)
    rest: Value | None = UNKNOWN if call.arguments.open else None
    source = call.machine.get(call.arguments.positional[0]) if call.arguments.positional else None
    if isinstance(source, Mapping):
        return call.machine.new(
            Mapping((*source.items, *items.items()), source.rest, call.machine.rounds)
        )
    pairs = (
        containers.known_items(call.machine, call.arguments.positional[0])
        if call.arguments.positional
        else []
    )
    for pair in pairs or ():
        match pair:
            case Tuple(items=(Const(value=str() as key), value)):
                items[key] = value
            case _:
                rest = UNKNOWN
    if pairs is None:
        rest = UNKNOWN
    return call.machine.new(Mapping(tuple(items.items()), rest, call.machine.rounds))


@function("collections.defaultdict")
def _defaultdict(call: Call) -> Value:
    """A dict whose missing values are made by a call, as if they were all there from the start."""
    factory = call.get("default_factory", 0)
    rest: Value = UNKNOWN
    if factory is not None and factory != NONE:
        rest = calls.call(call.machine, factory, Arguments(), call.spot)
    return call.machine.new(Mapping((), rest, call.machine.rounds))


@function("builtins.getattr")
def _getattr(call: Call) -> Value:
    owner, name = call.get("object", 0), call.get("name", 1)
    if owner is not None and isinstance(name, Const) and isinstance(name.value, str):
        return objects.attribute(call.machine, owner, name.value, call.spot.node)
    return call.machine.opaque()


@function("builtins.delattr")
def _deleted(call: Call) -> Value:
    owner, name = call.get("obj", 0), call.get("name", 1)
    if owner is not None and isinstance(name, Const):
        deleting.attribute(call.machine, owner, str(name.value), call.spot)
    return NONE


@method("module", "__delattr__")
def _deleted_from_itself(call: Call) -> Value:
    name = call.get("name", 0)
    if call.receiver is not None and isinstance(name, Const):
        deleting.attribute(call.machine, call.receiver, str(name.value), call.spot)
    return NONE


@function("builtins.max", "builtins.min")
def _extreme(call: Call) -> Value:
    values = [
        value for value in call.arguments.positional if tensors.is_tensor(call.machine, value)
    ]
    for value in values:
        edges.tested(call.machine, tensors.as_tensor(call.machine, value))
    several = call.arguments.positional[1:] and not values
    if several and any(
        sizing.are_numbers(call.machine, [each]) for each in call.arguments.positional
    ):
        # What is compared with a number is one.
        return PLAIN
    others = [
        value
        for value in call.arguments.positional
        if values and value not in values and not isinstance(value, (Const, Number))
    ]
    return call.machine.join_all([*values, *others]) or UNKNOWN


@function("builtins.map")
def _map(call: Call) -> Value:
    mapped, source = call.get("function", 0), call.get("iterable", 1)
    if mapped is None or source is None:
        return UNKNOWN
    items = containers.known_items(call.machine, source)
    if items is not None and len(call.arguments.positional) == 2:
        values = tuple(
            calls.call(call.machine, mapped, Arguments((item,)), call.spot) for item in items
        )
        return call.machine.new(Sequence("iterator", values))
    item = containers.element(call.machine, source, call.spot)
    value = calls.call(call.machine, mapped, Arguments((item,)), call.spot)
    return call.machine.new(Sequence("iterator", rest=value))


@function("functools.partial", "functools.partialmethod")
def _partial(call: Call) -> Value:
    if call.arguments.open or not call.arguments.positional:
        return call.machine.opaque()
    callee, *positional = call.arguments.positional
    return Partial(callee, tuple(positional), tuple(call.arguments.keywords.items()))


@function("functools.wraps", "functools.lru_cache", "functools.cache", "contextlib.contextmanager")
def _decorator(call: Call) -> Value:
    return call.get("function", 0) or UNKNOWN


@function("copy.copy", "copy.deepcopy")
def _copy(call: Call) -> Value:
    """A copy: modules become others with the same attributes, trained on their own."""
    source = call.get("x", 0)
    return UNKNOWN if source is None else _copied(call, source, {})


def _copied(call: Call, value: Value, done: dict[int, Ref]) -> Value:
    if isinstance(value, Either):
        return either(tuple(_copied(call, option, done) for option in value.options))
    record = call.machine.get(value)
    if call.name == "copy.deepcopy" and isinstance(record, (Mapping, Tensor)):
        return _copied_data(call, record, done)
    if not isinstance(value, Ref) or not isinstance(record, (Instance, Opaque)):
        return value
    if value.address not in done:
        done[value.address] = call.machine.new(record)
        if call.name == "copy.deepcopy":
            attributes = {
                name: _copied(call, item, done) for name, item in record.attributes.items()
            }
            copied = replace(record, attributes=attributes)
            if isinstance(copied, Opaque):
                # The caller has what it was copied from, and nothing of the copy.
                copied = replace(copied, argument=False, lent=False)
            call.machine.set(done[value.address], copied)
    return done[value.address]


def _copied_data(call: Call, record: Mapping | Tensor, done: dict[int, Ref]) -> Value:
    """A dict of other objects, or a tensor with memory of its own."""
    if isinstance(record, Tensor):
        memory = call.machine.new(Storage())
        own = replace(record, storages=frozenset({memory.address}), argument="")
        return call.machine.new(own)
    items = tuple((key, _copied(call, item, done)) for key, item in record.items)
    rest = _copied(call, record.rest, done) if record.rest is not None else None
    return call.machine.new(replace(record, items=items, rest=rest))
