"""What is saved, read off statements in order, with which names are which files."""

from __future__ import annotations

import ast
import re
from collections import Counter
from typing import TYPE_CHECKING, TypeGuard

from torchlint.project import pathparts
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    Called = Callable[[str], ast.FunctionDef | ast.AsyncFunctionDef | None]

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FIELD = Pattern(r"%[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]|\{[^{}]*\}")
_NUMBER = "{#}"
_ANY_FIELD = r"\{[^{}]*\}"
_ANY_NUMBER = r"(?:\{[^{}]*\}|\d+)"
_SAVES = Pattern(r"(?:^|_)save(?:_|$)")
_OF_MODELS = Pattern(r"checkpoint|ckpt|model|state|weights")
_OF_FILES = Pattern(r"exist|is_?file|overwrite|force", re.IGNORECASE)
_OF_RANKS = Pattern(r"rank|main|master", re.IGNORECASE)
_OF_SETTINGS = (ast.Name, ast.Attribute, ast.BoolOp, ast.UnaryOp)
_LONGEST = 400
_OR = " | "
_NAME = Pattern(r"[^\W\d]\w*")
OWN_FILE = Pattern(r"\b__file__\b|\binspect\.get(?:source)?file\(")
"""What tells the file of the code itself."""


class Reader:
    """Reads statements in order: which names are which files, and what is saved to these.

    A file is told by the text of its path, with what names in it stand for. What is ``called`` on
    the way is read as well, one call deep.
    """

    def __init__(self, called: Called = lambda _: None) -> None:
        self._called = called
        self._names: dict[str, str] = {}
        self._makers: dict[str, str] = {}
        self._saved: set[str] = set()
        self._folders: set[str] = set()
        self._depth = 0

    def has_saved(self, file: ast.expr) -> bool:
        """Whether something was saved to a file, or a model into the folder that it lies in."""
        told = self.told(file)
        # What lies in a folder of which a test has decided is saved there by the same name.
        return self._has_saved(told) or all(map(self._has_saved, alternatives(told)))

    def _has_saved(self, told: str) -> bool:
        counted = _pattern(told, _ANY_FIELD)
        return any(
            re.fullmatch(counted, saved) or re.fullmatch(_pattern(saved, _ANY_NUMBER), told)
            for saved in self._saved
        ) or any(told.startswith(pathparts.within(folder)) for folder in self._folders)

    def enter(self, node: ast.AST) -> None:
        """Go into a statement or expression that binds names for what is in it."""
        match node:
            case ast.FunctionDef(args=taken) | ast.AsyncFunctionDef(args=taken):
                for each in ast.walk(taken):
                    if isinstance(each, ast.arg):
                        self._names[each.arg] = each.arg
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"))):
                self._names[name] = _NUMBER[1:-1]
            case ast.With(items=items):
                for item in items:
                    if isinstance(item.optional_vars, ast.Name):
                        self._names[item.optional_vars.id] = self.told(item.context_expr)
            case ast.For(target=targets):
                self._forget(targets)
            case _ if isinstance(node, _COMPREHENSIONS):
                self._forget(node)

    def inside(self, bound: Collection[str]) -> Reader:
        """Who reads a function, which knows what around it names something beside the code.

        What is ``bound`` there stands for something else.
        """
        inner = Reader(self._called)
        inner._names = {
            name: told
            for name, told in self._names.items()
            if name not in bound and OWN_FILE.search(told)
        }
        return inner

    def read_all(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements that have run, in order."""
        for statement in statements:
            self.read(statement)

    def read(self, node: ast.stmt) -> None:
        """Read a statement that has run."""
        known = frozenset(self._names)
        match node:
            case ast.Assign(value=ast.Call() as call) | ast.Expr(value=ast.Call() as call):
                self._follow(call)
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._names[name] = self.told(value)
                self._makers[name] = self.maker(value)
            case ast.Expr(value=ast.Call() as call):
                self._save(call)
            case ast.With(body=body):
                self.enter(node)
                self.read_all(body)
            case ast.For(body=body) | ast.While(body=body):
                self._count(body)
                self.enter(node)
                self._depth += 1
                self.read_all(body)
                self._depth -= 1
                self._forget(node, known)
            case ast.If(test=test, body=body, orelse=orelse) if not self._may_be_there(test):
                self.read_all((*body, *orelse))
                self._forget(node, known)
            case ast.Try(body=body):
                self.read_all(body)
                self._forget(node, known)
            case ast.If():
                before = dict(self._names)
                self._forget(node)
                self._choose(node, before)
            case _:
                self._forget(node)

    def _choose(self, node: ast.If, before: dict[str, str]) -> None:
        """A name that arms give another file is one of these, or what it was ``before``."""
        arms = [_given(node.body), _given(node.orelse)]
        bound = Counter(each.id for each in ast.walk(node) if _is_bound(each))
        for name, count in bound.items():
            if count == sum(name in arm for arm in arms):
                files = (
                    self.told(arm[name]) if name in arm else before.get(name, name) for arm in arms
                )
                told = _OR.join(files)
                self._names[name] = told if len(told) < _LONGEST else self._names[name]

    def _may_be_there(self, test: ast.expr) -> bool:
        """Whether what is saved on a condition may be in a file of another run all the same.

        A condition asks whether there is such a file, or is a setting, round by round aside.
        """
        asked = ast.unparse(test)
        is_setting = not self._depth and all(
            isinstance(part, _OF_SETTINGS) for part in ast.walk(test) if isinstance(part, ast.expr)
        )
        return _OF_FILES.search(asked) is not None or (is_setting and not _OF_RANKS.search(asked))

    def _count(self, body: Iterable[ast.stmt]) -> None:
        """What a loop adds to in each round is a number that it counts by."""
        for statement in body:
            for child in ast.walk(statement):
                match child:
                    case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()):
                        self._names[name] = _NUMBER[1:-1]

    def _save(self, call: ast.Call) -> None:
        """A call by whose name something is saved, of which one argument is the file."""
        name = _NAME.findall(ast.unparse(call.func))[-1]
        if not _SAVES.search(name):
            return
        given = call.args[1:2] if name == "save" and len(call.args) > 1 else call.args
        told = {self.told(each) for each in (*given, *(item.value for item in call.keywords))}
        self._saved |= told
        if _OF_MODELS.search(name):
            self._folders |= told

    def _follow(self, call: ast.Call) -> None:
        """A call of a function that saves, to files that lie where it is told."""
        function = self._called(ast.unparse(call.func))
        if function is None or any(isinstance(each, ast.Starred) for each in call.args):
            return
        inner, taken = Reader(), function.args
        names = [each.arg for each in (*taken.posonlyargs, *taken.args) if each.arg != "self"]
        given = {**dict(zip(names, call.args, strict=False)), **_by_name(call)}
        for each in (*names, *(one.arg for one in taken.kwonlyargs)):
            inner._names[each] = self.told(given[each]) if each in given else _unknown(call)
        inner.read_all(function.body)
        self._saved |= inner._saved
        self._folders |= inner._folders

    def _forget(self, node: ast.AST, known: Collection[str] | None = None) -> None:
        """What is bound somewhere in there may be another file from then on.

        A name that was not ``known`` before, and is bound in one place, is no other file.
        """
        bound = list(filter(_is_bound, ast.walk(node)))
        counts = Counter(each.id for each in bound)
        for each in bound:
            is_new = known is not None and each.id in self._names.keys() - known
            if not is_new or counts[each.id] > 1:
                self._names[each.id] = _unknown(each)
                self._makers.pop(each.id, None)

    def maker(self, node: ast.expr) -> str:
        """What was called to get the name of a file; nothing where no call is known."""
        match node:
            case ast.Name(id=name):
                return self._makers.get(name, "")
            case ast.Call(func=func):
                return ast.unparse(func)
        return ""

    def told(self, node: ast.expr) -> str:
        """A path, with what its names stand for."""
        text = self._spelled(node)
        return text if len(text) < _LONGEST else _unknown(node)

    def _spelled(self, node: ast.expr) -> str:
        if put_together := pathparts.of(node):
            return pathparts.joined([self.told(part) for part in put_together])
        match node:
            case ast.Name(id=name):
                return self._names.get(name, name)
            case ast.Constant():
                return repr(node.value)
            case ast.Attribute(value=value, attr=name):
                return f"{self.told(value)}.{name}"
            case ast.Subscript(value=value, slice=key):
                return f"{self.told(value)}[{self.told(key)}]"
            case ast.JoinedStr(values=values):
                parts = [_text(value) for value in values]
                fields = [item.value for item in values if isinstance(item, ast.FormattedValue)]
                return self._filled("".join(parts), fields)
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
                return self._filled(text, right.elts if isinstance(right, ast.Tuple) else [right])
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(text)), attr="format"),
                args=args,
                keywords=[],
            ):
                return self._filled(text, args)
            case ast.BinOp(left=left, op=op, right=right):
                return f"({self.told(left)} {type(op).__name__} {self.told(right)})"
            case ast.Call(func=ast.Name(id="open"), args=[file, *_]):
                return self.told(file)
            case ast.Call(func=func) if OWN_FILE.fullmatch(f"{ast.unparse(func)}("):
                return "__file__"
            case ast.Call(func=func, args=args, keywords=keywords):
                named = [f"{item.arg}={self.told(item.value)}" for item in keywords]
                return f"{self.told(func)}({', '.join([*map(self.told, args), *named])})"
        return _unknown(node)

    def _filled(self, text: str, values: Sequence[ast.expr]) -> str:
        """A text whose fields are filled in, as it is spelled in one of three ways."""
        fields = iter(values)
        filled = (next(fields, None) for _ in _FIELD.finditer(text))
        told = ["{" + (self.told(each) if each is not None else "") + "}" for each in filled]
        pieces = _FIELD.split(text)
        return repr("".join(a + b for a, b in zip(pieces, [*told, ""], strict=True)))


def alternatives(told: str) -> list[str]:
    """The files that one may be of which a test has decided."""
    return told.split(_OR)


def _given(block: list[ast.stmt]) -> dict[str, ast.expr]:
    """What the plain assignments of a block give to names."""
    found: dict[str, ast.expr] = {}
    for statement in block:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                found[name] = value
    return found


def _by_name(call: ast.Call) -> dict[str, ast.expr]:
    return {each.arg: each.value for each in call.keywords if each.arg is not None}


def _pattern(told: str, number: str) -> str:
    """What files match whose numbers differ from those of one."""
    return re.escape(told).replace(re.escape(_NUMBER), number)


def _text(part: ast.expr) -> str:
    """A part of a formatted string, with its fields left empty."""
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def _is_bound(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


def _unknown(node: ast.AST) -> str:
    """What stands for a value that nothing else is the same as."""
    return f"?{id(node)}"
