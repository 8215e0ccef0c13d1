"""How far a class of modules comes: built, forward, backward, in train and in eval mode.

No rule's claim is asked about; ``benchmarks/models.py`` counts what this tells of real projects.
"""

from __future__ import annotations

import inspect
import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .building import CannotBuildError, Recipe, recipe
from .experiments import describe, shortened
from .fitting import fitted
from .inputs import subject_of_module
from .limits import Overtime, time_limit
from .loading import load
from .protocol import ABSENT, SHOWN, Job, Observation
from .stages import scalar
from .taint import TaintedUseError
from .trials import NoInputsError, values

if TYPE_CHECKING:
    from .loading import Program
    from .specs import Spec

_SECONDS = 8.0


@dataclass
class Account:
    """What a class came to; ``why`` tells what stopped it, ``backward`` is None where nothing that
    the module gives back requires grad, ``work`` is the seconds of processor time of it all."""

    kind: str = "module"
    built: bool = False
    way: str = ""
    forward: bool = False
    evaluated: bool = False
    backward: bool | None = False
    tainted: str = ""
    why: str = ""
    loading: float = 0.0
    work: float = 0.0


def comes_through(job: Job) -> Observation:
    """Whether the module that the job's scope names runs forward and backward."""
    account = Account()
    began = time.monotonic()
    program = load(job)
    try:
        found = program.scope_object(job.scope)
        account.loading = round(time.monotonic() - began, 3)
        _survey(found, program, account)
        account.tainted = "; ".join(program.tainted[:2])
    finally:
        program.close()
    account.work = round(time.process_time(), 3)
    outcome = SHOWN if account.forward and account.backward is not False else ABSENT
    return Observation(outcome, evidence=json.dumps(asdict(account)))


def _survey(found: Any, program: Program, account: Account) -> None:
    account.kind = _kind(found)
    if account.kind not in ("module", "no forward"):
        account.why = shortened(repr(found), 200)
        return
    try:
        how = recipe(found, program)
        account.built, account.way = True, how.way
        if account.kind == "module":
            seconds = min(_SECONDS, program.job.seconds / 2)
            how, specs = fitted(how, program, "forward", seconds)
            _passes(how, specs, program, account)
    except (CannotBuildError, NoInputsError, TaintedUseError) as error:
        account.why = str(error)
    except (Exception, Overtime) as error:
        account.why = f"after the inputs were found: {describe(error)}"


def _kind(found: Any) -> str:
    if not isinstance(found, type):
        return "poison" if found is not None else "not found"
    if not issubclass(found, nn.Module):
        return "no module"
    if inspect.isabstract(found):
        return "abstract"
    return "module" if _has_forward(found) else "no forward"


def _has_forward(cls: type[nn.Module]) -> bool:
    """Whether there is a forward that does more than to say that there is none."""
    code = getattr(cls.forward, "__code__", None)
    if cls.forward is nn.Module.forward or code is None:
        return cls.forward is not nn.Module.forward
    names = set(code.co_names)
    return bool(names - {"NotImplementedError"}) or "NotImplementedError" not in names


def _passes(how: Recipe, specs: dict[str, Spec], program: Program, account: Account) -> None:
    account.forward = True
    module = how.make().train()
    with time_limit(_SECONDS):
        torch.manual_seed(0)
        loss = scalar(subject_of_module(module, program).run(values(specs, 0)))
        if loss is None:
            account.backward = None
        else:
            loss.backward()  # type: ignore[no-untyped-call]
            account.backward = True
    with time_limit(_SECONDS), torch.no_grad():
        subject_of_module(module.eval(), program).run(values(specs, 1))
        account.evaluated = True
