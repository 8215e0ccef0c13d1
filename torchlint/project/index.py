"""The index: which definition a name means, across files."""

from __future__ import annotations

import os
import posixpath
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.project import templates
from torchlint.project.classes import Family
from torchlint.project.determinism import is_demanded
from torchlint.project.methods import Method
from torchlint.project.outline import Alias, Definition, Import, Outline
from torchlint.releases import supported
from torchlint.torch_api import names

_OPTIMIZERS = re.compile(r"\boptim\b|configure_optimizers")
_DEVICES = re.compile(
    r"\.cuda\(|\.to\([^)\n]*(?:device|cuda|mps|rank)|\baccelerat(?:e|or)\b|\blightning\b"
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.project.regions import Region
    from torchlint.releases import Releases, TorchOf
    from torchlint.sources.source import Source


@dataclass(frozen=True, slots=True)
class External:
    """Something outside the project, by its dotted name in canonical spelling."""

    name: str


@dataclass(frozen=True, slots=True)
class Global:
    """A variable of a module that statements at its top level assign."""

    outline: Outline
    name: str
    regions: tuple[Region, ...]


Meaning = External | Definition | Outline | Global
"""What a name can mean: something external, a function or class, a module, a variable."""

_DEEPEST = 12
_WORKERS = re.compile(r"\bnum_workers[\"']?[ \t]*[=:][ \t]*(?!0\b|int\b|=)")
_APART = re.compile(r"\bworker_init_fn\b|\bget_worker_info\b|\bworker_id\b")


class Index:
    """All files of a project; outlines are made when a name first leads into a file.

    ``torch`` gives the releases of torch that settings name for a file, ``roots`` the folders that
    its absolute imports may start from. ``sets_default_device``
    says whether any file makes torch create tensors elsewhere by default, ``sets_default_dtype``
    the same of another type, and ``is_deterministic`` whether torch is to refuse what gives other
    results from run to run.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        torch: TorchOf | None = None,
        roots: Callable[[Path], Sequence[str]] | None = None,
    ) -> None:
        self._torch = torch
        self._roots = roots
        self._folder = os.getcwd().replace(os.sep, "/")
        self._sources = {self._key(source): source for source in sources}
        self._outlines: dict[str, Outline | None] = {}
        self.sets_default_device = any(
            "set_default_device" in source.text or "set_default_tensor_type" in source.text
            for source in self._sources.values()
        )
        self.sets_default_dtype = any(
            "set_default_dtype" in source.text or "set_default_tensor_type" in source.text
            for source in self._sources.values()
        )
        self.is_deterministic = is_demanded(source.text for source in self._sources.values())
        self.fixed: dict[tuple[Outline, str], object] = {}
        self._ancestors: dict[Definition, tuple[Definition | External, ...]] = {}
        self._descendants: dict[Definition, list[Definition]] | None = None
        self._methods: dict[Definition, Method] = {}
        self._families: dict[Definition, Family] = {}

    def releases(self, outline: Outline, package: str = "torch") -> Releases:
        """The releases of torch, or of what goes with it, that the project of a file supports."""
        file = outline.source.file
        setting = self._torch(file) if self._torch is not None and package == "torch" else None
        return supported(file, setting, package)

    def outline(self, source: Source) -> Outline:
        """The outline of a source; raises what ``ast.parse`` raises."""
        key = self._key(source)
        known = self._outlines.get(key)
        if known is None:
            known = self._outlines[key] = Outline(source)
        return known

    def forget_trees(self, most: int) -> None:
        """Let go of all parsed regions if there are more than ``most``, and of their nodes.

        Nodes that were handed out before no longer belong to their regions.
        """
        if len(self._methods) > most:
            self._methods.clear()
        outlines = [outline for outline in self._outlines.values() if outline is not None]
        if sum(len(outline.parsed) for outline in outlines) <= most:
            return
        self.fixed.clear()
        for outline in outlines:
            for region in outline.parsed:
                region.forget()
            outline.parsed.clear()

    def meaning(self, outline: Outline, dotted: str, depth: int = 0) -> Meaning | None:
        """What a dotted name means at the top level of a file."""
        first, _, rest = dotted.partition(".")
        found = self.binding(outline, first, depth)
        for attribute in rest.split(".") if rest else ():
            if found is None:
                return None
            found = self.attribute(found, attribute, depth)
        return found

    def binding(self, outline: Outline, name: str, depth: int = 0) -> Meaning | None:
        """What a name means at the top level of a file; imports are followed."""
        bound = outline.bindings.get(name)
        match bound:
            case Import():
                return self.imported(outline, bound, depth)
            case Definition():
                return bound
            case Alias(dotted=dotted, region=region):
                found = self.meaning(outline, dotted, depth + 1) if depth < _DEEPEST else None
                return found if found is not None else Global(outline, name, (region,))
            case list():
                return Global(outline, name, tuple(bound))
        for star in outline.stars if depth < _DEEPEST else ():
            module = self.module(outline, star.module, star.level)
            if isinstance(module, Outline):
                found = self.binding(module, name, depth + 1)
                if found is not None:
                    return found
            elif module is not None and names.is_known(f"{module.name}.{name}"):
                return External(names.canonical(f"{module.name}.{name}"))
        return None

    def imported(self, outline: Outline, bound: Import, depth: int = 0) -> Meaning | None:
        """What an import binds."""
        if depth > _DEEPEST:
            return None
        module = self.module(outline, bound.module, bound.level)
        if not bound.attribute or module is None:
            return module
        if isinstance(module, External):
            return External(names.canonical(f"{module.name}.{bound.attribute}"))
        return self.attribute(module, bound.attribute, depth)

    def attribute(self, owner: Meaning, name: str, depth: int = 0) -> Meaning | None:
        """What an attribute of a module or external name means."""
        match owner:
            case External(name=dotted):
                return External(names.canonical(f"{dotted}.{name}"))
            case Outline():
                found = self.binding(owner, name, depth + 1)
                if found is None:
                    folder, file = posixpath.split(self._key(owner.source))
                    if file == "__init__.py":
                        return self._file(posixpath.join(folder, name))
                return found
            case Definition(is_class=True):
                return owner.members.get(name)
        return None

    def module(self, outline: Outline, dotted: str, level: int) -> Outline | External | None:
        """The module that an import names: a file of the project, else something external.

        Absolute names are looked for beside the importing file and in the folders above it, and in
        a ``src`` folder there, which is how scripts and packages resolve; then in what is set.
        """
        folder = posixpath.dirname(self._key(outline.source))
        parts = dotted.replace(".", "/")
        if level:
            for _ in range(level - 1):
                folder = posixpath.dirname(folder)
            return self._file(posixpath.join(folder, parts) if parts else folder)
        if names.is_external(dotted):
            return External(names.canonical(dotted))
        while True:
            for stem in (parts, f"src/{parts}"):
                found = self._file(posixpath.join(folder, stem))
                if found is not None and found is not outline:
                    return found
            parent = posixpath.dirname(folder)
            if parent == folder:
                break
            folder = parent
        for root in self._roots(outline.source.file) if self._roots is not None else ():
            found = self._file(posixpath.join(root.replace(os.sep, "/"), parts))
            if found is not None and found is not outline:
                return found
        return External(names.canonical(dotted))

    def _key(self, source: Source) -> str:
        """Where a source lies, however it was named."""
        return posixpath.normpath(posixpath.join(self._folder, source.file.as_posix()))

    def _file(self, stem: str) -> Outline | None:
        for key in (posixpath.normpath(f"{stem}.py"), posixpath.normpath(f"{stem}/__init__.py")):
            source = self._sources.get(key)
            if source is None:
                continue
            if key not in self._outlines:
                try:
                    self._outlines[key] = Outline(source)
                except (SyntaxError, ValueError, RecursionError, MemoryError):
                    self._outlines[key] = None
            return self._outlines[key]
        return None

    def ancestors(self, definition: Definition) -> tuple[Definition | External, ...]:
        """A class and all its bases, nearest first, depth first; external bases by name."""
        known = self._ancestors.get(definition)
        if known is None:
            self._ancestors[definition] = (definition,)
            known = tuple(dict.fromkeys(self._bases(definition)))
            self._ancestors[definition] = known
        return known

    def _bases(self, definition: Definition) -> Iterator[Definition | External]:
        yield definition
        for dotted in definition.bases:
            match self.meaning(definition.outline, dotted):
                case Definition(is_class=True) as base:
                    yield from self.ancestors(base)
                case External() as base:
                    yield base
                case _:
                    yield External("?")

    def descendants(self, definition: Definition) -> tuple[Definition, ...]:
        """The classes that derive from one, in all files of which there is an outline."""
        if self._descendants is None:
            self._descendants = {}
            outlines = [outline for outline in self._outlines.values() if outline is not None]
            classes = (item for outline in outlines for item in outline.definitions)
            for item in classes:
                for base in self.ancestors(item)[1:] if item.bases else ():
                    if isinstance(base, Definition):
                        self._descendants.setdefault(base, []).append(item)
        return tuple(self._descendants.get(definition, ()))

    def family(self, definition: Definition) -> Family:
        """What is known of a class and its objects."""
        known = self._families.get(definition)
        if known is None:
            known = self._families[definition] = Family(self, definition)
        return known

    def method(self, definition: Definition) -> Method:
        """What a method does with its object."""
        known = self._methods.get(definition)
        if known is None:
            known = self._methods[definition] = Method(definition)
        return known

    def is_template(self, outline: Outline) -> bool:
        """Whether other files are generated from a file, which is not run itself."""
        return self._key(outline.source) in self._templates

    @cached_property
    def _templates(self) -> frozenset[str]:
        return templates.named((key, source.text) for key, source in self._sources.items())

    @cached_property
    def moves(self) -> bool:
        """Whether any file moves things to devices."""
        return any(_DEVICES.search(text) for text in self.texts())

    @cached_property
    def optimizes(self) -> bool:
        """Whether any file builds an optimizer, or names one."""
        return any(_OPTIMIZERS.search(text) for text in self.texts())

    def texts(self) -> Iterator[str]:
        """The texts of all files."""
        return (source.text for source in self._sources.values())

    @cached_property
    def asks_for_workers(self) -> bool:
        """Whether a loader of the project may have workers, for all that is written."""
        return any(_WORKERS.search(text) for text in self.texts())

    @cached_property
    def tells_workers_apart(self) -> bool:
        """Whether anything is done about a worker when it begins, or asks which one it is."""
        return any(map(tells_workers_apart, self.texts()))

    def externals(self, definition: Definition) -> frozenset[str]:
        """Names of the external bases of a class; ``?`` stands for one that is not known."""
        return frozenset(
            base.name for base in self.ancestors(definition) if isinstance(base, External)
        )

    def member(self, definition: Definition, name: str) -> Definition | Region | None:
        """The method, nested class or assignment that a class attribute means."""
        for base in self.ancestors(definition):
            if isinstance(base, Definition):
                found = base.members.get(name) or base.assignments.get(name)
                if found is not None:
                    return found
        return None


def tells_workers_apart(text: str) -> bool:
    """Whether some code speaks of which worker it is in, or of one that begins."""
    return _APART.search(text) is not None
