"""Find by experiment which of its tensors an operation keeps for backward.

An operation keeps a tensor if writing to that tensor after the call makes backward raise. That is
how autograd itself defines it, so that is how it is measured: call, write in place, run backward.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import torch
from torch import Tensor, nn
from torch.utils import _pytree as pytree

RETURN = "return"
"""What the table calls the result of an operation."""

PARAMETERS = "parameters"
"""What the table calls the parameters of a layer."""

MODIFIED = "modified by an inplace operation"

Tensors = dict[str, list[Tensor]]
Item = TypeVar("Item")


class Sample(Protocol):
    """One call that can be repeated, each time on fresh tensors."""

    @property
    def overwritten(self) -> Collection[str]:
        """The parameters that the operation itself writes to."""

    def tensors(self) -> Tensors:
        """The tensors of each parameter that has some."""

    def call(self, causes: Collection[str]) -> tuple[Tensors, Any]:
        """Call with the tensors of `causes` requiring grad: the tensors used, and the result."""


@dataclass(frozen=True)
class FunctionSample:
    """A call of a function, with its arguments by name."""

    function: Callable[[Mapping[str, Any]], Any]
    arguments: Mapping[str, Any]
    overwritten: Collection[str] = ()

    def tensors(self) -> Tensors:  # noqa: D102 - as in Sample
        return _tensors_by_name(self.arguments)

    def call(self, causes: Collection[str]) -> tuple[Tensors, Any]:  # noqa: D102 - as in Sample
        arguments = _fresh(self.arguments, causes)
        return _tensors_by_name(arguments), self.function(arguments)


@dataclass(frozen=True)
class LayerSample:
    """A call of a layer, with the arguments of its forward by name."""

    layer: nn.Module
    arguments: Mapping[str, Any]
    overwritten: Collection[str] = ()

    def tensors(self) -> Tensors:  # noqa: D102 - as in Sample
        return {**_tensors_by_name(self.arguments), **self._parameters(self.layer)}

    def call(self, causes: Collection[str]) -> tuple[Tensors, Any]:  # noqa: D102 - as in Sample
        layer = deepcopy(self.layer).requires_grad_(PARAMETERS in causes)
        arguments = _fresh(self.arguments, causes)
        tensors = {**_tensors_by_name(arguments), **self._parameters(layer)}
        return tensors, layer(**arguments)

    @staticmethod
    def _parameters(layer: nn.Module) -> Tensors:
        parameters: list[Tensor] = list(layer.parameters())
        return {PARAMETERS: parameters} if parameters else {}


@dataclass
class Record:
    """What was seen of one operation, over all its samples.

    `seen[target][cause]` lists, for each sample in which `cause` alone required grad, whether
    `target` was kept. `together` names the targets that only several causes at once keep,
    `several` those that stand for more than one tensor, of which each may be kept for another.
    """

    seen: dict[str, dict[str, list[bool]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(list))
    )
    together: set[str] = field(default_factory=set)
    several: set[str] = field(default_factory=set)
    differentiable: int = 0
    not_differentiable: int = 0

    def keeps(self) -> dict[str, list[str]]:
        """For each tensor, the parameters whose requiring grad always makes it kept."""
        return self._matching(lambda target, kept: target not in self.several and all(kept))

    def may_keep(self) -> dict[str, list[str]]:
        """The same, for what is kept with some arguments and not with others."""
        return self._matching(
            lambda target, kept: any(kept) and (target in self.several or not all(kept))
        )

    def _matching(self, rule: Callable[[str, Sequence[bool]], bool]) -> dict[str, list[str]]:
        chosen = {
            target: sorted(cause for cause, kept in causes.items() if rule(target, kept))
            for target, causes in sorted(self.seen.items())
        }
        return {target: causes for target, causes in chosen.items() if causes}


def measure(samples: Iterable[Sample]) -> Record:
    """Run each sample for each parameter that can require grad and each tensor to write to."""
    record = Record()
    for sample in samples:
        tensors = sample.tensors()
        if all(_plain(tensor) for group in tensors.values() for tensor in group):
            _measure_sample(sample, tensors, record)
    return record


def _measure_sample(sample: Sample, tensors: Tensors, record: Record) -> None:
    causes = [name for name, group in tensors.items() if any(map(_can_require_grad, group))]
    ran = {cause: _differentiable(sample, {cause}) for cause in causes}
    measured = [cause for cause in causes if ran[cause]]
    record.differentiable += bool(measured)
    record.several |= {name for name in causes if name != PARAMETERS and len(tensors[name]) > 1}
    record.not_differentiable += not measured and False in ran.values()
    for target in [*(name for name in tensors if name not in sample.overwritten), RETURN]:
        kept = {cause: keeps(sample, {cause}, target) for cause in measured}
        for cause, value in kept.items():
            record.seen[target][cause].append(value)
        if not any(kept.values()) and len(measured) > 1 and keeps(sample, measured, target):
            record.together.add(target)


def keeps(sample: Sample, causes: Collection[str], target: str) -> bool:
    """Whether backward raises because `target` was written to after the call."""
    try:
        tensors, result = sample.call(causes)
        for tensor in all_tensors(result)[:1] if target == RETURN else tensors[target]:
            _write(tensor)
    except Exception:  # an operation that refuses the write keeps nothing that can be written to
        return False
    try:
        _backward(result)
    except RuntimeError as error:
        return MODIFIED in str(error)
    return False


def _differentiable(sample: Sample, causes: Collection[str]) -> bool | None:
    """Whether backward runs through the call; None where the call itself is refused."""
    try:
        _, result = sample.call(causes)
    except Exception:  # torch's samples are not for every spelling of an operation
        return None
    try:
        return _backward(result)
    except Exception:  # no derivative, or an in-place operation that breaks its own backward
        return None


def _backward(result: Any) -> bool:
    outputs = [tensor for tensor in all_tensors(result) if tensor.requires_grad]
    if outputs:
        torch.autograd.backward(outputs, [torch.ones_like(output) for output in outputs])
    return bool(outputs)


def _write(tensor: Tensor) -> None:
    """Write to one element, since a tensor whose elements overlap refuses to be written whole."""
    with torch.no_grad():
        element = tensor[(0,) * tensor.ndim]
        element.copy_(element.clone())


def _fresh(arguments: Mapping[str, Any], causes: Collection[str]) -> dict[str, Any]:
    return {
        name: pytree.tree_map_only(Tensor, _requiring_grad if name in causes else _copy, value)
        for name, value in arguments.items()
    }


def _copy(tensor: Tensor) -> Tensor:
    return tensor.detach().clone()


def _requiring_grad(tensor: Tensor) -> Tensor:
    """A copy that may be written to, because the leaf that requires grad stays outside."""
    copy = _copy(tensor)
    return copy.requires_grad_().clone() if _can_require_grad(copy) else copy


def _tensors_by_name(arguments: Mapping[str, Any]) -> Tensors:
    found = {name: all_tensors(value) for name, value in arguments.items()}
    return {name: tensors for name, tensors in found.items() if tensors}


def all_tensors(value: Any) -> list[Tensor]:
    """The tensors in an argument or result, however nested."""
    return [leaf for leaf in pytree.tree_leaves(value) if isinstance(leaf, Tensor)]


def _plain(tensor: Tensor) -> bool:
    return tensor.layout is torch.strided and tensor.numel() > 0


def _can_require_grad(tensor: Tensor) -> bool:
    return tensor.is_floating_point() or tensor.is_complex()


def spread(items: Sequence[Item], limit: int) -> Iterator[Item]:
    """At most `limit` of the items, evenly spread."""
    step = max(1, len(items) / limit)
    yield from (items[int(index * step)] for index in range(min(limit, len(items))))
