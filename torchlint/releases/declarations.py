"""What the files of a folder declare of torch and its kin: dependencies, locks, metadata.

A file that asks for a Python with them means no torch that is newer than the last for that one.
"""

from __future__ import annotations

import ast
import configparser
import itertools
import json
import re
import tomllib
from email.parser import HeaderParser
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.version import Version

from torchlint.releases.companions import newest_torch, ranges_of_torch
from torchlint.releases.ranges import NEWEST, parse, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.releases.ranges import Releases

    Said = tuple[str, str]
    """A package, and a range of its releases."""

    Reader = Callable[[str], Iterator[Said]]

_IMPORTED = {
    "torch": "torch",
    "pytorch": "torch",
    "torchvision": "torchvision",
    "torchaudio": "torchaudio",
    "lightning": "lightning",
    "pytorch-lightning": "pytorch_lightning",
    "accelerate": "accelerate",
    "python": "python",
}
"""The packages that matter, as they are imported, by the names of distributions."""

PACKAGES = frozenset(_IMPORTED.values()) - {"python"}

_BOUND_BY_PYTHON = ("torch", "torchvision", "torchaudio")

_ANY_PYTHON = Version("4")

_LINE = re.compile(
    r"^\s*(?:-\s*)?(?:[\w.-]+::)?"
    r"((?:py)?torch(?:[-_]lightning)?|torchvision|torchaudio|lightning|accelerate|python)\b\s*(\[.*?\])?\s*([<>=!~^].*|=*)$"
)

_WHEEL = re.compile(r"/(torch(?:vision|audio)?)-([\w.]+?)(?:(?:%2B|\+)\w*)?-[^/\s]*\.whl\b")
"""The file of a release, as its address ends: ``/torch-2.4.1%2Bcu121-cp311-…whl``."""

_INSTALL = re.compile(
    r"^[ \t]*[!%]?[ \t]*(?:\S+[ \t]+-m[ \t]+|(?:sudo|uv)[ \t]+)?"
    r"(?:pip3?|conda|mamba)[ \t]+install[ \t](.*)",
    re.MULTILINE,
)
"""What a cell of a notebook has another program install."""


def declared(folder: Path, package: str = "torch") -> Releases | None:
    """The releases of a package that a folder's files declare, the most telling file first.

    Those of torchvision and torchaudio are told by the releases of torch that they go with.
    """
    for said in _said_in(folder):
        known = together(
            releases for name, releases in said if name == package and releases is not None
        )
        if known is not None:
            return known
    return None


def installed(file: Path, package: str = "torch") -> Releases | None:
    """The releases of a package that a notebook installs by itself; None for all other files."""
    if file.suffix != ".ipynb" or not file.is_file():
        return None
    said = _in_file(file, _notebook, file.stat().st_mtime_ns)
    return together(releases for name, releases in said if name == package and releases is not None)


def forget() -> None:
    """Look for the files anew from now on."""
    _said_in.cache_clear()


@cache
def _said_in(folder: Path) -> list[list[tuple[str, Releases | None]]]:
    """What the files of a folder declare, each kind of file for itself, the most telling first."""
    found = []
    for pattern, reader in _READERS:
        files = filter(Path.is_file, sorted(folder.glob(pattern)))
        said = [_in_file(file, reader, file.stat().st_mtime_ns) for file in files]
        if said:
            found.append([*itertools.chain.from_iterable(said)])
    return found


@cache
def _in_file(file: Path, reader: Reader, changed: int) -> list[tuple[str, Releases | None]]:
    """The releases that a file declares, as it is since it was ``changed``."""
    try:
        said = list(reader(file.read_text("utf-8")))
    except (OSError, ValueError, SyntaxError, configparser.Error):
        # A file that cannot be read says nothing; other tools will complain of it.
        return []
    pythons = (_parsed(*each, file.name, _ANY_PYTHON) for each in said if each[0] == "python")
    last = newest_torch(together(found for found in pythons if found is not None))
    bounds = dict.fromkeys(_BOUND_BY_PYTHON, last)
    # A bare name tells nothing beside a release, and may be that of a channel.
    is_told = any(text for package, text in said if package in bounds)
    return [
        (package, _parsed(package, text, file.name, bounds.get(package, NEWEST)))
        for package, text in said
        if text or not is_told
    ]


def _parsed(package: str, text: str, said_by: str, newest: Version) -> Releases | None:
    """The releases in a range; None where any will do, or nobody can tell."""
    if not text and newest == NEWEST:
        return None
    try:
        found = parse(text, said_by, newest)
    except ValueError:
        return None
    return ranges_of_torch(package, found)


def _package(name: object) -> str:
    """The package that matters of this name; nothing where it is another."""
    return _IMPORTED.get(str(name).lower().replace("_", "-"), "")


def _of_requirement(text: object) -> Iterator[Said]:
    """The range in a requirement, if it is of a package that matters."""
    if not isinstance(text, str):
        return
    try:
        requirement = Requirement(text.partition("#")[0].strip())
    except InvalidRequirement:
        return
    package = _package(requirement.name)
    if package:
        yield package, str(requirement.specifier)
        yield from _wheels(requirement.url or "")


def _wheels(text: str) -> Iterator[Said]:
    """The releases whose files are asked for by their addresses."""
    for package, version in _WHEEL.findall(text):
        yield package, f"=={version}"


def _pyproject(text: str) -> Iterator[Said]:
    """Dependencies, optional ones and groups by the standard, and those of Poetry."""
    table = tomllib.loads(text)
    project = table.get("project", {})
    if "requires-python" in project:
        yield "python", str(project["requires-python"])
    lists = [project.get("dependencies", [])]
    lists += project.get("optional-dependencies", {}).values()
    lists += table.get("dependency-groups", {}).values()
    for requirements in lists:
        for requirement in requirements:
            yield from _of_requirement(requirement)
    poetry = table.get("tool", {}).get("poetry", {})
    groups = [poetry, *poetry.get("group", {}).values()]
    for group in groups:
        for name, wanted in group.get("dependencies", {}).items():
            package = _package(name)
            if package:
                yield from ((package, version) for version in _poetry(wanted))


def _poetry(wanted: Any) -> Iterator[str]:
    match wanted:
        case str():
            yield wanted.replace("*", "")
        case {"version": str() as version}:
            yield version.replace("*", "")
        case {"url": str() as place}:
            yield from (version for _, version in _wheels(place))
        case list():
            for one in wanted:
                yield from _poetry(one)


def _setup_cfg(text: str) -> Iterator[Said]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    lists = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lists += parser["options.extras_require"].values()
    for lines in lists:
        for line in lines.splitlines():
            yield from _of_requirement(line)


def _setup_py(text: str) -> Iterator[Said]:
    """The requirements that stand there as strings, wherever they do."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant):
            yield from _of_requirement(node.value)


def _lines(text: str) -> Iterator[Said]:
    """Lines of a requirements file or of a conda environment, where ``=`` may stand for ``==``."""
    for line in text.splitlines():
        found = _LINE.match(line.partition("#")[0].partition(";")[0].rstrip())
        if found:
            wanted = found[3].partition("--")[0].strip()
            single = re.fullmatch(r"=([\w.*]+)(=.*)?", wanted)
            if single:
                # One that names its build is this very release.
                whole = single[2] or single[1].endswith("*")
                wanted = f"=={single[1]}" if whole else f"=={single[1]}.*"
            yield _package(found[1]), wanted
        yield from _wheels(line)


def _notebook(text: str) -> Iterator[Said]:
    """What the cells of a notebook install: ``!pip install torch==1.13``."""
    match json.loads(text):
        case {"cells": list(cells)}:
            for cell in cells:
                yield from _cell(cell)


def _cell(cell: Any) -> Iterator[Said]:
    match cell:
        case {"cell_type": "code", "source": list() | str() as source}:
            code = "".join(map(str, source)).replace("\\\n", " ")
            for wanted in _INSTALL.findall(code):
                yield from _lines(re.sub(r"[\s'\"]+", "\n", wanted))


def _toml_lock(text: str) -> Iterator[Said]:
    """The locks of uv, Poetry and PDM list packages alike."""
    for package in tomllib.loads(text).get("package", []):
        name = _package(package.get("name"))
        if name:
            yield name, "==" + str(package.get("version", "")).partition("+")[0]


def _pipfile_lock(text: str) -> Iterator[Said]:
    for packages in json.loads(text).values():
        for name, found in packages.items() if isinstance(packages, dict) else ():
            if isinstance(found, dict) and _package(name):
                yield _package(name), str(found.get("version", ""))


def _metadata(text: str) -> Iterator[Said]:
    for requirement in HeaderParser().parsestr(text).get_all("Requires-Dist", []):
        yield from _of_requirement(requirement)


_READERS: tuple[tuple[str, Reader], ...] = (
    ("pyproject.toml", _pyproject),
    ("setup.cfg", _setup_cfg),
    ("setup.py", _setup_py),
    ("requirement*.txt", _lines),
    ("*[-_]requirement*.txt", _lines),
    ("requirements/*.txt", _lines),
    ("docker/requirement*.txt", _lines),
    ("requirement*.y*ml", _lines),
    ("*env*.y*ml", _lines),
    ("conda*.y*ml", _lines),
    ("envs/*.y*ml", _lines),
    ("environments/*.y*ml", _lines),
    ("conda/*.y*ml", _lines),
    ("*.lock", _toml_lock),
    ("Pipfile.lock", _pipfile_lock),
    ("*.dist-info/METADATA", _metadata),
    ("*.egg-info/PKG-INFO", _metadata),
)

FILES = tuple(pattern for pattern, _ in _READERS)
"""What the files are called that may declare something."""
