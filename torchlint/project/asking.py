"""Asking: what a file says by names of its module, or of others, which its imports lead to."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.project.children import children
from torchlint.project.index import External, Global
from torchlint.project.outline import Definition, Import, Outline
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from torchlint.project.index import Index

_SAYS_RELEASE = "__version__"
_RELEASES = Pattern(rf"\b{_SAYS_RELEASE}|\bversion\(|\b(?:hasattr|signature)\(\s*torch\b")
_DEEPEST = 4

_WITH_WEIGHTS = ("torch.nn.", "torch.optim.")

_OF_NOTHING_ELSE = frozenset({"object", "abc.ABC", "torch.nn.Module"})
"""Bases whose objects are neither containers nor tensors."""


class Asking:
    """Questions about what is named in a file; imports are followed to where it is written."""

    def __init__(self, index: Index, outline: Outline) -> None:
        self.index, self.outline = index, outline

    def is_of_release(self, test: ast.expr, own: Collection[str] = (), depth: int = 0) -> bool:
        """Whether a condition hangs on a release that is installed.

        What is ``own`` to the function around it is no variable of a module.
        """
        if _RELEASES.search(ast.unparse(test)):
            return True
        return depth < _DEEPEST and any(
            self._tells(dotted, depth + 1)
            for dotted in _names(test)
            if dotted.partition(".")[0] not in own
        )

    def home(self, named: ast.expr) -> Outline:
        """The file in which something is written that is named here; this one if none is known."""
        match self.index.meaning(self.outline, ast.unparse(named)):
            case Outline() as home:
                return home
            case Definition(outline=home) | Global(outline=home):
                return home
        return self.outline

    def function(self, dotted: str) -> Definition | None:
        """The function of the project that is named here, if one is."""
        match self.index.meaning(self.outline, dotted):
            case Definition(is_class=False) as found:
                return found
        return None

    def is_imported(self, name: str) -> bool:
        """Whether the file imports something by this name, whatever else it calls so."""
        return isinstance(self.outline.bindings.get(name), Import)

    def is_class(self, named: ast.expr) -> bool:
        """Whether this names a class of the project whose objects are nothing but its own."""
        meant = self.index.meaning(self.outline, ast.unparse(named))
        return (
            isinstance(meant, Definition)
            and meant.is_class
            and self.index.externals(meant) <= _OF_NOTHING_ELSE
        )

    def derives(self, scope: str, base: str) -> bool:
        """Whether the class in which a method is written derives from one that is not here."""
        return base in self._bases(scope)

    def has_weights(self, scope: str) -> bool:
        """Whether that class derives from a module or an optimizer."""
        return any(
            base.startswith(_WITH_WEIGHTS) or base.endswith("Module") for base in self._bases(scope)
        )

    def _bases(self, scope: str) -> set[str]:
        owner = scope.rpartition(".")[0]
        return {
            base
            for each in self.outline.definitions
            if each.is_class and each.qualname == owner
            for base in self.index.externals(each)
        }

    def _tells(self, dotted: str, depth: int) -> bool:
        match self.index.meaning(self.outline, dotted):
            case External(name=name):
                return _SAYS_RELEASE in name.split(".")
            case Definition(is_class=False, region=region):
                return _SAYS_RELEASE in region.code
            case Global(outline=outline, name=name, regions=regions):
                there = Asking(self.index, outline)
                return any(
                    there.is_of_release(decides, (), depth)
                    for region in regions
                    for decides in _deciding(region.statements, name)
                )
        return False


def _names(test: ast.expr) -> Iterator[str]:
    """The dotted names in an expression, each as long as it is written."""
    pending: list[ast.AST] = [test]
    while pending:
        node = pending.pop()
        text = ast.unparse(node) if isinstance(node, (ast.Name, ast.Attribute)) else ""
        if text.replace(".", "").isidentifier():
            yield text
        else:
            pending.extend(children(node))


def _deciding(
    statements: Iterable[ast.AST], name: str, tests: tuple[ast.expr, ...] = ()
) -> Iterator[ast.expr]:
    """What a variable is given, and the conditions on which it is."""
    for node in statements:
        match node:
            case ast.Assign(targets=targets, value=value) if any(
                isinstance(part, ast.Name) and part.id == name
                for target in targets
                for part in ast.walk(target)
            ):
                yield from (value, *tests)
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if (
                target == name
            ):
                yield from (value, *tests)
            case ast.If(test=test, body=body, orelse=orelse):
                yield from _deciding((*body, *orelse), name, (*tests, test))
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=last):
                yield from _deciding((*body, *handlers, *orelse, *last), name, tests)
            case ast.ExceptHandler(body=body) | ast.With(body=body):
                yield from _deciding(body, name, tests)
