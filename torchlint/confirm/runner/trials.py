"""Tries inputs on a subject and repairs them by what the failing operation says."""

from __future__ import annotations

import re
import types
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from .experiments import describe
from .limits import Budget, Overtime, time_limit
from .taint import TaintedUseError

if TYPE_CHECKING:
    from .inputs import Subject
    from .specs import Spec

TRIES = 80
_RUN_SECONDS = 3.0
_SIDEWAYS = 6
# What an operation says that was given something else; another tensor leads farther than that.
_NO_TENSOR = re.compile(
    r"must be Tensor, not|invalid combination of arg|'(int|NoneType|str|float|bool)' object"
)


class NoInputsError(Exception):
    """No inputs were found on which the subject runs; with ``specs`` it came farthest."""

    def __init__(self, reason: str, specs: dict[str, Spec] | None = None) -> None:
        super().__init__(reason)
        self.specs = specs


@dataclass
class Attempt:
    """A run: how many operations it did, and what it failed at."""

    specs: dict[str, Spec]
    operations: int = 0
    error: BaseException | None = None
    failed: tuple[str, tuple[Any, ...], dict[str, Any]] | None = None
    origins: dict[int, frozenset[str]] = field(default_factory=dict)
    layer: tuple[nn.Module, tuple[Any, ...]] | None = None

    def leaves(self) -> list[tuple[str, Spec]]:
        """The descriptions that are of no container, by argument and place in it."""
        return [leaf for name, spec in self.specs.items() for leaf in spec.leaves(name)]

    def spec(self, path: str) -> Spec:
        """The description of an argument, or of a part of it."""
        return dict(self.leaves())[path]

    def replaced(self, path: str, spec: Spec) -> dict[str, Spec]:
        """The descriptions with another one for an argument or a part of it."""
        name, _, inner = path.partition("/")
        return {**self.specs, name: self.specs[name].replaced(inner, spec)}

    def origin(self, tensor: torch.Tensor) -> frozenset[str]:
        """The arguments, or parts of them, that a tensor was computed from."""
        return self.origins.get(id(tensor), frozenset())


def values(specs: dict[str, Spec], seed: int) -> dict[str, Any]:
    """The inputs of a seed."""
    generator = torch.Generator().manual_seed(seed)
    return {name: spec.make(generator) for name, spec in specs.items()}


def find_inputs(subject: Subject, seconds: float, seed: int = 0) -> dict[str, Spec]:
    """Inputs on which the subject runs forward; raises NoInputsError with the furthest failure."""
    from .repairs import repairs
    from .together import together

    budget = Budget(seconds)
    candidates = subject.candidates()
    best = attempt(subject, {name: specs[0] for name, specs in candidates.items()}, seed)
    tried = {_key(best.specs)}
    sideways = 0
    while best.error is not None:
        better = None
        for specs in together(best, repairs(best, candidates, subject)):
            if len(tried) >= TRIES or budget.left < 0:
                break
            if _key(specs) in tried:
                continue
            tried.add(_key(specs))
            trial = attempt(subject, specs, seed)
            level = trial.operations == best.operations and sideways < _SIDEWAYS
            level = level and not _NO_TENSOR.search(str(trial.error))
            if trial.error is None or trial.operations > best.operations:
                better = trial
                break
            if level and describe(trial.error) != describe(best.error):
                sideways += 1
                better = trial
                break
        if better is None:
            why = f"no inputs found that it runs on: {describe(best.error)}"
            raise NoInputsError(why, best.specs)
        best = better
    return best.specs


def attempt(subject: Subject, specs: dict[str, Spec], seed: int = 0) -> Attempt:
    """Run the subject once on inputs of these descriptions."""
    made = Attempt(specs)
    torch.manual_seed(seed)
    layers: list[tuple[nn.Module, tuple[Any, ...]]] = []
    hooks = [
        nn.modules.module.register_module_forward_pre_hook(lambda m, a: layers.append((m, a))),
        nn.modules.module.register_module_forward_hook(lambda m, a, out: _pop(layers)),
    ]
    try:
        inputs = values(specs, seed)
        with time_limit(_RUN_SECONDS), _Tracer(made, inputs):
            subject.run(inputs)
    except TaintedUseError as error:
        raise NoInputsError(str(error)) from error
    except (Exception, Overtime) as error:
        made.error = error
        made.layer = layers[-1] if layers else None
    finally:
        for hook in hooks:
            hook.remove()
    return made


def _pick(specs: dict[str, Spec], inputs: dict[str, Any], path: str) -> Any:
    """The part of the inputs that a path leads to."""
    name, *rest = path.split("/")
    spec, value = specs[name], inputs[name]
    for index in map(int, rest):
        value = spec.part(value, index)
        spec = spec.items[index]
    return value


def _pop(layers: list[tuple[nn.Module, tuple[Any, ...]]]) -> None:
    if layers:
        layers.pop()


def tensors(value: Any, depth: int = 3) -> list[torch.Tensor]:
    """The tensors in a value, through containers."""
    if isinstance(value, torch.Tensor):
        return [value]
    if depth and isinstance(value, (list, tuple)):
        return [tensor for item in value for tensor in tensors(item, depth - 1)]
    if depth and isinstance(value, dict):
        return [tensor for item in value.values() for tensor in tensors(item, depth - 1)]
    if depth and isinstance(value, types.SimpleNamespace):
        return tensors([*vars(value).values()], depth)
    if depth and hasattr(value, "__dataclass_fields__"):
        parts = [getattr(value, name, None) for name in value.__dataclass_fields__]
        return tensors(parts, depth - 1)
    return []


def _key(specs: dict[str, Spec]) -> str:
    return repr(sorted(specs.items()))


class _Tracer(TorchFunctionMode):
    """Counts operations, follows the arguments through them, and keeps the one that failed."""

    def __init__(self, made: Attempt, inputs: dict[str, Any]) -> None:
        super().__init__()
        self._made = made
        self._alive: list[torch.Tensor] = []
        for path, _ in made.leaves():
            for tensor in tensors(_pick(made.specs, inputs, path)):
                self._follow(tensor, frozenset([path]))

    def _follow(self, tensor: torch.Tensor, names: frozenset[str]) -> None:
        self._alive.append(tensor)  # an id is good for as long as its object lives
        self._made.origins[id(tensor)] = names

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        try:
            out = func(*args, **kwargs)
        except Exception:
            if self._made.failed is None:
                self._made.failed = (getattr(func, "__name__", str(func)), args, kwargs)
            raise
        self._made.failed = None
        self._made.operations += 1
        names = frozenset().union(*(self._made.origin(item) for item in tensors([args, kwargs])))
        for tensor in tensors(out) if names else []:
            if id(tensor) not in self._made.origins:
                self._follow(tensor, names)
        return out
