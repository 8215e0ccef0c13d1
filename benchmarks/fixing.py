"""Fix all that can be fixed in real projects, unsafely too, and see that nothing else changes.

Each project is linted as a whole, and nothing is written. Every file that would change must still
be Python, no more stretches of it may change than the fixes have edits, and the findings that
were fixed must be gone. The exit status is 1 where that is not so.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import sys
from collections import Counter
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

from fetch import PROJECTS

from torchlint import api
from torchlint.api import Fixing
from torchlint.findings import Level
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.applying.files import Patch
    from torchlint.findings import Report


def complaints(report: Report, patches: tuple[Patch, ...]) -> Iterator[str]:
    """What is wrong about the fixes of a project."""
    yield from (f"{trouble.path}: {trouble.message}" for trouble in report.troubles)
    yield from report.warnings
    yield from (f"{each.place}: {each.code} is left" for each in report.findings if each.fix)
    edits: Counter[str] = Counter()
    for finding in report.fixed:
        if finding.fix:
            edits.update(edit.place.path for edit in finding.fix.edits)
    if {patch.path for patch in patches} != set(edits):
        yield f"other files change than fixes are for: {sorted(edits)}"
    for patch in patches:
        try:
            ast.parse(patch.after)
        except SyntaxError as error:
            yield f"{patch.path}:{error.lineno}: no Python any more: {error.msg}"
        stretches = len(list(changed(patch)))
        if stretches > edits[patch.path]:
            yield f"{patch.path}: {stretches} stretches change for {edits[patch.path]} edits"


def changed(patch: Patch) -> Iterator[tuple[int, int]]:
    """The lines that a patch takes away or adds to, as stretches."""
    before, after = patch.before.splitlines(True), patch.after.splitlines(True)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    return ((start, end) for tag, start, end, _, _ in matcher.get_opcodes() if tag != "equal")


def fixed(folder: Path) -> bool:
    """Whether all went well in a project; says what did not, and how much was fixed."""
    settings = Settings(level=Level.PEDANTIC, cache_dir="")
    with chdir(folder):
        report, patches = api.fix(["."], settings, Fixing(unsafe=True, write=False))
        # Code in releases that is no Python, or too long to read, is so before and after.
        before = {(each.path, each.message) for each in api.check(["."], settings).troubles}
    wrong = [
        each for each in complaints(report, patches) if tuple(each.split(": ", 1)) not in before
    ]
    rules = Counter(finding.code for finding in report.fixed)
    print(f"{folder.name}: {len(report.fixed)} fixed in {len(patches)} files", dict(rules))
    for sentence in wrong:
        print(f"  {sentence}")
    return not wrong


def main() -> int:
    """Fix the projects that are named, or all that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    arguments = parser.parse_args()
    names = arguments.projects or PROJECTS
    folders = [arguments.cache / name for name in names if (arguments.cache / name).is_dir()]
    wrong = [folder for folder in folders if not fixed(folder)]
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
