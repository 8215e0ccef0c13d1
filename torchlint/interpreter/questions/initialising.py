"""Methods of modules that set their weights, and that nothing calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.classes import ClassSeen
from torchlint.interpreter.questions.missing import MODULE
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace
    from torchlint.project.classes import Family
    from torchlint.project.methods import Method

_PRIVATE = Pattern(r"_[a-z]*init[a-z_]*$")
"""A name by which nobody outside of the class is meant to call a method that initialises."""

_FILLS = Pattern(r"\binit\.\w+_\(|\.(?:normal|uniform|fill|zero|constant|trunc_normal)_\(")


def idle(trace: Trace) -> Iterator[Method]:
    """Methods that initialise the layers of their module, or would if anything called them."""
    for seen in trace.of(ClassSeen):
        family = seen.family
        if seen.kind != "module" or family.externals != MODULE or family.is_magic:
            continue
        for name in filter(_PRIVATE.match, family.definition.members):
            method = family.own(name)
            if method is not None and _initialises(method) and not _may_be_called(family, name):
                yield method


def _initialises(method: Method) -> bool:
    return not method.definition.region.is_decorated and bool(
        _FILLS.search(method.definition.region.text)
    )


def _may_be_called(family: Family, name: str) -> bool:
    """Whether whatever has a part in its objects names the method, or a comment leaves that out."""
    below = (base for each in family.descendants for base in family.index.ancestors(each))
    classes = {*family.lineage, *(base for base in below if isinstance(base, Definition))}
    if family.reads(name, classes) or family.is_named_elsewhere(name):
        return True
    return family.index.says(family.definition.outline, name, rf"#.*\b{name}\b")
