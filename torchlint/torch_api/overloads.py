"""Methods that once took numbers first, which they take by keyword today."""

from __future__ import annotations

SINCE = "1.5"
"""The first release that warns."""

_SUM = (("alpha",), 1)
_QUOTIENT = (("value",), 2)
_PRODUCT = (("beta", "alpha"), 2)

_FACTORS = {
    "add_": _SUM,
    "sub_": _SUM,
    "addcmul_": _QUOTIENT,
    "addcdiv_": _QUOTIENT,
    "addmm_": _PRODUCT,
    "addbmm_": _PRODUCT,
    "baddbmm_": _PRODUCT,
}
"""What the numbers are called, of which the last may be left out, and how many tensors follow."""


def names() -> frozenset[str]:
    """The methods, as they are sought."""
    return frozenset(f".{name}" for name in _FACTORS)


def factors(method: str, positional: int) -> tuple[str, ...]:
    """What the numbers are called that come first among so many arguments; nothing if none do."""
    called, tensors = _FACTORS.get(method, ((), 0))
    first = positional - tensors
    return called[:first] if 0 < first <= len(called) else ()
