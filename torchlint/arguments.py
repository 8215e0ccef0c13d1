"""The options of the command line that settings are made of, from the table of options."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from torchlint.config.kinds import (
    Choice,
    Count,
    File,
    Flag,
    Listed,
    RefusedError,
    Selector,
    Table,
)
from torchlint.config.options import OPTIONS
from torchlint.findings import Level
from torchlint.settings import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from torchlint.config.files import Layer
    from torchlint.config.options import Option
    from torchlint.config.resolving import Configuration

    Function = Callable[..., Any]

_ALSO = (
    ("pedantic", "level", Level.PEDANTIC),
    ("no_cache", "cache-dir", ""),
    # What other processes take is not measured, nor what is not done.
    ("profile", "jobs", 1),
    ("profile", "cache-dir", ""),
)
"""What some flags say of settings."""

PREFIX = "TORCHLINT"
"""What the names of the variables begin with that stand for options."""


class Command(click.Command):
    """A command that names the variable where one, and no option, has a wrong value."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments and the variables."""
        try:
            return super().parse_args(ctx, args)
        except click.BadParameter as error:
            name = error.param.name if error.param is not None else None
            if not name or ctx.get_parameter_source(name) is not ParameterSource.ENVIRONMENT:
                raise
            said = f"{error.message} It is the value of {PREFIX}_{name.upper()}."
            raise click.BadParameter(said, error.ctx, error.param, error.param_hint) from None


class _Whole(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2
    """A text that is taken as it is, from a variable too."""

    name = "text"

    def split_envvar_value(self, rv: str) -> list[str]:
        return [rv]


def configured(command: Function) -> Function:
    """Add the options that make settings, and those that say where else to find some."""
    for option in reversed(OPTIONS.values()):
        if option.flag:
            command = click.option(option.flag, option.field, **_described(option))(command)
    for add in (
        click.option("--pedantic", is_flag=True, help="Show pedantic findings too."),
        click.option("--no-cache", is_flag=True, help="Neither read nor write what is kept."),
        click.option("--isolated", is_flag=True, help="Read no configuration file."),
        click.option(
            "--config",
            "config",
            metavar="FILE|KEY=VALUE",
            multiple=True,
            type=_Whole(),
            help="A configuration file to use in place of all others, or one setting as in it.",
        ),
    ):
        command = add(command)
    return command


def configuration(context: click.Context) -> Configuration:
    """What the command line, and the variables that stand for it, make of the settings."""
    from torchlint.config.files import Value
    from torchlint.config.resolving import Configuration

    given: Layer = {}
    wrong: list[str] = []
    for option in OPTIONS.values():
        spelling = _spelling(context, option.field)
        if not option.flag or spelling is None:
            continue
        flag = option.flag.partition("/")[0]
        said = flag if spelling == flag else f"{spelling} ({flag})"
        try:
            value = option.kind.read(context.params[option.field], said, os.getcwd())
            given[option.key] = Value(value, spelling)
        except RefusedError as error:
            wrong += (sentence for sentence, _ in error.mistakes)
    for name, key, meant in _ALSO:
        spelling = _spelling(context, name)
        if spelling and context.params[name]:
            if key in given and given[key].value != meant:
                wrong.append(f"{given[key].origin} and {spelling} exclude each other.")
            given[key] = Value(meant, spelling)
    if wrong:
        raise SettingsError(*wrong)
    return Configuration.of_words(context.params["config"], given, context.params["isolated"])


def refuse_together(given: Mapping[str, Any], name: str, others: Iterable[str]) -> None:
    """UsageError where an option is given with one of the others."""
    for other in others:
        if given[name] and given[other]:
            flags = (f"--{each.replace('_', '-')}" for each in (other, name))
            raise click.UsageError(f"{' and '.join(flags)} exclude each other.")


def _spelling(context: click.Context, name: str) -> str | None:
    """How an option was given: its flag or its variable; None where it was not."""
    source = context.get_parameter_source(name)
    if source is ParameterSource.ENVIRONMENT:
        return f"{PREFIX}_{name.upper()}"
    return f"--{name.replace('_', '-')}" if source is ParameterSource.COMMANDLINE else None


def _described(option: Option) -> dict[str, Any]:
    described: dict[str, Any] = {"help": option.text, "metavar": option.metavar, "default": None}
    match option.kind:
        case Flag():
            return described
        case Choice() as choice:
            default = f" [default: {option.default}]"
            return {**described, "type": click.Choice(choice.words), "help": option.text + default}
        case Count() as count:
            return {**described, "type": click.IntRange(min=count.least)}
        case File():
            return {**described, "type": click.Path()}
        case Listed() as listed:
            described |= {"shell_complete": completed} if isinstance(listed.item, Selector) else {}
            return {**described, "multiple": True, "callback": _split}
        case Table():
            completing = {"shell_complete": completed}
            return {**described, **completing, "multiple": True, "callback": _pairs}
    return described


def completed(context: click.Context, option: click.Parameter, incomplete: str) -> list[Any]:
    """What a shell offers for the value of an option."""
    from torchlint import completing

    match option.name:
        case "explain":
            return completing.one_rule(incomplete)
        case "diff_base":
            return completing.commits(incomplete)
    return completing.several_rules(incomplete)


def _split(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    """Values that were given with commas, repeatedly, or both."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(part for part in parts if part)


def _pairs(
    context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, list[str]]:
    """Patterns and what they are followed by after a colon."""
    pairs: dict[str, list[str]] = {}
    for value in values:
        pattern, colon, listed = value.rpartition(":")
        if not colon:
            raise click.BadParameter(f"{value!r} has no colon before the rules, as in tests/:TL2.")
        pairs.setdefault(pattern, []).extend(_split(context, option, (listed,)))
    return pairs
