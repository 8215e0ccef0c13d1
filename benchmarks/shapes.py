"""Count the calls of layers in real projects whose shapes are worked out.

Of each call of a layer that the interpreter comes to, and that it has a transfer function for, this
asks what is decided of what goes in and of what comes out. The *features* are where the size of the
dimension that the layer works on is known: the channels of a convolution, the last dimension of
what a linear layer takes. A call is *decided* where the number of dimensions is known as well. What
is known is a number, a name of a size, or computed from these. The second table has a line for each
kind of layer in all of the projects.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING
from unittest import mock

from torchlint.api import check
from torchlint.engine import Resources
from torchlint.interpreter import facts, shapes, shaping
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.shaping import elementwise
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.ranges import Operation

PARTS = (
    "timm/timm",
    "torchvision/torchvision/models",
    "segmentation-models-pytorch/segmentation_models_pytorch",
    *(
        f"transformers/transformers/models/{name}"
        for name in "bert vit llama clip convnext segformer".split()
    ),
    "monai/monai/networks",
)
"""What is counted if nothing is named: folders of packages."""

COLUMNS = ("", "calls", "features", "share", "decided", "share")
WHOLE = re.compile(r"conv|pool|batch_norm|group_norm|instance_norm|interpolate|upsample|pixel|pad")
"""Operations that work on the channels, and what they leave as it is."""


def feature(shape: Shape | None, name: str) -> Dim:
    """The dimension that a layer works on, in what it is given or gives."""
    if shape is None or not shape:
        return None
    if name in elementwise.SAME and shapes.is_whole(shape):
        return next((dim for dim in (shape[-1], *shape[1:2]) if dim), None)
    if not WHOLE.search(name):
        return shape[-1] if shape[-1] != MORE else None
    found = re.search(r"([123])d", name)
    sides = int(found[1]) if found else len(shape) - 2
    tail = shapes.ends(shape)[1]
    if found and len(tail) > sides:
        return tail[-sides - 1]
    return shape[1] if len(shape) > 1 and MORE not in shape[:2] else None


def is_given(operation: Operation, shape: Shape | None) -> bool:
    """Whether the feature dimension of what a layer is given is known, if it has one."""
    return operation.name == "embedding" or feature(shape, operation.name) is not None


def count(folder: Path) -> dict[str, Counter[str]]:
    """The calls of each kind of layer: all, those with known features, those that are decided."""
    found: dict[str, Counter[str]] = {}
    outcome = shaping.outcome

    def counting(operation: Operation) -> shaping.Outcome:
        result = outcome(operation)
        if operation.layer and shaping.is_known(operation.name):
            given = next(iter(result.learned.values()), None) or shapes.of_value(
                operation.machine, next(iter(operation.inputs.values()), None)
            )
            if operation.layer and "input" in operation.inputs and "input" not in result.learned:
                given = shapes.of(operation)
            features = is_given(operation, given) and (
                feature(result.shape, operation.name) is not None
            )
            whole = shapes.is_whole(given) and shapes.is_whole(result.shape)
            row = found.setdefault(operation.label, Counter())
            row.update(calls=1, features=int(features), decided=int(features and whole))
        return result

    with chdir(folder), mock.patch.object(facts.shaping, "outcome", counting):
        check(["."], Settings(), resources=Resources(jobs=1))
    return found


def line(name: str, row: Mapping[str, int]) -> tuple[str, ...]:
    """The cells of a row."""
    calls = max(row["calls"], 1)
    shares = ((str(row[key]), f"{row[key] / calls:.0%}") for key in ("features", "decided"))
    return (name, str(row["calls"]), *(cell for pair in shares for cell in pair))


def shown(lines: list[tuple[str, ...]]) -> None:
    """Print a table."""
    table = [COLUMNS, *lines]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for name, *numbers in table:
        cells = [name.ljust(widths[0]), *map(str.rjust, numbers, widths[1:])]
        print("  ".join(cells).rstrip())
    print()


def main() -> int:
    """Count in the folders that are named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER", default=PARTS)
    parser.add_argument("--cache", required=True, type=Path, help="where projects were fetched to")
    arguments = parser.parse_args()
    kinds: dict[str, Counter[str]] = {}
    lines, together = [], Counter[str]()
    for folder in arguments.folders:
        rows = count(arguments.cache / folder)
        whole = sum(rows.values(), Counter[str]())
        together += whole
        lines.append(line(folder, whole))
        for kind, row in rows.items():
            kinds.setdefault(kind, Counter()).update(row)
    shown([*lines, line("together", together)])
    shown([line(kind, row) for kind, row in sorted(kinds.items(), key=lambda it: -it[1]["calls"])])
    return 0


if __name__ == "__main__":
    sys.exit(main())
