"""Events of devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.trace import Event

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.values import Device, Node, Spot
    from torchlint.project.classes import Family


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Meeting(Event):
    """A tensor made without a device meets one that lives elsewhere."""

    factory: Spot
    other: Device
    moves: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mismatch(Event):
    """What stayed ``here``, on the CPU, meets what was moved ``there``.

    It is not ``sure`` where something unseen was moved, which may be a model.
    """

    here: Device
    there: Device
    sure: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Astray(Event):
    """What torch reads on the CPU alone, ``what`` it is called, was moved ``there``."""

    what: str
    there: Device


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Fed(Event):
    """A model is applied, and what it was given is part of the first of these."""

    met: tuple[Mismatch, ...]


class LeftBehind(Meeting):
    """The same of a tensor that a module holds as a plain attribute, given to it at ``factory``."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class StaysBehind(Event):
    """A module gets an attribute that does not move with it: a tensor made without a device.

    ``begun`` says that the constructor of ``nn.Module`` has run by then, ``several`` that it is a
    list of such tensors.
    """

    family: Family
    name: str
    begun: bool
    several: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Typeless(Event):
    """A float factory is told to make a tensor where another is, and not of what type.

    ``floats`` says that the other is of a floating point type.
    """

    floats: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Combined(Event):
    """What a ``factory`` has made without being told a type makes another tensor as wide."""

    factory: Spot


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Widened(Event):
    """What a ``factory`` has made without being told a type meets, or comes out of, a module.

    It is refused by a module of another type; or else ``returned``, as float32. ``narrow`` says
    that what casts something to a narrow type knows of what is written in the file.
    """

    factory: Spot
    narrow: bool
    returned: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WrongIndex(Event):
    """Something is indexed or masked by a tensor of a type that does neither.

    ``wanted`` says of what type it has to be.
    """

    name: str
    dtype: str
    wanted: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TypesMeet(Event):
    """Something is given a tensor of a type that it cannot be computed with.

    ``name`` is of the layer or operation, ``wanted`` the type of the ``weights`` or of the other
    one, or nothing where any other will not do; ``storages`` are what the tensor may share.
    """

    name: str
    given: str
    wanted: str
    weights: bool
    storages: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayTaken(Event):
    """A tensor is made of an array of float64, and keeps the type; ``storages`` are its memory."""

    storages: frozenset[int]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CopyConstructed(Event):
    """A tensor is made of a tensor by what makes tensors of data.

    ``said`` are the inputs that are said to be tensors, where nothing else shows that it is one.
    """

    name: str
    said: frozenset[Node]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayShared(Event):
    """What comes of inputs that are ``said`` to be tensors is used as only an array can be."""

    said: frozenset[Node]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OffDevice(Event):
    """NumPy is handed a tensor that is on an accelerator, ``sure`` to be one or if there is one."""

    device: Device
    how: str
    sure: bool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked(Event):
    """A tensor with several elements is asked for its truth."""

    shape: Shape
