"""TL101 and TL102: changes in place of what backward needs, or of what the caller owns.

Three passes over the same inputs: the plain one, in which torch itself must refuse; one that logs
what was kept for backward and which line changed it; and the counterfactual, in which the tensors
that the flagged line changed are kept as copies, so that backward must run through.
"""

from __future__ import annotations

import time
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch

from .changes import REFUSAL, evidence, watch_program
from .experiments import describe
from .lines import LineLog
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .rates import RAISED, raise_rates
from .stages import Stage, over_stages, project_of, requiring_grad, scalar
from .taint import TaintedUseError
from .trials import tensors
from .versions import Everything, KeptLog, MutationLog, Overwritten, OverwrittenError, storage

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from .loading import Program

_TOLERANCE = 1e-5


def breaks_backward(job: Job) -> Observation:
    """TL101: backward refuses, for the flagged line changed what an operation had kept."""
    return _or_as_program(job, _backward)


def changes_argument(job: Job) -> Observation:
    """TL102: as TL101, or the caller's tensor is another after the call."""
    return _or_as_program(job, _argument_or_backward)


def _or_as_program(job: Job, look: Callable[[Program, Stage], Observation]) -> Observation:
    """Where the code alone decides nothing, the program around it may in the time that is left."""
    end = time.monotonic() + job.seconds
    alone = over_stages(job, look)
    left = end - time.monotonic()
    if alone.outcome != OPEN or left < 1:
        return alone
    seen = watch_program(replace(job, seconds=left))
    return seen if seen.outcome != OPEN else alone


@dataclass
class _Pass:
    """What one run of forward and backward did."""

    error: BaseException | None = None
    differentiable: bool = True
    ran: bool = False
    missed: str = ""
    gradients: list[torch.Tensor | None] = field(default_factory=list)
    given: frozenset[int] = frozenset()
    mutations: MutationLog | None = None
    overwritten: list[Overwritten] = field(default_factory=list)


class _Runner:
    """Runs a stage from the same start again and again."""

    def __init__(
        self, program: Program, stage: Stage, with_grad: bool, dropping: bool = False
    ) -> None:
        self._job = program.job
        self._project = project_of(program)
        self._stage = stage
        self._with_grad = with_grad
        self._dropping = dropping

    def plain(self) -> _Pass:
        """As the user's program would run it, with a log of the lines."""
        with LineLog(self._project, self._job.target, lambda frame: None) as lines:
            done = self._go(None)
        done.ran = lines.has_reached(self._job.target)
        done.missed = lines.missed(self._job.because)
        return done

    def watched(self, forgiven: Container[int] = (), strict: bool = False) -> _Pass:
        """With a log of what was kept and what was changed."""
        log = MutationLog(self._project, self._job.target)
        kept = KeptLog(log, forgiven, strict)
        done = self._go((log, kept))
        done.mutations = log
        done.overwritten = kept.overwritten
        return done

    def _go(self, watch: tuple[MutationLog, KeptLog] | None) -> _Pass:
        done = _Pass()
        subject = self._stage.fresh()
        if self._dropping and subject.module is not None:
            raise_rates(subject.module)
        inputs = self._stage.inputs(self._job.seed)
        leaves: list[torch.Tensor] = []
        if self._with_grad:
            inputs, leaves = requiring_grad(inputs)
        done.given = frozenset(storage(item) for item in tensors(inputs))
        torch.manual_seed(self._job.seed)
        with ExitStack() as stack:
            for context in (watch[1].hooks, watch[0]) if watch else (nullcontext(),):
                stack.enter_context(context)
            try:
                loss = scalar(subject.run(inputs))
                if loss is None:
                    done.differentiable = False
                else:
                    loss.backward()  # type: ignore[no-untyped-call]
            except TaintedUseError:
                raise
            except Exception as error:
                done.error = error
        parameters = list(subject.module.parameters()) if subject.module is not None else []
        done.gradients = [leaf.grad for leaf in [*parameters, *leaves]]
        return done


def _backward(program: Program, stage: Stage) -> Observation:
    """The stage as it is, and where that is harmless for want of a rate, dropping something."""
    seen = _of_either_input(program, stage)
    module = stage.fresh().module
    if seen.outcome != ABSENT or module is None or not raise_rates(module):
        return seen
    again = _of_either_input(program, stage, dropping=True)
    return replace(again, evidence=f"{again.evidence}; {RAISED}") if again.evidence else again


def _of_either_input(program: Program, stage: Stage, dropping: bool = False) -> Observation:
    """The stage with its inputs as data, then as the output of another layer."""
    if stage.fresh().module is None:
        return _judge(program, _Runner(program, stage, with_grad=True))
    as_data = _judge(program, _Runner(program, stage, with_grad=False, dropping=dropping))
    if as_data.outcome == SHOWN:
        return as_data
    handed_on = _judge(program, _Runner(program, stage, with_grad=True, dropping=dropping))
    if handed_on.outcome == SHOWN and not stage.inner:
        return Observation(OPEN, reason="it shows only where the module's input requires grad")
    return handed_on if handed_on.outcome != OPEN or as_data.outcome == OPEN else as_data


def _judge(program: Program, runner: _Runner) -> Observation:
    plain = runner.plain()
    seen = _judged(program, runner, plain)
    # What is kept elsewhere may be what is changed: a part by itself refutes nothing.
    if seen.outcome == ABSENT and plain.missed:
        return Observation(OPEN, reason=plain.missed)
    return seen


def _judged(program: Program, runner: _Runner, plain: _Pass) -> Observation:
    if not plain.ran:
        return Observation(OPEN, reason="the flagged line did not run on the inputs that were made")
    if not plain.differentiable:
        return Observation(OPEN, reason="nothing that the code returned requires grad")
    if plain.error is None:
        return _harmless(runner, plain)
    if REFUSAL.search(str(plain.error)) is None:
        return Observation(OPEN, reason=f"the run failed otherwise: {describe(plain.error)}")
    watched = runner.watched()
    ours = [item for item in watched.overwritten if item.flagged]
    if not ours:
        return _anothers(program, watched)
    repaired = runner.watched(forgiven={item.index for item in ours}, strict=True)
    if repaired.error is not None and not isinstance(repaired.error, OverwrittenError):
        return Observation(OPEN, reason=f"without the change it fails: {describe(repaired.error)}")
    first = watched.overwritten[0]
    return Observation(
        SHOWN, evidence=evidence(program.job, str(plain.error), ours[0], ours[0] is first)
    )


def _anothers(program: Program, watched: _Pass) -> Observation:
    """Backward fails, but for a change at another place."""
    log = watched.mutations
    if log is not None and any(item.flagged and item.grad_mode for item in log.mutations):
        line = program.job.target.line
        return Observation(
            ABSENT, evidence=f"nothing that backward needs was changed by line {line}"
        )
    return Observation(OPEN, reason="backward fails, but not for a change at the flagged place")


def _harmless(runner: _Runner, plain: _Pass) -> Observation:
    """Backward ran: refuted if the line changed something and the gradients are right."""
    kept = runner.watched(forgiven=Everything())
    log = kept.mutations
    flagged = [item for item in log.mutations if item.flagged] if log is not None else []
    if flagged and not any(item.grad_mode for item in flagged):
        return Observation(OPEN, reason="the flagged line ran without grad mode")
    if any(item.storage in kept.given for item in flagged):
        return Observation(OPEN, reason="it changes what it was given; the caller may need that")
    if kept.error is not None or not _same(plain.gradients, kept.gradients):
        return Observation(OPEN, reason="backward runs, but the gradients depend on the change")
    changed = "what it changed is not needed by backward" if flagged else "it changes no tensor"
    return Observation(
        ABSENT, evidence=f"the line ran, {changed}; the gradients equal those without the change"
    )


def _same(ones: list[torch.Tensor | None], others: list[torch.Tensor | None]) -> bool:
    if len(ones) != len(others):
        return False
    for one, other in zip(ones, others, strict=True):
        if (one is None) != (other is None):
            return False
        if one is not None and other is not None and not _close(one, other):
            return False
    return True


def _close(one: torch.Tensor, other: torch.Tensor) -> bool:
    return torch.allclose(one, other, _TOLERANCE, _TOLERANCE, equal_nan=True)


def _argument_or_backward(program: Program, stage: Stage) -> Observation:
    changed = _changed_argument(program, stage)
    return changed if changed is not None else _backward(program, stage)


def _changed_argument(program: Program, stage: Stage) -> Observation | None:
    """The caller's tensor after the call against a copy from before."""
    job = program.job
    inputs = stage.inputs(job.seed)
    before = {name: [item.clone() for item in tensors(value)] for name, value in inputs.items()}
    log = MutationLog(project_of(program), job.target)
    torch.manual_seed(job.seed)
    try:
        with log:
            stage.fresh().run(inputs)
    except TaintedUseError:
        raise
    except Exception:
        return None
    ours = {item.storage for item in log.mutations if item.flagged}
    for name, copies in before.items():
        for after, copied in zip(tensors(inputs[name]), copies, strict=False):
            if int(after.untyped_storage()._cdata) in ours and not torch.equal(after, copied):
                return Observation(SHOWN, evidence=_difference(name, copied, after, job))
    return None


def _difference(name: str, before: torch.Tensor, after: torch.Tensor, job: Job) -> str:
    change: Any = (after.to(torch.float64) - before.to(torch.float64)).abs().max()
    share = float((after != before).to(torch.float64).mean())
    return (
        f"after the call the caller's `{name}` differs by up to {float(change):.3g} in "
        f"{share:.0%} of its values; line {job.target.line} wrote into it"
    )
