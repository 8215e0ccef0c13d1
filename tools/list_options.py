"""Write the table of options into the README, and the schema of configurations."""

from __future__ import annotations

from pathlib import Path

from torchlint.config import schema

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
HEADER = "| option | flag | default | what for | example |\n| --- | --- | --- | --- | --- |\n"


def with_options(readme: str) -> str:
    """The text of the README with a row for every option."""
    before, header, after = readme.partition(HEADER)
    if not header:
        raise ValueError("the README has no table of options")
    return before + header + "\n".join(schema.rows()) + "\n\n" + after.partition("\n\n")[2]


if __name__ == "__main__":
    README.write_text(with_options(README.read_text("utf-8")), "utf-8")
    (ROOT / "torchlint" / "config" / schema.NAME).write_text(schema.text(), "utf-8")
