"""Forms: how the dimensions of a tensor have come about, and how its elements lie in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True, slots=True)
class Whole:
    """One number that ``op`` has made of all of a tensor, which is at an address and of a shape.

    ``compared`` is where it was compared with something, of which the result is.
    """

    spot: Spot
    op: str
    source: int
    shape: Shape | None
    compared: Spot | None = None


@dataclass(frozen=True, slots=True)
class Layout:
    """How far apart the elements of each dimension lie; None where one follows the other.

    ``sizes`` are its dimensions, with a name for each that is not known. It is not ``sure`` where
    that rests on what a module is given. ``turned`` is where dimensions changed places, and
    ``dense`` says that there are no gaps.
    """

    strides: tuple[Dim, ...] | None = None
    sizes: tuple[Dim, ...] = ()
    sure: bool = True
    dense: bool = True
    turned: Spot | None = None
    by: str = ""


@dataclass(frozen=True, slots=True)
class Form:
    """What is known of a tensor's dimensions: ``whole`` is for one that has none.

    ``squeezed`` is where all dimensions of one were dropped to get it, and nothing else, and where
    a module was called that has done so: there are several places, or other ways to get it, where
    ways have met.
    ``reordered`` is a view by which its elements are in another order than its dimensions.
    """

    whole: Whole | None = None
    layout: Layout | None = None
    squeezed: frozenset[Spot] = frozenset()
    reordered: Spot | None = None


PLAIN = Form(layout=Layout())
"""Of what was made with one element after the other."""

GIVEN = Form(layout=Layout(sure=False))
"""Of what a module is given, which mostly is so."""


def made(
    whole: Whole | None,
    layout: Layout | None,
    squeezed: frozenset[Spot] = frozenset(),
    reordered: Spot | None = None,
) -> Form | None:
    """A form of these parts, None where nothing is known."""
    if whole is None and not squeezed and reordered is None:
        if layout is None:
            return None
        if layout == PLAIN.layout:
            return PLAIN
    return Form(whole, layout, squeezed, reordered)


def joined(one: Form | None, other: Form | None) -> Form | None:
    """What two forms have in common, and where either may have been squeezed."""
    if one == other:
        return one
    if one is None or other is None:
        squeezed = (one or other or PLAIN).squeezed
        return made(None, None, squeezed)
    return made(
        one.whole if one.whole == other.whole else None,
        one.layout if one.layout == other.layout else None,
        one.squeezed | other.squeezed,
        one.reordered if one.reordered == other.reordered else None,
    )
