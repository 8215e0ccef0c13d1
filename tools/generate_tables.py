"""Generate the tables in `torchlint/torch_api/tables` from the installed torch.

    python tools/generate_tables.py [--check] [NAME]...

writes the named tables, or all; with `--check`, compares them with what is checked in instead. Run
it with the torch that the tables shall describe, with numpy and expecttest installed;
`tests/test_tables.py` holds the tables to it.
"""

import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import generate_classes
import generate_saved
import generate_signatures
import torch

TABLES = Path(__file__).parent.parent / "torchlint" / "torch_api" / "tables"

GENERATORS: dict[str, Callable[[], object]] = {
    "saved": generate_saved.saved,
    "views": generate_saved.views,
    "signatures": generate_signatures.signatures,
    "inplace": generate_signatures.inplace,
    "factories": generate_signatures.factories,
    "modules": generate_classes.modules,
    "optimizers": generate_classes.optimizers,
    "exports": generate_classes.exports,
}


def table(name: str) -> str:
    """The text of one table."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = GENERATORS[name]()
    described = {"torch": torch.__version__.split("+")[0], name: content}
    return rendered(described, depth=2 if name == "modules" else 3) + "\n"


def rendered(content: object, depth: int) -> str:
    """Compact JSON, with a line for each entry of the objects that are not deeper than this."""
    if not isinstance(content, dict) or not content or depth == 0:
        return json.dumps(content, separators=(",", ":"), sort_keys=True)
    lines = (f"{json.dumps(k)}:{rendered(v, depth - 1)}" for k, v in sorted(content.items()))
    return "{\n" + ",\n".join(lines) + "\n}"


def main(arguments: list[str]) -> int:
    """Write the tables of these names, or with `--check` tell which of them are out of date."""
    check = arguments[:1] == ["--check"]
    outdated = []
    for name in arguments[check:] or list(GENERATORS):
        file, text = TABLES / f"{name}.json", table(name)
        if not check:
            file.write_text(text, encoding="utf-8", newline="\n")
        elif text != file.read_text(encoding="utf-8"):
            outdated.append(name)
    for name in outdated:
        print(
            f"{name}.json is not what this torch says: run python tools/generate_tables.py {name}"
        )
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
