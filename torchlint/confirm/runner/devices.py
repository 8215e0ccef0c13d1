"""TL501, TL403: a tensor created on the CPU that meets one of another device.

The code runs on a simulated accelerator, with its module and its inputs there. It is shown only if
the operands that torch refuses to mix include the flagged tensor, and if that one tensor on the
device lets the code run.
"""

from __future__ import annotations

import functools
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from .accelerator import DEVICE, Accelerator
from .aftermath import innermost
from .experiments import describe
from .loading import Program
from .places import Project
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .remembering import attribute
from .stages import Stage, over_stages
from .taint import TaintedUseError
from .ways import Question, investigate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import FrameType


def tensor_without_device(job: Job) -> Observation:
    """TL501: the flagged factory's tensor meets a tensor of the device."""
    return _meets(job, "")


def unregistered_tensor(job: Job) -> Observation:
    """TL403: the tensor that the flagged statement makes an attribute stays behind."""
    tree = Program(job).tree(job.target.file)
    name = attribute(innermost(tree, job.target.line))
    return _meets(job, name) if name else Observation(OPEN, reason="no attribute is assigned there")


def _meets(job: Job, name: str) -> Observation:
    """What the flagged code makes, or puts under a name, meets a tensor of the device."""
    project = Project(os.path.abspath(job.root), os.path.dirname(os.path.abspath(job.target.file)))
    end = time.monotonic() + job.seconds
    with Accelerator(project, job.target) as accelerator:
        # The program is loaded there too: a global `device` is to be the accelerator.
        alone = over_stages(job, functools.partial(_on_device, accelerator, name))
    left = end - time.monotonic()
    if alone.outcome != OPEN or left < 1:
        return alone
    return _as_program(replace(job, seconds=left / 2), alone, name)


def _on_device(accelerator: Accelerator, name: str, program: Program, stage: Stage) -> Observation:
    """The module or function on the simulated device, then with the flagged tensor there."""
    error = _run(accelerator, name, program, stage, put=False)
    if not accelerator.created:
        return Observation(OPEN, reason="the flagged line did not run on the inputs that were made")
    if error is None:
        return _agreed(accelerator)
    refused = accelerator.refused
    if refused is None:
        return Observation(OPEN, reason=f"the run failed otherwise: {describe(error)}")
    if not accelerator.met:
        return Observation(OPEN, reason="another tensor than the flagged one is on the CPU")
    failure = _run(accelerator, name, program, stage, put=True)
    if failure is not None and (accelerator.refused is None or accelerator.met):
        return Observation(OPEN, reason=f"with it on the device it fails: {describe(failure)}")
    accelerator.rest()
    return Observation(SHOWN, evidence=_evidence(refused, _words_of_meta(program, stage)))


def _agreed(ran: Accelerator) -> Observation:
    if not ran.settled:
        return Observation(OPEN, reason="the flagged tensor met nothing of the device")
    return Observation(
        ABSENT, evidence=f"the code runs with its module and inputs on a simulated {DEVICE}"
    )


def _evidence(refused: BaseException, words: str) -> str:
    witness = f"; on the meta device torch says: {words}" if words else ""
    return (
        f"on a simulated {DEVICE}: RuntimeError: {refused}; "
        f"with the flagged tensor created there it runs{witness}"
    )


def _run(
    accelerator: Accelerator, name: str, program: Program, stage: Stage, put: bool
) -> BaseException | None:
    """Run the stage on the device; gives back what it failed with."""
    accelerator.rest()
    subject = stage.fresh()
    inputs = accelerator.place(stage.inputs(program.job.seed), DEVICE)
    torch.manual_seed(program.job.seed)
    try:
        if subject.module is not None:
            subject.module.to(DEVICE)
        accelerator.watch(put)
        for part in subject.module.modules() if name and subject.module is not None else ():
            if isinstance(held := vars(part).get(name), torch.Tensor):
                accelerator.flag(held)
        with torch.no_grad():
            subject.run(inputs)
    except TaintedUseError:
        raise
    except Exception as error:
        return error
    return None


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

    def __init__(self, project: Project, program: Program, name: str, put: bool) -> None:
        super().__init__()
        self._name = name
        self.accelerator = Accelerator(project, program.job.target)
        self.accelerator.watch(put)

    def watching(self) -> AbstractContextManager[Any]:
        """The accelerator, for as long as the program runs."""
        return self.accelerator

    def passed_target(self, frame: FrameType) -> None:
        """A tensor has been made an attribute."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        owner = frame.f_locals.get(names[0]) if self._name and names else None
        held = vars(owner).get(self._name) if isinstance(owner, torch.nn.Module) else None
        if isinstance(held, torch.Tensor):
            self.accelerator.flag(held)

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


def _as_program(job: Job, alone: Observation, name: str) -> Observation:
    """The script or the function that calls the flagged code, with stand-ins for its arguments."""

    def asked(put: bool) -> Question:
        return Question(watch=lambda project, program: _DeviceObserver(project, program, name, put))

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
