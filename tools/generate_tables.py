"""Generate the tables in `torchlint/torch_api/tables` from the installed torch.

    python tools/generate_tables.py [NAME]...

writes the named tables, or all. Run it with the torch that the tables shall describe, with numpy
and expecttest installed; `tests/test_tables.py` holds the tables to it.
"""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import generate_saved
import torch

TABLES = Path(__file__).parent.parent / "torchlint" / "torch_api" / "tables"

GENERATORS: dict[str, Callable[[], object]] = {
    "saved": generate_saved.saved,
    "views": generate_saved.views,
}


def table(name: str) -> str:
    """The text of one table."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = GENERATORS[name]()
    return rendered({"torch": torch.__version__.split("+")[0], name: content})


def rendered(content: object, depth: int = 3) -> str:
    """Compact JSON: one line an entry of the inner objects."""
    if not isinstance(content, dict) or not content or depth == 0:
        return json.dumps(content, separators=(",", ":"), sort_keys=True)
    lines = (f"{json.dumps(k)}:{rendered(v, depth - 1)}" for k, v in sorted(content.items()))
    return "{\n" + ",\n".join(lines) + "\n}"


def main(names: list[str]) -> None:
    """Write the tables of these names."""
    for name in names or list(GENERATORS):
        (TABLES / f"{name}.json").write_text(table(name) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
