"""Watches for models that are exported, and asks what is recorded of them."""

from __future__ import annotations

import copy
import inspect
import warnings
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from .roles import MODEL
from .sightings import Asked, Sightings
from .trials import tensors
from .ways import Question, investigate

if TYPE_CHECKING:
    from collections.abc import Callable

    from .protocol import Job, Observation
    from .tally import Answer

_ONNX = "torch.onnx.export"
_NAMES = (_ONNX, "torch.jit.trace", "torch.export.export")


class Exports(Sightings):
    """Makes the export itself, once in the model's mode and once in evaluation.

    The program's own call may need packages that are not there, and is not waited for.
    """

    def see(
        self,
        name: str,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """Judge the call by what it is given, and make it."""
        if not self._busy and self._project.is_at(self._target):
            self._calls += 1
            with self._apart():
                self._tally.take(_is_recorded(name, args, kwargs))
        return function(*args, **kwargs)


def _is_recorded(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Answer:
    """Whether what is exported differs from the model in evaluation, because of its mode."""
    given = [*args[:2], *kwargs.values()]
    model = next((one for one in given if isinstance(one, nn.Module)), None)
    inputs = args[1] if len(args) > 1 else kwargs.get("args", kwargs.get("example_inputs"))
    if model is None or inputs is None:
        return None
    inputs = inputs if isinstance(inputs, (tuple, list)) else (inputs,)
    if not all(isinstance(one, Tensor) for one in inputs):
        return None
    if not _keeps_mode(name, kwargs):
        return False
    plain = copy.deepcopy(model).eval()
    wanted = _outputs(plain, inputs)
    if not _are_alike(_outputs(_exported(name, plain, inputs), inputs), wanted):
        return None
    found = _outputs(_exported(name, copy.deepcopy(model), inputs), inputs)
    if _are_alike(found, wanted):
        return False
    apart = max(float((one - other).abs().max()) for one, other in zip(found, wanted, strict=True))
    return (
        f"what is recorded gives values that are up to {apart:.3g} from those of the model in "
        "evaluation; recorded in evaluation it gives the same"
    )


def _keeps_mode(name: str, kwargs: dict[str, Any]) -> bool:
    """Whether the model is exported in the mode that it is in: the old way to ONNX switches."""
    if name != _ONNX:
        return True
    parameter = inspect.signature(torch.onnx.export).parameters.get("dynamo")
    return bool(kwargs.get("dynamo", parameter.default if parameter is not None else False))


def _exported(name: str, model: nn.Module, inputs: Any) -> Any:
    """What is recorded of a model, to be called like it, and switched to evaluation if it can."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name == "torch.jit.trace":
            trace: Any = torch.jit.trace
            return trace(model, tuple(inputs), check_trace=False).eval()
        return torch.export.export(model, tuple(inputs)).module()


def _outputs(model: Any, inputs: Any) -> list[Tensor]:
    """All tensors that a model gives, of floats."""
    torch.manual_seed(0)
    given = model(*[one.clone() for one in inputs])
    return [one for one in tensors([given]) if one.is_floating_point()]


def _are_alike(ones: list[Tensor], others: list[Tensor]) -> bool:
    return len(ones) == len(others) and all(
        one.shape == other.shape and torch.allclose(one, other, rtol=1e-3, atol=1e-4)
        for one, other in zip(ones, others, strict=True)
    )


def onnx_export_in_train_mode(job: Job) -> Observation:
    """TL907: what is exported does as in training, whatever mode it is switched to."""
    return investigate(
        job,
        Question(
            watch=lambda project, program: Exports(
                project, job.target, Asked(_NAMES, lambda seen: None, 1)
            ),
            matters=MODEL,
        ),
    )
