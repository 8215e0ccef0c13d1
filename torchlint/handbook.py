"""What is known of rules and options: a page, or the table of all, for people and programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TextIO

from torchlint.pages import facts, page
from torchlint.terminal import print_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from torchlint.config.options import Option
    from torchlint.registry import Rule
    from torchlint.reports import Style

FORMATS = ("full", "json", "markdown")
"""The formats that rules are told of in."""

_HEADER = "| rule | name | level | fix | confirm | what |\n| --- | --- | --- | --- | --- | --- |\n"


def write_page(rule: Rule, format_name: str, out: TextIO, style: Style) -> None:
    """The rule's page, laid out for a terminal, as Markdown, or with what else is known of it."""
    if format_name == "json":
        _dump({**_known(rule), "page": page(rule)}, out)
    elif format_name == "markdown":
        out.write(page(rule))
    else:
        print_markdown(page(rule), out, style)


def write_option(option: Option, format_name: str, out: TextIO, style: Style) -> None:
    """The same of an option of the configuration."""
    from torchlint.config.showing import as_object, described

    if format_name == "json":
        _dump(as_object(option), out)
    elif format_name == "markdown":
        out.write(described(option))
    else:
        print_markdown(described(option), out, style)


def write_rules(table: Iterable[Rule], format_name: str, out: TextIO) -> None:
    """All rules, a line each, or as a list of objects."""
    if format_name == "json":
        _dump([_known(rule) for rule in table], out)
    elif format_name == "markdown":
        out.write(in_markdown(table, lambda rule: rule.url))
    else:
        out.writelines(_aligned(table))


def in_markdown(table: Iterable[Rule], link: Callable[[Rule], str]) -> str:
    """The table in Markdown; ``link`` says where a rule's page is."""
    rows = []
    for rule in table:
        fix, confirm = facts(rule)
        cells = (f"[{rule.code}]({link(rule)})", rule.name, str(rule.level), fix, confirm)
        rows.append(f"| {' | '.join(cells)} | {rule.summary} |\n")
    return _HEADER + "".join(rows)


def _aligned(table: Iterable[Rule]) -> Iterable[str]:
    rows = [
        (rule.code, rule.name, str(rule.level), *map(_in_a_word, facts(rule)), rule.summary)
        for rule in table
    ]
    rows.insert(0, ("code", "name", "level", "fix", "confirm", "what"))
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join((*cells, row[5])) + "\n"


def _in_a_word(fact: str) -> str:
    """``safe`` of ``sometimes, safe``."""
    if fact.endswith("safe"):
        return fact.rpartition(", ")[2]
    return "no" if fact == "no" else "yes"


def _known(rule: Rule) -> dict[str, Any]:
    fix, confirm = facts(rule)
    return {
        "code": rule.code,
        "name": rule.name,
        "level": str(rule.level),
        "summary": rule.summary,
        "fix": fix,
        "confirm": confirm,
        "options": [option.name for option in rule.options],
        "url": rule.url,
    }


def _dump(value: Any, out: TextIO) -> None:
    json.dump(value, out, indent=2)
    out.write("\n")
