"""Count the calls of layers in real projects whose shapes are worked out.

Of each call of a layer that the interpreter comes to, and that it has a transfer function for, this
asks whether the shapes of what goes in and of what comes out are decided: every dimension is a
number, a name of a size, or computed from these. The table has a line for each project.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from fetch import PROJECTS

from torchlint.api import check
from torchlint.engine import Resources
from torchlint.interpreter import facts, shapes, shaping
from torchlint.settings import Settings

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.ranges import Operation

COLUMNS = ("project", "calls", "decided", "share", "numbers", "share")


def is_decided(shape: Shape | None) -> bool:
    """Whether something is known of every dimension."""
    return shape is not None and shapes.is_whole(shape) and None not in shape


def is_of_numbers(shape: Shape | None) -> bool:
    """Whether every dimension but the batch is a number."""
    return shape is not None and all(isinstance(dim, int) for dim in shape[1:])


def count(folder: Path) -> Counter[str]:
    """The calls of layers in a project: all, those decided, and those of which all is a number."""
    found: Counter[str] = Counter()
    outcome = shaping.outcome

    def counting(operation: Operation) -> shaping.Outcome:
        result = outcome(operation)
        if operation.layer and operation.name in shaping.TRANSFERS:
            given = result.learned.get("input") or shapes.of(operation)
            decided = is_decided(given) and is_decided(result.shape)
            found["calls"] += 1
            found["decided"] += decided
            whole = is_of_numbers(given) and is_of_numbers(result.shape)
            found["numbers"] += decided and whole
        return result

    with chdir(folder), mock.patch.object(facts.shaping, "outcome", counting):
        check(["."], Settings(), resources=Resources(jobs=1))
    return found


def rows(counts: dict[str, Counter[str]]) -> list[tuple[str, ...]]:
    """The lines of the table, with all projects together in the last."""
    together: Counter[str] = sum(counts.values(), Counter())
    return [
        (
            project,
            str(found["calls"]),
            str(found["decided"]),
            f"{found['decided'] / max(found['calls'], 1):.0%}",
            str(found["numbers"]),
            f"{found['numbers'] / max(found['calls'], 1):.0%}",
        )
        for project, found in [*counts.items(), ("together", together)]
    ]


def main() -> int:
    """Count in the projects that are named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("projects", nargs="*", metavar="PROJECT")
    parser.add_argument("--cache", required=True, type=Path, help="where projects were fetched to")
    arguments = parser.parse_args()
    counts = {name: count(arguments.cache / name) for name in arguments.projects or PROJECTS}
    table = [COLUMNS, *rows(counts)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *numbers in table:
        cells = [name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]
        print("  ".join(cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
