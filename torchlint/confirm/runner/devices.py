"""TL501: a tensor created on the CPU that meets one of another device.

The code runs on a simulated accelerator, with its module and its inputs there. It is shown only if
the operands that torch refuses to mix include the flagged tensor, and if that one tensor on the
device lets the code run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from .accelerator import DEVICE, Accelerator
from .experiments import describe
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .stages import Stage, over_stages, project_of
from .taint import TaintedUseError
from .ways import Question, investigate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from .loading import Program
    from .places import Project


def tensor_without_device(job: Job) -> Observation:
    """TL501: the flagged factory's tensor meets a tensor of the device."""
    alone = over_stages(job, _on_device)
    if alone.outcome != OPEN:
        return alone
    return _as_program(job, alone)


def _on_device(program: Program, stage: Stage) -> Observation:
    """The module or function on the simulated device, then with the flagged tensor there."""
    first, error = _run(program, stage, put=False)
    if not first.created:
        return Observation(OPEN, reason="the flagged line did not run on the inputs that were made")
    if error is None:
        return _agreed(first)
    if first.refused is None:
        return Observation(OPEN, reason=f"the run failed otherwise: {describe(error)}")
    if not first.met:
        return Observation(OPEN, reason="another tensor than the flagged one is on the CPU")
    second, failure = _run(program, stage, put=True)
    if failure is not None and (second.refused is None or second.met):
        return Observation(OPEN, reason=f"with it on the device it fails: {describe(failure)}")
    return Observation(SHOWN, evidence=_evidence(first, _words_of_meta(program, stage)))


def _agreed(ran: Accelerator) -> Observation:
    if not ran.settled:
        return Observation(OPEN, reason="the flagged tensor met nothing of the device")
    return Observation(
        ABSENT, evidence=f"the code runs with its module and inputs on a simulated {DEVICE}"
    )


def _evidence(ran: Accelerator, words: str) -> str:
    witness = f"; on the meta device torch says: {words}" if words else ""
    return (
        f"on a simulated {DEVICE}: RuntimeError: {ran.refused}; "
        f"with the flagged tensor created there it runs{witness}"
    )


def _run(program: Program, stage: Stage, put: bool) -> tuple[Accelerator, BaseException | None]:
    subject = stage.fresh()
    inputs = stage.inputs(program.job.seed)
    accelerator = Accelerator(project_of(program), program.job.target, put)
    torch.manual_seed(program.job.seed)
    try:
        with accelerator:
            if subject.module is not None:
                subject.module.to(DEVICE)
            accelerator.place(inputs, DEVICE)
            with torch.no_grad():
                subject.run(inputs)
    except TaintedUseError:
        raise
    except Exception as error:
        return accelerator, error
    return accelerator, None


def _words_of_meta(program: Program, stage: Stage) -> str:
    """What torch itself says on its meta device, empty where it says nothing of devices.

    It computes no values and checks less than a real device, so it can only bear witness.
    """
    subject = stage.fresh()
    inputs = {name: _to_meta(value) for name, value in stage.inputs(program.job.seed).items()}
    try:
        if subject.module is not None:
            subject.module.to("meta")
        with torch.no_grad():
            subject.run(inputs)
    except RuntimeError as error:
        return describe(error) if "same device" in str(error) and "meta" in str(error) else ""
    except Exception:
        return ""
    return ""


def _to_meta(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to("meta")
    if isinstance(value, (list, tuple)):
        return type(value)(_to_meta(item) for item in value)
    if isinstance(value, dict):
        return {key: _to_meta(item) for key, item in value.items()}
    return value


class _DeviceObserver(Observer):
    """Watches a whole program on the simulated accelerator."""

    def __init__(self, project: Project, program: Program, put: bool) -> None:
        super().__init__()
        self.accelerator = Accelerator(project, program.job.target, put)

    def watching(self) -> AbstractContextManager[Any]:
        """The accelerator, for as long as the program runs."""
        return self.accelerator

    def conclude(self, ended: bool) -> Observation:
        """Shown where the flagged tensor was refused; as a counterfactual, where it was not."""
        ran = self.accelerator
        if not ran.created:
            return Observation(OPEN, reason="the flagged line did not run")
        if ran.refused is not None and ran.met:
            return Observation(SHOWN, evidence=str(ran.refused))
        if ran.refused is not None:
            return Observation(OPEN, reason="another tensor than the flagged one is on the CPU")
        if not ran.settled:
            return Observation(OPEN, reason="the flagged tensor met nothing of the device")
        return Observation(ABSENT if ended else OPEN, evidence="", reason="it did not end")


def _as_program(job: Job, alone: Observation) -> Observation:
    """The script or the function that calls the flagged code, with stand-ins for its arguments."""

    def asked(put: bool) -> Question:
        return Question(watch=lambda project, program: _DeviceObserver(project, program, put))

    seen = investigate(job, asked(put=False))
    if seen.outcome == ABSENT:
        return Observation(
            ABSENT, evidence=f"the program runs with its tensors on a simulated {DEVICE}"
        )
    if seen.outcome != SHOWN:
        return seen if seen.reason else alone
    repaired = investigate(job, asked(put=True))
    if repaired.outcome == SHOWN:
        return Observation(OPEN, reason="with the flagged tensor on the device it fails as well")
    return Observation(
        SHOWN,
        evidence=f"on a simulated {DEVICE}: RuntimeError: {seen.evidence}; "
        "with the flagged tensor created there it is not raised",
    )
