"""Fixing: edits of the source that mend what a check has found, or nothing where none is right.

Loaded when the first repair is worked out: libcst alone takes longer than a file to read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torchlint.fixing.repairs import *  # noqa: F403
else:
    from functools import partial
    from importlib import import_module
    from pkgutil import iter_modules

    _MODULES = frozenset(module.name for module in iter_modules(__path__))  # noqa: F405

    def __getattr__(name: str) -> object:
        if name in _MODULES or name.startswith("_"):
            raise AttributeError(name)
        return partial(partial, _worked_out, name)

    def _worked_out(name: str, /, *args: object, **kwargs: object) -> object:
        return getattr(import_module("torchlint.fixing.repairs"), name)(*args, **kwargs)()
