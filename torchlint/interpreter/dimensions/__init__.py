"""Dimensions: sizes that are numbers, names, or computed from these.

A dimension is an ``int``, a name (a ``str``, which stands for one positive number wherever it
stands), an ``Expression`` of several, or None where nothing is known of it. Equal dimensions
compare equal however they were computed: an expression is a polynomial whose atoms are names and
floor divisions, in one order, with all that can be divided out of a floor division outside of it.
"""

from torchlint.interpreter.dimensions.algebra import (
    Dim,
    Expression,
    Floor,
    Shape,
    add,
    ceil_divide,
    divided,
    floor_divide,
    is_sum,
    modulo,
    multiply,
    names_in,
    product,
    replaced,
    subtract,
    total,
    value,
)
from torchlint.interpreter.dimensions.comparing import (
    at_least,
    differ,
    indivisible,
    quotient,
    same,
)
from torchlint.interpreter.dimensions.writing import (
    is_batch,
    is_even,
    is_several,
    name_of,
    new_batch,
    new_name,
    written,
)

__all__ = [
    "Dim",
    "Expression",
    "Floor",
    "Shape",
    "add",
    "at_least",
    "ceil_divide",
    "differ",
    "divided",
    "floor_divide",
    "indivisible",
    "is_batch",
    "is_even",
    "is_several",
    "is_sum",
    "modulo",
    "multiply",
    "name_of",
    "names_in",
    "new_batch",
    "new_name",
    "product",
    "quotient",
    "replaced",
    "same",
    "subtract",
    "total",
    "value",
    "written",
]
