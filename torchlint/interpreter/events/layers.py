"""Events of layers and of the functions that stand for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.values import Node, Spot, Value
    from torchlint.project.classes import Family


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Unconditional(Event):
    """A function that is for training is called in a forward, whatever the mode.

    ``mode`` is how the mode is written there, empty where the function does not know its module.
    """

    name: str
    mode: str = ""

    @property
    def normalises(self) -> bool:
        """Whether it normalises, rather than drops."""
        return self.name == "batch_norm"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fresh(Event):
    """A layer is applied in the forward that has built it, and will build another next time.

    ``kind`` is its class; ``holds`` says what is new each time, empty where nothing is. ``within``
    is the place where it is applied.
    """

    kind: str
    holds: str
    within: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Refused(Event):
    """A parameter of a module is replaced by a tensor, which raises; ``name`` is its name."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Computed(Event):
    """A module is given, as an attribute, what was computed from parameters that nobody has.

    ``name`` is the attribute's; ``parameters`` are the places where these were made.
    """

    name: str
    parameters: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ToBeTrained(Event):
    """A constructor gives its module a tensor that asks for gradients, and is no parameter.

    ``name`` is the attribute's; ``asked`` is where the leaf that it is, or comes of, was made.
    """

    family: Family
    name: str
    asked: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Settled(Event):
    """A constructor gives its module what it computes from parameters that the module has.

    ``name`` is the attribute's; ``parameters`` are the places where these were made.
    """

    family: Family
    name: str
    parameters: tuple[Spot, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Registered(Event):
    """A parameter becomes that of a module; ``made`` is where it was made."""

    made: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Repeated(Event):
    """A list is multiplied that holds a layer with parameters, which is then the same each time."""

    kind: str
    built: Spot | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BuiltOfData(Event):
    """A layer is built of a tensor that it should be called with."""

    kind: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NotModules(Event):
    """A container of layers is given what is no module; ``item`` says what, ``whole`` the list."""

    kind: str
    item: str
    whole: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NotListed(Event):
    """A container that takes a list of layers is given a layer, or several one by one."""

    kind: str
    several: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Forwarded(Event):
    """The forward of a module is called by its name; ``cls`` is the module's class.

    A ``fresh`` one has been built by what calls it, a function or a script, and not been trained or
    loaded so far. A ``part`` has been built by a constructor that has not come to its end.
    """

    module: int | None
    cls: str
    fresh: bool
    part: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Initialised(Event):
    """A function of ``nn.init`` is called; ``lost`` says that what it fills is not kept."""

    name: str
    lost: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rebound(Event):
    """A loop over parameters gives its name another value, and leaves the parameter as it is."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AppliedNothing(Event):
    """A module's ``apply`` is given nothing to apply."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TupleFed(Event):
    """A layer in a container is given several tensors, by the layer before."""

    giver: str
    taker: str
    built: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Activated(Event):
    """An activation is applied to what the same has not given, in a call with this ``frame``."""

    frame: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ActivatedTwice(Event):
    """An activation is applied to what one has given already: ``before``, and then ``name``.

    ``frame`` is that of the call in which it is applied.
    """

    name: str
    before: str
    frame: int
    first: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SharedByAll(Event):
    """A module or a parameter is built once, for all objects of a class or all calls of a function.

    ``kind`` is its class; ``where`` says what holds it, and ``trained`` that it has parameters.
    """

    kind: str
    where: str
    trained: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class HalfTied(Event):
    """A parameter is given the memory of that of another ``layer``, and stays one itself.

    It was ``walked`` over with all of its module's.
    """

    name: str
    layer: int
    walked: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LetGo(Event):
    """An attribute that held a layer is deleted, or given something else."""

    layer: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BiasNormed(Event):
    """A batch norm follows a layer with a bias; ``built`` is where that was built."""

    layer: str
    norm: str
    built: Spot | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Filled(Event):
    """Parameters, by layer and name, are filled with one number."""

    places: frozenset[tuple[int, str]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Uniform(Event):
    """A layer is applied, to ``given`` and with ``result``; ``width`` is the number of its units.

    ``even`` says that its weight is one number everywhere, ``alike`` that its bias is as well.
    """

    layer: int
    even: bool
    alike: bool
    width: Value | None
    given: Node | None
    result: Node


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Kept(Event):
    """A forward leaves a graph on its module, which holds on to those of earlier calls as well.

    ``name`` is the attribute. What is ``carried`` over is how one graph leads to that of the call
    before; of a list, which grows, that is nothing.
    """

    family: Family
    name: str
    carried: frozenset[Node]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Late(Event):
    """A forward gives its module, in some call, the first parameters under a name.

    ``made`` is what has them, and ``kind`` says what that is.
    """

    family: Family
    made: int
    kind: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Derived(Event):
    """A parameter of a layer gets values that are computed from parameters of others."""

    layer: int


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BuildRefused(Event):
    """A layer is built with settings that its constructor refuses; ``reason`` tells which."""

    kind: str
    reason: str
