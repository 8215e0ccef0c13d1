"""The state of the program under interpretation: a heap that forks at branches and joins after."""

from __future__ import annotations

from dataclasses import field
from itertools import compress
from operator import is_not
from typing import TYPE_CHECKING, Any

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import ranks, switches
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.common import join_tensors
from torchlint.interpreter.cuts import Number, together
from torchlint.interpreter.openness import LAST, OPEN
from torchlint.interpreter.optimisation import Optimizer, Scaler
from torchlint.interpreter.processes import ALL, RankTest
from torchlint.interpreter.switches import BUILT
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Either,
    Frame,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Sequence,
    Storage,
    Tensor,
    Tuple,
    either,
    options_of,
)
from torchlint.interpreter.waiting import Unbuilt

_MOST_PLACES = 9
"""At fewer places an object may have been built of which it is known that it is one of many."""

if TYPE_CHECKING:
    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.events.training import Step
    from torchlint.interpreter.values import Record, Spot, Value

    Switches = tuple[bool | None, Spot | None, bool, str | None, str]


@dataclass(slots=True)
class State:
    """A heap of immutable records, and the grad mode: on, off, or None where it depends.

    ``autocast`` is the dtype that layers compute in, None where nothing casts for them.
    ``optimizers`` are the addresses of the optimizers in the heap, ``switched`` is what has put the
    grad mode off, ``walked`` are the walks back through graphs that have freed them, ``stepped``
    the steps that have been taken, ``drained`` the generators of parameters that have been
    iterated, and where; ``ranks`` are the processes that are in this state, ``raw`` the modules
    whose constructor has surely not run, ``uniform`` the parameters, by layer and name, that surely
    hold one number everywhere, ``nought`` the names of sizes that have turned out to be nothing,
    ``many`` those of sizes that have turned out to be more than one, and ``recorder`` what writes
    down, or compiles, what is run.
    """

    heap: dict[int, Record]
    grad: bool | None = True
    default_device: bool = False
    autocast: str | None = None
    optimizers: frozenset[int] = frozenset()
    switched: Spot | None = None
    walked: tuple[Walk, ...] = ()
    stepped: tuple[Step, ...] = ()
    drained: dict[int, Spot] = field(default_factory=dict)
    ranks: frozenset[str] = ALL
    raw: frozenset[int] = frozenset()
    uniform: frozenset[tuple[int, str]] = frozenset()
    nought: frozenset[str] = frozenset()
    many: frozenset[str] = frozenset()
    recorder: str = ""

    def fork(self) -> State:
        """A copy that goes its own way: spelled out for each branch, as ``replace`` is slow."""
        return State(
            self.heap.copy(),
            self.grad,
            self.default_device,
            self.autocast,
            self.optimizers,
            self.switched,
            self.walked,
            self.stepped,
            self.drained,
            self.ranks,
            self.raw,
            self.uniform,
            self.nought,
            self.many,
            self.recorder,
        )

    @property
    def switches(self) -> Switches:
        """What statements and functions put back as they leave."""
        return self.grad, self.switched, self.default_device, self.autocast, self.recorder

    def put_back(self, switches: Switches) -> None:
        """Switch everything as it was."""
        self.grad, self.switched, self.default_device, self.autocast, self.recorder = switches

    def new(self, record: Record) -> Ref:
        """A reference to a new object."""
        address = new_address()
        self.heap[address] = record
        if isinstance(record, Optimizer):
            self.optimizers |= {address}
        return Ref(address)

    def get(self, value: Value) -> Record | None:
        """The record of a reference; None for any other value."""
        return self.heap.get(value.address) if isinstance(value, Ref) else None


def join(states: list[State]) -> State | None:
    """The state that stands for any of ``states``; None where there is none (unreachable)."""
    if not states:
        return None
    first, *others = states
    for other in others:
        first = _join(first, other)
    return first


def _join(left: State, right: State) -> State:
    if left is right:
        return left
    heap, others = left.heap, right.heap
    differing = _differing(heap, others)
    if _catch_up(heap, others, differing):
        differing = _differing(heap, others)
    joined = State(
        {**others, **heap},
        left.grad if left.grad == right.grad else None,
        left.default_device or right.default_device,
        left.autocast if left.autocast == right.autocast else None,
        left.optimizers | right.optimizers,
        left.switched if left.grad is False else right.switched,
        _common(left.walked, right.walked),
        _common(left.stepped, right.stepped),
        {key: spot for key, spot in left.drained.items() if key in right.drained},
        left.ranks | right.ranks,
        left.raw & right.raw,
        left.uniform & right.uniform,
        left.nought & right.nought,
        left.many & right.many,
        left.recorder if left.recorder == right.recorder else "",
    )
    for address in differing:
        joined.heap[address] = _join_records(joined, heap[address], others[address])
    return joined


def _differing(heap: dict[int, Record], others: dict[int, Record]) -> list[int]:
    """Where two heaps have different records."""
    # Heaps are large and differ in little: the records are compared without a step of Python.
    counterparts = map(others.get, heap, heap.values())
    return [*compress(heap, map(is_not, heap.values(), counterparts))]


def _catch_up(heap: dict[int, Record], others: dict[int, Record], differing: list[int]) -> bool:
    """Build what has been built on one way as well on the other; whether there is such."""
    found = False
    for address in differing:
        one, other = heap[address], others[address]
        if isinstance(one, Unbuilt) is not isinstance(other, Unbuilt):
            found = True
            waiting, behind = (one, heap) if isinstance(one, Unbuilt) else (other, others)
            _build_as_elsewhere(behind, waiting)
    return found


def _build_as_elsewhere(heap: dict[int, Record], waiting: Record) -> None:
    assert isinstance(waiting, Unbuilt)
    assert waiting.order is not None
    for at, record in waiting.order.made.items():
        if isinstance(record, Instance) and waiting.modes is not BUILT:
            record = replace(record, modes=waiting.modes, escaped=waiting.escaped)
        heap[at] = record


def _join_records(state: State, left: Record, right: Record) -> Record:
    match left, right:
        case Frame(), Frame():
            return replace(left, names=_join_names(state, left.names, right.names))
        case Instance(), Instance():
            return replace(
                left,
                attributes=_join_layers(state, left, right),
                modes=switches.either(left.modes, right.modes),
                frozen=left.frozen if left.frozen == right.frozen else None,
                device=left.device if left.device == right.device else None,
                escaped=left.escaped or right.escaped,
            )
        case Optimizer(), Optimizer():
            return left.joined(right)
        case (Optimizer() as found, Opaque()) | (Opaque(), Optimizer() as found) if found.before:
            return replace(found, gradients=found.gradients | {found.before})
        case Scaler(), Scaler():
            return left.joined(right)
        case Storage(), Storage():
            keepers = tuple(dict.fromkeys(left.keepers + right.keepers))
            return Storage(
                max(left.version, right.version),
                keepers,
                left.fuzzy or right.fuzzy or left.version != right.version,
            )
        case Tensor(), Tensor():
            return join_tensors(left, right)
        case Opaque(), Opaque():
            attributes = _join_names(state, left.attributes, right.attributes)
            modes = switches.either(left.modes, right.modes)
            return replace(left, attributes=attributes, modes=modes)
        case (Tensor() as tensor, Opaque()) | (Opaque(), Tensor() as tensor):
            # What was learned of it on one way is not known on the other.
            return replace(tensor, shape=None)
        case Sequence(), Sequence():
            return _join_sequences(state, left, right)
        case Mapping(), Mapping():
            return _join_mappings(state, left, right)
    return Opaque()


def _join_layers(state: State, left: Instance, right: Instance) -> dict[str, Value]:
    """The attributes that either of two may have; what may not be in a container leaves it open."""
    joined = _join_names(state, left.attributes, right.attributes)
    if left.attributes.keys() == right.attributes.keys() or not isinstance(left.cls, str):
        return joined
    if LAST in left.attributes.keys() ^ right.attributes.keys():
        del joined[LAST]
    unsure = [
        name
        for name in left.attributes.keys() ^ right.attributes.keys()
        if name.isdigit() or name[:1] == "@"
    ]
    if unsure:
        others = [joined.pop(name) for name in sorted(unsure)]
        joined[OPEN] = either((*others, *([joined[OPEN]] if OPEN in joined else [])))
    return joined


def _join_sequences(state: State, left: Sequence, right: Sequence) -> Sequence:
    escaped = left.escaped or right.escaped
    last = left.last if left.last == right.last else ()
    if len(left.items) == len(right.items):
        pairs = zip(left.items, right.items, strict=True)
        items = tuple(join_values(state, one, other) for one, other in pairs)
        rest = _join_optional(state, left.rest, right.rest)
        return replace(left, items=items, rest=rest, escaped=escaped, last=last)
    shorter, longer = sorted((left, right), key=lambda sequence: len(sequence.items))
    rest = _join_optional(state, shorter.rest, longer.rest)
    for value in longer.items[len(shorter.items) :]:
        rest = value if rest is None else join_values(state, rest, value)
    items = longer.items[: len(shorter.items)]
    return replace(longer, items=items, rest=rest, escaped=escaped, last=last)


def _join_mappings(state: State, left: Mapping, right: Mapping) -> Mapping:
    ones, others = dict(left.items), dict(right.items)
    rest = _join_optional(state, left.rest, right.rest)
    items = {}
    for key in ones | others:
        if key in ones and key in others:
            items[key] = join_values(state, ones[key], others[key])
        else:
            items[key] = ones.get(key, others.get(key, UNKNOWN))
    escaped = left.escaped or right.escaped
    unsure = left.unsure | right.unsure | (ones.keys() ^ others.keys())
    return Mapping(tuple(items.items()), rest, left.rounds, escaped, unsure)


def _join_optional(state: State, left: Value | None, right: Value | None) -> Value | None:
    if left is None or right is None:
        return left or right
    return join_values(state, left, right)


def _join_names(state: State, left: dict[str, Value], right: dict[str, Value]) -> dict[str, Value]:
    if left is right:
        return left
    joined = dict(right)
    for name, value in left.items():
        other = right.get(name)
        if other is None:
            joined[name] = value
        elif other is not value and other != value:
            joined[name] = join_values(state, value, other)
    return joined


def join_values(state: State, left: Value, right: Value) -> Value:
    """One value for either of two; two tensors become one that has what they have in common."""
    if left is right or left == right:
        return left
    one, other = state.get(left), state.get(right)
    if isinstance(one, Tensor) and isinstance(other, Tensor):
        return state.new(join_tensors(one, other))
    if isinstance(one, Optimizer) and isinstance(other, Optimizer):
        return _join_optimizers(state, left, right)
    match left, right:
        case Tuple(items=ones) as left, Tuple(items=others) as right if len(ones) == len(others):
            pairs = zip(ones, others, strict=True)
            of = left.of if left.of == right.of else ""
            return Tuple(tuple(join_values(state, one, other) for one, other in pairs), of)
        case RankTest(), RankTest():
            return ranks.either(left, right)
        case Const(value=ones), Const(value=others) if NONE not in (left, right):
            alike = type(ones) is type(others) and not isinstance(ones, str)
            return UNKNOWN if alike else either((left, right))
        case Number(cuts=ones, array=is_array) as this, Number(
            cuts=others, array=are_arrays
        ) as that:
            both = together((*ones, *others))
            amount = this.amount if this.amount == that.amount else None
            dtype = this.dtype if this.dtype == that.dtype else None
            dim = this.dim if this.dim == that.dim else None
            left_at = this.left and that.left
            arrays, made = is_array and are_arrays, this.made and that.made
            depth = this.depth if this.depth == that.depth else None
            shape = this.shape if this.shape == that.shape else None
            return Number(
                both, arrays, left_at, amount, dtype, dim, made=made, depth=depth, shape=shape
            )
        case (Number() as number, Const(value=int() | float())) | (
            Const(value=int() | float()),
            Number() as number,
        ):
            return replace(
                number, array=False, dtype=None, dim=None, sizes=None, made=False, shape=None
            )
        case Either(options=options), _ if isinstance(other, Tensor):
            return _join_option(state, options, right)
        case _, Either(options=options) if isinstance(one, Tensor):
            return _join_option(state, options, left)
    return _one_of(state, left, right)


@dataclass(frozen=True, slots=True)
class Alike(Either):
    """One of many objects, those of other rounds of a loop left out, which are built alike."""


def _one_of(state: State, left: Value, right: Value) -> Value:
    """One of two values; of many objects one for each place where they are built."""
    if not isinstance(left, Alike) and not isinstance(right, Alike):
        joined = either((left, right))
        if joined != UNKNOWN:
            return joined
    built: dict[object, Value] = {}
    for option in (*options_of(left), *options_of(right)):
        record = state.heap.get(option.address) if isinstance(option, Ref) else None
        if not isinstance(record, Instance) or record.spot is None or record.escaped:
            return UNKNOWN
        built[record.spot.node, record.cls] = option
    return Alike(tuple(built.values())) if len(built) in range(2, _MOST_PLACES) else UNKNOWN


def _join_optimizers(state: State, left: Value, right: Value) -> Value:
    """The optimizer that stands for either of two, which nobody else has from now on."""
    one, other = state.get(left), state.get(right)
    assert isinstance(one, Optimizer)
    assert isinstance(other, Optimizer)
    assert isinstance(left, Ref)
    assert isinstance(right, Ref)
    either_of = frozenset({left.address, right.address})
    for address in state.optimizers:
        known = state.heap.get(address)
        if isinstance(known, Optimizer) and known.either_of == either_of:
            return Ref(address)
    state.heap[left.address] = replace(one, escaped=True)
    state.heap[right.address] = replace(other, escaped=True)
    return state.new(one.standing_for(other, either_of))


def _join_option(state: State, options: tuple[Value, ...], tensor: Value) -> Value:
    """Join a tensor with the tensor among the options, so that there is never more than one."""
    for option in options:
        if isinstance(state.get(option), Tensor):
            others = tuple(value for value in options if value != option)
            return either((*others, join_values(state, option, tensor)))
    return either((*options, tensor))


def _common(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    if left is right:
        return left
    others = set(right)
    return tuple(event for event in left if event in others)
