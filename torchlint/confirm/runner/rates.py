"""Rates of dropout that are zero, raised so that what would be dropped shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torch.nn.modules.dropout import _DropoutNd

if TYPE_CHECKING:
    from torch import nn

RATE = 0.5
_NAME = re.compile(r"drop_?(out|path|connect)?(_?(p|prob|rate|ratio))?$")

RAISED = f"with dropout at {RATE}, which was 0"
"""What is to be said of what shows then."""


def raise_rates(module: nn.Module) -> bool:
    """Drop half where nothing is dropped; says whether there is such a place."""
    found = False
    for part in module.modules():
        if isinstance(part, _DropoutNd) and part.p == 0:
            part.p, found = RATE, True
        for name, value in list(vars(part).items()):
            if isinstance(value, float) and value == 0 and _NAME.search(name):
                setattr(part, name, RATE)
                found = True
    return found
