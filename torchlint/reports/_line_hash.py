"""The hash of a line and what follows it by which GitHub tells alerts apart.

Its upload action computes it where a SARIF file has none; the API does not, and would show every
alert anew. Of the text from the start of a line, without blanks, 100 UTF-16 units count.
"""

from __future__ import annotations

from collections import Counter

_BLOCK = 100
_BASE = 37
_MODULUS = 1 << 64
_END = 65535


def line_hashes(text: str) -> list[str]:
    """The hash of each line from the first to the last; equal ones are numbered."""
    units, starts = _units(text)
    sums = [0]
    for unit in (*units, *[0] * _BLOCK):
        sums.append((sums[-1] * _BASE + unit) % _MODULUS)
    dropped = pow(_BASE, _BLOCK, _MODULUS)
    seen: Counter[int] = Counter()
    hashes = []
    for start in starts:
        value = (sums[start + _BLOCK] - sums[start] * dropped) % _MODULUS
        seen[value] += 1
        hashes.append(f"{value:x}:{seen[value]}")
    return hashes


def _units(text: str) -> tuple[list[int], list[int]]:
    """What counts, with line ends made equal, and where in it each line begins."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace(" ", "").replace("\t", "")
    encoded = plain.encode("utf-16-le", "surrogatepass")
    units = [
        int.from_bytes(encoded[index : index + 2], "little") for index in range(0, len(encoded), 2)
    ]
    units.append(_END)
    newline = ord("\n")
    return units, [0, *(at + 1 for at, unit in enumerate(units[:-1]) if unit == newline)]
