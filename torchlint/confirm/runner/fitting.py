"""Inputs for a module, and larger sizes for it where those that were guessed suit none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .inputs import subject_of_module
from .limits import Overtime
from .trials import NoInputsError, find_inputs

if TYPE_CHECKING:
    from .building import Recipe
    from .loading import Program
    from .specs import Spec


def fitted(
    how: Recipe, program: Program, method: str, seconds: float
) -> tuple[Recipe, dict[str, Spec]]:
    """How to build a module whose method runs, and on what; raises NoInputsError."""
    try:
        return how, find_inputs(subject_of_module(how.make(), program, method), seconds)
    except NoInputsError:
        wider = how.wider()
        if not how.sizes:
            raise
        try:
            return wider, find_inputs(subject_of_module(wider.make(), program, method), seconds / 2)
        except (Exception, Overtime):
            pass
        raise
