"""Write the table of rules into the README."""

from __future__ import annotations

from pathlib import Path

from torchlint.registry import rules

README = Path(__file__).parents[1] / "README.md"
HEADER = "| rule | name | level | what |\n| --- | --- | --- | --- |\n"


def with_rules(readme: str) -> str:
    """The text of the README with a row for every rule."""
    before, header, after = readme.partition(HEADER)
    if not header:
        raise ValueError("the README has no table of rules")
    rest = after.partition("\n\n")[2]
    rows = [
        f"| [{rule.code}](rules/{rule.page}) | {rule.name} | {rule.level} | {rule.summary} |"
        for rule in rules().values()
    ]
    return before + header + "\n".join(rows) + "\n\n" + rest


if __name__ == "__main__":
    README.write_text(with_rules(README.read_text("utf-8")), "utf-8")
