"""Files that nobody else has had a hand in: just written, or read by a test."""

from __future__ import annotations

import ast
import os
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from torchlint.project import around, trails
from torchlint.project.files import file_of
from torchlint.project.saves import OWN_FILE, Reader, alternatives
from torchlint.project.trainings import SAVING, calls_before, calls_in
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.project.asking import Asking
    from torchlint.project.regions import Region, Spot
    from torchlint.project.saves import Called

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_FUNCTIONS = (*_DEFINITIONS, ast.Lambda)
_TESTS = frozenset({"test", "tests"})
_SHARED = Pattern(r"^\s*global\b(.*)", re.MULTILINE)
_TEXT = Pattern(r"'[^'\n]*'|\"[^\"\n]*\"")
_NAME = Pattern(r"[^\W\d]\w*")
_OWN_METHOD = Pattern(r"self\.([^\W\d]\w*)")
_FETCHED = Pattern(r"download|url|hub", re.IGNORECASE)
_UNPACKED = Pattern(r"extract|unpack|un(?:zip|tar)|artifact|s3|gcs|blob|copy", re.IGNORECASE)
_TEMPORARY = Pattern(r"\b(?:TemporaryDirectory|NamedTemporaryFile|mkdtemp)\(")
_REMOVES = Pattern(r"\bos\.(?:remove|unlink)\(|\.unlink\(")
_OF_A_RANK = Pattern(r"(?:\b|_)rank\b")
_NAMELESS = Pattern(r"\bTemporaryFile\(")
_OF_PATHS = frozenset(
    "__file__ os osp path join dirname abspath realpath normpath split pathlib Path parent parents "
    "resolve absolute joinpath str Div Add".split()
)


def is_just_saved(load: Spot, asking: Asking) -> bool:
    """Whether the function that loads a file has saved it before, whatever way it has taken.

    A file that differs only in a number, which a loop counts, is a part of the same.
    """
    reader = _before(load, lambda called: _saving(load, called, asking))
    return reader is not None and (
        reader.has_saved(_file(load)) or _is_handed_back(load, reader.maker(_file(load)), asking)
    )


def _is_handed_back(load: Spot, maker: str, asking: Asking) -> bool:
    """Whether a file is what a function gives back once it has saved to it."""
    return any(
        any(map(_gives_saved, region.statements))
        for region in _functions(load, maker, asking)
        if "save" in region.text
    )


def _saving(
    load: Spot, called: str, asking: Asking
) -> ast.FunctionDef | ast.AsyncFunctionDef | None:
    """The function that is called by a name, if it saves anything."""
    for region in _functions(load, called, asking):
        if "torch.save(" in region.text and isinstance(region.statement, _DEFINITIONS):
            return region.statement
    return None


def _functions(load: Spot, called: str, asking: Asking) -> list[Region]:
    """What is called by a name: methods of the same class, or a function of whatever file."""
    own = _OWN_METHOD.fullmatch(called)
    if own is None:
        function = asking.function(called)
        return [] if function is None else [function.region]
    scope = f"{load.region.scope.rpartition('.')[0]}.{own[1]}"
    return [each.region for each in load.region.outline.definitions if each.qualname == scope]


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
    reader = Reader()
    reader.read_all(block[block.index(named) :])
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
    return bool(SAVING.search(above)) or _calls_what_saves(load)


def is_removed_once_loaded(load: Spot) -> bool:
    """Whether a file is removed further down the block that loads it: it is there for one run."""
    file = file_of(load.node)
    if file is None or not _REMOVES.search(load.region.text):
        return False
    told = ast.unparse(file)
    return any(
        ast.unparse(call) in {f"os.remove({told})", f"os.unlink({told})", f"{told}.unlink()"}
        for outer, inner in pairwise(around.path(load.region, load.node))
        for statement in around.after(outer, inner)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
    )


def has_saved(taker: Spot) -> bool:
    """Whether the same code has saved something itself before it takes over what was loaded."""
    return any("torch.save(" in text for text in _above(taker))


def comes_after_rounds(call: Spot) -> bool:
    """Whether a loop stands before a call that saves something in its rounds, as trainings do."""
    return any(
        isinstance(statement, (ast.For, ast.While)) and "torch.save(" in region.text_of(statement)
        for region, statement in _statements_before(call)
    )


def _statements_before(spot: Spot) -> Iterator[tuple[Region, ast.stmt]]:
    region, outline = spot.region, spot.region.outline
    if region in outline.statements:
        for each in outline.statements:
            if each.last < region.first:
                yield from ((each, statement) for statement in each.statements)
    for outer, inner in pairwise(around.path(region, spot.node)):
        yield from ((region, statement) for statement in around.before(outer, inner))


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
        each.name: each.region.text
        for each in region.outline.definitions
        if not each.is_class and "torch.save(" in each.region.text
    }
    if any(_own(call) in saving for call in calls_before(load)):
        return True
    top = region.outline.statements
    above = [each for each in top if each.last < region.first] if region in top else []
    return any(
        _has_name_of(saving.get(_own(call), ""), load)
        for each in above
        for call in calls_in(each.statements)
    )


def _own(call: ast.Call) -> str:
    """The function of the file, or of the object, that is called."""
    return trails.called(call).removeprefix("self.")


def _has_name_of(code: str, load: Spot) -> bool:
    """Whether code has in it by what name a file is loaded, as far as that is written out.

    A file's top level goes on for long: what is loaded there may be of another run after all.
    """
    file = file_of(load.node)
    inner = ast.walk(file) if file is not None else ()
    named = [each.value for each in inner if isinstance(each, ast.Constant)]
    told = [each for each in named if isinstance(each, str)]
    return bool(told) and all(each in code for each in told)


def is_beside_the_code(load: Spot) -> bool:
    """Whether a file is found from the module's own: who can change it can change the code.

    Where the function speaks of a download, it has come from elsewhere.
    """
    if not OWN_FILE.search(load.region.outline.text) or _FETCHED.search(_said_around(load)):
        return False
    reader = _before(load)
    told = _TEXT.sub("", reader.told(_file(load))) if reader is not None else ""
    return all(map(_is_from_its_own, alternatives(told)))


def _is_from_its_own(told: str) -> bool:
    """Whether a path is put together from the file of the code, and nothing that is not known."""
    names = set(_NAME.findall(told))
    return "__file__" in names and names <= _OF_PATHS and "?" not in told


def _said_around(load: Spot) -> str:
    """The function that loads a file; at the file's top level, that statement and those above."""
    region, outline = load.region, load.region.outline
    if region not in outline.statements:
        return region.text
    return "\n".join(each.text for each in outline.statements if each.last <= region.last)


def _before(load: Spot, called: Called = lambda _: None) -> Reader | None:
    """Who has read what the function does before it loads a file, None if it names none.

    What lies beside the code may have a name at the file's top level, where nothing else binds it.
    """
    if file_of(load.node) is None:
        return None
    region, on_top = load.region, Reader(called)
    for each in region.outline.statements:
        if each.last < region.first or region not in region.outline.statements:
            on_top.read_all(each.statements)
    bound = _bound_elsewhere(region)
    reader = on_top.inside(bound)
    for outer, inner in pairwise(around.path(region, load.node)):
        if isinstance(outer, _FUNCTIONS):
            reader = on_top.inside(bound)
        reader.enter(outer)
        reader.read_all(around.before(outer, inner))
    return reader


def _bound_elsewhere(region: Region) -> set[str]:
    """The names that a function binds itself, or that any function binds for the whole file."""
    bound = {
        name for names in _SHARED.findall(region.outline.text) for name in _NAME.findall(names)
    }
    for node in (*region.statements, *region.parents):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                bound.add(name)
    return bound


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
