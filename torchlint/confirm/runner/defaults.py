"""Settings by default: objects of the project's own class for them, made as everybody makes them.

What shows with them is no guess. What does not show might with others.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import TYPE_CHECKING, Any

import torch

from .signatures import signature_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .loading import Program

NAMED = re.compile(
    r"^(cfg|config|configs|conf|args|opts?|options|hparams|hp|params|hyp|settings)$"
    r"|_?(config|cfg|args|params|options|hparams)$"
)
"""What settings are called, and their classes, in lower case."""


def by_default(values: Sequence[Any], annotation: Any, program: Program) -> list[Any]:
    """Those of the values that are settings of the one class that is meant for the argument."""
    made = [value for value in values if _is_of_settings(type(value), program)]
    kinds = {type(value) for value in made}
    if isinstance(annotation, type) and annotation is not inspect.Parameter.empty:
        return [value for value in made if type(value) is annotation]
    return made if len(kinds) == 1 else []


def _is_of_settings(cls: type, program: Program) -> bool:
    if issubclass(cls, (torch.nn.Module, torch.Tensor)):
        return False
    if not (dataclasses.is_dataclass(cls) or NAMED.search(cls.__name__.lower())):
        return False
    try:
        parameters = signature_of(cls).parameters.values()
        is_own = program.finder.owns(inspect.getfile(cls))
    except (TypeError, ValueError, OSError):
        return False
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return is_own and all(
        item.default is not item.empty or item.kind in variadic for item in parameters
    )
