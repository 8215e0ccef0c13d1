"""What a shell offers while a command is typed: rules with their summaries, commits, files."""

from __future__ import annotations

import re

from click.shell_completion import CompletionItem

from torchlint.findings import Level
from torchlint.registry import rules
from torchlint.selection import ALL
from torchlint.settings import SettingsError

Item = CompletionItem

_BEFORE = re.compile(r".*[,:]")


def one_rule(incomplete: str) -> list[Item]:
    """Codes; names for who begins with a small letter."""
    by_name = incomplete[:1].islower() and not incomplete.lower().startswith("tl")
    offered = ((rule.name if by_name else rule.code, rule) for rule in rules().values())
    return [Item(text, help=rule.summary) for text, rule in offered if _fits(text, incomplete)]


def several_rules(incomplete: str) -> list[Item]:
    """The same after commas and colons, and levels and ALL besides."""
    match = _BEFORE.match(incomplete)
    before = match[0] if match else ""
    typed = incomplete[len(before) :]
    groups = [Item(text) for text in (*Level, ALL) if _fits(text, typed)]
    offered = [*one_rule(typed), *groups]
    return [Item(before + str(item.value), help=item.help) for item in offered]


def commits(incomplete: str) -> list[Item]:
    """Branches and tags; none where there is no repository."""
    from torchlint.comparing import branches

    try:
        return [Item(name) for name in branches() if name.startswith(incomplete)]
    except SettingsError:
        return []


def _fits(text: str, typed: str) -> bool:
    return text.lower().startswith(typed.lower())
