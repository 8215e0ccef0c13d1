"""Claims about names that torch gives up, and about what is loaded, compiled and exported."""

from __future__ import annotations

import ast
import io
import pickle
import re
from typing import TYPE_CHECKING, Any

import torch

from ..claims import NOTHING, Raises, Sees, Warns
from ..loading import Program
from ..protocol import ABSENT, OPEN, Observation
from ..refusals import Refused

if TYPE_CHECKING:
    from ..claims import Sighting
    from ..places import Project
    from ..protocol import Job, Target
    from ..recorder import Observer
    from ..tally import Answer


_MISSING = re.compile(r"(?:attribute|name|named|argument) '(?:[\w.]+\.)?(\w+)'")


class _Gone(Raises):
    """What is missing is what the finding names: what else is not there may be made up."""

    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Listens for that name."""
        named = set(re.findall(r"\w+", job.target.message))

        def predicted(error: BaseException) -> bool:
            missing = _MISSING.findall(str(error))
            told = not named or not missing or not named.isdisjoint(missing)
            return told and self.predicts(error)

        return Refused(project, job.target, predicted, self.at)


_is_gone = _Gone(
    r"has no attribute '|was deprecated since version .* and is now removed|cannot import name '"
    r"|No module named '|got an unexpected keyword argument '"
    r"|requires the return_complex parameter|can't set attribute|has no setter"
    r"|object\.__init__\(\) takes exactly one argument",
    (AttributeError, RuntimeError, ImportError, TypeError),
    matters=NOTHING,
    anywhere=True,
)


def removed_api(job: Job) -> Observation:
    """TL901: what is missing, but for what a part of a module is going to be handed."""
    if job.target.message.startswith("torch hands this part"):
        reason = "it raises where the model is called, and not where it is built"
        return Observation(OPEN, reason=reason)
    return _is_gone(job)


deprecated_api = Warns(
    r"deprecated|in favor of|was renamed|has been renamed|please use `get_last_lr\(\)`"
    r"|will be required to pass|Please specify align_corners",
    Warning,
    matters=NOTHING,
    anywhere=True,
)


_LEFT = re.compile(r"\bhas no\b|\bis gone\b|\btakes no\b")


def torchvision_legacy(job: Job) -> Observation:
    """TL905: what torchvision has given up is missing, and what it is about to give up warns."""
    return (_is_gone if _LEFT.search(job.target.message) else deprecated_api)(job)


def _runs_code(call: Sighting) -> Answer:
    """Whether a file that holds code, loaded with the same arguments, runs it."""
    if call.by_torch:
        # Tensors in a pickle are loaded so.
        return None
    if call.given(3, "weights_only") is None and call.given(2, "pickle_module") is None:
        # What is done without it is another release's: this one refuses.
        return None
    trapped = io.BytesIO()
    torch.save({"state": [_Sprung()]}, trapped)
    trapped.seek(0)
    _Sprung.count = 0
    try:
        torch.load(trapped, **{k: v for k, v in call.kwargs.items() if k != "f"})
    except pickle.UnpicklingError:
        return False
    if not _Sprung.count:
        return False
    return "a file with a call in it, loaded with the same arguments, ran that call"


class _Sprung:
    """Something whose pickle calls a function when it is loaded."""

    count = 0

    def __reduce__(self) -> tuple[object, tuple[()]]:
        return _spring, ()


def _spring() -> int:
    _Sprung.count += 1
    return _Sprung.count


# Which file is read does not matter, nor whether there is one.
_runs_what_it_loads = Sees(
    "torch.load", _runs_code, failing=(OSError,), matters=NOTHING, anywhere=True
)


def unsafe_load(job: Job) -> Observation:
    """TL903: what is loaded may run code, unless it is torch itself that refuses."""
    if not _runs_by_default() and _says_nothing(job):
        reason = f"torch {torch.__version__} loads nothing but weights here; older ones run code"
        return Observation(OPEN, reason=reason)
    return _runs_what_it_loads(job)


def _runs_by_default() -> bool:
    trapped = io.BytesIO()
    torch.save({"state": [_Sprung()]}, trapped)
    trapped.seek(0)
    try:
        torch.load(trapped)
    except pickle.UnpicklingError:
        return False
    return True


def _says_nothing(job: Job) -> bool:
    """Whether no call on the flagged line says how it is to be unpickled."""
    calls = _flagged(job)
    words = {word.arg for call in calls for word in call.keywords}
    return bool(calls) and words.isdisjoint({None, "weights_only", "pickle_module", "trust_repo"})


def _flagged(job: Job) -> list[ast.Call]:
    """The calls on the flagged lines."""
    nodes = ast.walk(Program(job).tree())
    return [node for node in nodes if isinstance(node, ast.Call) and _is_there(node, job.target)]


def _is_there(node: ast.expr, target: Target) -> bool:
    return target.line <= node.lineno and (node.end_lineno or 0) <= target.end_line


_compile = torch.compile


def _leaves_it(call: Sighting) -> Answer:
    """Whether to compile it gives something else, leaves the model as it is, and is for nothing."""
    model = call.given(0, "model")
    if not isinstance(model, torch.nn.Module):
        return None
    discarded = _is_discarded(call)
    if not discarded:
        return discarded
    # While the program runs, nothing is compiled.
    compiled = _compile(model)
    if compiled is model or getattr(model, "_compiled_call_impl", None) is not None:
        return False
    return (
        f"compiling gives a new {type(compiled).__name__}, which nobody takes; the "
        f"{type(model).__name__} that was handed in has no compiled call"
    )


def _is_discarded(call: Sighting) -> bool | None:
    """Whether the flagged statement is the call, and no more; a name may be read later, or not."""
    match call.statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name == call.name.rpartition(".")[2]
        case ast.Assign(targets=[ast.Name()]):
            return None
    return False


compile_discarded = Sees("torch.compile", _leaves_it, matters=NOTHING)


def _loses_keys(call: Sighting) -> Answer:
    """Whether some keys did not match."""
    discarded = _is_discarded(call)
    if not discarded:
        return discarded
    missing, unexpected = call.result.missing_keys, call.result.unexpected_keys
    if not missing and not unexpected:
        return False
    return f"{len(missing)} weights were missing and {len(unexpected)} were not expected"


strict_false_ignored = Sees("torch.nn.Module.load_state_dict", _loses_keys)


def _is_refused(call: Sighting) -> Answer:
    """Whether what is saved cannot be loaded again, as things are loaded by default."""
    refusal = _refusal(call.given(0, "obj"), {})
    return refusal and f"loading it again {refusal}"


def _refuses(call: Sighting) -> Answer:
    """Whether what is loaded is refused, or would be if it came from a file."""
    if call.result is None:
        return "it raised UnpicklingError"
    options = {name: value for name, value in call.kwargs.items() if name != "f"}
    refusal = _refusal(call.result, options)
    return refusal and f"loading it from a file {refusal}"


def _refusal(thing: object, options: dict[str, Any]) -> Answer:
    """What happens where something is loaded that was saved to memory."""
    file = io.BytesIO()
    try:
        torch.save(thing, file)
    except Exception:
        return None
    file.seek(0)
    try:
        torch.load(file, **options)
    except pickle.UnpicklingError as error:
        first = str(error).partition("\n")[0]
        return f"raises UnpicklingError: {first[:80]}"
    return False


_is_saved_whole = Sees("torch.save", _is_refused, matters=NOTHING)
_is_saved_by_the_program = Sees("torch.save", _is_refused)
_is_loaded_whole = Sees("torch.load", _refuses, failing=(pickle.UnpicklingError,))


def whole_model_pickle(job: Job) -> Observation:
    """TL908: what is saved cannot be loaded again, or what is loaded is refused."""
    called = {ast.unparse(call.func).rpartition(".")[2] for call in _flagged(job)}
    if "load" in called:
        return _is_loaded_whole(job)
    seen = _is_saved_whole(job)
    # What stands in for what is saved may be loaded again where that may not.
    return _is_saved_by_the_program(job) if seen.outcome == ABSENT else seen
