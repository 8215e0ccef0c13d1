"""Files that nobody else has had a hand in: just written, or read by a test."""

from __future__ import annotations

import ast
import os
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around, pathparts, trails
from torchlint.project.files import file_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from torchlint.project.regions import Spot

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (*_DEFINITIONS, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_FIELD = re.compile(r"%[-#0 +]*\d*(?:\.\d+)?[a-zA-Z]|\{[^{}]*\}")
_NUMBER = "{#}"
_TESTS = frozenset({"test", "tests"})
_ANY_FIELD = r"\{[^{}]*\}"
_ANY_NUMBER = r"(?:\{[^{}]*\}|\d+)"
_SAVES = re.compile(r"(?:^|_)save(?:_|$)")
_OF_MODELS = re.compile(r"checkpoint|ckpt|model|state|weights")
_OF_FILES = re.compile(r"exist|is_?file|overwrite|force", re.IGNORECASE)
_OF_RANKS = re.compile(r"rank|main|master", re.IGNORECASE)
_OF_SETTINGS = (ast.Name, ast.Attribute, ast.BoolOp, ast.UnaryOp)
_LONGEST = 400
_TEXT = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_NAME = re.compile(r"[^\W\d]\w*")
_OWN_NAME = re.compile(r"(?P<self>self\.)?(?P<name>[^\W\d]\w*)")
_SAVING = re.compile(r"^(?!\s*def\b)[^#`\n]*(?:\b|_)save(?!_hyper|d)\w*\(", re.MULTILINE)
_FETCHED = re.compile(r"download|url|hub", re.IGNORECASE)
_UNPACKED = re.compile(r"extract|unpack|un(?:zip|tar)|artifact|s3|gcs|blob|copy", re.IGNORECASE)
_TEMPORARY = re.compile(r"\b(?:TemporaryDirectory|NamedTemporaryFile|mkdtemp)\(")
_OF_A_RANK = re.compile(r"(?:\b|_)rank\b")
_NAMELESS = re.compile(r"\bTemporaryFile\(")
_OWN_FILE = re.compile(r"\b__file__\b|\binspect\.get(?:source)?file\(")
_OF_PATHS = frozenset(
    "__file__ os osp path join dirname abspath realpath normpath split pathlib Path parent parents "
    "resolve absolute joinpath str Div Add".split()
)


def is_just_saved(load: Spot) -> bool:
    """Whether the function that loads a file has saved it before, whatever way it has taken.

    A file that differs only in a number, which a loop counts, is a part of the same.
    """
    if "save" not in load.region.outline.text:
        return False
    reader = _before(load)
    return reader is not None and (
        reader.has_saved(_file(load)) or _is_handed_back(load, reader.maker(_file(load)))
    )


def _is_handed_back(load: Spot, maker: str) -> bool:
    """Whether a file is what a function of the same file gives back once it has saved to it."""
    called = _OWN_NAME.fullmatch(maker)
    if called is None:
        return False
    region = load.region
    owner = f"{region.scope.rpartition('.')[0]}." if called["self"] else ""
    return any(
        each.qualname == owner + called["name"] and any(map(_gives_saved, each.region.statements))
        for each in region.outline.definitions
        if "save" in each.region.text
    )


def _gives_saved(function: ast.AST) -> bool:
    """Whether all that a function gives back is a file to which it saves when it has named it."""
    given = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    names = {value.id for value in given if isinstance(value, ast.Name)}
    if len(names) != 1 or not all(isinstance(value, ast.Name) for value in given):
        return False
    named = [
        _is_saved_after(node, block)
        for block in _blocks(function)
        for node in block
        if isinstance(node, ast.Assign)
        and ast.unparse(node.targets[0]) in names
        and not isinstance(node.value, ast.Constant)
    ]
    return bool(named) and all(named)


def _is_saved_after(named: ast.Assign, block: list[ast.stmt]) -> bool:
    reader = _Reader()
    for statement in block[block.index(named) :]:
        reader.read(statement)
    return reader.has_saved(named.targets[0])


def _blocks(function: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(function):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def is_of_its_own_folder(load: Spot) -> bool:
    """Whether a file lies in a folder that nobody else knows, as the function has just made it.

    Where the function speaks of a download, or unpacks something, it has come from elsewhere. What
    goes through a file without a name is what the function saves, here or in another process.
    """
    text = load.region.text
    if "temp" not in text or _FETCHED.search(text) or _UNPACKED.search(text):
        return False
    reader = _before(load)
    told = reader.told(_file(load)) if reader is not None else ""
    return _TEMPORARY.search(told) is not None or (
        _NAMELESS.search(told) is not None and "torch.save(" in text
    )


def is_of_its_rank(load: Spot) -> bool:
    """Whether the name of a file has the rank of the process in it."""
    reader = _before(load) if "rank" in load.region.text else None
    return reader is not None and _OF_A_RANK.search(reader.told(_file(load))) is not None


def comes_after_a_save(load: Spot) -> bool:
    """Whether something that saves, by its name or by what it does, is called before a load."""
    above = "\n".join(_above(load))
    return bool(_SAVING.search(above)) or _calls_what_saves(load)


def has_saved(taker: Spot) -> bool:
    """Whether the same code has saved something itself before it takes over what was loaded."""
    return any("torch.save(" in text for text in _above(taker))


def _above(spot: Spot) -> Iterator[str]:
    """The code of the same function, or of the file's top level, that stands above."""
    region, outline = spot.region, spot.region.outline
    if region in outline.statements:
        yield from (each.text for each in outline.statements if each.last < region.first)
    above = outline.lines(region.first, region.place(spot.node).line - 1)
    yield outline.in_usual_form(above)


def _calls_what_saves(load: Spot) -> bool:
    """Whether one of the statements before a load calls what saves something in the same file."""
    region = load.region
    if "torch.save(" not in region.outline.said:
        return False
    saving = {
        each.name
        for each in region.outline.definitions
        if not each.is_class and "torch.save(" in each.region.text
    }
    return any(
        isinstance(statement, (ast.Expr, ast.Assign))
        and isinstance(statement.value, ast.Call)
        and trails.called(statement.value).removeprefix("self.") in saving
        for outer, inner in pairwise(around.path(region, load.node))
        for statement in around.before(outer, inner)
    )


def is_beside_the_code(load: Spot) -> bool:
    """Whether a file is found from the module's own: who can change it can change the code.

    Where the function speaks of a download, it has come from elsewhere.
    """
    text = load.region.text
    if not _OWN_FILE.search(text) or _FETCHED.search(text):
        return False
    reader = _before(load)
    told = _TEXT.sub("", reader.told(_file(load))) if reader is not None else ""
    names = set(_NAME.findall(told))
    return "__file__" in names and names <= _OF_PATHS and "?" not in told


def _before(load: Spot) -> _Reader | None:
    """Who has read what the function does before it loads a file, None if it names none."""
    if file_of(load.node) is None:
        return None
    reader = _Reader()
    for outer, inner in pairwise(around.path(load.region, load.node)):
        if isinstance(outer, _FUNCTIONS):
            reader = _Reader()
        reader.enter(outer)
        for statement in around.before(outer, inner):
            reader.read(statement)
    return reader


def _file(load: Spot) -> ast.expr:
    file = file_of(load.node)
    assert file is not None
    return file


def is_of_test(load: Spot) -> bool:
    """Whether a test loads a file, by the names that pytest goes by: it is its own, or beside it.

    What it calls may be called by others as well.
    """
    region = load.region
    return _is_test_file(os.path.basename(region.outline.source.path)) and any(
        isinstance(each, _DEFINITIONS) and each.name.startswith("test")
        for each in around.path(region, load.node)
    )


def is_in_tests(spot: Spot) -> bool:
    """Whether code is of tests, by the folder or the file: it runs briefly, on next to nothing."""
    folder, name = os.path.split(spot.region.outline.source.path)
    return _is_test_file(name) or not _TESTS.isdisjoint(folder.split(os.sep))


def _is_test_file(name: str) -> bool:
    stem = os.path.splitext(name)[0]
    return stem.startswith("test_") or stem.endswith("_test")


class _Reader:
    """Reads statements in order: which names are which files, and what is saved to these.

    A file is told by the text of its path, with what names in it stand for.
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._makers: dict[str, str] = {}
        self._saved: set[str] = set()
        self._folders: set[str] = set()
        self._depth = 0

    def has_saved(self, file: ast.expr) -> bool:
        """Whether something was saved to a file, or a model into the folder that it lies in."""
        told = self.told(file)
        counted = _pattern(told, _ANY_FIELD)
        return any(
            re.fullmatch(counted, saved) or re.fullmatch(_pattern(saved, _ANY_NUMBER), told)
            for saved in self._saved
        ) or any(told.startswith(pathparts.within(folder)) for folder in self._folders)

    def enter(self, node: ast.AST) -> None:
        """Go into a statement or expression that binds names for what is in it."""
        match node:
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

    def read(self, node: ast.stmt) -> None:
        """Read a statement that has run."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._names[name] = self.told(value)
                self._makers[name] = self.maker(value)
            case ast.Expr(value=ast.Call() as call):
                self._save(call)
            case ast.With(body=body):
                self.enter(node)
                self._read_all(body)
            case ast.For(body=body) | ast.While(body=body):
                self._count(body)
                self.enter(node)
                self._depth += 1
                self._read_all(body)
                self._depth -= 1
                self._forget(node)
            case ast.If(test=test, body=body, orelse=orelse) if not self._may_be_there(test):
                self._read_all((*body, *orelse))
                self._forget(node)
            case ast.Try(body=body):
                self._read_all(body)
                self._forget(node)
            case _:
                self._forget(node)

    def _may_be_there(self, test: ast.expr) -> bool:
        """Whether what is saved on a condition may be in a file of another run all the same.

        A condition asks whether there is such a file, or is a setting, round by round aside.
        """
        asked = ast.unparse(test)
        is_setting = not self._depth and all(
            isinstance(part, _OF_SETTINGS) for part in ast.walk(test) if isinstance(part, ast.expr)
        )
        return _OF_FILES.search(asked) is not None or (is_setting and not _OF_RANKS.search(asked))

    def _read_all(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.read(statement)

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

    def _forget(self, node: ast.AST) -> None:
        """What is bound somewhere in there may be another file from then on."""
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                self._names[child.id] = _unknown(child)
                self._makers.pop(child.id, None)

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
            case ast.Call(func=func) if _OWN_FILE.fullmatch(f"{ast.unparse(func)}("):
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


def _pattern(told: str, number: str) -> str:
    """What files match whose numbers differ from those of one."""
    return re.escape(told).replace(re.escape(_NUMBER), number)


def _text(part: ast.expr) -> str:
    """A part of a formatted string, with its fields left empty."""
    return str(part.value) if isinstance(part, ast.Constant) else "{}"


def _unknown(node: ast.AST) -> str:
    """What stands for a value that nothing else is the same as."""
    return f"?{id(node)}"
