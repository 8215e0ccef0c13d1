"""Methods that once took a number first, which they take by keyword today."""

from __future__ import annotations

SINCE = "1.5"
"""The first release that warns."""

_FACTORS = {
    "add_": ("alpha", 1),
    "sub_": ("alpha", 1),
    "addcmul_": ("value", 2),
    "addcdiv_": ("value", 2),
}
"""What the number is called, and how many tensors come after it."""


def names() -> frozenset[str]:
    """The methods, as they are sought."""
    return frozenset(f".{name}" for name in _FACTORS)


def factor(method: str, positional: int) -> str:
    """What is called the number that comes first among so many arguments; nothing if none does."""
    called, tensors = _FACTORS.get(method, ("", 0))
    return called if tensors and positional == tensors + 1 else ""
