"""Pseudo-words of views that ask for the sizes of a tensor in another order than it gives them."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from torchlint.project.skimming import lines_with
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

REORDERED = "view(b, a)"
"""A region with such a view."""

REORDERED_IN = "self: view(b, a)"
"""A method with such a view."""

_METHOD = Pattern(r"\s*(?:@[^\n]*\n\s*)*(?:async )?def \w+\(\s*self\b")
_VIEW = Pattern(r"\.(?:view|reshape)\((?!-1\)|\w+\))([^()]*(?:\([^()]*\)[^()]*){0,6})\)")
_TURN = r"\.(?:transpose|permute|swapaxes|movedim|t)\("
_TURNED = Pattern(_TURN + r"[^()]*\)\s*(?:\.contiguous\(\)\s*)?$")
_ASSIGNED_TURNED = Pattern(rf"^[ \t]*(\w+)[ \t]*=[^\n]*{_TURN}", re.MULTILINE)
_OWNER = Pattern(r"\w+$")
_SHORT = 90
"""So long is what turns a tensor before a view, at most."""

_UNPACKED = Pattern(
    r"^[ \t]*\(?((?:\w+[ \t]*,[ \t]*)+\w+)\)?[ \t]*=[ \t]*[\w.]+\.(?:shape|size\(\))"
    r"(?:\[(?::\d|0:\d)\])?[ \t]*(?:$|[#;])",
    re.MULTILINE,
)
_SIZE = Pattern(r"(?<![\w.])([\w.]+)\.(?:size\(|shape\[)\s*(\d)\s*[)\]]")
_NAMED = Pattern(
    r"^[ \t]*(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*=[ \t]*([\w.]+\.(?:size\(|shape\[)[^\n]*)$",
    re.MULTILINE,
)
_PLAIN = Pattern(r"[^\W\d][\w.@]*(?: *// *[\w.]+)?")
_STATES = Pattern(
    r"\b(?!hidden_states\b)(?:\w*(?:hid|state)\w*|h_?[nt]?)(?:\[[^]\n]*\])?"
    r"\.(?:view|reshape)\(([^()\n]*(?:\([^()]*\)[^()\n]*)*)\)"
)
"""A view of what may be the last states of a recurrent layer, one layer after the other."""

_MOST = 3
"""What puts such states side by side has two dimensions; a name may be one more, of size 1."""

_HEADS = 4
_NAME = Pattern(r"[^\W\d][\w.@]*")


def words(text: str) -> Iterator[str]:
    """The pseudo-words of a region."""
    if ".view(" not in text and ".reshape(" not in text:
        return
    states = (_STATES.finditer(text, *line) for line in lines_with(text, (".view(", ".reshape(")))
    if any(_are_rows(found[1]) for each in states for found in each):
        yield REORDERED_IN if _METHOD.match(text) else REORDERED
        return
    if ".size(" not in text and ".shape" not in text:
        return
    turned = {found[1]: found.end() for found in reversed(list(_ASSIGNED_TURNED.finditer(text)))}
    views = [
        _parts(found[1])
        for found in _VIEW.finditer(text)
        if "," in found[1] and not _is_turned(text, found.start(), turned)
    ]
    if any(map(_puts_rest_behind, views)) or (
        views and any(_moves(view, order) for order in _orders(text) for view in views)
    ):
        yield REORDERED_IN if _METHOD.match(text) else REORDERED


def _are_rows(args: str) -> bool:
    """Whether a view asks for rows, and not for more dimensions than these have."""
    sizes = re.sub(r"\([^()]*\)", "", args[1:-1] if args[:1] in {"(", "["} else args).split(",")
    several = any(size.lstrip().startswith("*") for size in sizes)
    return len(sizes) > 1 and (several or sum(size.strip() != "1" for size in sizes) <= _MOST)


def _is_turned(text: str, start: int, turned: dict[str, int]) -> bool:
    """Whether what a view is of has been put in order before, by a call or where it is assigned."""
    owner = _OWNER.search(text, max(0, start - _SHORT), start)
    if owner is None:
        return _TURNED.search(text, max(0, start - _SHORT), start) is not None
    return turned.get(owner[0], start) < start - len(owner[0])


def _orders(text: str) -> Iterator[list[str]]:
    """The names of the sizes of tensors, in the order of the dimensions."""
    if ".shape" in text or ".size()" in text:
        for found in _UNPACKED.finditer(text):
            yield [name.strip() for name in found[1].split(",")]
    if ".size(" not in text and ".shape[" not in text:
        return
    sizes: defaultdict[str, dict[int, str]] = defaultdict(dict)
    for owner, at in _SIZE.findall(text):
        sizes[owner][int(at)] = f"{owner}@{at}"
    known = [(owner, dims) for owner, dims in sizes.items() if len(dims) > 1]
    if not known:
        return
    for _, dims in known:
        yield [dims[at] for at in sorted(dims)]
    for names, values in _NAMED.findall(text):
        pairs = zip(names.split(","), _SIZE.findall(values), strict=False)
        for name, (owner, at) in pairs:
            sizes[owner][int(at)] = name.strip()
    for _, dims in known:
        yield [dims[at] for at in sorted(dims)]


def _parts(args: str) -> list[str]:
    """The sizes that are asked for, in which those of tensors are names."""
    text = _SIZE.sub(r"\1@\2", args).strip()
    if text[:1] in {"(", "["}:
        text = text[1:-1]
    return [part.strip() for part in text.split(",")]


def _puts_rest_behind(parts: list[str]) -> bool:
    """Whether the rest stands between sizes that are no tensor's, as in ``(n, heads, -1, dim)``."""
    if len(parts) != _HEADS or parts[2] != "-1":
        return False
    return all(_PLAIN.fullmatch(parts[at]) is not None for at in (0, 1, 3))


def _moves(parts: list[str], order: list[str]) -> bool:
    """Whether a size stands after one that comes after it, or after what is none of them."""
    seen: set[str] = set()
    foreign: set[str] = set()
    divisors: set[str] = set()
    for part in parts:
        names = set(_NAME.findall(part))
        if part in order:
            at = order.index(part)
            if not seen.isdisjoint(order[at + 1 :]):
                return True
            taken = {other for other in foreign if any(other in by for by in divisors)}
            if foreign - taken and seen.issuperset(order[:at]):
                return True
        elif "/" in part:
            divisors.add(part.partition("/")[2])
        elif part != "1" and names.isdisjoint(order):
            foreign.add(part)
        seen |= names.intersection(order)
    return False
