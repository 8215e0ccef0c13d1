"""Cases of one file made packages: their definitions in one module, what uses them in another."""

from __future__ import annotations

import ast
from collections.abc import Iterator

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
IMPORTS = (ast.Import, ast.ImportFrom)

FOLDER = "src/shop"
PARTS, MAIN = "parts", "train"


def packaged(text: str) -> dict[str, str]:
    """The files of a project, by path, that does what the file does; each line stays as it is.

    The definitions that need nothing else of the file go to a module of their own, from which the
    rest imports them.
    """
    tree = ast.parse(text)
    moved = _movable(tree)
    parts: list[str] = []
    rest: list[str] = []
    for node, lines in _pieces(tree, text):
        if isinstance(node, IMPORTS):
            parts += lines
        if isinstance(node, DEFINITIONS) and node.name in moved:
            parts += lines
        else:
            rest += lines
    files = {"pyproject.toml": '[project]\nname = "shop"\n', f"{FOLDER}/__init__.py": ""}
    used = sorted(moved & _read(ast.parse("\n".join(rest))))
    if not moved or not used:
        return files | {f"{FOLDER}/{PARTS if moved else MAIN}.py": text}
    taken = f"from .{PARTS} import {', '.join(used)}"
    after = _last_import("\n".join(rest))
    rest.insert(after, taken)
    whole = {PARTS: parts, MAIN: rest}
    return files | {f"{FOLDER}/{name}.py": "\n".join(lines) + "\n" for name, lines in whole.items()}


def _pieces(tree: ast.Module, text: str) -> Iterator[tuple[ast.stmt, list[str]]]:
    """The statements of a file, each with what precedes it."""
    lines = text.splitlines()
    done = 0
    for number, node in enumerate(tree.body):
        end = len(lines) if number + 1 == len(tree.body) else node.end_lineno or 0
        if end > done:  # of two on a line the first has it
            yield node, lines[done:end]
            done = end


def _movable(tree: ast.Module) -> set[str]:
    """The definitions that need only imports, and each other."""
    defined = {node.name: node for node in tree.body if isinstance(node, DEFINITIONS)}
    bound = {name for node in tree.body if not isinstance(node, IMPORTS) for name in _bound(node)}
    needs = {name: (_read(node) - {name}) & bound for name, node in defined.items()}
    movable = {name for name, node in defined.items() if not _writes_globals(node)}
    while True:
        stuck = {name for name in movable if needs[name] - movable}
        if not stuck:
            return movable
        movable -= stuck


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, DEFINITIONS):
        yield node.name
        return
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id


def _read(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _writes_globals(node: ast.AST) -> bool:
    return any(isinstance(part, ast.Global) for part in ast.walk(node))


def _last_import(text: str) -> int:
    """The line after the imports at the top of a file."""
    last = 0
    for number, node in enumerate(ast.parse(text).body):
        is_docstring = number == 0 and isinstance(node, ast.Expr)
        if not (isinstance(node, IMPORTS) or is_docstring):
            break
        last = node.end_lineno or last
    return last
