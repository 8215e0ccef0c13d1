"""The options of rules in a configuration: how they are read, and spelled in a JSON schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchlint.config.kinds import (
    Choice,
    Kind,
    Listed,
    Name,
    Number,
    RefusedError,
    Schema,
    read_all,
    refused,
)

if TYPE_CHECKING:
    from torchlint.registry import Rule
    from torchlint.ruleoptions import RuleOption


class RuleOptions(Kind):
    """A table of tables: what rules have options for."""

    said = "a table from rules to tables of their options"
    empty = "{}"

    def read(self, value: Any, option: str, base: str) -> tuple[Any, ...]:
        """By code, pairs of the options' names and values."""
        from torchlint.registry import find

        if not isinstance(value, dict):
            raise refused(option, self.said, value)
        taken = []
        mistakes: list[tuple[str, object]] = []
        for selector, table in value.items():
            rule = find(selector)
            try:
                if rule is None or not rule.options:
                    raise RefusedError((_no_options(selector, option, known=bool(rule)), selector))
                taken.append((rule.code, _options(rule, table, f"{option}.{selector}", base)))
            except RefusedError as error:
                mistakes += error.mistakes
        if mistakes:
            raise RefusedError(*mistakes)
        return tuple(taken)

    def schema(self) -> Schema:
        """An object with all rules that have options, by code and name."""
        from torchlint.registry import rules

        having = {
            spelling: _table_of(rule)
            for rule in rules().values()
            for spelling in (rule.code, rule.name)
            if rule.options
        }
        return {"type": "object", "properties": having, "additionalProperties": False}


def kind_of(option: RuleOption) -> Kind:
    """What an option of a rule takes."""
    from torchlint.ruleoptions import Limit, Words

    if isinstance(option, Limit):
        return Number(option.default)
    if isinstance(option, Words):
        return Listed(Choice(lambda: option.default), "words")
    return Listed(Name(), "names")


def _options(rule: Rule, table: Any, option: str, base: str) -> tuple[tuple[str, Any], ...]:
    """The options that a table gives a rule."""
    import difflib

    if not isinstance(table, dict):
        raise refused(option, "a table", table)
    known = {each.name: kind_of(each) for each in rule.options}
    for name in table.keys() - known.keys():
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.5) or list(known)
        said = f"{option}: there is no option {name}; did you mean {' or '.join(near)}?"
        raise RefusedError((said, name))
    wanted = [(known[name], value, f"{option}.{name}") for name, value in table.items()]
    return tuple(zip(table, read_all(wanted, base), strict=True))


def _table_of(rule: Rule) -> Schema:
    properties = {
        each.name: {"description": each.text, **kind_of(each).schema()} for each in rule.options
    }
    return {
        "description": rule.summary,
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def _no_options(selector: str, option: str, *, known: bool) -> str:
    from torchlint.registry import rules
    from torchlint.selection import suggestion

    if not known:
        return f"{selector!r} in {option} is no rule{suggestion(selector)}"
    having = ", ".join(rule.code for rule in rules().values() if rule.options)
    return f"{option}: {selector} has no options; these have some: {having}."
