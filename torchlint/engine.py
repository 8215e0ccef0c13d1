"""Sources to findings: outline, select, interpret, ask."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING

from torchlint.findings import Edit, Finding, Fix, Level, Place, Step
from torchlint.interpreter import classes as written
from torchlint.interpreter import roots
from torchlint.interpreter.roots import Root
from torchlint.project.classwords import CARRYING
from torchlint.project.index import Index
from torchlint.project.mentions import Sought
from torchlint.project.selection import select
from torchlint.registry import rules as all_rules
from torchlint.sources.reading import concerns_torch
from torchlint.sources.syntax import syntax_error
from torchlint.torch_api import kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from torchlint.interpreter.repairs import Repair
    from torchlint.interpreter.trace import Claim, Trace
    from torchlint.project.outline import Definition, Outline
    from torchlint.project.selection import Selection
    from torchlint.registry import Rule
    from torchlint.releases import TorchOf
    from torchlint.sources.source import Source

_RECURSION = 20_000
"""Deep enough for the longest chains of calls and of ``elif`` that people write or generate."""

_TIDY_EVERY = 100
"""After so many roots, memory is tidied up."""

_MOST_TREES = 2_500
"""So many parsed regions are kept from one root to the next; more would cost over 200 MB."""

_ORDER = list(Level)


def analyse(
    sources: Sequence[Source],
    rules: Sequence[Rule],
    progress: Callable[[int, int], None],
    torch: TorchOf | None = None,
    roots: Callable[[Path], Sequence[str]] | None = None,
) -> Iterator[Finding]:
    """The findings of the rules in the reported sources; ``progress`` hears of done and all.

    ``torch`` gives the releases of torch that the settings name for a file, ``roots`` the folders
    that its absolute imports may start from.
    """
    index = Index(sources, torch, roots)
    outlines, others = [], []
    for source in sources:
        try:
            outline = index.outline(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            yield syntax_error(source.path, source.text, error)
            continue
        if concerns_torch(source):
            outlines.append(outline)
        else:
            others.append(outline)
    asked = [rule for rule in rules if rule.question is not None]
    if outlines and asked:
        with _deep():
            # All rules choose where to start, so that none finds more or less for the others' sake.
            choosing = [rule for rule in all_rules().values() if rule.question is not None]
            starts = _starts(index, select(index, outlines, others, choosing))
            starts += _readings(index, outlines, choosing)
            for outline in (*outlines, *others):
                outline.forget_words()
            found = _interpret(index, starts, asked, progress)
            _look(index, outlines, asked, found)
        yield from _without_superseded(list(found.values()), asked)


@contextmanager
def _deep() -> Iterator[None]:
    """Allow for deep recursion, and spare the search for cycles.

    There are millions of small objects, and next to none in cycles that are ever given up.
    """
    limit, enabled = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _RECURSION))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if enabled:
            gc.enable()


def _interpret(
    index: Index, starts: list[Root], rules: list[Rule], progress: Callable[[int, int], None]
) -> dict[tuple[str, Place], Finding]:
    """The surest finding of each rule at each place, from all roots that no other leads to."""
    found: dict[tuple[str, Place], Finding] = {}
    entered: set[object] = set()
    for done, root in enumerate(starts):
        progress(done, len(starts))
        if root.definition in entered or _seen(index, root, entered):
            continue
        try:
            result = roots.run(index, root)
            entered |= result.entered
            findings = list(_ask(index, result.trace, rules))
        except Exception as error:
            findings = [_internal_error(root, error)]
        for finding in findings:
            _keep(found, finding)
        if done % _TIDY_EVERY == 0:
            index.forget_trees(_MOST_TREES)
    return found


def _look(
    index: Index,
    outlines: Iterable[Outline],
    rules: list[Rule],
    found: dict[tuple[str, Place], Finding],
) -> None:
    """Add what is to be said of classes as they are written."""
    asked = [rule for rule in rules if rule.classes]
    defined = (item for outline in outlines for item in outline.definitions if item.is_class)
    for done, definition in enumerate(defined if asked else ()):
        try:
            trace = written.look(index, definition)
            findings = list(_ask(index, trace, asked)) if trace is not None else []
        except Exception as error:
            findings = [_internal_error(Root(definition.outline, definition), error)]
        for finding in findings:
            _keep(found, finding)
        if done % _TIDY_EVERY == 0:
            index.forget_trees(_MOST_TREES)


def _without_superseded(found: list[Finding], rules: Iterable[Rule]) -> Iterator[Finding]:
    """The findings, but for those at whose place a rule that supersedes theirs speaks."""
    supersedes = {rule.code: rule.supersedes for rule in rules}
    superseded = {
        (code, finding.place)
        for finding in found
        for code in supersedes.get(finding.code, frozenset())
    }
    return (finding for finding in found if (finding.code, finding.place) not in superseded)


def _seen(index: Index, root: Root, entered: set[object]) -> bool:
    """Whether a Dataset was built and read from in an earlier run, with what it is handed there."""
    if root.definition is None or not kinds.is_dataset(index, root.definition):
        return False
    methods = [index.member(root.definition, name) for name in ("__init__", *root.methods)]
    return all(method is None or method in entered for method in methods)


def _starts(index: Index, selection: Selection) -> list[Root]:
    """Where to start: files first, then functions that no file leads to, then classes."""
    modules = [Root(outline) for outline in selection.modules]
    functions = []
    classes = []
    # A constructor runs wherever an object is needed: one that is to be looked at brings its class.
    constructors = [item.nested_in for item in selection.functions if item.name == "__init__"]
    built = [item for item in constructors if item is not None and kinds.is_module(index, item)]
    for definition in dict.fromkeys([*selection.classes, *built]):
        if kinds.is_dataset(index, definition):
            classes.append(Root(definition.outline, definition, ("__getitem__", "__iter__")))
        elif kinds.is_function(index, definition):
            classes.append(Root(definition.outline, definition, ("forward", "backward")))
        elif kinds.is_module(index, definition):
            classes.append(Root(definition.outline, definition, _forwards(index, definition)))
    for definition in selection.functions:
        owner = definition.nested_in
        is_forward = (
            owner is not None
            and definition.name in {"forward", "__init__"}
            and kinds.is_module(index, owner)
        )
        if not is_forward and definition.name != "__init__":
            functions.append(Root(definition.outline, definition))
    # Callers come before what they call, so that callees are seen with what they are handed.
    return modules + _callers_first(functions) + classes


def _forwards(index: Index, definition: Definition) -> tuple[str, ...]:
    """The forward of a class, if it has one: twice where a call meets what the last has left."""
    if not index.member(definition, "forward"):
        return ()
    methods = definition.members.values()
    again = any(CARRYING in definition.outline.words_of(method.region) for method in methods)
    return ("forward", "forward") if again else ("forward",)


def _readings(index: Index, outlines: list[Outline], rules: Iterable[Rule]) -> Iterator[Root]:
    """The files that may use one of the names that rules look for."""
    names = {name for rule in rules for name in rule.names()}
    if index.is_deterministic:
        names.update(name for rule in rules for name in rule.demanding())
    sought = Sought(names)
    for outline in outlines:
        if sought.may_be_in(outline):
            yield Root(outline, sought=sought)


def _callers_first(roots: list[Root]) -> list[Root]:
    """Functions in the order of how many others mention them: few do those that call the rest."""
    named = [(root, root.definition) for root in roots if root.definition is not None]
    names = {definition.name for _, definition in named}
    mentions = Counter[str]()
    for root, definition in named:
        words = root.outline.words_of(definition.region)
        mentions.update((words & names) - {definition.name})
    return [root for root, _ in sorted(named, key=lambda item: mentions[item[1].name])]


def _ask(index: Index, trace: Trace, rules: list[Rule]) -> Iterator[Finding]:
    for rule in rules:
        assert rule.question is not None
        for claim in rule.question(trace):
            if rule.is_true_of(index.releases(claim.spot.region.outline)):
                yield _finding(rule, claim)


def _finding(rule: Rule, claim: Claim) -> Finding:
    spot = claim.spot
    return Finding(
        code=rule.code,
        name=rule.name,
        level=claim.level or rule.level,
        message=claim.message,
        place=spot.region.place(spot.node),
        scope=spot.region.scope,
        because=tuple(
            Step(step.region.place(step.node), message) for step, message in claim.because
        ),
        fix=_fix(claim.repair) if claim.repair is not None else None,
    )


def _fix(repair: Repair) -> Fix:
    edits = tuple(Edit(place, text) for place, text in repair.edits)
    return Fix(repair.title, repair.safety, edits)


def _keep(found: dict[tuple[str, Place], Finding], finding: Finding) -> None:
    """Keep the surest of the findings of a rule at a place."""
    key = finding.code, finding.place
    known = found.get(key)
    if known is None or _ORDER.index(finding.level) < _ORDER.index(known.level):
        found[key] = finding


def _internal_error(root: Root, error: Exception) -> Finding:
    """TL000: what failed, and on which file; the rest of the run goes on."""
    rule = all_rules()["TL000"]
    path = root.outline.source.path
    line = root.definition.region.first if root.definition is not None else 1
    name = root.definition.qualname if root.definition is not None else "the top level"
    message = (
        f"the interpreter failed on {name} ({type(error).__name__}: {error}); "
        "please report this with the file"
    )
    return Finding(
        code=rule.code,
        name=rule.name,
        level=rule.level,
        message=message,
        place=Place(path, line, 1, line, 1),
    )
