"""Releases that a program asks for before it does something, by a test or by what one has given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.asking import Asking

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine


def is_asked(machine: Machine) -> bool:
    """Whether what runs now hangs on a release that is installed, or on what there is in it."""
    activation = machine.activation
    return any(
        isinstance(test.node, ast.expr)
        and Asking(machine.index, test.region.outline).is_of_release(test.node)
        for test in (*activation.tests, *activation.left)
    )
