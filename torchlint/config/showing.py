"""Settings as people are shown them: what there is, what holds, and where it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchlint.config.files import shown_file
from torchlint.config.options import OPTIONS, Option
from torchlint.config.resolving import DEFAULT
from torchlint.config.rules import RuleOptions, kind_of
from torchlint.config.spelling import of_option, spelled
from torchlint.registry import rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.config.resolving import Resolved


def show(resolved: Resolved, name: str) -> Iterator[str]:
    """A line for each option, as TOML with the origin in a comment."""
    file = shown_file(resolved.file) if resolved.file else "no configuration file"
    yield f"# {name}: {file}"
    for option in OPTIONS.values():
        value = getattr(resolved.settings, option.field)
        origins = ", ".join(dict.fromkeys(resolved.origins[option.key]))
        if isinstance(option.kind, RuleOptions):
            yield from _of_rules(resolved, origins)
            continue
        yield f"{_line(option, value)}  # {origins}"


def _of_rules(resolved: Resolved, origins: str) -> Iterator[str]:
    """A line for each option of each rule."""
    for rule in rules().values():
        for option in rule.options:
            value = resolved.settings.of_rule(rule.code, option.name, option.default)
            said = spelled(value) if value != () else kind_of(option).empty
            origin = DEFAULT if value == option.default else origins
            yield f"rules.{rule.code}.{option.name} = {said}  # {origin}"


def _line(option: Option, value: object) -> str:
    if value == option.default and option.unset:
        return f"# {option.key}: {option.unset}"
    return f"{option.key} = {of_option(option, value)}"


def described(option: Option) -> str:
    """What an option is for, in Markdown: what it takes, what holds without it, an example."""
    flag = f", on the command line `{option.flag}`" if option.flag else ""
    parts = [f"# {option.key}", option.text, f"In configuration files{flag}.", _default(option)]
    return "\n\n".join((*parts, f"```toml\n{option.example}\n```")) + "\n"


def as_object(option: Option) -> dict[str, Any]:
    """The same for programs."""
    return {
        "option": option.key,
        "flag": option.flag,
        "summary": option.text,
        "default": option.unset or of_option(option, option.default),
        "example": option.example,
    }


def _default(option: Option) -> str:
    return f"Default: {option.unset or f'`{of_option(option, option.default)}`'}."
