"""Questions about the names of an API that code uses."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.interpreter.events.names import Named, Use
from torchlint.interpreter.values import FALSE, TRUE
from torchlint.project import around, attempts, buffers, ownfiles, trusting
from torchlint.project.index import External
from torchlint.project.private import is_private
from torchlint.releases.companions import of_torch
from torchlint.torch_api import (
    history,
    legacy,
    loaded,
    overloads,
    reductions,
    removed,
    required,
    torchvision,
)
from torchlint.torch_api.replacements import replacement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from torchlint.interpreter.trace import Trace
    from torchlint.project.regions import Region
    from torchlint.releases import Releases
    from torchlint.torch_api.history import Fate
    from torchlint.torch_api.required import Required

PICKLES = tuple(
    f"{module}.{function}"
    for module in ("pickle", "dill", "cloudpickle", "joblib")
    for function in ("load", "loads")
)
"""Functions that load pickles."""

_TOLD_SINCE = "1.13"
_ALLOWS_SINCE = "2.4"


def gone(trace: Trace) -> Iterator[tuple[Named, Fate]]:
    """Names that a release which the project supports no longer has, and nobody asks whether."""
    imported = {named.name for named in trace.of(Named) if named.use is Use.IMPORTED}
    for named in trace.of(Named):
        fate = history.fate(named.name)
        if named.use is not Use.IMPORTED and named.name in imported and fate and not fate.refuses:
            # The program does not get there: its import fails.
            continue
        if fate is None or not fate.removed or not releases(trace, named).reach(fate.removed):
            continue
        # An import brings what is there but refuses to work.
        if not named.guarded and not (fate.refuses and named.use is Use.IMPORTED):
            yield named, fate


def releases(trace: Trace, named: Named) -> Releases:
    """The releases that are supported of the package that a name is from."""
    return named.releases or trace.releases


def refused(trace: Trace) -> Iterator[tuple[Named, str, str]]:
    """Calls with an argument that is no longer taken, the argument, and since which release."""
    taken = removed.arguments("torch", "pytorch_lightning", "accelerate")
    for named, argument, release in _old_arguments(trace, taken):
        if releases(trace, named).reach(release):
            yield named, argument, release


def refused_by_tensors(trace: Trace) -> Iterator[tuple[Named, str, str]]:
    """Methods of tensors with an argument that they no longer take, the argument, and since when.

    Unless the program defines a method of its own that takes it.
    """
    for named in calls(trace, *removed.METHODS):
        release, _ = removed.METHODS[named.name]
        method, argument = named.name.strip(".)").split("(")
        assert named.asking is not None
        own = rf"\bdef {method}\([^)]*\b{argument}\b"
        is_own = named.asking.index.says(named.spot.region.outline, argument, own)
        if releases(trace, named).reach(release) and not (named.guarded or is_own):
            yield named, argument, release


def _old_arguments(
    trace: Trace, taken: Mapping[str, Mapping[str, str]]
) -> Iterator[tuple[Named, str, str]]:
    for named in trace.of(Named):
        gone = taken.get(named.name, {})
        for argument in named.arguments.keywords if not named.guarded else ():
            if argument in gone:
                yield named, argument, gone[argument]


_STFT = "torch.stft"
_WANTS_TO_KNOW = "2.0"
_BEFORE = 9
"""So many arguments of ``stft`` come before the one that says whether the result is complex."""


def unsaid(trace: Trace) -> Iterator[Named]:
    """Calls of ``stft`` that leave it open whether the result is complex, in code for releases
    which refuse that for real input.
    """
    for call in calls(trace, _STFT):
        given = call.arguments
        said = "return_complex" in given.keywords or len(given.positional) > _BEFORE or given.open
        if not (said or call.guarded) and releases(trace, call).reach(_WANTS_TO_KNOW):
            yield call


def about_to_go(trace: Trace) -> Iterator[tuple[Named, str, str]]:
    """Calls of what torchvision has deprecated, since which release, and what to use instead."""
    for named in trace.of(Named):
        if named.name not in torchvision.DEPRECATED or named.use is not Use.CALLED:
            continue
        release, use = torchvision.DEPRECATED[named.name]
        if not named.guarded and releases(trace, named).reach(of_torch(release)):
            yield named, release, use


def left_behind(trace: Trace) -> Iterator[tuple[Named, str, str]]:
    """Names and arguments that torchvision no longer has, the argument, and since which release."""
    for named in trace.of(Named):
        release = torchvision.gone(named.name)
        if release and not named.guarded and releases(trace, named).reach(of_torch(release)):
            yield named, "", release
    for named, argument, release in _old_arguments(trace, torchvision.arguments()):
        if releases(trace, named).reach(of_torch(release)):
            yield named, argument, release


def deprecated(trace: Trace) -> Iterator[tuple[Named, Fate]]:
    """Names in use that are deprecated by then, and still there in all releases supported.

    Where the warning is silenced, it has been read.
    """
    for named in trace.of(Named):
        fate = history.fate(named.name)
        if fate is None or not fate.is_shown or not trace.releases.reach(fate.deprecated):
            continue
        if fate.removed and trace.releases.reach(fate.removed):
            continue
        if not (named.guarded or named.silenced) and named.use is not Use.IMPORTED:
            yield named, fate


def old_reductions(trace: Trace) -> Iterator[tuple[Named, str, str]]:
    """Losses that are told in the old way how to reduce, by which argument, and what it means."""
    for named in trace.of(Named):
        loss, _, argument = named.name.partition("(")
        if loss not in reductions.LOSSES or named.guarded or named.silenced:
            continue
        given = named.arguments.keywords
        meant = reductions.meant(given)
        # A call that is given both is mentioned for either.
        if meant and argument.rstrip(")") == next(name for name in reductions.OLD if name in given):
            yield named, argument.rstrip(")"), meant


def numbers_first(trace: Trace) -> Iterator[tuple[Named, str, tuple[str, ...]]]:
    """Methods of tensors that are given numbers before the tensors, and what these are called."""
    for named in calls(trace, *overloads.names()):
        method = named.name.removeprefix(".")
        factors = overloads.factors(method, len(named.arguments.positional))
        if not factors or named.arguments.open or named.guarded or named.silenced:
            continue
        assert named.asking is not None
        index, outline = named.asking.index, named.spot.region.outline
        is_own = index.says(outline, method, rf"\bdef {method}\(")
        if trace.releases.reach(overloads.SINCE) and not is_own:
            yield named, method, factors


def left_out(trace: Trace) -> Iterator[tuple[Named, Required]]:
    """Calls without an argument that torch asks for.

    Who gives it in another call of the function leaves it out for releases that have none.
    """
    for named in calls(trace, *required.REQUIRED):
        missing = required.REQUIRED[named.name]
        assert isinstance(named.spot.node, ast.Call)
        given = {item.arg for item in named.spot.node.keywords}
        if None in given or missing.argument in named.spot.region.code:
            continue
        if missing.at is not None and not _is_left_out(named, missing.at):
            continue
        if trace.releases.reach(missing.since) and not (named.guarded or named.silenced):
            yield named, missing


def _is_left_out(named: Named, at: int) -> bool:
    """Whether no argument stands at a position of a call."""
    return not named.arguments.open and len(named.arguments.positional) <= at


def private(trace: Trace) -> Iterator[Named]:
    """Names of torch that are not public, where the program does not ask whether they are there."""
    for named in trace.of(Named):
        if is_private(named.name) and not named.guarded:
            yield named


def is_called(named: Named) -> bool:
    """Whether what a name stands for runs where it is named."""
    return named.use in {Use.CALLED, Use.DECORATES}


def instead(trace: Trace, name: str) -> str | None:
    """What stands for a name; nothing where a release that is supported has no such thing yet.

    None where none ever has.
    """
    new = replacement(name)
    if new is None:
        return None
    return new.named if trace.releases.all_have(new.since) else ""


def calls(trace: Trace, *wanted: str) -> Iterator[Named]:
    """Calls of these names."""
    for named in trace.of(Named):
        if named.use is Use.CALLED and named.name in wanted:
            yield named


def dropped(trace: Trace, wanted: str) -> Iterator[Named]:
    """Calls of a name whose value nobody takes, but for those that only show whether they raise."""
    for call in calls(trace, wanted):
        is_probe = attempts.is_probe(call.spot.region, call.spot.node)
        if call.discarded and not call.arguments.open and not is_probe:
            yield call


def loading_calls(trace: Trace, *wanted: str) -> Iterator[Named]:
    """Calls of these names, but for those whose safety is spoken of, or left to a caller."""
    for call in calls(trace, *wanted):
        region, node = call.spot.region, call.spot.node
        if not (
            trusting.is_spoken_of(region, node) or trusting.is_left_to_the_caller(region, node)
        ):
            yield call


def loads(trace: Trace) -> Iterator[Named]:
    """Loads of what may come from elsewhere, where something safer could be written.

    Left out are bytes and files that a function has just made, what is in a temporary folder of
    its own, files that come with the code,
    storages within a pickle that is loaded already, releases that know nothing safer, and what a
    caller asks for once it has failed.
    """
    for call in loading_calls(trace, "torch.load"):
        region, node = call.spot.region, call.spot.node
        assert isinstance(node, ast.Call)
        assert call.asking is not None
        text = region.text_of(node)
        if can_load_weights_alone(trace) and not (
            buffers.is_own(text, region.text)
            or buffers.is_nested(text, region.text, region.outline.said)
            or ownfiles.is_just_saved(call.spot, call.asking)
            or ownfiles.is_of_its_own_folder(call.spot)
            or ownfiles.is_beside_the_code(call.spot)
            or attempts.is_asked_for(region, node)
            or attempts.is_all_there_is(region, node, call.asking)
        ):
            yield call


def is_restricted(load: Named) -> bool:
    """Whether a load goes by a pickle of the project's own, which says what may be loaded."""
    module = load.arguments.keywords.get("pickle_module")
    if module is None or isinstance(module, External):
        return False
    assert isinstance(load.spot.node, ast.Call)
    assert load.asking is not None
    given = syntax.named(load.spot.node, "pickle_module")
    if given is None:
        return False
    named = [given, *_bases(load.spot.region, given)]
    return any("def find_class(" in load.asking.home(each).text for each in named)


def _bases(region: Region, named: ast.expr) -> Iterator[ast.expr]:
    """What a class that is written around a load, and those in it, derive from."""
    for statement in region.statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.ClassDef) and node.name == ast.unparse(named):
                for inner in ast.walk(node):
                    yield from inner.bases if isinstance(inner, ast.ClassDef) else ()


def can_load_weights_alone(trace: Trace) -> bool:
    """Whether some torch that the project supports can load weights and nothing else."""
    return trace.releases.reach(_TOLD_SINCE)


def is_without_help(trace: Trace, load: Named) -> bool:
    """Whether the supported releases end before any can be told which classes a file may hold.

    Where all of them know how to load weights alone, the rest may be kept in another file.
    """
    is_old = releases(trace, load).reach_below(_TOLD_SINCE)
    return is_old and not can_allow_classes(trace, load)


def can_allow_classes(trace: Trace, load: Named) -> bool:
    """Whether a supported release can be told which classes a file may hold."""
    return releases(trace, load).reach(_ALLOWS_SINCE)


def could_be_told(trace: Trace, load: Named) -> bool:
    """Whether a load could be told to load weights only, by what the project supports and does."""
    is_told = "weights_only" in load.arguments.keywords
    if not is_told and releases(trace, load).reach_below(_TOLD_SINCE):
        return False
    region, node = load.spot.region, load.spot.node
    assert isinstance(node, ast.Call)
    return not attempts.is_second(region, node)


def more_than_weights(load: Named) -> str:
    """What shows that a file holds more than weights; nothing if nothing does."""
    assert isinstance(load.spot.node, ast.Call)
    assert load.asking is not None
    return loaded.more_than_weights(load.spot.region, load.spot.node, load.asking)


def pickle_loads(trace: Trace) -> Iterator[Named]:
    """Loads by pickle itself, or by numpy where it is told to use it."""
    yield from loading_calls(trace, *PICKLES)
    for call in loading_calls(trace, "numpy.load"):
        if call.arguments.keywords.get("allow_pickle") == TRUE:
            yield call


def is_of_weights(load: Named) -> bool:
    """Whether what is loaded is handed straight to what takes weights.

    The base of a class may be a loader or a sampler, whose state that is.
    """
    if load.taker != "load_state_dict":
        return False
    assert load.asking is not None
    region = load.spot.region
    match around.path(region, load.spot.node)[-2:-1]:
        case [ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super"))))]:
            return load.asking.has_weights(region.scope)
    return True


def variables(trace: Trace) -> Iterator[Named]:
    """Calls of ``Variable``."""
    return calls(trace, legacy.VARIABLE)


def tensor_types(trace: Trace) -> Iterator[tuple[Named, str]]:
    """Types of tensors in use, with the dtype that each stands for."""
    for named in trace.of(Named):
        dtype = legacy.dtype(named.name)
        if dtype and named.use not in {Use.IMPORTED, Use.TOLD_APART}:
            yield named, dtype


def legacy_arguments(trace: Trace) -> Iterator[tuple[Named, list[str]]]:
    """Calls of torchvision's models with arguments that weights have taken the place of."""
    for named in trace.of(Named):
        legacy = torchvision.builder(named.name)
        if legacy is None or named.use is not Use.CALLED or named.guarded:
            continue
        given = named.arguments
        found = [name for name in legacy if name in given.keywords]
        if given.positional and given.positional[0] in {TRUE, FALSE}:
            found.append("pretrained")
        if found:
            yield named, found
