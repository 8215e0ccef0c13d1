"""What became of torch's names: the tables of `tools/generate_history.py`, read when asked for."""

from __future__ import annotations

import functools
import json

from torchlint.frozen import dataclass
from torchlint.torch_api import removed
from torchlint.torch_api.generated import TABLES

_TENSOR = "torch.Tensor."
_OTHERS = ("pytorch_lightning", "accelerate")


@dataclass(frozen=True, slots=True)
class Fate:
    """Since which releases a name is deprecated, and no longer there; empty where it is not.

    ``refuses`` says that it is there, and does nothing but raise; ``warns`` is the category of the
    warning that a use gives; ``says`` is what the sources say of it. ``package`` is whose releases
    these are.
    """

    deprecated: str = ""
    removed: str = ""
    refuses: bool = False
    warns: str = ""
    says: str = ""
    package: str = "torch"

    @property
    def is_shown(self) -> bool:
        """Whether a use gives a warning that Python does not hide."""
        return self.warns not in {"", "DeprecationWarning"}


def fate(name: str) -> Fate | None:
    """What became of a name; a method of tensors shares the fate of its function."""
    table = _all()
    if name not in table and name.startswith(_TENSOR):
        name = f"torch.{name.removeprefix(_TENSOR)}"
    return table.get(name)


def is_gone(name: str) -> bool:
    """Whether some release no longer has a name, nor what was in it."""
    known = _all().get(name)
    return known is not None and bool(known.removed)


@functools.cache
def removed_names() -> frozenset[str]:
    """All names that some release no longer has, but for methods."""
    return frozenset(n for n, fate in _all().items() if fate.removed and _is_named(n))


@functools.cache
def deprecated_names() -> frozenset[str]:
    """All names whose use gives a warning that is shown, in some release."""
    return frozenset(n for n, fate in _torch().items() if fate.is_shown and _is_named(n))


def _is_named(name: str) -> bool:
    """Whether a use is told by the name alone: methods are called on objects.

    What initialises weights under an old name is told by what it does to them.
    """
    return not name.startswith((_TENSOR, "torch.nn.init."))


def methods() -> frozenset[str]:
    """The names under which tensors may have a method that is deprecated or gone."""
    known = (name for name, fate in _torch().items() if fate.removed or fate.is_shown)
    shorts = (name.removeprefix(_TENSOR).removeprefix("torch.") for name in known)
    return frozenset(short for short in shorts if "." not in short)


@functools.cache
def _all() -> dict[str, Fate]:
    """The fates of the names of torch, and of what is built on it."""
    others = {
        name: Fate(removed=release, package=package)
        for package in _OTHERS
        for name, release in removed.names(package).items()
    }
    return others | _torch()


@functools.cache
def _torch() -> dict[str, Fate]:
    text = (TABLES / "history_torch.json").read_text("utf-8")
    return {
        name: Fate(
            entry.get("deprecated", ""),
            entry.get("removed", ""),
            entry.get("by") == "refuses",
            entry.get("warns", ""),
            entry.get("says", ""),
        )
        for name, entry in json.loads(text).items()
    }
