"""The index: which definition a name means, across files."""

from __future__ import annotations

import os
import posixpath
from functools import cached_property
from typing import TYPE_CHECKING

from torchlint.project import templates
from torchlint.project.callings import Callings
from torchlint.project.classes import Family
from torchlint.project.constructions import Constructions
from torchlint.project.dependencies import (
    BELOW,
    BUILT,
    CALLED,
    IMPORTED,
    LINK,
    RELEASES,
    SAYS,
    STARRED,
    TEMPLATE,
    Dependencies,
)
from torchlint.project.lineage import digest, merged
from torchlint.project.meanings import External, Global, Meaning, described
from torchlint.project.methods import Method
from torchlint.project.outline import Alias, Definition, Import, Outline
from torchlint.project.regions import Trees
from torchlint.project.texts import Texts
from torchlint.releases import OF_TORCH, supported
from torchlint.torch_api import names

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.project.dependencies import Dependency
    from torchlint.project.regions import Region
    from torchlint.releases import Releases, TorchOf
    from torchlint.sources.source import Source


__all__ = ["External", "Global", "Index", "Meaning"]

_DEEPEST = 12


class Index:
    """All files of a project; outlines are made when a name first leads into a file.

    ``torch`` gives the releases of torch that settings name for a file, ``roots`` the folders that
    its absolute imports may start from; relative paths lie in the ``folder``, by default the
    working directory. What is asked on behalf of a file is noted among the ``dependencies``;
    ``foregone`` is what the interpreter has found to be the same in every run.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        torch: TorchOf | None = None,
        roots: Callable[[Path], Sequence[str]] | None = None,
        folder: str = "",
    ) -> None:
        self._torch = torch
        self._roots = roots or (lambda file: ())
        self.folder = folder or os.getcwd().replace(os.sep, "/")
        self._keys: dict[Path, str] = {}
        self._sources = {self._key(source): source for source in sources}
        self._ordered = tuple(self._sources.values())
        self._outlines: dict[str, Outline | None] = {}
        self._trees = Trees()
        self.texts = Texts(source.packed for source in self._ordered)
        self.dependencies = Dependencies()
        self.foregone: dict[Hashable, object] = {}
        self._imports: dict[tuple[Outline, Import], Meaning | None] = {}
        self._stars: dict[tuple[Outline, str], Meaning | None] = {}
        self._ancestors: dict[Definition, tuple[Definition | External, ...]] = {}
        self._descendants: dict[Definition, list[Definition]] | None = None
        self._looks_of: dict[Definition, str] = {}
        self._looks_below: dict[Definition, str] = {}
        self._methods: dict[Definition, Method] = {}
        self._families: dict[Definition, Family] = {}
        self.constructions = Constructions(self)
        self.callings = Callings(self)

    def releases(self, outline: Outline, package: str = "torch") -> Releases:
        """The releases of torch, or of what goes with it, that the project of a file supports."""
        found = self.supported(outline.source.file, package)
        self.dependencies.note(outline.source.path, RELEASES, package, str(found))
        return found

    def supported(self, file: Path, package: str) -> Releases:
        """The same for a file of which there need be no outline."""
        setting = self._torch(file) if self._torch is not None and package in OF_TORCH else None
        return supported(file, setting, package)

    def outline(self, source: Source) -> Outline:
        """The outline of a source; raises what ``ast.parse`` raises."""
        key = self._key(source)
        known = self._outlines.get(key)
        if known is None:
            known = Outline(source)
            self.adopt(known)
        return known

    def outlined(self, source: Source) -> Outline | None:
        """The outline of a source; None if it is no Python."""
        key = self._key(source)
        if key not in self._outlines:
            try:
                self.outline(source)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                self._outlines[key] = None
        return self._outlines[key]

    def adopt(self, outline: Outline) -> None:
        """Take over the outline of a source, which somebody else has made."""
        self._outlines[self._key(outline.source)] = outline
        outline.trees = self._trees

    def forget_trees(self, most: int) -> None:
        """Let go of what is parsed if it has more characters; its nodes are no longer its own."""
        if self._trees.size > most:
            self._trees.forget()
            self._methods.clear()
            self.callings.forget()
            self.foregone.clear()

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
        if not outline.stars:
            return None
        if (outline, name) in self._stars:
            return self._stars[outline, name]
        found = self._starred(outline, name, depth)
        self._note(outline, found, STARRED, name)
        if depth <= 1:  # Further in, files that import from each other may not have got to it yet.
            self._stars[outline, name] = found
        return found

    def _starred(self, outline: Outline, name: str, depth: int) -> Meaning | None:
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
        found = self._imports.get((outline, bound)) or self._imported(outline, bound, depth)
        self._imports[outline, bound] = found
        self._note(outline, found, IMPORTED, bound.module, str(bound.level), bound.attribute)
        return found

    def _imported(self, outline: Outline, bound: Import, depth: int) -> Meaning | None:
        if depth > _DEEPEST:
            return None
        module = self.module(outline, bound.module, bound.level)
        if not bound.attribute:
            return module
        if isinstance(module, Outline):
            return self.attribute(module, bound.attribute, depth)
        return self._from_folder(outline, bound) or (
            module and External(names.canonical(f"{module.name}.{bound.attribute}"))
        )

    def _from_folder(self, outline: Outline, bound: Import) -> Outline | None:
        """The file that is imported from a folder, which is a package without ``__init__.py``."""
        inner = ".".join(filter(None, (bound.module, bound.attribute)))
        found = self.module(outline, inner, bound.level)
        return found if isinstance(found, Outline) else None

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
                        found = self._file(posixpath.join(folder, name))
                        self._note(owner, found, IMPORTED, "", "1", name)
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
        for root in self._roots(outline.source.file):
            found = self._file(posixpath.normpath(posixpath.join(root.replace(os.sep, "/"), parts)))
            if found is not None and found is not outline:
                return found
        return External(names.canonical(dotted))

    def _key(self, source: Source) -> str:
        """Where a source lies, however it was named."""
        if source.file not in self._keys:
            path = posixpath.join(self.folder, source.file.as_posix())
            self._keys[source.file] = posixpath.normpath(path)
        return self._keys[source.file]

    def _note(self, outline: Outline, found: Meaning | None, *asked: str) -> None:
        """Remember what a file has been told of a name, and where that is written."""
        path = outline.source.path
        self.dependencies.note(path, *asked, described(found))
        home = found if isinstance(found, Outline) else getattr(found, "outline", None)
        if home is not None and home is not outline:
            self.dependencies.note(path, LINK, home.source.path)

    def _file(self, stem: str) -> Outline | None:
        source = self._sources.get(f"{stem}.py") or self._sources.get(f"{stem}/__init__.py")
        return self.outlined(source) if source is not None else None

    def ancestors(self, definition: Definition) -> tuple[Definition | External, ...]:
        """A class and all its bases, in Python's order; external bases by name."""
        known = self._ancestors.get(definition)
        if known is None:
            self._ancestors[definition] = (definition,)
            known = merged(definition, list(self._bases(definition)))
            self._ancestors[definition] = known
        return known

    def _bases(self, definition: Definition) -> Iterator[Sequence[Definition | External]]:
        for dotted in definition.bases:
            match self.meaning(definition.outline, dotted):
                case Definition(is_class=True) as base:
                    yield self.ancestors(base)
                case External() as base:
                    yield (base,)
                case _:
                    yield (External("?"),)

    def descendants(self, definition: Definition) -> tuple[Definition, ...]:
        """The classes that derive from one, in all files of which there is an outline."""
        path = definition.outline.source.path
        self.dependencies.note(path, BELOW, definition.qualname, self._told_below(definition))
        return self._below(definition)

    def _below(self, definition: Definition) -> tuple[Definition, ...]:
        if self._descendants is None:
            self._descendants = {}
            outlines = (outline for outline in self._outlines.values() if outline is not None)
            for item in (item for outline in outlines for item in outline.definitions):
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

    def speaking_of(self, name: str) -> list[Source]:
        """The files in which an identifier stands."""
        return [self._ordered[number] for number in self.texts.concordance.of(name)]

    def is_template(self, outline: Outline) -> bool:
        """Whether other files are generated from a file, which is not run itself."""
        found = self._key(outline.source) in self._templates
        self.dependencies.note(outline.source.path, TEMPLATE, str(found))
        return found

    @cached_property
    def _templates(self) -> frozenset[str]:
        return templates.named((key, source.text) for key, source in self._sources.items())

    @property
    def layout(self) -> list[tuple[str, tuple[str, ...]]]:
        """The files that there are, and where the absolute imports of each may start from."""
        return sorted((key, tuple(self._roots(one.file))) for key, one in self._sources.items())

    def says(self, outline: Outline, hint: str, *patterns: str) -> bool:
        """Whether some text holds the hint and all patterns, which is asked on behalf of a file."""
        found = self.texts.say(hint, patterns)
        self.dependencies.note(outline.source.path, SAYS, hint, *patterns, str(found))
        return found

    def _told_below(self, definition: Definition) -> str:
        """What the classes that derive from one look like, with all their bases."""
        known = self._looks_below.get(definition)
        if known is None:
            bases = (base for each in self._below(definition) for base in self.ancestors(each))
            known = self._looks_below[definition] = digest(map(self._looks, bases))
        return known

    def _looks(self, base: Definition | External) -> str:
        """What a class looks like, in few letters: many have the same large bases."""
        if isinstance(base, External):
            return base.name
        known = self._looks_of.get(base)
        if known is None:
            known = self._looks_of[base] = digest((base.region.text,))
        return known

    def still_holds(self, outline: Outline, dependency: Dependency) -> bool:
        """Whether what was once answered on behalf of a file is what would be answered now."""
        match dependency:
            case (kind, module, level, attribute, answer) if kind == IMPORTED:
                found = self._imported(outline, Import(module, int(level), attribute), 0)
                return described(found) == answer
            case (kind, answer) if kind == TEMPLATE:
                return str(self._key(outline.source) in self._templates) == answer
            case (kind, name, answer) if kind == STARRED:
                return described(self._starred(outline, name, 0)) == answer
            case (kind, hint, *patterns, answer) if kind == SAYS:
                return str(self.texts.say(hint, patterns)) == answer
            case (kind, package, answer) if kind == RELEASES:
                return str(self.supported(outline.source.file, package)) == answer
            case (kind, qualname, answer) if kind == BELOW:
                named = (item for item in outline.definitions if item.qualname == qualname)
                return any(self._told_below(item) == answer for item in named)
            case (kind, qualname, answer) if kind == BUILT:
                named = (item for item in outline.definitions if item.qualname == qualname)
                return any(self.constructions.told(item) == answer for item in named)
            case (kind, name, answer) if kind == CALLED:
                return self.callings.told(name) == answer
        return dependency[0] == LINK

    def externals(self, definition: Definition) -> frozenset[str]:
        """Names of the external bases of a class; ``?`` stands for one that is not known."""
        return frozenset(b.name for b in self.ancestors(definition) if isinstance(b, External))

    def member(self, definition: Definition, name: str) -> Definition | Region | None:
        """The method, nested class or assignment that a class attribute means."""
        for base in self.ancestors(definition):
            if isinstance(base, Definition):
                found = base.members.get(name) or base.assignments.get(name)
                if found is not None:
                    return found
        return None
