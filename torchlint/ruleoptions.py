"""Options of single rules: each says which findings of its rule stand, by what these are about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.registry import Rule


@dataclass(frozen=True, slots=True)
class Limit:
    """A number that may be raised: findings stand that are about a greater one."""

    name: str
    default: float
    text: str

    def stands(self, value: Any, fact: Any) -> bool:
        """Whether a finding stands that is about this number."""
        return bool(fact > value)


@dataclass(frozen=True, slots=True)
class Words:
    """A list of words, by default of all that there are: findings stand that are about one."""

    name: str
    default: tuple[str, ...]
    text: str

    def stands(self, value: Any, fact: Any) -> bool:
        """Whether a finding stands that is about this word."""
        return fact in value


@dataclass(frozen=True, slots=True)
class Names:
    """A list of dotted names: findings stand that are about neither one nor what lies in one."""

    name: str
    text: str
    default: tuple[str, ...] = ()

    def stands(self, value: Any, fact: Any) -> bool:
        """Whether a finding stands that is about this name."""
        return not any(f"{fact}.".startswith(f"{name}.") for name in value)


RuleOption = Limit | Words | Names


def described(rule: Rule) -> Iterator[str]:
    """What the page of a rule says of its options, an item of a list each."""
    for option in rule.options:
        default = option.default
        if isinstance(default, tuple):
            said = "[" + ", ".join(f'"{word}"' for word in default) + "]"
        else:
            said = f"{default:g}"
        yield f"- `{option.name}` (default `{said}`): {option.text}"
