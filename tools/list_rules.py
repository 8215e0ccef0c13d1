"""Write the table of rules into the README, and the index of their pages."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from torchlint.handbook import in_markdown
from torchlint.registry import rules

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
INDEX = ROOT / "rules" / "README.md"
HEADER = "| rule | name | level | what |\n| --- | --- | --- | --- |\n"

_ABOUT = """\
# Rules

A page for each rule, as `torchlint --explain` prints it: why it matters, code that it flags
and code that it does not, what its fix does, how it is confirmed by execution, and what it
does not see. A fix that is *safe* keeps what the program computes; the words under *confirm*
say whether `--confirm` can put a finding to the test. `torchlint --list-rules` prints this table.
"""
_GROUPS = {
    "0": "the run itself",
    "1": "gradients and their graph",
    "2": "training loops",
    "3": "losses and numerics",
    "4": "modules",
    "5": "devices and types",
    "6": "data",
    "7": "shapes",
    "8": "memory and speed",
    "9": "the API",
}


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


def index() -> str:
    """What GitHub shows below the list of pages: the rules by what they are about."""
    parts = [_ABOUT]
    for first, group in groupby(rules().values(), key=lambda rule: rule.code[2]):
        table = in_markdown(group, lambda rule: rule.page)
        parts.append(f"## TL{first}xx: {_GROUPS[first]}\n\n{table}")
    return "\n".join(parts)


if __name__ == "__main__":
    README.write_text(with_rules(README.read_text("utf-8")), "utf-8")
    INDEX.write_text(index(), "utf-8")
