"""What the files of a folder declare of torch: dependencies, locks, metadata of distributions."""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
from email.parser import HeaderParser
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from packaging.requirements import InvalidRequirement, Requirement

from torchlint.releases.ranges import parse, together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.releases.ranges import Releases

    Reader = Callable[[str], Iterator[str]]

_NAMES = frozenset({"torch", "pytorch"})
_LINE = re.compile(r"^\s*(?:-\s*)?(?:[\w.-]+::)?((?:py)?torch)\b\s*(\[.*?\])?\s*([<>=!~^].*|=*)$")


def declared(folder: Path) -> Releases | None:
    """The releases that a folder's files declare, the most telling kind of file first."""
    for pattern, reader in _READERS:
        found: list[Releases | None] = []
        for file in filter(Path.is_file, sorted(folder.glob(pattern))):
            found.extend(_in_file(file, reader, file.stat().st_mtime_ns))
        known = together(releases for releases in found if releases is not None)
        if known is not None:
            return known
    return None


@cache
def _in_file(file: Path, reader: Reader, changed: int) -> list[Releases | None]:
    """The releases that a file declares, as it is since it was ``changed``."""
    try:
        ranges = list(reader(file.read_text("utf-8")))
    except (OSError, ValueError, SyntaxError, configparser.Error):
        # A file that cannot be read says nothing; other tools will complain of it.
        return []
    return [_parsed(text, file.name) for text in ranges if text]


def _parsed(text: str, said_by: str) -> Releases | None:
    try:
        return parse(text, said_by)
    except ValueError:
        return None


def _of_requirement(text: object) -> Iterator[str]:
    """The range in a requirement, if it is of torch."""
    if not isinstance(text, str):
        return
    try:
        requirement = Requirement(text.partition("#")[0].strip())
    except InvalidRequirement:
        return
    if requirement.name.lower() in _NAMES:
        yield str(requirement.specifier)


def _pyproject(text: str) -> Iterator[str]:
    """Dependencies, optional ones and groups by the standard, and those of Poetry."""
    table = tomllib.loads(text)
    project = table.get("project", {})
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
            if name.lower() in _NAMES:
                yield from _poetry(wanted)


def _poetry(wanted: Any) -> Iterator[str]:
    match wanted:
        case str():
            yield wanted.replace("*", "")
        case {"version": str() as version}:
            yield version.replace("*", "")
        case list():
            for one in wanted:
                yield from _poetry(one)


def _setup_cfg(text: str) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    lists = [parser.get("options", "install_requires", fallback="")]
    if parser.has_section("options.extras_require"):
        lists += parser["options.extras_require"].values()
    for lines in lists:
        for line in lines.splitlines():
            yield from _of_requirement(line)


def _setup_py(text: str) -> Iterator[str]:
    """The requirements that stand there as strings, wherever they do."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant):
            yield from _of_requirement(node.value)


def _lines(text: str) -> Iterator[str]:
    """Lines of a requirements file or of a conda environment, where ``=`` may stand for ``==``."""
    for line in text.splitlines():
        found = _LINE.match(line.partition("#")[0].partition(";")[0].rstrip())
        if found:
            wanted = found[3].partition("--")[0].strip()
            single = re.fullmatch(r"=([\w.*]+)(=.*)?", wanted)
            yield f"=={single[1]}.*" if single else wanted


def _toml_lock(text: str) -> Iterator[str]:
    """The locks of uv, Poetry and PDM list packages alike."""
    for package in tomllib.loads(text).get("package", []):
        if package.get("name") in _NAMES:
            yield "==" + str(package.get("version", "")).partition("+")[0]


def _pipfile_lock(text: str) -> Iterator[str]:
    for packages in json.loads(text).values():
        found = packages.get("torch") if isinstance(packages, dict) else None
        if isinstance(found, dict):
            yield str(found.get("version", ""))


def _metadata(text: str) -> Iterator[str]:
    for requirement in HeaderParser().parsestr(text).get_all("Requires-Dist", []):
        yield from _of_requirement(requirement)


_READERS: tuple[tuple[str, Reader], ...] = (
    ("pyproject.toml", _pyproject),
    ("setup.cfg", _setup_cfg),
    ("setup.py", _setup_py),
    ("requirements*.txt", _lines),
    ("requirements/*.txt", _lines),
    ("environment*.y*ml", _lines),
    ("*.lock", _toml_lock),
    ("Pipfile.lock", _pipfile_lock),
    ("*.dist-info/METADATA", _metadata),
    ("*.egg-info/PKG-INFO", _metadata),
)
