"""What a file has to hold, by what a program does with it once it is loaded."""

from __future__ import annotations

import ast
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING

from torchlint.project.dropped import MOVES
from torchlint.torch_api.generated import is_of_tensors

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchlint.project.asking import Asking
    from torchlint.project.regions import Region

_KINDS = (
    Counter,
    OrderedDict,
    bool,
    bytearray,
    bytes,
    complex,
    dict,
    float,
    int,
    list,
    set,
    str,
    tuple,
)
_ATTRIBUTES = frozenset(name for kind in _KINDS for name in dir(kind))
_PLAIN = frozenset(kind.__name__ for kind in _KINDS) | {
    "Collection",
    "Iterable",
    "Mapping",
    "MutableMapping",
    "Parameter",
    "Sequence",
    "Sized",
    "Tensor",
}
_OF_NUMPY = ("np.random.set_state", "numpy.random.set_state")
"""What takes the state of NumPy's generator, in which there is an array."""

_OTHERWISE = frozenset({"numpy", "storage", "untyped_storage"})
"""Methods of tensors that give something that is neither a tensor nor plain."""


_OF_GRAPHS = "torch_geometric.data.InMemoryDataset"
"""A class whose objects have in ``data`` an object of a class that comes with it."""

_KEEPING_GRAPHS = (_OF_GRAPHS, "torch_geometric.data.Dataset")
"""Classes that keep such objects in files that they have written themselves."""


def more_than_weights(region: Region, load: ast.Call, asking: Asking) -> str:
    """What shows that a loaded file holds objects of other classes; nothing if nothing does."""
    reader = _Reader(load, asking, region.scope)
    for statement in region.statements:
        reader.visit(statement)
    if reader.shows is None:
        bases = () if reader.is_keyed else _KEEPING_GRAPHS
        return next((base for base in bases if asking.derives(region.scope, base)), "")
    return " ".join(region.source_of(reader.shows).split())


def surely_more(region: Region, load: ast.Call, asking: Asking) -> str:
    """What would fail on the way from a load if the file held no objects of other classes."""
    reader = _Reader(load, asking, region.scope, strict=True)
    for part in (region, *_after(region)):
        if part is not region and not any(name in part.text for name in reader.held):
            continue
        for statement in part.statements:
            reader.visit(statement)
        if reader.shows is not None:
            return " ".join(part.source_of(reader.shows).split())
    return ""


def _after(region: Region) -> Sequence[Region]:
    """The statements of a file that come after one of them."""
    statements = region.outline.statements
    return statements[statements.index(region) + 1 :] if region in statements else ()


class _Reader(ast.NodeVisitor):
    """Reads on from a load, with the names of what was in the file.

    A ``strict`` one takes nothing for a sign that would do no harm to weights, nor what is done
    if the file turns out to hold one thing or another.
    """

    def __init__(self, load: ast.Call, asking: Asking, scope: str, strict: bool = False) -> None:
        self.load, self.asking, self.scope, self.strict = load, asking, scope, strict
        self.returns: ast.expr | None = None
        self.held: set[str] = set()
        self.shows: ast.AST | None = None
        self.is_keyed = False

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if any(child is self.load for child in ast.walk(node)):
            outer, self.returns = self.returns, node.returns
            self.generic_visit(node)
            self.returns = outer

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """What it is called with is not known."""

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=[ast.Attribute(attr="data" | "_data"), _])]):
                if node.value is self.load and self.asking.derives(self.scope, _OF_GRAPHS):
                    self._show(node.targets[0])
        self._bind(node.targets, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._must_be_of(node.annotation, node.value)
            self._bind([node.target], node.value)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._bind([node.target], node.iter)
        for statement in (*node.body, *node.orelse):
            self.visit(statement)

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> None:
        outer = set(self.held)
        for loop in node.generators:
            self._bind([loop.target], loop.iter)
        self.generic_visit(node)
        self.held = outer

    visit_SetComp = visit_GeneratorExp = visit_ListComp  # noqa: N815  # ast's names

    def visit_If(self, node: ast.If | ast.IfExp) -> None:
        match node:
            case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=asked), body=[*_, ast.Raise()]):
                self._must_be(asked)
        if not self._depends(node.test):
            self.visit(node.test)
            self._visit_arms(node)
            return
        # What is done with one kind of object is not asked of all.
        self._forget(node)

    visit_IfExp = visit_If  # noqa: N815  # ast's name

    def _depends(self, test: ast.expr) -> bool:
        """Whether a condition hangs on what was in the file."""
        if not self.strict:
            return any(map(self._kind, ast.walk(test)))
        return any(self._is_held(node) for node in ast.walk(test) if isinstance(node, ast.expr))

    def _forget(self, node: ast.AST) -> None:
        """What is given a value there may be something else from now on."""
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                self.held.discard(child.id)

    def visit_Try(self, node: ast.Try) -> None:
        """What is done once something has failed is not asked of all either."""
        for statement in (*node.body, *node.orelse):
            self.visit(statement)
        for handler in node.handlers:
            if self.strict:
                self._forget(handler)
            else:
                self.visit(handler)
        for statement in node.finalbody:
            self.visit(statement)

    def _visit_arms(self, node: ast.If | ast.IfExp) -> None:
        """What is in a name after either arm may be what was in the file."""
        before, after = set(self.held), set()
        for arm in (node.body, node.orelse):
            self.held = set(before)
            for part in arm if isinstance(arm, list) else [arm]:
                self.visit(part)
            after |= self.held
        self.held = after

    def visit_Assert(self, node: ast.Assert) -> None:
        self._must_be(node.test)
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        is_read = isinstance(node.ctx, ast.Load) and self._is_held(node.value)
        if is_read and not (node.attr in _ATTRIBUTES or is_of_tensors(node.attr)):
            self._show(node)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        match node.slice:
            case ast.Constant(value=str()) if self._is_held(node.value):
                self.is_keyed = True
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        match node.value:
            case ast.Call(func=ast.Attribute(value=value, attr=name), keywords=told):
                # Of a tensor the statement would do nothing; only tensors are sent unblocked so.
                of_tensors = name == "cuda" and any(each.arg == "non_blocking" for each in told)
                if name in MOVES and self._is_held(value) and not (self.strict or of_tensors):
                    self._show(node)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        match node:
            case ast.Call(func=func, args=[value]) if _dotted(func).endswith(_OF_NUMPY):
                if self._is_held(value):
                    self._show(node)
            case ast.Call(func=ast.Name(id="vars"), args=[value]) if self._is_held(value):
                self._show(node)
            case ast.Call(func=ast.Name(id=name)) if self.asking.is_imported(name):
                # Cells are run in any order: the name may be what it was imported as again.
                pass
            case ast.Call(func=ast.Name() | ast.Subscript() as func) if self._is_held(func):
                self._show(node)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value is not None:
            self.visit(node.value)
            self._must_be_of(self.returns, node.value)

    def _must_be_of(self, annotation: ast.expr | None, value: ast.expr) -> None:
        if annotation is None or self.strict or not self._is_held(value):
            return
        if self.asking.is_class(annotation):
            self._show(annotation)

    def _show(self, node: ast.AST) -> None:
        self.shows = self.shows or node

    def _must_be(self, test: ast.expr) -> None:
        kind = self._kind(test)
        if kind is not None and not _is_plain(kind):
            self._show(test)

    def _kind(self, test: ast.AST) -> ast.expr | None:
        """What something of the file is asked to be, or to have."""
        match test:
            case ast.Call(func=ast.Name(id="isinstance" | "hasattr"), args=[value, kind]):
                return kind if self._is_held(value) else None
        return None

    def _bind(self, targets: list[ast.expr], value: ast.expr) -> None:
        is_held = self._is_held(value)
        for name in filter(None, map(_dotted, _leaves(targets))):
            (self.held.add if is_held else self.held.discard)(name)

    def _is_held(self, node: ast.expr) -> bool:
        """Whether this is what was in the file, or a part of it, or made of a part."""
        match node:
            case ast.Subscript(value=value):
                return self._is_held(value)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if node is not self.load:
                return name not in _OTHERWISE and self._is_held(value)
            case ast.BoolOp(values=values):
                return any(map(self._is_held, values))
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_held(body) or self._is_held(orelse)
        return node is self.load or _dotted(node) in self.held


def _is_plain(kind: ast.expr) -> bool:
    """Whether a kind, or one of several, may be loaded with weights."""
    parts = kind.elts if isinstance(kind, ast.Tuple) else [kind]
    return any(_dotted(part).rpartition(".")[2] in _PLAIN | {""} for part in parts)


def _leaves(targets: list[ast.expr]) -> Iterator[ast.expr]:
    for target in targets:
        if isinstance(target, (ast.Tuple, ast.List)):
            yield from _leaves(target.elts)
        else:
            yield target


def _dotted(node: ast.expr) -> str:
    """A name, or an attribute of one; nothing for other expressions."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            inner = _dotted(value)
            return f"{inner}.{name}" if inner else ""
    return ""
