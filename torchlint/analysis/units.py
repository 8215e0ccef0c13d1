"""Units: what is interpreted by itself, and what comes of it.

The outcome of a unit depends on the project alone, not on which others came before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import failures, profiling
from torchlint.findings import Edit, Finding, Fix, Level, Place, Step
from torchlint.frozen import dataclass
from torchlint.interpreter import classes, roots
from torchlint.interpreter.repairs import UnreadableError
from torchlint.interpreter.roots import Root
from torchlint.project import around
from torchlint.project.ownfiles import is_in_tests
from torchlint.registry import rules as all_rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from torchlint.interpreter.repairs import Mending
    from torchlint.interpreter.trace import Claim, Trace
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline
    from torchlint.registry import Rule


@dataclass(frozen=True, slots=True)
class Written:
    """The classes of a file, as they are written."""

    outline: Outline


Unit = Root | Written


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit: its findings, and the functions and classes that were entered."""

    findings: tuple[Finding, ...]
    entered: tuple[Definition, ...] = ()


def interpret(index: Index, unit: Unit, rules: Sequence[Rule]) -> Outcome:
    """Interpret a unit, and ask the rules; a failure is a finding."""
    if isinstance(unit, Written):
        return Outcome(tuple(_look(index, unit, [rule for rule in rules if rule.classes])))
    try:
        result = roots.run(index, unit)
        return Outcome(tuple(_ask(index, result.trace, rules)), tuple(result.entered))
    except Exception as error:
        return Outcome((_internal_error(unit.outline, unit.definition, error),))


def _look(index: Index, unit: Written, rules: Sequence[Rule]) -> Iterator[Finding]:
    for definition in unit.outline.definitions if rules else ():
        try:
            trace = classes.look(index, definition) if definition.is_class else None
            found = list(_ask(index, trace, rules)) if trace is not None else []
        except Exception as error:
            found = [_internal_error(unit.outline, definition, error)]
        yield from found


def _ask(index: Index, trace: Trace, rules: Sequence[Rule]) -> Iterator[Finding]:
    for rule in rules:
        assert rule.question is not None
        for claim in profiling.rule(rule.code, rule.name, rule.question(trace)):
            if _matters(index, rule, claim):
                yield _finding(rule, claim)


def _matters(index: Index, rule: Rule, claim: Claim) -> bool:
    """Whether a claim is true of the releases in use, and not what a test is there to see."""
    region = claim.spot.region
    of_releases = rule.is_true_of(index.releases(region.outline))
    return of_releases and not around.is_seen_to_fail(region, claim.spot.node)


def _level(rule: Rule, claim: Claim) -> Level:
    if rule.long_runs and is_in_tests(claim.spot):
        return Level.PEDANTIC
    return claim.level or rule.level


def _finding(rule: Rule, claim: Claim) -> Finding:
    spot, level = claim.spot, _level(rule, claim)
    return Finding(
        code=rule.code,
        name=rule.name,
        level=level,
        message=claim.message,
        place=spot.region.place(spot.node),
        scope=spot.region.scope,
        because=tuple(
            Step(step.region.place(step.node), message) for step, message in claim.because
        ),
        fix=_fix(claim.repair) if level in rule.mended else None,
        about=claim.about,
    )


def _fix(mending: Mending | None) -> Fix | None:
    try:
        repair = mending() if mending is not None else None
    except UnreadableError:
        return None
    if repair is None:
        return None
    edits = tuple(Edit(place, text) for place, text in repair.edits)
    return Fix(repair.title, repair.safety, edits)


def _internal_error(outline: Outline, definition: Definition | None, error: Exception) -> Finding:
    """TL000: what failed, and on which file; the rest of the run goes on."""
    rule = all_rules()["TL000"]
    line = definition.region.first if definition is not None else 1
    name = definition.qualname if definition is not None else "the top level"
    message = (
        f"the interpreter failed on {name} ({failures.line(error)}); "
        "please report this with the file"
    )
    return Finding(
        code=rule.code,
        name=rule.name,
        level=rule.level,
        message=message,
        place=Place(outline.source.path, line, 1, line, 1),
    )
