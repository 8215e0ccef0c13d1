"""Generate `removed.json`: what packages around torch gave up, and arguments that torch did.

    python tools/generate_removed.py FOLDER

`FOLDER` holds the sources of the releases, as `tools/unpack_releases.py` leaves them there. They
are read, never run. For each package, with the first release read that no longer has it:

- "names": functions, classes and whole modules, but for those of parts that nobody imports from;
- "arguments": parameters that a class or function had, by its name, where it has no `**kwargs`;
- "hooks": methods that Lightning calls of a module no more.
"""

import ast
import json
import re
import sys
from pathlib import Path

from generate_history import TABLES, names, releases
from static_names import Definition, Package

PACKAGES = ("accelerate", "pytorch_lightning", "torch", "torchvision")

LEFT_OUT = re.compile(
    r"(?:^|\.)_|test|^accelerate\.(?:commands|state|utils\.\w+\.)|^torchvision\.(?:\w+\.v2|models\.q|prototype)"
    r"|^pytorch_lightning\.(?:demos|metrics\.|overrides|loops|trainer\.|tuner|\w+\.\w+\.\w+\.)"
    r"|^torch\.(?!optim|nn\.(?!modules)|distributed\.fsdp|export\.export$)"
)
"""Parts that are no one's business, or that have gone as a whole."""

OF_LIGHTNING = re.compile(r"core/(?:lightning|module|hooks)\.py$")
HOOKS = re.compile(r"^on_|_(?:epoch|step)_end$|^training_end$")


def _parameters(node: ast.AST | None) -> tuple[set[str], bool] | None:
    """The parameters of a function or class by name, and whether any others are taken."""
    if isinstance(node, ast.ClassDef):
        found = [n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"]
        node = found[-1] if found else None
    if not isinstance(node, ast.FunctionDef):
        return None
    remade = any("legacy" in ast.unparse(decorator) for decorator in node.decorator_list)
    taken = {a.arg for a in (*node.args.args, *node.args.kwonlyargs)} - {"self"}
    return taken, remade or node.args.kwarg is not None


def _of_class(definition: Definition | None) -> set[str]:
    """The methods that are called on the class itself."""
    node = definition.node if definition is not None else None
    return {
        method.name
        for method in (node.body if isinstance(node, ast.ClassDef) else ())
        if isinstance(method, ast.FunctionDef) and method.args.args[:1]
        if method.args.args[0].arg == "cls" and not method.name.startswith("_")
    }


def _hooks(path: Path) -> set[str]:
    """The hooks of Lightning's modules."""
    return {
        method.name
        for file in path.glob("pytorch_lightning/core/*.py")
        if OF_LIGHTNING.search(file.as_posix())
        for cls in ast.parse(file.read_text("utf-8")).body
        if isinstance(cls, ast.ClassDef)
        for method in cls.body
        if isinstance(method, ast.FunctionDef) and HOOKS.search(method.name)
    }


class _Reading:
    """What the releases of a package have, one after the other."""

    def __init__(self, package: str) -> None:
        self.package = package
        self.gone: dict[str, dict[str, str]] = {"names": {}, "hooks": {}}
        self.arguments: dict[str, dict[str, str]] = {}
        self._known: dict[str, set[str]] = {}
        self._modules: set[str] = set()
        self._taken: dict[str, set[str]] = {}

    def read(self, release: str, path: Path) -> None:
        sources = Package(path, self.package)
        public, accessible, _ = names(sources)
        modules = {name for name in sources.paths if not re.search(r"\._|test", name)}
        kept = " ".join(file.read_text("utf-8") for file in path.glob("*/_graveyard/*.py"))
        there = accessible | modules
        offered = set(public) | modules
        there |= {name for name in self._known.get("names", set()) if self._is_in(kept, name)}
        self._modules |= modules
        trainer = public.get("pytorch_lightning.Trainer")
        methods = {f"pytorch_lightning.Trainer.{name}" for name in _of_class(trainer)}
        offered |= methods
        there |= methods
        self._compare("names", offered, there, release)
        self._compare("hooks", _hooks(path), _hooks(path), release)
        for name, definition in public.items():
            self._signature(name, definition, release)
        self._public = public

    def _is_in(self, kept: str, name: str) -> bool:
        """Whether a name is put back when the package is imported."""
        return f'"{name}"' in kept or (
            name not in self._modules and bool(re.search(rf"\b{name.rpartition('.')[2]}\b", kept))
        )

    def _compare(self, kind: str, offered: set[str], there: set[str], release: str) -> None:
        known = self._known.setdefault(kind, set())
        for name in known - there:
            self.gone[kind].setdefault(name, release)
        for name in there & self.gone[kind].keys():
            del self.gone[kind][name]
        known |= offered

    def _signature(self, name: str, definition: Definition, release: str) -> None:
        found = _parameters(definition.node)
        if found is None:
            return
        taken, more = found
        known = self._taken.setdefault(name, set())
        gone = self.arguments.setdefault(name, {})
        for argument in () if more else known - taken:
            gone.setdefault(argument, release)
        for argument in taken if not more else known:
            gone.pop(argument, None)
        known |= taken

    def table(self) -> dict[str, object]:
        """What is gone: of a module that is gone, not what it had."""
        missing = self.gone["names"]
        top = {n: r for n, r in missing.items() if n.rpartition(".")[0] not in missing}
        own = {} if self.package == "torch" else {n: r for n, r in top.items() if _matters(n)}
        arguments = {
            name: {a: r for a, r in sorted(gone.items()) if not a.startswith("_")}
            for name, gone in sorted(self.arguments.items())
            if gone and _matters(name) and name in self._public
        }
        found = {"arguments": arguments, "hooks": self.gone["hooks"], "names": own}
        return {kind: dict(sorted(entries.items())) for kind, entries in found.items() if entries}


def _matters(name: str) -> bool:
    return not LEFT_OUT.search(name)


def main(folder: Path) -> None:
    """Write the table."""
    table = {}
    for package in PACKAGES:
        reading = _Reading(package)
        for release, path in releases(package, folder):
            reading.read(release, path)
        table[package] = reading.table()
    text = json.dumps(table, indent=1, sort_keys=True)
    (TABLES / "removed.json").write_text(text + "\n", "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
