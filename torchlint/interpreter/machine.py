"""The machine: the state of one run of the interpreter, and what all its parts share."""

from __future__ import annotations

import itertools
from contextlib import contextmanager
from dataclasses import field
from typing import TYPE_CHECKING, Any, TypeAlias

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import budgets, callbacks
from torchlint.interpreter.activations import Activation
from torchlint.interpreter.addresses import new_address
from torchlint.interpreter.amounts import Ledger
from torchlint.interpreter.contents import held
from torchlint.interpreter.decisions import Fork, Guard
from torchlint.interpreter.optimisation import HIDDEN, Optimizer, Scaler, Stage
from torchlint.interpreter.state import State, join, join_values
from torchlint.interpreter.switches import UNSEEN
from torchlint.interpreter.trace import E, Trace
from torchlint.interpreter.values import (
    UNKNOWN,
    Bound,
    Either,
    Frame,
    Function,
    Instance,
    Mapping,
    Opaque,
    Ref,
    Round,
    Sequence,
    Spot,
    Tuple,
)
from torchlint.interpreter.waiting import Unbuilt

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable, Iterator

    from torchlint.interpreter import syntax
    from torchlint.interpreter.choosing import Venture
    from torchlint.interpreter.state import Switches
    from torchlint.interpreter.values import Node, Record, Value
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region

Suspended: TypeAlias = "tuple[Switches | None, list[Switches]]"


class ExhaustedError(Exception):
    """The run has used up several times its budget; what it has seen so far stands."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments; ``open`` if others may come, ``more`` if they may but for named parameters.

    ``last`` are those that come last of the positional ones, where others may be before.
    """

    positional: tuple[Value, ...] = ()
    keywords: dict[str, Value] = field(default_factory=dict)
    open: bool = False
    more: bool = False
    last: tuple[Value, ...] = ()

    def values(self) -> Iterator[Value]:
        """All arguments, positional ones first."""
        yield from self.positional
        yield from self.keywords.values()


class Machine:
    """Evaluates code over abstract values and writes the trace.

    ``state`` is None where the program cannot be: after a return, a raise, a break. ``guards`` are
    the names of the flags that had to be true to get where it is, ``forks`` how many decisions
    have led there; ``passing`` says that a model is being applied; ``frozen`` gives the modules of
    parameters that were frozen, by their memory; ``choices`` counts the calls of one of several
    values that it is in; ``abroad`` says that what is built comes from somewhere that is not known,
    and may have been moved since; ``has_processes`` says that the program has asked for its rank or
    the size of the world; ``rebound`` are variables of others that may have been set, by the frame
    they are in, ``read`` those of modules that were looked at, by the file; ``statement`` is the
    expression that stands as one; ``amounts`` and ``profilers`` belong to the modules of those
    names. What a layer takes with and without a batch is ``batched`` in this run, or is not, where
    nothing tells; None leaves it open; ``size_names`` are those of sizes that have been asked for,
    by the tensor and the dimension; ``spare`` is what is left for helpers of the constructor that
    runs, if there is a limit. ``chains`` are the calls of a ``Sequential``, which may hold the same
    ones over and over again, ``suspended`` how things were switched as generators began, and are
    where they yield; ``diverted`` are the modules whose call has led to a forward of their own,
    ``ventures`` what has come of the one that is used, where that is one of several.
    """

    def __init__(self, index: Index, outline: Outline) -> None:
        self.index = index
        self.trace = Trace(index.releases(outline), deterministic=index.texts.are_deterministic)
        self.state: State | None = State({}, default_device=index.texts.set_default_device)
        self.frame = self.live.new(Frame({}, outline)).address
        self.region: Region
        self.rounds: tuple[Round, ...] = ()
        self.births: tuple[int, ...] = ()
        self.activations: list[Activation] = [Activation(None)]
        self.guards: tuple[str, ...] = ()
        self.choices = self.forks = self.steps = self.tries = self.chains = 0
        self.batched: bool | None = None
        self.size_names: dict[int, dict[int, str]] = {}
        self.saved: dict[Value, tuple[Spot, Value]] = {}
        self.round_began, self.depth, self.budget = (0, 1), budgets.DEPTH, budgets.NODES
        self.spare: int | None = None
        self._widest = 0
        self.entered: set[Definition] = set()
        self.modules: dict[str, int] = {}
        self._loops = itertools.count(1)
        self.resolving: set[tuple[str, str]] = set()
        self.diverted: set[int] = set()
        self.passing = self.abroad = self.has_processes = False
        self.rebound: set[tuple[int, str]] = set()
        self.read: set[tuple[str, str]] = set()
        self.statement: ast.expr | None = None
        self.frozen: dict[int, int] = {}
        self.amounts = Ledger()
        self.profilers: dict[int, tuple[Spot, int]] = {}
        self.suspended: dict[int, Suspended] = {}
        self.ventures: list[Venture] = []

    @property
    def live(self) -> State:
        """The state, where the program can be."""
        assert self.state is not None
        return self.state

    @property
    def activation(self) -> Activation:
        """The innermost call in progress."""
        return self.activations[-1]

    @property
    def outline(self) -> Outline:
        """The file whose code is being evaluated."""
        return self.region.outline

    def spot(self, node: ast.AST) -> Spot:
        """The place of a node of the code being evaluated."""
        return Spot(self.region, node)

    def tick(self) -> None:
        """Count one evaluated node."""
        self.steps += 1
        if self.steps > 8 * self.budget and self.steps > 8 * self._widest:
            raise ExhaustedError

    @contextmanager
    def within(self, nodes: int) -> Iterator[None]:
        """With no more than so many nodes before functions are not entered any more."""
        outer = self.budget, self._widest
        self._widest = max(outer)
        self.budget = min(self.budget, self.steps + nodes)
        try:
            yield
        finally:
            self.budget, self._widest = outer

    # Variables.

    def variables(self) -> Frame:
        """The frame of the innermost call."""
        frame = self.live.heap[self.frame]
        assert isinstance(frame, Frame)
        return frame

    def bind(self, name: str, value: Value) -> None:
        """Assign a local variable."""
        address = self.variables().shared.get(name, self.frame)
        frame = self.live.heap[address]
        assert isinstance(frame, Frame)
        # Spelled out, as this is the statement that runs most often: ``replace`` is slow.
        self.live.heap[address] = Frame(
            {**frame.names, name: value}, frame.outline, frame.parent, frame.shared
        )

    def restore(self, values: dict[str, Value | None]) -> None:
        """Give local variables back what they stood for; None where they were not there."""
        frame = self.variables()
        names = {name: value for name, value in frame.names.items() if name not in values}
        names.update((name, value) for name, value in values.items() if value is not None)
        self.live.heap[self.frame] = Frame(names, frame.outline, frame.parent, frame.shared)

    def share(self, name: str, address: int) -> None:
        """Let assignments to a name go to another frame, as ``global`` and ``nonlocal`` do."""
        self.rebound.add((address, name))
        frame = self.variables()
        self.live.heap[self.frame] = replace(frame, shared={**frame.shared, name: address})

    def module_frame(self, outline: Outline) -> int:
        """The frame of a module's variables."""
        path = outline.source.path
        if path not in self.modules:
            self.modules[path] = self.new(Frame({}, outline)).address
        self.live.heap.setdefault(self.modules[path], Frame({}, outline))
        return self.modules[path]

    # The heap.

    def get(self, value: Value) -> Record | None:
        """The record that a value refers to."""
        assert self.state is not None  # Spelled out: no question is asked more often.
        if not isinstance(value, Ref):
            return None
        record = self.state.heap.get(value.address)
        return self._built(value) if type(record) is Unbuilt else record

    def _built(self, value: Ref) -> Instance:
        from torchlint.interpreter import deferring  # It imports what imports this.

        return deferring.build(self, value)

    def peek(self, value: Value) -> Record | None:
        """The record that a value refers to, though it may be one that waits to be built."""
        return self.live.heap.get(value.address) if isinstance(value, Ref) else None

    def set(self, value: Value, record: Record) -> None:
        """Replace the record that a value refers to."""
        assert isinstance(value, Ref)
        self.live.heap[value.address] = record

    def new(self, record: Record) -> Ref:
        """A new object."""
        return self.live.new(record)

    def opaque(self, name: str = "") -> Ref:
        """A new object of which nothing is known."""
        return self.new(Opaque(name))

    def join_all(self, values: Iterable[Value]) -> Value | None:
        """One value for any of several; None for none."""
        joined: Value | None = None
        for value in values:
            joined = value if joined is None else join_values(self.live, joined, value)
        return joined

    # Control flow.

    @contextmanager
    def round(self, loop: int, number: int) -> Iterator[None]:
        """Within one round of a loop."""
        outer = self.rounds, self.births, self.round_began
        self.rounds = (*self.rounds, Round(loop, number))
        self.births = (*self.births, new_address())
        self.round_began = (self.forks, len(self.activations))
        try:
            yield
        finally:
            self.rounds, self.births, self.round_began = outer

    @property
    def loop(self) -> syntax.Loop | None:
        """The innermost loop of unknown length in the code of the innermost call."""
        nodes = [loop.node for loop in self.activation.loops if loop.node is not None]
        return nodes[-1] if nodes else None

    @property
    def decided_since(self) -> int:
        """The address from which on what there is was made with no call open to another way."""
        called = self.activations[1 if self.trace.program else 2 :]
        return max((call.frame for call in called if call.undecided), default=0)

    def fork(self, *, decided: bool = False) -> Fork:
        """Where the program may not come along; if it is ``decided``, it does this time."""
        return Fork(self, decided=decided)

    def guarded(self, name: str | None, test: ast.AST) -> Guard:
        """Where a test has decided; ``name`` is that of the flag that is true, if it is one."""
        return Guard(self, name, self.spot(test))

    @property
    def data_rounds(self) -> tuple[Round, ...]:
        """The rounds of loops over data: those within a forward are over layers."""
        for activation in self.activations:
            if activation.function is not None and activation.function.name == "forward":
                return activation.rounds
        return self.rounds

    def made_earlier(self, node: Node) -> bool:
        """Whether a node was made in an earlier round of a loop over data that still runs."""
        numbers = {round_.loop: round_.number for round_ in self.data_rounds}
        return any(numbers.get(made.loop, made.number) > made.number for made in node.rounds)

    def is_older(self, address: int) -> bool:
        """Whether an object is older than the innermost round that is being walked."""
        return bool(self.births) and address < self.births[-1]

    def rounds_of(self, address: int) -> tuple[Round, ...] | None:
        """The rounds in which an object was made; None where a function runs that was given it."""
        if not self.trace.program and address < self.activations[:2][-1].frame:
            return None
        rounds = zip(self.rounds, self.births, strict=True)
        return tuple(each for each, birth in rounds if birth < address)

    def new_loop(self) -> int:
        """A number for a loop that starts now."""
        return next(self._loops)

    def branches(self, alternatives: Iterable[Any]) -> list[Any]:
        """Run each alternative from the present state and join what they lead to.

        Gives the results of the alternatives after which the program goes on.
        """
        base = self.live
        ends: list[State] = []
        results = []
        for alternative in alternatives:
            self.state = base.fork()
            with self.fork():
                result = alternative()
            if self.state is not None:
                ends.append(self.state)
                results.append(result)
        self.state = join(ends)
        return results

    # Events and what escapes.

    def emit(self, event: type[E], at: ast.AST | Spot, /, **facts: Any) -> E:
        """Write an event into the trace."""
        spot = at if isinstance(at, Spot) else self.spot(at)
        index = len(self.trace.events)
        self.trace.add(made := event(spot=spot, rounds=self.rounds, index=index, **facts))
        return made

    def keep_file(self, file: Value, value: Value, spot: Spot) -> None:
        """Note what is saved to a file; where several statements save, it is not known what."""
        known, _ = self.saved.get(file, (spot, value))
        self.saved[file] = spot, value if known == spot else UNKNOWN

    def escape(self, values: Iterable[Value]) -> None:
        """Something unseen gets hold of the values and may do anything to what they refer to."""
        pending = list(values)
        seen: set[int] = set()
        while pending:
            value = pending.pop()
            match value:
                case Tuple(items=items) | Either(options=items):
                    pending.extend(items)
                case Function() | Bound():
                    pending.extend(callbacks.handed(self, value))
                case Ref(address=address) if address not in seen:
                    seen.add(address)
                    self.trace.escaped.add(address)
                    pending.extend(self._expose(address))

    def _expose(self, address: int) -> Iterable[Value]:
        """Forget what something unseen may change; gives what can be reached from here."""
        record = self.live.heap.get(address)
        match record:
            case Optimizer():
                gradients = record.gradients | {HIDDEN}
                self.live.heap[address] = replace(record, gradients=gradients, escaped=True)
            case Scaler():
                stages = dict.fromkeys(self.live.optimizers, frozenset({Stage.UNSEEN}))
                self.live.heap[address] = replace(record, stages=stages, escaped=True)
            case Instance():
                if not record.escaped or record.modes:
                    self.live.heap[address] = replace(record, escaped=True, modes=UNSEEN)
                self.clear_holders(address)
                given = record.given if isinstance(record, Unbuilt) else ()
                return [*record.attributes.values(), *given]
            case Opaque():
                if record.modes:
                    self.live.heap[address] = replace(record, modes=UNSEEN)
                return list(record.attributes.values())
            case Sequence() | Mapping():
                self.live.heap[address] = replace(record, escaped=True)
                return held(record)
        return ()

    def clear_holders(self, module: int) -> None:
        """Allow for the gradients of a module's parameters having been cleared unseen."""
        for address in self.live.optimizers:
            record = self.live.heap.get(address)
            if isinstance(record, Optimizer) and (
                record.parameters is None or module in record.parameters.owners
            ):
                gradients = record.gradients | {HIDDEN}
                self.live.heap[address] = replace(record, gradients=gradients)
