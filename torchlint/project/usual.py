"""Usual names: what code would say if it called torch and its modules what most code does.

Patterns look for ``torch.save(`` and ``nn.Linear(``. Where a file has ``import torch as th``, they
are shown the usual names instead, line for line; columns are those of the file no more.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.project.skimming import has_any
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    Renaming = Callable[[str], str]

_OTHERWISE = r"[ \t]+as[ \t]+(?!(?:torch|nn|F)\b)(\w+)"
_IMPORTED = Pattern(
    rf"^[ \t]*(?:import[ \t]+(?:[^\n#]*,[ \t]*)?(torch(?:\.nn(?:\.functional)?)?){_OTHERWISE}"
    rf"|from[ \t]+torch[ \t]+import[ \t]+(?:[^\n#]*,[ \t]*)?(nn){_OTHERWISE}"
    rf"|from[ \t]+torch\.nn[ \t]+import[ \t]+(?:[^\n#]*,[ \t]*)?(functional){_OTHERWISE})",
    re.MULTILINE,
)
_MARKS = ("torch as ", "nn as ", "functional as ")
_USUAL = {"torch.nn": "nn", "torch.nn.functional": "F", "functional": "F"}


def renaming(text: str) -> Renaming | None:
    """What puts usual names in place of those of a file, None where it has no others."""
    if not has_any(text, _MARKS):
        return None
    usual = {}
    for found in _IMPORTED.finditer(text):
        module, name = filter(None, found.groups())
        usual[name] = _USUAL.get(module, module)
    if not usual:
        return None
    names = Pattern(rf"(?<![\w.])({'|'.join(usual)})(?=\.)")
    return lambda part: names.sub(lambda found: usual[found[1]], part)


def renamed(text: str) -> str:
    """The text of a file with usual names."""
    rename = renaming(text)
    return text if rename is None else rename(text)
