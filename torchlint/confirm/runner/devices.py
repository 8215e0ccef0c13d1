"""TL501, TL403: a tensor created on the CPU that meets one of another device.

The code runs on an accelerator, with its module and its inputs there. It is shown only if the
operands that torch refuses to mix include the flagged tensor, and if that one tensor on the device
lets the code run.
"""

from __future__ import annotations

import functools
import os
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch

from .accelerator import Accelerator
from .aftermath import innermost
from .device import DEVICE
from .experiments import describe, shortened
from .loading import Program
from .places import Project
from .present import at_hand, moved
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .recorder import Observer
from .remembering import attribute
from .stages import Stage, over_stages
from .taint import TaintedUseError
from .ways import Question, investigate

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from types import FrameType

    from .device import Device


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
    with at_hand(project, job.target) as device:
        # The program is loaded there too: a global `device` is to be the accelerator.
        alone = over_stages(job, functools.partial(_on_device, device, name))
    left = end - time.monotonic()
    if alone.outcome != OPEN or left < 1:
        return alone
    return _as_program(replace(job, seconds=left / 2), alone, name)


def _on_device(device: Device, name: str, program: Program, stage: Stage) -> Observation:
    """The module or function on the device, then with the flagged tensor there."""
    error = _run(device, name, program, stage, put=False)
    if not device.created:
        return Observation(OPEN, reason="the flagged line did not run on the inputs that were made")
    if error is None:
        return _agreed(device)
    refused = device.refused
    if refused is None:
        return Observation(OPEN, reason=f"the run failed otherwise: {describe(error)}")
    if not device.met:
        return Observation(OPEN, reason="another tensor than the flagged one is on the CPU")
    failure = _run(device, name, program, stage, put=True)
    if failure is not None and (device.refused is None or device.met):
        return Observation(OPEN, reason=f"with it on the device it fails: {describe(failure)}")
    device.rest()
    return Observation(SHOWN, evidence=_evidence(device, refused, program, stage))


def _agreed(ran: Device) -> Observation:
    if not ran.settled:
        return Observation(OPEN, reason="the flagged tensor met nothing of the device")
    return Observation(ABSENT, evidence=f"the code runs with its module and inputs on {ran.name}")


def _evidence(device: Device, refused: BaseException, program: Program, stage: Stage) -> str:
    """What was raised; where the device is simulated, torch itself is to bear witness."""
    words = _words_of_meta(program, stage) if isinstance(device, Accelerator) else ""
    witness = f"; on the meta device torch says: {words}" if words else ""
    said = _said(device.name, str(refused))
    return f"{said}; with the flagged tensor created there it runs{witness}"


def _said(where: str, refused: str) -> str:
    return f"on {where}: RuntimeError: {shortened(refused, 200)}"


def _run(
    device: Device, name: str, program: Program, stage: Stage, put: bool
) -> BaseException | None:
    """Run the stage on the device; gives back what it failed with."""
    device.rest()
    subject = stage.fresh()
    inputs = device.place(stage.inputs(program.job.seed), DEVICE)
    torch.manual_seed(program.job.seed)
    try:
        if subject.module is not None:
            subject.module.to(DEVICE)
        device.watch(put)
        for part in subject.module.modules() if name and subject.module is not None else ():
            if isinstance(held := vars(part).get(name), torch.Tensor):
                vars(part)[name] = device.flag(held)
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
    inputs = moved(stage.inputs(program.job.seed), "meta")
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


class _DeviceObserver(Observer):
    """Watches a whole program on the device."""

    def __init__(self, project: Project, program: Program, name: str, put: bool) -> None:
        super().__init__()
        self._name = name
        self._device = at_hand(project, program.job.target)
        self._device.watch(put)

    def watching(self) -> AbstractContextManager[Any]:
        """The device, for as long as the program runs."""
        return self._device

    def passed_target(self, frame: FrameType) -> None:
        """A tensor has been made an attribute."""
        names = frame.f_code.co_varnames[: frame.f_code.co_argcount]
        owner = frame.f_locals.get(names[0]) if self._name and names else None
        held = vars(owner).get(self._name) if isinstance(owner, torch.nn.Module) else None
        if isinstance(held, torch.Tensor):
            vars(owner)[self._name] = self._device.flag(held)

    def conclude(self, ended: bool) -> Observation:
        """Shown where the flagged tensor was refused; as a counterfactual, where it was not."""
        ran = self._device
        if not ran.created:
            return Observation(OPEN, reason="the flagged line did not run")
        if ran.refused is not None and ran.met:
            return Observation(SHOWN, evidence=_said(ran.name, str(ran.refused)))
        if ran.refused is not None:
            return Observation(OPEN, reason="another tensor than the flagged one is on the CPU")
        if not ran.settled:
            return Observation(OPEN, reason="the flagged tensor met nothing of the device")
        return Observation(
            ABSENT if ended else OPEN,
            evidence=f"the program runs with its tensors on {ran.name}",
            reason="it did not end",
        )


def _as_program(job: Job, alone: Observation, name: str) -> Observation:
    """The script or the function that calls the flagged code, with stand-ins for its arguments."""

    def asked(put: bool) -> Question:
        return Question(watch=lambda project, program: _DeviceObserver(project, program, name, put))

    seen = investigate(job, asked(put=False))
    if seen.outcome != SHOWN:
        return alone if seen.outcome == OPEN and not seen.reason else seen
    repaired = investigate(job, asked(put=True))
    if repaired.outcome == SHOWN:
        return Observation(OPEN, reason="with the flagged tensor on the device it fails as well")
    return Observation(
        SHOWN,
        evidence=f"{seen.evidence}; with the flagged tensor created there it is not raised",
    )
