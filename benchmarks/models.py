"""Count how many module classes of real projects the runner of --confirm builds and runs.

From each project a sample of its classes that derive from ``nn.Module`` is drawn, the same for a
seed. Each goes through the sandbox as a finding's experiment would: the runner finds arguments for
its constructor and inputs for its forward, and runs it forward and backward. The table says how
many of them were built (and where the arguments came from), ran, and how long one took. Classes
that depend on a package which the interpreter lacks, and was stood in for, are counted apart.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import statistics
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchlint.confirm.plan import import_root
from torchlint.confirm.runner.protocol import Job, Target
from torchlint.confirm.sandbox import Sandbox

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLUMNS = ("project", "classes", "built", "forward", "both", "seconds", "stood in", "built by")
WAYS = ("call site", "defaults", "config", "names", "repaired")
_ROOTS = frozenset({"Module", "LightningModule"})
_SKIPPED = frozenset({"tests", "test", "examples", "build"})


@dataclass(frozen=True)
class Class:
    """A class of a project, by its file, line and name."""

    file: Path
    line: int
    name: str


def module_classes(folder: Path) -> list[Class]:
    """The classes at the top level of a project's files that derive from ``nn.Module`` by name."""
    bases: dict[str, set[str]] = defaultdict(set)
    found: list[Class] = []
    for file in sorted(folder.rglob("*.py")):
        if _SKIPPED & set(file.relative_to(folder).parts):
            continue
        try:
            tree = ast.parse(file.read_text("utf-8", "replace"))
        except SyntaxError:
            continue
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                found.append(Class(file, node.lineno, node.name))
                bases[node.name] |= {_last(base) for base in node.bases}
    modules = set(_ROOTS)
    while new := {name for name, named in bases.items() if named & modules} - modules:
        modules |= new
    return [one for one in found if one.name in modules]


def _last(base: ast.expr) -> str:
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def survey(
    classes: Iterable[Class], sandbox: Sandbox, seconds: float
) -> Iterator[tuple[Class, float, dict[str, Any]]]:
    """Each class with the seconds of processor time that it took, and how far it came."""
    submitted = {}
    for one in classes:
        target = Target(str(one.file), one.line, 1, one.line, 2)
        root = str(import_root(one.file))
        job = Job("modules", target, one.name, root, seconds=seconds)
        submitted[sandbox.submit(job)] = one
    for number, seen in sandbox.observations():
        account = json.loads(seen.evidence) if seen.evidence else {"why": seen.reason}
        yield submitted[number], account.get("work", seen.seconds), account


def row(project: str, surveyed: list[tuple[float, dict[str, Any]]]) -> tuple[str, ...]:
    """A line of the table."""
    whole = [item for item in surveyed if is_counted(item[1])]
    modules = [account for _, account in whole]
    running = [account for account in modules if account.get("kind") != "no forward"]
    ways = Counter(account["way"] for account in modules if account.get("built"))
    forward = sum(bool(account.get("forward")) for account in running)
    both = sum(
        bool(account.get("forward")) and account.get("backward") is not False for account in running
    )
    middle = statistics.median(seconds for seconds, _ in whole) if whole else 0
    return (
        project,
        str(len(modules)),
        _share(sum(ways.values()), len(modules)),
        _share(forward, len(running)),
        _share(both, len(running)),
        f"{middle:.2f}",
        str(sum(is_stood_in(account) for _, account in surveyed)),
        ", ".join(f"{way} {ways[way]}" for way in WAYS if ways[way]),
    )


def is_stood_in(account: dict[str, Any]) -> bool:
    """Whether the class depends on a package that is not there."""
    said = account.get("tainted", "") + account.get("why", "")
    return "not installed" in said or "No module named" in said


def is_counted(account: dict[str, Any]) -> bool:
    """Whether the class is a module that can be built at all."""
    kind = account.get("kind", "module")
    return kind in ("module", "no forward", "poison") and not is_stood_in(account)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"


def main() -> int:
    """Survey the projects that are named, or all that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--cache", type=Path, required=True, help="where the projects lie")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that runs them")
    parser.add_argument("--classes", type=int, default=40, help="how many of each project")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--list", type=Path, help="a file for what each class came to")
    options = parser.parse_args()
    every: list[tuple[float, dict[str, Any]]] = []
    lines = []
    print("\t".join(COLUMNS))
    projects = options.projects or sorted(path.name for path in options.cache.iterdir())
    for project in projects:
        classes = module_classes(options.cache / project)
        drawn = random.Random(options.seed).sample(classes, min(options.classes, len(classes)))
        surveyed = []
        with Sandbox(options.python, options.seconds, options.jobs) as sandbox:
            for one, seconds, account in survey(drawn, sandbox, 0.8 * options.seconds):
                surveyed.append((seconds, account))
                account |= {"file": str(one.file), "class": one.name, "seconds": seconds}
                lines.append(json.dumps({"project": project, **account}))
        every += surveyed
        print("\t".join(row(project, surveyed)), flush=True)
        if options.list:
            options.list.write_text("\n".join(lines) + "\n", "utf-8")
    print("\t".join(row("all", every)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
