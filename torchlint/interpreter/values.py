"""What the interpreter computes with: values, the objects they refer to, and facts about tensors.

A value is immutable. What can change while the program runs (a tensor's graph, a list's items, an
object's attributes) is a record in the heap, and values refer to it by address.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum, auto
from typing import TYPE_CHECKING, TypeAlias

from torchlint.frozen import dataclass
from torchlint.interpreter.switches import BUILT, UNSEEN, Modes, training
from torchlint.project.regions import Spot as Spot  # noqa: TC001 - the name is taken from here

if TYPE_CHECKING:
    import ast

    from torchlint.interpreter.cuts import Cut, Number
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.edges import Edge
    from torchlint.interpreter.forms import Form
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.optimisation import Optimizer, Scaler
    from torchlint.interpreter.overlaps import Overlap
    from torchlint.interpreter.processes import Process, RankTest
    from torchlint.interpreter.ranges import Range
    from torchlint.interpreter.repeats import Repeats
    from torchlint.interpreter.spans import Span
    from torchlint.project.index import External
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.regions import Region


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing is known."""


@dataclass(frozen=True, slots=True)
class Const:
    """A Python constant: number, string, bytes, bool, None or Ellipsis; or a slice."""

    value: object

    def __hash__(self) -> int:
        part = self.value  # Slices have a hash of their own from Python 3.12 on.
        return hash((part.start, part.stop, part.step) if type(part) is slice else part)


@dataclass(frozen=True, slots=True)
class Ref:
    """An object of the heap."""

    address: int


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of known length; ``of`` is the operation that surely gives its values and indices."""

    items: tuple[Value, ...]
    of: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of the project and the frame that it closes over; ``plain`` without decorators."""

    region: Region
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    name: str
    definition: Definition | None = None
    closure: int | None = None
    owner: Definition | None = None
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Class:
    """A class of the project."""

    definition: Definition


@dataclass(frozen=True, slots=True)
class Module:
    """A module of the project, as bound by an import."""

    outline: Outline


@dataclass(frozen=True, slots=True)
class Bound:
    """A method of the project bound to an object, or a bound method of an external one by name."""

    receiver: Value
    method: Function | External | str


@dataclass(frozen=True, slots=True)
class Super:
    """What ``super()`` gives: the object, seen from the bases after ``owner``."""

    receiver: Value
    owner: Definition | External


@dataclass(frozen=True, slots=True)
class Partial:
    """``functools.partial``: a callable with some arguments bound."""

    callee: Value
    positional: tuple[Value, ...]
    keywords: tuple[tuple[str, Value], ...]


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of modules: the addresses of the modules; not ``whole`` if others may be in it.

    ``stream`` tells one generator of them from another, which can be iterated once.
    """

    owners: frozenset[int]
    whole: bool = True
    stream: int | None = field(default=None, compare=False)

    def and_those(self, others: Parameters) -> Parameters:
        """These and others."""
        return Parameters(self.owners | others.owners, self.whole and others.whole)


@dataclass(frozen=True, slots=True)
class Zipped:
    """Values iterated together, as by ``zip``: None is a counter, ``stream`` tells them apart."""

    parts: tuple[Value | None, ...]
    stream: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Either:
    """One of several values; ``truth`` is what all of them count as, if something tells that."""

    options: tuple[Value, ...]
    truth: bool | None = None


if TYPE_CHECKING:
    Value: TypeAlias = (
        Unknown
        | Const
        | Ref
        | Tuple
        | Function
        | Class
        | Module
        | Bound
        | Super
        | Partial
        | Parameters
        | Zipped
        | Either
        | RankTest
        | External
        | Number
    )

UNKNOWN = Unknown()
NONE = Const(None)
TRUE = Const(True)
FALSE = Const(False)
_MOST_OPTIONS = 4


def options_of(value: Value | None) -> tuple[Value, ...]:
    """The values of which one is there: those of an :class:`Either`, or the value alone."""
    if isinstance(value, Either):
        return value.options
    return () if value is None else (value,)


def either(values: tuple[Value, ...], truth: bool | None = None) -> Value:
    """One value that stands for any of ``values``; they all count as the ``truth`` told."""
    flat = dict.fromkeys(option for one in values for option in options_of(one))
    if len(flat) == 1:
        return next(iter(flat))
    if (UNKNOWN in flat and truth is None) or len(flat) > _MOST_OPTIONS or not flat:
        return UNKNOWN
    return Either(tuple(flat), truth)


class Certainty(Enum):
    """How sure it is that a tensor is in an autograd graph."""

    SURE = auto()
    ASSUMED = auto()
    UNSEEN = auto()


@dataclass(frozen=True, slots=True)
class Round:
    """One walk through the body of a loop."""

    loop: int
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """An operation in the autograd graph, or a leaf of it.

    ``owner`` is the module whose parameter a leaf is, None for other leaves and for operations.
    ``opaque`` marks a result of what was not entered: nothing is known of what lies behind it.
    Backward frees what it ``keeps``; ``cuts`` are of operands without graph, ``scalar`` says that
    its result has no dimensions.
    """

    op: str
    spot: Spot | None
    parents: tuple[Node, ...] = ()
    certainty: Certainty = Certainty.SURE
    owner: int | None = None
    opaque: bool = False
    rounds: tuple[Round, ...] = ()
    keeps: bool = False
    cuts: tuple[Cut, ...] = ()
    scalar: bool = False


@dataclass(frozen=True, slots=True)
class Device:
    """Where a tensor lives, as provenance.

    ``default`` came from a factory without ``device`` at ``spot``, ``home`` from one ahead of the
    work, or a loader; ``follows`` goes where the module's weights or inputs go, ``wide`` by a cast;
    ``moved`` was put on an ``accelerator``, if None where there is one, on the CPU ``so_far``;
    ``cpu`` is put there, arrays at ``left``; ``loaded`` was there; a module ``built``, ``kept`` it.
    """

    kind: str
    spot: Spot | None = None
    accelerator: bool | None = False
    left: Spot | None = None
    wide: bool = False
    so_far: bool = False


FOLLOWS = Device("follows")
Spread = tuple[int, tuple[int | str, ...]]


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor. ``node`` None says that it is in no graph; ``storages`` are what it may share.

    ``device`` None is unknown; ``scalar`` says that it has no dimensions; ``argument`` that the
    caller of the function under analysis holds it; ``leaf`` that gradients are stored in it.
    ``dtype`` is as in ``torch.float32``, without ``torch``; ``shape`` gives each dimension, some of
    which may be left open (see ``shapes``). ``origin`` is the event of the last model that it was
    computed by, 0 for none. ``cuts`` say why it is in no graph; ``unreduced`` is a loss that gave a
    value for each of a batch, and ``retains`` says that gradients are stored in it on request.
    ``copied`` is where its elements were copied from others, ``overlap`` which of them are one,
    ``spread`` of which tensor it is a view, put along what, ``form`` how its dimensions came about;
    ``span`` bounds whole numbers, ``repeats`` says how they come. Its shape is from ``since`` on.
    """

    node: Node | None
    storages: frozenset[int]
    range: Range | None = None
    device: Device | None = None
    scalar: bool = False
    argument: str = ""
    leaf: bool = False
    dtype: str | None = None
    shape: Shape | None = None
    since: int = 0
    origin: int = 0
    cuts: tuple[Cut, ...] = ()
    unreduced: Spot | None = None
    retains: bool = False
    copied: Spot | None = None
    overlap: Overlap | None = None
    edge: Edge | None = None
    spread: Spread | None = None
    formula: Formula | None = None
    form: Form | None = None
    span: Span | None = None
    repeats: Repeats | None = None


@dataclass(frozen=True, slots=True)
class Storage:
    """Memory of tensors: how often it was changed in place, and who keeps which version.

    ``keepers`` are operations, with the version they keep, and of what; ``fuzzy`` if paths differ.
    """

    version: int = 0
    keepers: tuple[tuple[Node, int, frozenset[int]], ...] = ()
    fuzzy: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """An object of which nothing is known but its identity.

    ``name`` is what the source calls it, ``argument`` says that the caller holds it, ``lent`` or
    what it is in; ``node`` is what it was computed from, ``source`` in a loop; ``modes``, ``dtype``
    are known once set, ``dim`` of a number; ``plain`` mostly is one, ``bare`` has only ``node``.
    """

    name: str = ""
    argument: bool = False
    device: Device | None = None
    node: Node | None = None
    attributes: dict[str, Value] = field(default_factory=dict)
    modes: Modes = UNSEEN
    origin: int = 0
    dtype: str | None = None
    dim: Dim = None
    plain: bool = False
    source: Node | None = None
    bare: bool = False
    lent: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list, set, generator, range up to ``bound``; ``rest`` joins items beyond the known ones."""

    kind: str
    items: tuple[Value, ...] = ()
    rest: Value | None = None
    rounds: tuple[Round, ...] = ()
    escaped: bool = False
    bound: Value | None = None
    last: tuple[Value, ...] = ()  # Those of the rest that a list surely ends in.


@dataclass(frozen=True, slots=True)
class Mapping:
    """A dict: values of constant keys, ``unsure`` ones on some ways only, and a join of others."""

    items: tuple[tuple[object, Value], ...] = ()
    rest: Value | None = None
    rounds: tuple[Round, ...] = ()
    escaped: bool = False
    unsure: frozenset[object] = frozenset()


@dataclass(frozen=True, slots=True)
class Instance:
    """An object of a class of the project, or of a known external class.

    ``frozen`` says whether its parameters are left untrained (None: not known), ``froze`` where.
    """

    cls: Definition | str
    attributes: dict[str, Value] = field(default_factory=dict)
    modes: Modes = BUILT
    frozen: bool | None = False
    froze: Spot | None = None
    device: Device | None = None
    spot: Spot | None = None
    escaped: bool = False

    @property
    def training(self) -> bool | None:
        """Whether it is in training mode; None where it is not known."""
        return training(self.modes)


@dataclass(frozen=True, slots=True)
class Frame:
    """The local variables of a call; ``shared`` are names that belong to another frame."""

    names: dict[str, Value]
    outline: Outline
    parent: int | None = None
    shared: dict[str, int] = field(default_factory=dict)


if TYPE_CHECKING:
    Record: TypeAlias = (
        Tensor
        | Storage
        | Opaque
        | Sequence
        | Mapping
        | Instance
        | Optimizer
        | Scaler
        | Frame
        | Process
    )
