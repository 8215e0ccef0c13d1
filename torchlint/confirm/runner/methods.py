"""TL412, TL413, TL414: what comes of methods that a class defines, or does not."""

from __future__ import annotations

import dis
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch
from torch import nn

from .building import CannotBuildError, recipe
from .claims import NOTHING, UNDER, Claim, Raises
from .loading import load
from .protocol import ABSENT, OPEN, SHOWN, Observation
from .recorder import Observer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from .loading import Program
    from .places import Project
    from .protocol import Job

_USES: dict[str, tuple[Callable[[nn.Module], object], ...]] = {
    "train": (lambda module: module.train(), nn.Module.eval),
    "eval": (lambda module: module.eval(),),
    "apply": (lambda module: nn.Sequential(module).apply(lambda part: None),),
    "parameters": (nn.Module.zero_grad,),
    "named_parameters": (lambda module: list(nn.Module.parameters(module)),),
    "children": (lambda module: nn.Module.train(module),),
    "named_children": (lambda module: list(nn.Module.children(module)),),
    "named_modules": (lambda module: list(nn.Module.modules(module)),),
    "modules": (lambda module: module.modules(),),
    "to": (lambda module: module.to("cpu"),),
    "zero_grad": (lambda module: module.zero_grad(),),
    "float": (lambda module: module.float(),),
    "half": (lambda module: module.half(),),
    "cpu": (lambda module: module.cpu(),),
}
"""The usual calls of methods that a class may redefine."""


def _class_of(job: Job, program: Program) -> type[nn.Module] | None:
    """The module class whose method is flagged."""
    found = program.scope_object(job.scope.rpartition(".")[0]) if "." in job.scope else None
    return found if isinstance(found, type) and issubclass(found, nn.Module) else None


def module_method_overridden(job: Job) -> Observation:
    """Make the usual call of the method, on an object of the class that is empty but for torch."""
    program = load(job)
    cls, name = _class_of(job, program), job.scope.rpartition(".")[2]
    if cls is None or name not in _USES or name not in cls.__dict__:
        return Observation(OPEN, reason="no method of nn.Module is redefined there")
    bare = cls.__new__(cls)
    nn.Module.__init__(bare)
    for use in _USES[name]:
        try:
            use(bare)
        except TypeError as error:
            if f"{name}()" in str(error) and not _entered(error, cls, name):
                evidence = f"a usual call of `{name}` raised TypeError: {error}"
                return Observation(SHOWN, evidence=evidence)
        except Exception:
            # The method fails by itself, on an object that its constructor has not seen.
            continue
    if name == "eval":
        return _evaluated(cls, program)
    return Observation(ABSENT, evidence=f"the usual call of `{name}` fits")


def _entered(error: BaseException, cls: type, name: str) -> bool:
    """Whether an exception comes from within the method itself."""
    code = getattr(cls.__dict__[name], "__code__", None)
    traceback = error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code is code:
            return True
        traceback = traceback.tb_next
    return False


def _evaluated(cls: type[nn.Module], program: Program) -> Observation:
    """Whether ``eval()`` of a real object leaves it in training mode."""
    try:
        module = recipe(cls, program).make()
        nn.Module.train(module)
        module.eval()
    except Exception as error:
        return Observation(OPEN, reason=f"`eval()` could not be called: {error}")
    if module.training:
        return Observation(SHOWN, evidence="`training` is still True after `eval()`")
    return Observation(ABSENT, evidence="`training` is False after `eval()`")


_unimplemented = Raises(
    r'is missing the required "forward" function', (NotImplementedError,), at=UNDER, matters=NOTHING
)


def missing_forward(job: Job) -> Observation:
    """Call an object of the class, or run the call that is flagged."""
    program = load(job)
    cls = _class_of(job, program)
    if cls is None or job.scope.rpartition(".")[2] == "forward":
        return _unimplemented(job)
    try:
        module = recipe(cls, program).make()
    except CannotBuildError as error:
        return Observation(OPEN, reason=str(error))
    try:
        module(torch.ones(1))
    except NotImplementedError as error:
        if _unimplemented.predicts(error):
            return Observation(SHOWN, evidence=f"calling the module raised {error}")
    except Exception:
        pass
    return Observation(ABSENT, evidence="calling the module comes to a forward")


class _Results(Observer):
    """Notes what the flagged function gives, whoever calls it."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._target = job.target
        self._name = job.scope.rpartition(".")[2]
        self._none = 0
        self._values = 0

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Every return while the program runs."""
        before = sys.getprofile()
        sys.setprofile(self._heard)
        try:
            yield
        finally:
            sys.setprofile(before)

    def _heard(self, frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event != "return" or code.co_name != self._name or not self._is_flagged(frame):
            return
        if value is not None:
            self._values += 1
        elif dis.opname[code.co_code[frame.f_lasti]].startswith("RETURN"):
            self._none += 1

    def _is_flagged(self, frame: FrameType) -> bool:
        code = frame.f_code
        lines = [line for _, _, line in code.co_lines() if line is not None]
        first = code.co_firstlineno
        return code.co_filename.endswith(
            self._target.file.rpartition("/")[2]
        ) and first <= self._target.line <= max(lines, default=first)

    def has_seen_enough(self) -> bool:
        """One is enough."""
        return self._none > 0

    def conclude(self, ended: bool) -> Observation:
        """What was given."""
        if self._name == "__init__":
            return Observation(OPEN, reason="a constructor is to give nothing")
        if self._none:
            evidence = f"a call of `{self._name}` came to its end and gave None"
            return Observation(SHOWN, evidence=evidence)
        if self._values:
            return Observation(ABSENT, evidence=f"all {self._values} calls gave a value")
        return Observation(OPEN, reason="the function was not run to its end")


class _Resultless(Claim):
    def observer(self, job: Job, project: Project, program: Program) -> Observer:
        """Looks at what the function gives."""
        return _Results(job)


forward_returns_none = _Resultless(matters=NOTHING)
