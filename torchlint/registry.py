"""The rules: what a check declares of itself, and the table of all of them."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import field
from functools import cache
from typing import TYPE_CHECKING, Any, TypedDict, Unpack, cast

from torchlint.findings import Level
from torchlint.frozen import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from torchlint.interpreter.trace import Claim, Trace
    from torchlint.releases import Releases
    from torchlint.ruleoptions import RuleOption

    Question = Callable[[Trace], Iterator[Claim]]
    Names = Callable[[], Iterable[str]]

ALONE = frozenset({""})
"""The ``callers`` of a rule that looks at functions, whoever calls them."""

PAGES = "https://github.com/torchlint/torchlint/blob/main/rules"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: code, name, default level, and the question that it asks of a trace.

    ``words`` are identifiers of which a region must use at least one for the rule to fire there;
    what calls a region with a word of ``callers`` is interpreted too, for what it hands over (and
    functions with one of ``words`` are looked at by themselves, if there are ``callers`` at all).
    ``since`` and ``until`` are the first release of torch that it is true of, and the first that it
    no longer is. ``names`` gives names of an API (``.name`` for a method) that the rule wants to
    hear of, in whatever code they stand; ``demanding`` those that matter only where the project
    demands deterministic algorithms. ``question`` is None for the rules about the run itself,
    which the pipeline reports. Where a rule that this one ``supersedes`` sees the same mistake,
    only this one speaks. A rule of ``classes`` asks about each class of torch's as it is written,
    and needs no words; ``inside`` are words for which a class is looked at in whatever method they
    are, ``own`` those that count in the methods of modules alone, and ``alone`` those with which a
    function is looked at by itself though there are no ``callers``. ``options`` say which of its
    findings stand, by what their claims are ``about``. What a rule of ``long_runs`` finds costs
    next to nothing in tests, and is pedantic there. What mends its findings is worked out for those
    at the levels that are ``mended``, and not for what a run would hide.
    """

    code: str
    name: str
    level: Level
    summary: str
    words: frozenset[str] = frozenset()
    question: Question | None = None
    callers: frozenset[str] = frozenset()
    supersedes: frozenset[str] = frozenset()
    since: str = "0"
    until: str = ""
    classes: bool = False
    inside: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    alone: frozenset[str] = frozenset()
    names: Names = frozenset
    demanding: Names = frozenset
    options: tuple[RuleOption, ...] = ()
    long_runs: bool = False
    mended: frozenset[Level] = field(default=frozenset(Level), compare=False)

    def is_true_of(self, releases: Releases) -> bool:
        """Whether it holds for one of these releases of torch."""
        return releases.reach(self.since) and (not self.until or releases.reach_below(self.until))

    @property
    def page(self) -> str:
        """File name of the rule's page in ``rules/``."""
        return f"{self.code}-{self.name}.md"

    @property
    def url(self) -> str:
        """Address of the rule's page."""
        return f"{PAGES}/{self.page}"


_RULES: dict[str, Rule] = {}


def register(rule: Rule) -> Rule:
    """Add a rule to the table; a code or name that is taken is an error of the programmer."""
    taken = {known.name for known in _RULES.values()} | _RULES.keys()
    if taken & {rule.code, rule.name}:
        raise ValueError(f"{rule.code} {rule.name} is registered twice")
    _RULES[rule.code] = rule
    return rule


class Words(TypedDict, total=False):
    """What a rule names, as `Rule` has it."""

    words: Iterable[str]
    callers: Iterable[str]
    supersedes: Iterable[str]
    inside: Iterable[str]
    own: Iterable[str]
    alone: Iterable[str]


def check(
    *,
    code: str,
    name: str,
    level: Level,
    since: str = "0",
    until: str = "",
    classes: bool = False,
    names: Names = frozenset,
    demanding: Names = frozenset,
    options: Iterable[RuleOption] = (),
    long_runs: bool = False,
    **words: Unpack[Words],
) -> Callable[[Question], Question]:
    """Declare the decorated question as a rule; its docstring's first line is the summary."""
    named: dict[str, Any] = {
        kind: frozenset(cast("Iterable[str]", given)) for kind, given in words.items()
    }

    def declare(question: Question) -> Question:
        rule = Rule(
            code=code,
            name=name,
            level=level,
            summary=(question.__doc__ or "").strip().partition("\n")[0],
            question=question,
            since=since,
            until=until,
            classes=classes,
            names=names,
            demanding=demanding,
            options=tuple(options),
            long_runs=long_runs,
            **named,
        )
        register(rule)
        return question

    return declare


@cache
def rules() -> dict[str, Rule]:
    """All rules by code, in the order of their codes."""
    import torchlint.checks

    for module in pkgutil.walk_packages(torchlint.checks.__path__, "torchlint.checks."):
        importlib.import_module(module.name)
    return dict(sorted(_RULES.items()))


def find(selector: str) -> Rule | None:
    """The rule of a code (in any case) or name."""
    table = rules()
    return table.get(selector.upper()) or next(
        (rule for rule in table.values() if rule.name == selector.lower()), None
    )
