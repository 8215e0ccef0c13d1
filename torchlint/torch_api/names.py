"""Canonical names of what lies outside the project."""

from __future__ import annotations

import sys

from torchlint.torch_api import generated

_ALWAYS_EXTERNAL = sys.stdlib_module_names | {"torch", "numpy"}


def is_external(dotted: str) -> bool:
    """Whether a module of this name is never one of the project's own files."""
    return dotted.partition(".")[0] in _ALWAYS_EXTERNAL


def canonical(dotted: str) -> str:
    """The public spelling of a dotted name: ``torch.nn.modules.loss.X`` is ``torch.nn.X``."""
    if not dotted.startswith("torch."):
        return dotted
    if ".F." in dotted:
        # Whatever module of torch it is imported from, it is the same one there.
        dotted = f"torch.nn.functional.{dotted.rpartition('.F.')[2]}"
    if ".torch." in dotted:
        # Its modules import the package too, and so does the package itself (``torch.torch``).
        dotted = f"torch.{dotted.rpartition('.torch.')[2]}"
    return generated.canonical(dotted)


def is_known(dotted: str) -> bool:
    """Whether torch is known to have this name, which decides what ``import *`` brings."""
    if not dotted.startswith("torch."):
        return False
    return generated.is_public(dotted)
