"""Events of the autograd graph: gradients computed, read, and broken by changes in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.cuts import Number
    from torchlint.interpreter.events.training import Step
    from torchlint.interpreter.formulas import Formula
    from torchlint.interpreter.values import Node, Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Walk(Event):
    """A graph is walked back from ``node``, and freed unless it is, or may be, ``retained``.

    ``literally`` says that ``retain_graph=True`` asks for that, ``seeded`` that the gradient to
    start with is given. ``tensors`` is where the walk starts, which may be ``one_of`` several
    values, ``number`` what stands in for a tensor, ``before`` are the walks that have surely freed
    their graphs by now, and ``stepped`` the steps that optimizers have surely taken. It is
    ``doubtful`` where calls come from where the grad mode is off that may never get to it,
    ``chosen`` where it starts at one of several values and a test that leads there may tell which,
    and ``within`` a forward, whose callers may walk as well.
    """

    node: Node | None
    retained: bool = False
    literally: bool = False
    seeded: bool = False
    tensors: tuple[Tensor, ...] = ()
    one_of: bool = False
    number: Number | None = None
    before: tuple[Walk, ...] = ()
    stepped: tuple[Step, ...] = ()
    doubtful: bool = False
    chosen: bool = False
    within: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Backward(Walk):
    """Gradients are computed and stored in the leaves.

    ``held`` are the modules that optimizers hold, None if some hold what is not known, ``escaped``
    what something unseen had got hold of by then.
    """

    held: frozenset[int] | None = None
    escaped: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Differentiation(Walk):
    """Gradients with respect to ``inputs`` are computed and returned."""

    inputs: tuple[Tensor, ...] = ()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GradientOf(Event):
    """``tensor.grad`` is read."""

    tensor: Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayMade(Event):
    """NumPy is handed a tensor, by a call that is written as ``how``.

    ``walked`` are the walks back through graphs that have been made on all ways to here.
    """

    tensor: Tensor
    how: str
    walked: tuple[Walk, ...]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Wrapped(Event):
    """`Variable` is given a tensor that is in a graph, and makes one that is not.

    A ``leaf`` is asked to require grad, as the start of a graph of its own.
    """

    tensor: Tensor
    leaf: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GradientRead(Event):
    """Gradients are read by something other than an optimizer."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A number is ``put`` where a ``mask`` holds, and what stood there ``held`` one, if known."""

    mask: Formula
    put: float | None
    held: float | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mutation(Event):
    """``tensor`` is changed in place, as ``how`` writes it.

    ``keepers`` are the operations that keep the version that is lost, empty unless that holds for
    all the memory that the tensor may mean; ``opaque`` says that something unseen gave the tensor,
    ``optional`` that the change is made only if asked for by the name of ``inplace``, ``announced``
    that what makes it is named so, ``sure`` that it is made whatever the settings are, ``weighed``
    that it was asked first who needs gradients, ``masked`` where it is made, if a mask says so.
    """

    tensor: Tensor
    how: str
    keepers: tuple[Node, ...] = ()
    opaque: bool = False
    optional: bool = False
    announced: bool = False
    sure: bool = True
    weighed: bool = False
    masked: Masked | None = None

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"
