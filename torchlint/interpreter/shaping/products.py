"""Products of matrices, and sums that are written as a pattern."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import shapes
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping.elementwise import broadcast
from torchlint.interpreter.shaping.mismatch import Why
from torchlint.interpreter.values import Const

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.request import Request


def matmul(request: Request) -> Shape | None:
    """``a @ b``: the last dimension of one meets the last but one of the other."""
    names = ("other", "input") if request.name == "rmatmul" else ("input", "other")
    one, other = (request.shape(name) for name in names)
    for name, shape in zip(names, (one, other), strict=True):
        if shape == ():
            request.refuse(Why.RANK, name, wanted=1, given=0)
    ranks = shapes.rank(one), shapes.rank(other)
    if one is None or other is None or None in ranks:
        return _half_known(one, other)
    inner = other[-2] if len(other) > 1 else other[0]
    request.need(inner, one[-1], names[1], max(len(other) - 2, 0), names[0])
    before = broadcast(request, one[:-2], other[:-2], names[0], names[1])
    if before is None:
        return None
    rows = one[-2:-1] if len(one) > 1 else ()
    columns = other[-1:] if len(other) > 1 else ()
    return (*before, *rows, *columns)


def _half_known(one: Shape | None, other: Shape | None) -> Shape | None:
    if other is None or shapes.rank(other) != 2:
        return None
    if one is not None and len(shapes.ends(one)[1]) > 0:
        return (*one[:-1], other[-1])
    return (MORE, other[-1])


def batched(request: Request) -> Shape | None:
    """``bmm`` and ``mm``: so many dimensions, and no broadcasting."""
    count = 3 if request.name == "bmm" else 2
    one = request.fit("input", (None,) * count)
    other = request.fit("mat2", (None,) * count)
    if count == 3:
        request.need(other[0], one[0], "mat2", 0, "input")
    request.need(other[-2], one[-1], "mat2", count - 2, "input")
    batch = (_surest(one[0], other[0]),) if count == 3 else ()
    return (*batch, one[-2], other[-1])


def _surest(one: Dim, other: Dim) -> Dim:
    return other if one is None or isinstance(other, int) else one


def added(request: Request) -> Shape | None:
    """``addmm`` and ``baddbmm``: a product, to which something that broadcasts is added."""
    names, count = (("mat1", "mat2"), 2) if request.name == "addmm" else (("batch1", "batch2"), 3)
    one, other = (request.fit(name, (None,) * count) for name in names)
    if count == 3:
        request.need(other[0], one[0], names[1], 0, names[0])
    request.need(other[-2], one[-1], names[1], count - 2, names[0])
    batch = (_surest(one[0], other[0]),) if count == 3 else ()
    whole = (*batch, one[-2], other[-1])
    broadcast(request, request.shape(), whole, "input", names[0])
    return whole


def vectors(request: Request) -> Shape | None:
    """Products of two vectors, or of a matrix and one."""
    if request.name == "mv":
        matrix, vector = request.fit("input", (None, None)), request.fit("vec", (None,))
        request.need(vector[0], matrix[1], "vec", 0, "input")
        return (matrix[0],)
    second = "tensor" if request.name == "dot" else "vec2"
    one, other = request.fit("input", (None,)), request.fit(second, (None,))
    if request.name == "dot":
        request.need(other[0], one[0], second, 0, "input")
        return ()
    return (one[0], other[0])


def distances(request: Request) -> Shape | None:
    """``cdist``: between the rows of one and of the other."""
    one, other = (request.fit(name, (MORE, None, None)) for name in ("x1", "x2"))
    request.need(other[-1], one[-1], "x2", -1, "x1")
    before = broadcast(request, one[:-2], other[:-2], "x1", "x2")
    return None if before is None else (*before, one[-2], other[-2])


def cross(request: Request) -> Shape | None:
    """The cross product, which is one of vectors of three."""
    shape = broadcast(request, request.shape(), request.shape("other"), "input", "other")
    return shape if request.value("dim") is not None and 3 in (shape or ()) else None


# einsum.


def einsum(request: Request) -> Shape | None:
    """The dimensions that a pattern names on its right, of operands named on its left."""
    values = list(request.inputs.values())
    pattern = values[0] if values else None
    if not isinstance(pattern, Const) or not isinstance(pattern.value, str):
        return None
    operands = values[1:]
    items = request.items(operands[0]) if len(operands) == 1 else None
    operands = items if items is not None else operands
    left, arrow, right = pattern.value.replace(" ", "").partition("->")
    terms = left.split(",")
    if not all(_is_term(term) for term in (*terms, right)):
        return None
    if len(terms) != len(operands):
        request.refuse(Why.ARGUMENTS, "operands", wanted=len(terms), given=len(operands))
    known: dict[str, Dim] = {}
    dots: Shape | None = ()
    for term, value in zip(terms, operands, strict=True):
        shape = shapes.of_value(request.machine, value)
        dots = _bound(request, term, shape, known, dots)
    if not arrow:
        letters = sorted({letter for letter in left if letter.isalpha()})
        right = "..." * ("..." in left) + "".join(c for c in letters if left.count(c) == 1)
    if any(letter not in known for letter in right.replace("...", "")):
        request.refuse(Why.ARGUMENTS, "equation")
    if len(set(right.replace("...", ""))) < len(right.replace("...", "")):
        request.refuse(Why.ARGUMENTS, "equation")
    if "..." not in right:
        return tuple(known[letter] for letter in right)
    before, after = right.split("...")
    middle = dots if dots is not None else (MORE,)
    return shapes.plain((*map(known.get, before), *middle, *map(known.get, after)))


def _is_term(term: str) -> bool:
    return term.replace("...", "", 1).isalpha() or term in {"", "..."}


def _bound(
    request: Request, term: str, shape: Shape | None, known: dict[str, Dim], dots: Shape | None
) -> Shape | None:
    """Bind the letters of a term to the dimensions of its operand; gives what the dots are."""
    before, has_dots, after = term.partition("...")
    rank, letters = shapes.rank(shape), len(before) + len(after)
    if shape is None or rank is None:
        for letter in before + after:
            known.setdefault(letter, None)
        return None if has_dots else dots
    if rank != letters and (not has_dots or rank < letters):
        request.refuse(Why.RANK, "operands", wanted=letters, given=rank, by="equation")
    places = [*range(len(before)), *range(rank - len(after), rank)]
    for letter, at in zip(before + after, places, strict=True):
        known[letter] = _unified(request, known.get(letter, shape[at]), shape[at], at)
    if not has_dots:
        return dots
    middle = shape[len(before) : rank - len(after)]
    return broadcast(request, dots, middle, "operands", "equation")


def _unified(request: Request, one: Dim, other: Dim, at: int) -> Dim:
    """One dimension that a letter stands for twice; one broadcasts, as elsewhere."""
    if one is None or other is None or one == 1 or other == 1:
        return one if other == 1 else other
    clash = shapes.clash((one,), (other,))
    if clash is not None:
        request.refuse(Why.SIZE, "operands", wanted=one, given=other, dim=at, by="equation")
    (both,) = shapes.broadcast((one,), (other,)) or (None,)
    return both
