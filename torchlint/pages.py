"""The pages of the rules: in the installed package, or in the checkout's ``rules`` folder."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from torchlint.registry import Rule

_FACTS = re.compile(r"^\*\*Level\*\* .* · \*\*Fix\*\* (.+) · \*\*Confirm\*\* (.+)$", re.MULTILINE)
_NO = ("never", "none")


def root() -> Traversable:
    """The folder of the pages."""
    packaged = files("torchlint") / "rules"
    return packaged if packaged.is_dir() else Path(__file__).parents[1] / "rules"


def page(rule: Rule) -> str:
    """The rule's page in Markdown; its summary where no page was written."""
    file = root() / rule.page
    if file.is_file():
        return file.read_text("utf-8")
    return f"# {rule.code} {rule.name}\n\n{rule.summary}\n"


def facts(rule: Rule) -> tuple[str, str]:
    """Whether the page says that there is a fix, and that the rule can be confirmed."""
    match = _FACTS.search(page(rule))
    fix, confirm = match.groups() if match else ("no", "no")
    return ("no" if fix in _NO else fix), confirm
