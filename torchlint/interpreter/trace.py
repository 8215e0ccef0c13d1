"""The trace: what would happen if the code ran, event by event, and questions to it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, TypeVar, cast

from torchlint.frozen import dataclass
from torchlint.interpreter.graphs import back
from torchlint.releases import Releases

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.findings import Level
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.optimisation import Optimizer
    from torchlint.interpreter.provenance import Made
    from torchlint.interpreter.repairs import Mending
    from torchlint.interpreter.roles import Roles
    from torchlint.interpreter.values import Device, Node, Round, Spot, Value


if TYPE_CHECKING:
    Chain = tuple[tuple[Spot, str], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A mistake that a check sees: at a spot, with the spots that make it true.

    ``level`` is given where it differs from the rule's; ``repair`` works out what would mend it.
    ``about`` are the facts that options of the rule decide by, under their names.
    """

    spot: Spot
    message: str
    because: Chain = ()
    level: Level | None = None
    repair: Mending | None = None
    about: tuple[tuple[str, float | str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Event:
    """Something that happens at a spot, within rounds of loops."""

    spot: Spot
    rounds: tuple[Round, ...] = ()
    index: int = 0


E = TypeVar("E", bound=Event)
_NONE: list[Event] = []


@dataclass(slots=True)
class Trace:
    """All events of one run from an entry point, in order.

    ``releases`` are those of torch that the code is to run with. ``results`` are graph nodes that a
    forward hands to whoever called it, ``returned`` those that any entry point hands out;
    ``optimizers`` the last record of each optimizer, ``lasting`` what hangs on the object whose
    method was run, ``given`` the graphs of what came in from the caller, ``handed`` what came of
    tensors that something unseen was given, ``lent`` where that was given a model as well,
    ``bounds`` the ends of the ranges that loops go through, ``through`` the addresses of what they
    go through, ``taken`` the objects that turned out to be tensors when they were computed with,
    ``losses`` the calls of something unseen that have given what was walked back, ``keyed`` those
    taken for tensors that turned out to be dictionaries, ``inner`` the classes that functions
    define, and their objects, ``handed_over`` the arguments of a forward that all who call it make
    for it, and do not read again. ``parameters`` are what ``nn.Parameter`` made, and ``replaced``
    the layers that every call of a forward puts in place of others, ``renewed`` those that a
    forward puts there under some condition, ``attempts`` the loops that end after their first
    round, unless that says ``continue``; ``memories`` gives the module whose parameter's ``data`` a
    tensor is, ``beside`` what a parameter was made of and where that was, ``homes`` the parameters
    whose memory something is, ``left`` the graphs that the last forward to do so has left in an
    attribute of its module. ``made`` tells of tensors, by address, what gave them their shape,
    ``sized`` where the project builds the object whose method runs with these sizes, ``conditions``
    where each was first asked, ``reports`` where a name was given to what its own method gave that
    loads a state. ``compiled`` says of modules, by address, and of functions, by node,
    how they are compiled; ``afar`` are leaves that may have been made on an accelerator, where what
    they are made like is. ``deterministic`` says that the project has torch refuse what has no
    deterministic algorithm. ``forward`` says that the run is of a module's forward on its own,
    ``step`` that it is of a step that Lightning calls, ``procedure`` that it gives nothing, and is
    there for what it changes, ``program`` that it is of a file from its start, ``method`` that it
    is of another method of a module, ``formatted`` that a module is told the order of dimensions in
    memory. What has an address from ``begun`` on was made by the function that is run itself.
    Something was ``assumed`` to be a batch; what is refused at the spots that are ``unsure`` would
    be taken if it was a single sample.
    """

    releases: Releases = field(default_factory=Releases)
    events: list[Event] = field(default_factory=list)
    results: list[Node] = field(default_factory=list)
    returned: list[Node] = field(default_factory=list)
    deterministic: bool = False
    forward: bool = False
    step: bool = False
    procedure: bool = False
    program: bool = False
    method: bool = False
    assumed: bool = False
    formatted: bool = False
    escaped: set[int] = field(default_factory=set)
    lasting: set[int] = field(default_factory=set)
    begun: int = 0
    taken: set[int] = field(default_factory=set)
    keyed: set[int] = field(default_factory=set)
    inner: set[int] = field(default_factory=set)
    handed_over: set[str] = field(default_factory=set)
    handed: list[Node] = field(default_factory=list)
    given: set[Node] = field(default_factory=set)
    lent: set[Spot] = field(default_factory=set)
    bounds: dict[int, Value] = field(default_factory=dict)
    through: dict[int, frozenset[int]] = field(default_factory=dict)
    optimizers: dict[int, Optimizer] = field(default_factory=dict)
    losses: set[Spot] = field(default_factory=set)
    afar: set[Node] = field(default_factory=set)
    parameters: set[int] = field(default_factory=set)
    replaced: set[int] = field(default_factory=set)
    renewed: set[int] = field(default_factory=set)
    attempts: set[int] = field(default_factory=set)
    beside: dict[int, tuple[Formula, Device | None]] = field(default_factory=dict)
    memories: dict[int, int] = field(default_factory=dict)
    homes: dict[int, frozenset[tuple[int, str]]] = field(default_factory=dict)
    left: dict[tuple[int, str], tuple[int, frozenset[Node]]] = field(default_factory=dict)
    compiled: dict[object, str] = field(default_factory=dict)
    made: dict[int, Made] = field(default_factory=dict)
    roles: dict[int, Roles] = field(default_factory=dict)
    sized: dict[int, Spot] = field(default_factory=dict)
    unsure: set[Spot] = field(default_factory=set)
    conditions: dict[Formula, Spot] = field(default_factory=dict)
    reports: dict[int, Spot] = field(default_factory=dict)
    _kinds: dict[type[Event], list[Event]] = field(default_factory=dict)
    _reach: dict[int, frozenset[Node]] = field(default_factory=dict)
    _operations: dict[tuple[int, ...], frozenset[object]] = field(default_factory=dict)

    @property
    def together(self) -> bool:
        """Whether what comes in is where the parameters of the module are, wherever that is."""
        return self.forward or self.step

    def add(self, event: Event) -> None:
        """Write down what happens next."""
        self.events.append(event)
        self._kinds.setdefault(type(event), []).append(event)

    def of(self, kind: type[E]) -> list[E]:
        """The events of a kind, in order."""
        return cast("list[E]", self._kinds.get(kind, _NONE))

    def reach(self, node: Node) -> frozenset[Node]:
        """The node and all that it was computed from."""
        known = self._reach.get(id(node))
        if known is None:
            known = self._reach[id(node)] = frozenset(back([node]))
        return known

    def places(self, roots: Iterable[Node]) -> set[Spot | None]:
        """Where some nodes, and all that they were computed from, come from."""
        return {node.spot for node in back(roots)}

    def operations(self, roots: Iterable[Node]) -> frozenset[object]:
        """What some nodes were computed by: each operation's name with its place."""
        roots = tuple(roots)
        key = tuple(map(id, roots))
        known = self._operations.get(key)
        if known is None:
            found = ((node.op, node.spot) for node in back(roots))
            known = self._operations[key] = frozenset(found)
        return known
