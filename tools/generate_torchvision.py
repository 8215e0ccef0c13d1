"""Generate `torchvision.json`: what the legacy arguments of torchvision's models stand for.

    python tools/generate_torchvision.py FOLDER

`FOLDER` holds the sources of the releases, as for `generate_history.py`; the newest is read. There
is a line a model: for `pretrained` and `pretrained_backbone`, the member of the enumeration of
weights that True stands for; empty where that cannot be said in one word.
"""

import ast
import json
import sys
from pathlib import Path

TABLES = Path(__file__).parent.parent / "torchlint" / "torch_api" / "tables"


def builders(models: Path) -> dict[str, dict[str, str]]:
    """The functions that build models, by the names under which they are offered."""
    found = {}
    for path in sorted(models.glob("**/*.py")):
        parts = path.relative_to(models).parts
        if parts[0] in {"quantization", "optical_flow"}:
            continue
        namespace = ".".join(["torchvision.models", *parts[:-1]])
        for node in ast.parse(path.read_text("utf-8")).body:
            for decorator in getattr(node, "decorator_list", ()):
                match decorator:
                    case ast.Call(func=ast.Name(id="handle_legacy_interface"), keywords=keywords):
                        found[f"{namespace}.{node.name}"] = _legacy(keywords)
    return found


def _legacy(keywords: list[ast.keyword]) -> dict[str, str]:
    legacy = {}
    for keyword in keywords:
        match keyword.value:
            case ast.Tuple(elts=[ast.Constant(value=str() as old), new]):
                legacy[old] = new.attr if isinstance(new, ast.Attribute) else ""
    return legacy


def main(folder: Path) -> None:
    """Write the table."""

    def version(path: Path) -> tuple[int, ...]:
        return tuple(int(part) for part in path.name.rpartition("-")[2].split("."))

    newest = max(folder.glob("torchvision-*"), key=version)
    table = builders(newest / "torchvision" / "models")
    lines = (f"{json.dumps(k)}:{json.dumps(v, separators=(',', ':'))}" for k, v in table.items())
    text = "{\n" + ",\n".join(sorted(lines)) + "\n}\n"
    (TABLES / "torchvision.json").write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
