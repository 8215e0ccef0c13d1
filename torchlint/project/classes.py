"""Classes: what is known of one and of its objects from what is written of them anywhere.

A :class:`Family` is a class with the bases and subclasses that the project has of it. Its methods
are only parsed where a question is about them. What it cannot see it says: ``is_open`` where
attributes may come from out of sight.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from torchlint.project import methods
from torchlint.project.classwords import BEGUN
from torchlint.project.outline import Definition
from torchlint.project.texts import any_of
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.project.index import Index
    from torchlint.project.methods import Method, Read, Write

_MAGIC = frozenset(
    "__getattr__ __getattribute__ __setattr__ __delattr__ __new__ __init_subclass__".split()
)
_OWN = Pattern(r"\bself\.(\w+)")
_WHOLLY = Pattern(r"\bself\.(\w+)[ \t]*(?:[,:]|$)", re.MULTILINE)
"""What is set to the left of an assignment, and is not only changed there."""

_DRY = (
    r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?:\w+\.)*[a-z_]\w*"
    r"\(\s*(?:torch\.(?:zeros|ones|randn?|empty)\(|\w*(?:dummy|example|fake)|next\(iter\()"
)
_PLAIN = frozenset("final total_ordering dataclass register register_module register_model".split())
"""Decorators that leave a class what it is."""

_LISTING = frozenset(
    "parameters named_parameters children named_children modules named_modules _apply".split()
)
"""Methods by which a class may look where ``nn.Module`` does not."""

_HEADER = Pattern(
    r"(?:[ \t]*@[\w.]+(?:\([^()@]*\))?[ \t]*\n)*[ \t]*class[ \t]+\w+[ \t]*(?:\([^()=]*\))?[ \t]*:"
)
"""What comes before the body of a class, where that has nothing that must be parsed."""

_DECORATOR = Pattern(r"@([\w.]+)")


class Family:
    """A class with its bases and subclasses."""

    def __init__(self, index: Index, definition: Definition) -> None:
        self.index = index
        self.definition = definition

    @cached_property
    def lineage(self) -> tuple[Definition, ...]:
        """The class and those of its bases that are the project's, nearest first."""
        ancestors = self.index.ancestors(self.definition)
        return tuple(base for base in ancestors if isinstance(base, Definition))

    @cached_property
    def externals(self) -> frozenset[str]:
        """Its bases outside the project, by name; ``?`` for one that is not known."""
        return self.index.externals(self.definition)

    @cached_property
    def descendants(self) -> tuple[Definition, ...]:
        """The classes of the project that derive from it."""
        return self.index.descendants(self.definition)

    # Methods.

    def method(self, name: str) -> Method | None:
        """The method of this name, its own or inherited; None where it is none of the project's."""
        found = self.index.member(self.definition, name)
        if isinstance(found, Definition) and not found.is_class:
            return self.index.method(found)
        return None

    def own(self, name: str) -> Method | None:
        """The method of this name that the class itself defines."""
        found = self.definition.members.get(name)
        return None if found is None or found.is_class else self.index.method(found)

    def methods(self, classes: Iterable[Definition]) -> Iterator[Method]:
        """The methods that some classes define."""
        for definition in classes:
            for member in definition.members.values():
                if not member.is_class:
                    yield self.index.method(member)

    def _speaking(self, name: str, classes: Iterable[Definition]) -> Iterator[Method]:
        """The methods of some classes in which a name is written."""
        return (m for m in self.methods(classes) if name in m.definition.region.source)

    # Attributes.

    def has_member(self, name: str) -> bool:
        """Whether the body of the class, or of a base of the project, gives it this attribute."""
        return any(
            name in definition.members or name in definition.assignments
            for definition in self.lineage
        )

    def writes(self, name: str, classes: Iterable[Definition] | None = None) -> list[Write]:
        """Where methods of the class and its bases, or of these classes, give it an attribute."""
        classes = self.lineage if classes is None else classes
        found = self._speaking(name, classes)
        return [write for method in found for write in method.writes if write.name == name]

    def reads(self, name: str, classes: Iterable[Definition] | None = None) -> list[Read]:
        """Where methods of the class and its bases, or of these classes, read an attribute."""
        classes = self.lineage if classes is None else classes
        found = self._speaking(name, classes)
        return [read for method in found for read in method.reads if read.name == name]

    @cached_property
    def written(self) -> frozenset[str]:
        """The attributes that methods of the class and its bases set."""
        return frozenset(
            write.name for method in self.methods(self.lineage) for write in method.writes
        )

    def asks_for(self, dotted: str) -> bool:
        """Whether the text of the class or a base has this of the object, such as ``x.device``."""
        return any(f"self.{dotted}" in definition.region.text for definition in self.lineage)

    @cached_property
    def is_begun(self) -> bool:
        """Whether a constructor of the class or a base calls another one, as a module's has to."""
        return any(BEGUN.search(definition.region.text) for definition in self.lineage)

    @cached_property
    def never_set(self) -> frozenset[str]:
        """The names of attributes in the text of the class that no text of it or a base sets."""
        read = _OWN.findall(self.lineage[0].region.text)
        return frozenset(read).difference(*map(_stored, self.lineage))

    @cached_property
    def only_set(self) -> frozenset[str]:
        """The names of attributes that the text of the class sets, and does nothing else with."""
        text = self.definition.region.text
        stored = Counter(_WHOLLY.findall("\n".join(_left(text))))
        named = Counter(_OWN.findall(text))
        return frozenset(name for name, count in named.items() if count == stored[name])

    @cached_property
    def is_open(self) -> bool:
        """Whether its objects may have attributes, or lend them, where nobody can see."""
        return self.is_magic or any(method.hands_over for method in self.methods(self.lineage))

    @cached_property
    def is_magic(self) -> bool:
        """Whether the making of its objects, or their attributes, may be other than is written."""
        return any(map(_is_magic, self.lineage))

    @cached_property
    def lists_itself(self) -> bool:
        """Whether the class says by itself what it is made of, or may be other than is written."""
        return self.is_magic or any(map(self.has_member, _LISTING))

    @cached_property
    def is_run_dry(self) -> bool:
        """Whether a file that names the class calls something on tensors it makes for nothing.

        That is how modules get their shapes, and what depends on these, before they are trained.
        """
        names = [self.definition.name, *(item.name for item in self.descendants)]
        return self.index.says(self.definition.outline, any_of(names), _DRY)

    def may_change(self, name: str) -> bool:
        """Whether any code may replace an attribute, or take out what has been left there.

        That is any way to write it but in the constructor, what only this calls, and what the
        forward leads to, where the interpreter follows it; strings count, as attributes are reached
        by them too.
        """
        related = (*self.lineage, *self.descendants)
        known = self.led_to | {"__init__"}
        others = {write.method for write in self.writes(name, related)} - known
        if not all(map(self.sets_up, others)):
            return True
        taken = (
            rf"\.{name}\b(?:\[[^]\n]*\])?(?:\.(?:clear|pop|popleft|popitem|remove|detach_?)\b"
            rf"|\[[^]\n]*\][ \t]*=(?!=))|\bdel\b[^\n]*\.{name}\b|(?<!_buffer\()[\"']{name}[\"']"
            rf"|(?<!\bself)\.{name}\b[^=(\n]*=(?!=)|=[ \t]*(?!self\.{name}\b)[\w.]+\.{name}[ \t]*$"
        )
        return self.index.says(self.definition.outline, name, taken)

    def is_begun_by_callers(self, name: str) -> bool:
        """Whether it is for those who build one to put there what an attribute begins with.

        That is where nobody in the project does, and a method which no forward leads to makes it:
        the constructor has left nothing there, or what that gives.
        """
        related = (self.definition, *self.descendants)
        if any(map(self.index.callings.by_name, related)):
            return False
        offered = {
            f"self.{each.name}"
            for each in self.methods(self.lineage)
            if each.name not in self.led_to and each.makes_tensors
        }
        first = [write for write in self.writes(name) if write.method == "__init__"]
        return bool(offered) and all(
            write.called in offered or methods.is_none(write.value) for write in first
        )

    def sets_up(self, method: str) -> bool:
        """Whether a method is the constructor, or called by what that leads to and nothing else."""
        if method == "__init__":
            return True
        first = self.led_from("__init__")
        if method not in first:
            return False
        calls = self.reads(method, (*self.lineage, *self.descendants))
        elsewhere = rf"(?<!\bself)(?<!\bsuper\(\))\.{method}\b"
        return all(call.method in first for call in calls) and not self.index.says(
            self.definition.outline, method, elsewhere
        )

    @cached_property
    def led_to(self) -> frozenset[str]:
        """The methods that a forward leads to, by what it calls of its object, and itself."""
        return self.led_from("forward")

    def led_from(self, *starts: str) -> frozenset[str]:
        """The methods that some lead to, by what they call of their object, and these."""
        seen, pending = set(starts), [*starts]
        while pending:
            method = self.method(pending.pop())
            fresh = {read.name for read in method.reads} - seen if method is not None else set()
            seen |= fresh
            pending.extend(fresh)
        return frozenset(seen)

    def is_reached(self, name: str) -> bool:
        """Whether any code has an attribute of this name of something else than ``self``."""
        pattern = rf"(?<!\bself)\.{name}\b|[\"']{name}[\"']"
        return self.index.says(self.definition.outline, name, pattern)

    def may_be_given(self, name: str) -> bool:
        """Whether any code may give an object an attribute from outside, or has it in a string."""
        written = rf"\.{name}[ \t]*(?:,[\w., \t]*)?(?::[^=\n]*)?=(?!=)"
        told = rf"[\"'][^\"'\n]*\b{name}\b[^\"'\n]*[\"']"
        any_name = r"\bsetattr\((?!self\b)[^,\n]+,\s*(?![\"'])"
        outline = self.definition.outline
        is_given = self.index.says(outline, name, f"{written}|{told}")
        return is_given or self.index.says(outline, "setattr", any_name)

    def is_named_elsewhere(self, name: str, *, given: bool = False) -> bool:
        """Whether any code uses an attribute of this name of something else than ``self``.

        Strings count, as attributes are reached by them too, but for what is said in words; and so
        do all that are kept by methods of unrelated classes which call their object otherwise. What
        is ``given`` to the constructor is called so where it is handed over as well.
        """
        other = rf"(?<!\bself\.)\b{name}\b"
        listed = rf"[\"'][^\"'\n]*{other}[^\"'\n]*[\"']\.split\("
        pattern = rf"(?<!\bself)\.\s*{name}\b|[\"'][^\"'\s]*{other}|{listed}"
        pattern = pattern if given else rf"{pattern}|{other}\s*="
        return self.index.says(self.definition.outline, name, pattern)


@lru_cache(maxsize=256)  # What many classes derive from is asked for each of them.
def _stored(definition: Definition) -> frozenset[str]:
    """The names of attributes that the text of a class sets."""
    return frozenset(name for side in _left(definition.region.text) for name in _OWN.findall(side))


def _left(text: str) -> Iterator[str]:
    """What stands to the left of the assignments to ``self`` in a text."""
    for line in text.split("\n"):
        if "self." in line:
            left, equals, right = line.partition("=")
            if equals and right[:1] != "=" and not any(sign in left for sign in "()#"):
                yield left


def _is_magic(definition: Definition) -> bool:
    """Whether a class changes what attributes are, or has it done by what is not known."""
    if not _MAGIC.isdisjoint(definition.members):
        return True
    if not definition.is_class:
        return False
    header = _HEADER.match(definition.region.source)
    if header is not None:
        return not {name.rpartition(".")[2] for name in _DECORATOR.findall(header[0])} <= _PLAIN
    node = definition.region.statement
    decorators = {_name(item).rpartition(".")[2] for item in node.decorator_list}
    return bool(node.keywords) or not decorators <= _PLAIN


def _name(node: ast.expr) -> str:
    target = node.func if isinstance(node, ast.Call) else node
    return ast.unparse(target)
