"""TL513: a tensor of float32 in a module of bfloat16.

The module runs in bfloat16, on inputs of that type. It is shown only if that fails for the mixture
of types, or gives float32, and neither happens once the flagged tensor alone is of bfloat16.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from .experiments import describe
from .places import called_by_torch
from .protocol import ABSENT, OPEN, SHOWN, Job, Observation
from .rates import RAISED, raise_rates
from .stages import Stage, over_stages, project_of
from .taint import TaintedUseError
from .trials import tensors

if TYPE_CHECKING:
    from .loading import Program
    from .places import Project
    from .protocol import Target

_NARROW = torch.bfloat16
_NOTHING = "the flagged line made nothing on the inputs that were made"
_MIXED = re.compile(r"dtype|scalar type|Input type|BFloat16|mixed", re.IGNORECASE)


def dtype_not_followed(job: Job) -> Observation:
    """TL513: what the flagged factory makes is wider than what it meets."""
    return over_stages(job, _in_bfloat16)


class _Flagged(TorchFunctionMode):
    """Counts what the flagged code makes; with ``narrow``, makes it of bfloat16."""

    def __init__(self, project: Project, target: Target, *, narrow: bool) -> None:
        super().__init__()
        self._project, self._target, self._narrow = project, target, narrow
        self.made = 0

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        out = func(*args, **(kwargs or {}))
        given = [*tensors(args), *tensors(kwargs or {})]
        if given or not isinstance(out, torch.Tensor) or out.dtype != torch.float32:
            return out
        if not self._project.is_at(self._target) or called_by_torch():
            return out
        self.made += 1
        return out.to(_NARROW) if self._narrow else out


def _in_bfloat16(program: Program, stage: Stage) -> Observation:
    seen = _dropping(program, stage, dropping=False)
    module = stage.fresh().module
    if seen is None and module is not None and raise_rates(module):
        seen = _dropping(program, stage, dropping=True)
    return seen or Observation(OPEN, reason=_NOTHING)


def _dropping(program: Program, stage: Stage, *, dropping: bool) -> Observation | None:
    """What the stage shows, perhaps with dropout that it does not have by default."""
    made, error, wide = _run(program, stage, narrow=False, dropping=dropping)
    if not made:
        return None
    if error is not None and not _MIXED.search(str(error)):
        return Observation(OPEN, reason=f"the run failed otherwise: {describe(error)}")
    if error is None and not wide:
        return Observation(ABSENT, evidence="in bfloat16 it runs, and gives bfloat16")
    _, repaired, still = _run(program, stage, narrow=True, dropping=dropping)
    if repaired is not None or (error is None and still):
        return Observation(OPEN, reason="with the flagged tensor of bfloat16 it is no better")
    said = f"it raises {describe(error)}" if error is not None else "it gives float32"
    evidence = f"in bfloat16 {said}; with the flagged tensor of bfloat16 it does not"
    return Observation(SHOWN, evidence=f"{evidence}, {RAISED}" if dropping else evidence)


def _run(
    program: Program, stage: Stage, *, narrow: bool, dropping: bool
) -> tuple[int, BaseException | None, bool]:
    """What the flagged code made, what the run failed with, and whether it gave float32."""
    subject = stage.fresh()
    inputs = {name: _narrowed(value) for name, value in stage.inputs(program.job.seed).items()}
    torch.manual_seed(program.job.seed)
    flagged = _Flagged(project_of(program), program.job.target, narrow=narrow)
    try:
        if subject.module is not None:
            subject.module.to(_NARROW)
            if dropping:
                raise_rates(subject.module)
        with torch.no_grad(), flagged:
            out = subject.run(inputs)
    except TaintedUseError:
        raise
    except Exception as error:
        return flagged.made, error, False
    return flagged.made, None, any(tensor.dtype == torch.float32 for tensor in tensors(out))


def _narrowed(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return value.to(_NARROW) if value.is_floating_point() else value
    if isinstance(value, (list, tuple)):
        return type(value)(_narrowed(item) for item in value)
    if isinstance(value, dict):
        return {key: _narrowed(item) for key, item in value.items()}
    return value
