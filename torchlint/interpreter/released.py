"""Releases that a program asks for before it does something, by a test or by what one has given."""

from __future__ import annotations

import ast
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around
from torchlint.project.asking import Asking

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot

_SCALARS_SINCE = "0.5"
"""Since 0.4 tensors may have no dimensions, but at first one without could still be indexed."""


def have_scalars(machine: Machine) -> bool:
    """Whether a release that a project is for tells tensors without dimensions from others."""
    return machine.trace.releases.reach(_SCALARS_SINCE)


def is_asked(machine: Machine) -> bool:
    """Whether what runs now hangs on a release that is installed, or on what there is in it."""
    activation = machine.activation
    return any(
        isinstance(test.node, ast.expr)
        and Asking(machine.index, test.region.outline).is_of_release(test.node)
        for test in (*activation.tests, *activation.left)
    )


def is_for_another(machine: Machine, spot: Spot) -> bool:
    """Whether something is done for a release alone, or for one that lacks what is tried first."""
    return is_asked(machine) or any(
        isinstance(outer, ast.Try)
        and isinstance(inner, ast.ExceptHandler)
        and (inner.type is None or "AttributeError" in ast.unparse(inner.type))
        for outer, inner in pairwise(around.path(spot.region, spot.node))
    )
