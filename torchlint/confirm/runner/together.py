"""Repairs of one input, made for all that are described alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .specs import Spec
    from .trials import Attempt


def together(failed: Attempt, changes: Iterator[dict[str, Spec]]) -> Iterator[dict[str, Spec]]:
    """Each change, and the same for all that was like what is changed.

    What is part of a list, such as one to be stacked, stays like the rest.
    """
    for specs in changes:
        paths, every = _for_all(failed, specs)
        listed = any(_is_listed(failed, path) for path in paths)
        if not listed:
            yield specs
        if listed or every is not specs:
            yield every


def _is_listed(failed: Attempt, path: str) -> bool:
    """Whether a place is in a list or tuple."""
    name, _, inner = path.partition("/")
    return bool(inner) and failed.specs[name].kind in ("list", "tuple")


def _for_all(failed: Attempt, specs: dict[str, Spec]) -> tuple[list[str], dict[str, Spec]]:
    """Where something changes, and the change for all that is alike; itself where it is several."""
    before = dict(failed.leaves())
    after = {path: spec for name, whole in specs.items() for path, spec in whole.leaves(name)}
    paths = [path for path in before if before[path] != after.get(path)]
    changes = {(before[path], after[path]) for path in paths if path in after}
    if before.keys() != after.keys() or len(changes) != 1:
        return [], specs
    [(old, new)] = changes
    every = specs
    for path, spec in before.items():
        if spec == old and spec.shape and path not in paths:
            name, _, inner = path.partition("/")
            every = {**every, name: every[name].replaced(inner, new)}
    return paths, every
