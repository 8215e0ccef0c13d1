"""What the sources of a package say of its public names, read without running them.

`Package(folder, "torch")` reads the modules of one release, unpacked from its wheel. A name is what
a program can write: `torch.cuda.amp.autocast`, wherever it is defined. A `Definition` remembers
that place, and what is said there of deprecation.
"""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

WARNS, SILENT, REFUSES = "warns", "silent", "refuses"

_SAYS = re.compile(r"deprecat|will be removed", re.IGNORECASE)
_OF_ITSELF = re.compile(
    r"^\.\. deprecated::(?![^\n]*\n\s*``)|^ {0,8}(?:[:\w]*`?[\w.]+`?"
    r"|[Tt]his (?:function|class|method|API|module))(?:\(\))?"
    r" (?:is|has been|was) (?:now )?deprecated",
    re.MULTILINE,
)
_ARGUMENTS = re.compile(r"^ *(?:Args|Arguments|Parameters|Keyword args)\w*:", re.MULTILINE)
_REMOVED = re.compile(r"(?:is now|has been|have been|was|were) (?:removed|deleted)", re.IGNORECASE)


@dataclass(frozen=True)
class Definition:
    """Where a name is defined, and by which statement."""

    module: str
    node: ast.AST | None


@dataclass(frozen=True)
class Deprecation:
    """How a name says that it is deprecated: `how` is WARNS, SILENT or REFUSES."""

    how: str
    category: str
    message: str


class Module:
    """One file: what it binds, imports and exports."""

    def __init__(self, package: "Package", name: str, path: Path) -> None:
        self.package, self.name, self.path = package, name, path
        self.is_package = path.stem == "__init__"
        self.bound: dict[str, Definition] = {}
        self.imported: dict[str, tuple[str, str]] = {}
        self.stars: list[str] = []
        self.foreign: set[str] = set()
        self.exported: set[str] | None = None
        self.open = False
        self.dynamic = False
        tree = ast.parse(path.read_text("utf-8"))
        self._read(tree.body)

    def _read(self, body: list[ast.stmt]) -> None:
        for node in body:
            match node:
                case ast.FunctionDef(name="__getattr__"):
                    self.dynamic = True
                case ast.FunctionDef() | ast.ClassDef():
                    self._define(node)
                case ast.ImportFrom():
                    self._import(node)
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    self._assign(name, value)
                case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                    self._assign(name, value)
                case ast.AnnAssign(target=ast.Name(id=name)) if self.path.suffix == ".pyi":
                    self.bound.setdefault(name, Definition(self.name, None))
                case ast.AugAssign(target=ast.Name(id="__all__"), value=value):
                    self._export(value)
                case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="__all__")))):
                    self._export(node.value.args[0])
                case ast.If(test=test):
                    if "TYPE_CHECKING" not in ast.dump(test):
                        self._read(node.body)
                    self._read(node.orelse)
                case ast.Try():
                    self._read(node.body)
                    for handler in node.handlers:
                        self._read(handler.body)
                    self._read(node.orelse)
                case ast.With():
                    self._read(node.body)

    def _define(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        known = self.bound.get(node.name)
        overloads = {"overload", "_overload"}
        if known is None or any(
            _name(item) in overloads for item in getattr(known.node, "decorator_list", ())
        ):
            self.bound[node.name] = Definition(self.name, node)

    def _assign(self, name: str, value: ast.expr) -> None:
        if name == "__all__":
            self._export(value)
        elif isinstance(value, ast.Name) and value.id in self.bound:
            self.bound.setdefault(name, self.bound[value.id])
        elif isinstance(value, ast.Name) and value.id in self.imported:
            self.imported.setdefault(name, self.imported[value.id])
        else:
            self.bound.setdefault(name, Definition(self.name, value))

    def _export(self, value: ast.expr) -> None:
        found = {
            item.value
            for item in ast.walk(value)
            if isinstance(item, ast.Constant) and isinstance(item.value, str)
        }
        if any(isinstance(item, ast.Name) for item in ast.walk(value)):
            # Made of other lists: what the module binds has to tell.
            self.open = True
        self.exported = None if self.open else (self.exported or set()) | found

    def _import(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        if node.level:
            parts = self.name.split(".")
            parts = parts[: len(parts) - node.level + self.is_package]
            module = ".".join([*parts, *([module] if module else [])])
        if module.partition(".")[0] != self.package.name:
            self.foreign.update(alias.asname or alias.name for alias in node.names)
            return
        for alias in node.names:
            if alias.name == "*":
                self.stars.append(module)
            else:
                self.imported.setdefault(alias.asname or alias.name, (module, alias.name))

    @cached_property
    def accessible(self) -> dict[str, Definition]:
        """All that can be read from the module, with where it is defined."""
        found = dict(self.bound)
        for star in self.stars:
            other = self.package.module(star)
            if other is not None:
                brought = other.accessible if other.open else other.public
                found.update((n, d) for n, d in brought.items() if n not in found)
        for name, (module, attribute) in self.imported.items():
            definition = self.package.resolve(module, attribute)
            if definition is not None:
                found.setdefault(name, definition)
        return found

    @cached_property
    def public(self) -> dict[str, Definition]:
        """What the module offers: `__all__`, else its own names, those it imports if a package."""
        if self.exported is not None and self.name != self.package.name:
            return {n: d for n, d in self.accessible.items() if n in self.exported}
        own = self.is_package or self.path.suffix == ".pyi"
        return {
            name: definition
            for name, definition in self.accessible.items()
            if not name.startswith("_") and (own or definition.module == self.name)
        }


class Package:
    """The sources of one release of a package."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self.paths = {
            ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__"): path
            for path in sorted(folder.glob(f"{name}/**/*.py"))
        }
        self._modules: dict[str, Module | None] = {}
        self._stubs = folder / name / "_C"

    def module(self, name: str) -> Module | None:
        """A module by its dotted name."""
        if name not in self._modules:
            path = self.paths.get(name)
            self._modules[name] = None
            if path is not None:
                self._modules[name] = Module(self, name, path)
        return self._modules[name]

    def resolve(
        self, module: str, attribute: str, seen: frozenset[tuple[str, str]] = frozenset()
    ) -> Definition | None:
        """Where what an import brings is defined; what is compiled has no definition of its own."""
        if (module, attribute) in seen:
            return None
        seen |= {(module, attribute)}
        found = self.module(module)
        if found is None:
            return Definition(module, None)
        if attribute in found.bound:
            return found.bound[attribute]
        if attribute in found.foreign:
            return Definition(module, None)
        if attribute in found.imported:
            return self.resolve(*found.imported[attribute], seen)
        if f"{module}.{attribute}" in self.paths:
            return Definition(f"{module}.{attribute}", None)
        for star in found.stars:
            definition = self.resolve(star, attribute, seen) if self.module(star) else None
            if definition is not None:
                return definition
        return Definition(module, None) if found.dynamic else None

    def stub(self, name: str) -> ast.Module | None:
        """A stub of the compiled part, such as `_VariableFunctions`."""
        path = self._stubs / f"{name}.pyi"
        return ast.parse(path.read_text("utf-8")) if path.exists() else None


# --- what is said of deprecation -----------------------------------------------------------------


def deprecation(node: ast.AST | None) -> Deprecation | None:
    """What a function or class says of itself, wherever it says it."""
    match node:
        case ast.Call(func=ast.Name(id="_make_deprecate"), args=[new]):
            name = _name(new)
            return Deprecation(WARNS, "FutureWarning", f"`{name[:-1]}` is now `{name}`")
    if not isinstance(node, ast.FunctionDef | ast.ClassDef):
        return None
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and _name(decorator.func) == "deprecated":
            category = next((k.value for k in decorator.keywords if k.arg == "category"), None)
            how = SILENT if _is_none(category) else WARNS
            kind = _name(category) if category is not None else "DeprecationWarning"
            return Deprecation(how, kind, _text(decorator.args[0] if decorator.args else None))
    body = node.body
    if isinstance(node, ast.ClassDef):
        init = next((n for n in body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), 0)
        found = deprecation(init) if init else None
        if found is not None:
            return found
    else:
        found = _of_body(body)
        if found is not None:
            return found
    text = ast.get_docstring(node) or ""
    return of_docs(text)


def _of_body(body: list[ast.stmt]) -> Deprecation | None:
    code = [node for node in body if not _is_docstring(node)]
    if code and isinstance(code[0], ast.Raise):
        text = _text(code[0].exc)
        return Deprecation(REFUSES, _name(code[0].exc), text) if _REMOVED.search(text) else None
    for node in code:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            call = node.value
            if _name(call.func) in {"warn", "warn_deprecated", "_warn_typed_storage_removal"}:
                text = _text(call)
                kinds = {_name(item) for item in ast.walk(call)}
                kind = next((k for k in sorted(kinds) if k.endswith("Warning")), "UserWarning")
                if _SAYS.search(text):
                    return Deprecation(WARNS, kind, text)
    return None


def of_docs(text: str) -> Deprecation | None:
    """What the documentation says of the thing itself; it alone warns nobody."""
    found = _OF_ITSELF.search(_ARGUMENTS.split(text)[0])
    if found is None:
        return None
    return Deprecation(SILENT, "", _plain(text[found.start() :].strip().partition("\n\n")[0]))


def documented(package: Package) -> dict[str, str]:
    """The documentation of what is compiled: by name, `torch.qr` or `Tensor.qr`."""
    found = {}
    for file in ("torch._torch_docs", "torch._tensor_docs"):
        path = package.paths.get(file)
        tree = ast.parse(path.read_text("utf-8")) if path else ast.Module([], [])
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="add_docstr"), args=[target, text, *_]):
                    found[ast.unparse(target)] = _text(text)
                case ast.Call(func=ast.Name(id="add_docstr_all"), args=[target, text, *_]):
                    found[f"torch.Tensor.{_text(target)}"] = _text(text)
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_none(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _name(node: ast.AST | None) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return _name(func)
    return ""


def _text(node: ast.AST | None) -> str:
    """The string constants below a node, in their order."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.FormattedValue):
        return "{}"
    return "".join(map(_text, ast.iter_child_nodes(node)))


def _plain(text: str) -> str:
    return " ".join(text.split())
