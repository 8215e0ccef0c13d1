"""Small batches of the structure that a loop takes apart."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from .roles import iterated
from .statements import dotted
from .trees import parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SIZE = 4
CLASSES = 5
BATCHES = 6


@dataclass(frozen=True)
class Plan:
    """One idea of what goes through a loop: inputs, targets and what the model makes of them."""

    inputs: str
    targets: str
    outputs: str

    @property
    def loss(self) -> str:
        """What compares the one with the other."""
        if self.targets in ("classes", "pixels", "one-hot"):
            return "entropy"
        return "entropy of sequences" if self.targets == "sequence" else "squares"


class Followed:
    """A plan that a run goes by, and what it has asked of it."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._said: dict[str, str] = {}

    def differs_from(self, plan: Plan) -> bool:
        """Whether another plan would have told the run anything else."""
        return any(getattr(plan, name) != value for name, value in self._said.items())

    @property
    def inputs(self) -> str:
        """What goes in."""
        return self._say("inputs")

    @property
    def targets(self) -> str:
        """What is to come out."""
        return self._say("targets")

    @property
    def outputs(self) -> str:
        """What comes out."""
        return self._say("outputs")

    @property
    def loss(self) -> str:
        """What compares them."""
        return self._say("loss")

    def _say(self, name: str) -> str:
        self._said[name] = value = getattr(self._plan, name)
        return str(value)

    def __deepcopy__(self, memo: object) -> Followed:
        """A copy of a model asks here as well."""
        return self


PLANS = (
    Plan("features", "classes", "logits"),
    Plan("image", "classes", "logits"),
    Plan("features", "column", "column"),
    Plan("features", "numbers", "numbers"),
    Plan("image", "like inputs", "like inputs"),
    Plan("features", "classes", "loss"),
    Plan("tokens", "sequence", "sequence"),
    Plan("image", "pixels", "pixels"),
    Plan("features", "classes", "loss and logits"),
    Plan("features", "column", "probability"),
    Plan("features", "one-hot", "logits"),
)


@dataclass(frozen=True)
class Shape:
    """How a batch is taken apart: by position, by key, by attribute, or not at all."""

    kind: str = "one"
    names: tuple[str, ...] = ()

    def fill(self, plan: Followed, number: int) -> Any:
        """The batch of a number."""
        generator = torch.Generator().manual_seed(number)
        first = inputs(plan, generator)
        values = [first]
        values += [_other(name, plan, first, generator) for name in self.names[1:]]
        if self.kind == "tuple":
            return values
        if self.kind == "mapping":
            return dict(zip(self.names, values, strict=False))
        if self.kind == "attributes":
            return SimpleNamespace(**dict(zip(self.names, values, strict=False)))
        return first


class Loader:
    """A short loader of made-up batches."""

    def __init__(self, shape: Shape, plan: Followed, drew: Callable[[], None]) -> None:
        self._shape = shape
        self._plan = plan
        self._drew = drew
        self.batch_size = SIZE
        self.dataset = range(SIZE * BATCHES)

    def __len__(self) -> int:
        return BATCHES

    def __iter__(self) -> Iterator[Any]:
        for number in range(BATCHES):
            self._drew()
            yield self._shape.fill(self._plan, number)


def inputs(plan: Followed, generator: torch.Generator) -> Tensor:
    """What a model of the plan takes."""
    if plan.inputs == "image":
        return torch.randn(SIZE, 3, 16, 16, generator=generator)
    if plan.inputs == "tokens":
        return torch.randint(1, CLASSES, (SIZE, 8), generator=generator)
    return torch.randn(SIZE, 16, generator=generator)


def _other(name: str, plan: Followed, first: Tensor, generator: torch.Generator) -> Tensor:
    if re.search(r"len(gth)?s?$", name):
        return torch.full((SIZE,), 8)
    if "mask" in name:
        return torch.ones(SIZE, 8)
    return targets(plan, first, generator)


def targets(plan: Followed, first: Tensor, generator: torch.Generator) -> Tensor:
    """What a loss of the plan compares with."""
    if plan.targets == "classes":
        return torch.randint(0, CLASSES, (SIZE,), generator=generator)
    if plan.targets == "one-hot":
        return torch.eye(CLASSES)[torch.randint(0, CLASSES, (SIZE,), generator=generator)]
    if plan.targets == "sequence":
        return torch.randint(0, CLASSES, (SIZE, 8), generator=generator)
    if plan.targets == "pixels":
        return torch.randint(0, CLASSES, (SIZE, 16, 16), generator=generator)
    if plan.targets == "like inputs":
        return torch.randn(first.shape, generator=generator)
    shape = (SIZE, 1) if plan.targets == "column" else (SIZE,)
    return torch.rand(shape, generator=generator)


def scaled(value: Any, factor: float) -> Any:
    """A tensor of numbers scaled; ids, masks and everything else as they are."""
    if isinstance(value, Tensor) and value.is_floating_point():
        return value * factor
    return value


def shape_of(nodes: Iterable[ast.AST], path: str) -> Shape:
    """How the code takes apart what it draws from a loader."""
    for node in nodes:
        for part in parts(node):
            if isinstance(part, (ast.For, ast.comprehension)):
                item = _item(part.iter, part.target, path)
                if item is not None:
                    return _shape(item, node)
    return Shape()


def _item(source: ast.expr, target: ast.expr, path: str) -> ast.expr | None:
    """The part of a loop's target that the loader's batches are bound to."""
    if dotted(source) == path:
        return target
    if not isinstance(source, ast.Call) or path not in map(dotted, iterated(source)):
        return None
    counted = dotted(source.func) == "enumerate" or (
        source.args
        and isinstance(source.args[0], ast.Call)
        and dotted(source.args[0].func) == "enumerate"
    )
    if counted and isinstance(target, ast.Tuple) and len(target.elts) == 2:
        return target.elts[1]
    return target


def _shape(item: ast.expr, code: ast.AST) -> Shape:
    if isinstance(item, (ast.Tuple, ast.List)):
        return Shape("tuple", tuple(_name(part) for part in item.elts))
    if not isinstance(item, ast.Name):
        return Shape()
    return _taken_apart(item.id, code)


def _taken_apart(name: str, code: ast.AST) -> Shape:
    """How a batch that is bound to one name is used further on."""
    keys: list[str] = []
    positions = [0]
    for part in parts(code):
        target = part.targets[0] if isinstance(part, ast.Assign) else None
        if isinstance(target, (ast.Tuple, ast.List)) and _unpacks(part.value, name):  # type: ignore[attr-defined]
            return Shape("tuple", tuple(_name(one) for one in target.elts))
        if isinstance(part, ast.Subscript) and dotted(part.value) == name:
            key = getattr(part.slice, "value", None)
            if isinstance(key, str) and key not in keys:
                keys.append(key)
            elif isinstance(key, int):
                positions.append(key)
    if keys or _is_mapping(name, code):
        return Shape("mapping", tuple(keys) or ("input_ids", "labels"))
    if len(positions) > 1:
        return Shape("tuple", tuple(f"item{place}" for place in range(max(positions) + 1)))
    return Shape()


def _is_mapping(name: str, code: ast.AST) -> bool:
    """Whether a batch is asked for its items, or given as keyword arguments."""
    for part in parts(code):
        if isinstance(part, ast.keyword) and part.arg is None and dotted(part.value) == name:
            return True
        asked = isinstance(part, ast.Attribute) and part.attr in ("items", "keys", "values")
        if asked and dotted(part.value) == name:  # type: ignore[attr-defined]
            return True
    return False


def _unpacks(value: ast.expr, name: str) -> bool:
    """Whether a value is what a name holds, item by item."""
    if isinstance(value, (ast.GeneratorExp, ast.ListComp)):
        return dotted(value.generators[0].iter) == name
    if isinstance(value, ast.Call):
        return any(_unpacks(argument, name) for argument in value.args)
    return dotted(value) == name


def _name(node: ast.expr) -> str:
    return dotted(node).rpartition(".")[2] or "item"
