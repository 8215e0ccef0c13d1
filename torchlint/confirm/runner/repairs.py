"""Inputs that might get further than those that failed, by the operation that failed on them."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import nn

from .guesses import WIDTH
from .hints import hints
from .specs import BATCH, SIDE, TIME, Spec, of_layer, plain
from .trials import tensors

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .inputs import Subject
    from .trials import Attempt

Specs = dict[str, Spec]
_SIDES = (64, 28, 224, 16, 128, 8)
_NORMALISING = {"layer_norm": -1, "batch_norm": 1, "instance_norm": 1, "group_norm": 1}


def repairs(
    failed: Attempt, candidates: dict[str, list[Spec]], subject: Subject
) -> Iterator[Specs]:
    """Changed inputs, the likeliest to help first."""
    message = str(failed.error)
    if failed.failed is not None:
        yield from _of_operation(failed)
        yield from _of_sizes(failed, message)
        yield from _of_kind(failed, message)
    yield from _of_layer(failed)
    yield from _of_unpacking(failed, message)
    yield from hints(failed, subject)
    blamed = {name.partition("/")[0] for name in _blamed(failed)}
    for name in sorted(failed.specs, key=lambda name: name not in blamed):
        for spec in candidates.get(name, ()):
            yield failed.replaced(name, spec)
    yield from _of_space(failed)


def _blamed(failed: Attempt) -> frozenset[str]:
    if failed.failed is None:
        return frozenset()
    operands = tensors([failed.failed[1], failed.failed[2]])
    return frozenset().union(*(failed.origin(tensor) for tensor in operands))


def _of_operation(failed: Attempt) -> Iterator[Specs]:
    """What the weights of the failing operation want of its input."""
    assert failed.failed is not None
    operation, args, kwargs = failed.failed
    operands = [item for item in args if isinstance(item, torch.Tensor)]
    if operation.startswith("conv") and len(operands) > 1:
        groups = next(
            (item for item in args[6:7] if isinstance(item, int)), kwargs.get("groups", 1)
        )
        weight = operands[1]
        channels = weight.shape[0] if "transpose" in operation else weight.shape[1] * groups
        yield from _resize(failed, operands[0], 1, channels, weight.dim())
    elif operation == "linear" and len(operands) > 1:
        yield from _resize(failed, operands[0], -1, operands[1].shape[1])
    elif operation == "embedding" and len(operands) > 1:
        for name in failed.origin(operands[0]):
            shape = failed.spec(name).shape[:2] or (BATCH, TIME)
            yield failed.replaced(name, Spec("long", shape, operands[1].shape[0]))
    elif operation in _NORMALISING and operands:
        sizes = [item.shape[0] for item in operands[1:] if item.dim() == 1]
        if sizes:
            yield from _resize(failed, operands[0], _NORMALISING[operation], sizes[0])
    elif operation in ("matmul", "__matmul__", "bmm", "mm") and len(operands) > 1:
        one, other = operands[:2]
        yield from _resize(failed, one, -1, other.shape[-2 if other.dim() > 1 else 0])
        yield from _resize(failed, other, -2 if other.dim() > 1 else 0, one.shape[-1])


def _resize(
    failed: Attempt, tensor: torch.Tensor, axis: int, size: int, rank: int | None = None
) -> Iterator[Specs]:
    """Inputs with which the tensor would have the size along the axis."""
    for name in failed.origin(tensor):
        spec = failed.spec(name)
        if spec.kind not in ("float", "long") or not spec.shape:
            continue
        if rank is not None and len(spec.shape) != rank:
            yield failed.replaced(name, _reranked(spec, rank, size))
        elif spec.shape == tuple(tensor.shape):
            yield failed.replaced(name, spec.resized(axis, size))
        elif tensor.dim():
            now = tensor.shape[axis]
            for index in reversed(range(1, len(spec.shape))):
                if spec.shape[index] == now:
                    yield failed.replaced(name, spec.resized(index, size))
            for index in reversed(range(1, len(spec.shape))):
                if spec.shape[index] + size - now > 0:  # part of a concatenation
                    yield failed.replaced(name, spec.resized(index, spec.shape[index] + size - now))
            for index in range(1, len(spec.shape)):
                if now and spec.shape[index] * size % now == 0 and spec.shape[index] * size >= now:
                    yield {
                        **failed.specs,
                        name: spec.resized(index, spec.shape[index] * size // now),
                    }


def _reranked(spec: Spec, rank: int, width: int | None = None) -> Spec:
    wide = width or (spec.shape[-1] if len(spec.shape) in (2, 3) else WIDTH)
    shapes = {1: (BATCH,), 2: (BATCH, wide), 3: (BATCH, TIME, wide), 4: (BATCH, wide, SIDE, SIDE)}
    if rank == 3 and width:
        return replace(spec, shape=(BATCH, width, 4 * TIME))
    return replace(spec, shape=shapes.get(rank, (BATCH, wide, 8, 16, 16)))


def _of_sizes(failed: Attempt, message: str) -> Iterator[Specs]:
    """Two operands that are to have the same size, or a shape that does not fit."""
    assert failed.failed is not None
    operands = tensors([failed.failed[1], failed.failed[2]])
    clash = re.search(
        r"tensor a \((\d+)\) must match .* tensor b \((\d+)\) .* dimension (\d+)", message
    )
    if clash and len(operands) > 1:
        first, second, axis = map(int, clash.groups())
        rank = max(item.dim() for item in operands[:2])
        for tensor, size in ((operands[1], first), (operands[0], second)):
            if axis - rank + tensor.dim() >= 0:
                yield from _resize(failed, tensor, axis - rank + tensor.dim(), size)
        for tensor, other in ((operands[1], operands[0]), (operands[0], operands[1])):
            for name in failed.origin(tensor):
                if failed.spec(name).shape == tuple(tensor.shape):
                    yield {
                        **failed.specs,
                        name: replace(failed.spec(name), shape=tuple(other.shape)),
                    }
    joined = re.search(r"Expected size (\d+) but got size (\d+) for tensor number (\d+)", message)
    if joined and int(joined[3]) < len(operands):
        head, part = operands[0], operands[int(joined[3])]
        for axis in range(min(head.dim(), part.dim())):
            if (head.shape[axis], part.shape[axis]) == (int(joined[1]), int(joined[2])):
                yield from _resize(failed, part, axis, head.shape[axis])
                yield from _resize(failed, head, axis, part.shape[axis])
    wanted = re.search(r"shape '\[([\d, -]*)\]' is invalid for input of size (\d+)", message)
    if wanted and operands:
        sizes = [int(size) for size in wanted[1].split(",") if int(size) > 1]
        for name in failed.origin(operands[0]):
            spec = failed.spec(name)
            for axis in range(1, len(spec.shape)):
                for size in sizes:
                    yield failed.replaced(name, spec.resized(axis, size))
    if wanted:
        yield from _of_given_sizes(failed, [int(size) for size in wanted[1].split(",")], wanted[2])


def _of_given_sizes(failed: Attempt, sizes: list[int], elements: str) -> Iterator[Specs]:
    """Another number for a size of the shape that is an argument."""
    for name, spec in failed.leaves():
        number = spec.value if spec.kind == "plain" else None
        if type(number) is int and number > 0 and number in sizes and -1 not in sizes:
            left, rest = divmod(int(elements) * number, max(1, math.prod(sizes)))
            if left and not rest:
                yield failed.replaced(name, plain(left))


def _of_kind(failed: Attempt, message: str) -> Iterator[Specs]:
    """Integers for floats and the reverse; smaller indices; another rank."""
    kinds = re.search(r"scalar type|dtype|Long|Int|not implemented for|used as indices", message)
    indices = re.search(r"out of range|out of bounds", message)
    ranks = re.search(
        r"too many indices|Dimension out of range|[Ee]xpected \dD|dims|dimension", message
    )
    for name in _blamed(failed):
        spec = failed.spec(name)
        if kinds and spec.kind == "float":
            yield failed.replaced(name, replace(spec, kind="long", high=2))
            yield failed.replaced(name, replace(spec, kind="bool"))
        elif kinds and spec.kind in ("long", "bool"):
            yield failed.replaced(name, replace(spec, kind="float"))
        if indices and spec.kind == "long" and spec.high > 1:
            yield failed.replaced(name, replace(spec, high=1))
        if ranks and spec.kind == "float":
            for rank in (4, 3, 2, 5, 1):
                yield failed.replaced(name, _reranked(spec, rank))


def _of_layer(failed: Attempt) -> Iterator[Specs]:
    """What the layer takes in which the run stopped, where it got an argument as it came."""
    if failed.layer is None:
        return
    layer, args = failed.layer
    first = next((item for item in args if isinstance(item, torch.Tensor)), None)
    if first is None:
        return
    if isinstance(layer, (nn.RNNBase, nn.RNNCellBase)):
        yield from _resize(failed, first, -1, layer.input_size)
    for name in failed.origin(first):
        if failed.spec(name).shape == tuple(first.shape):
            for spec in of_layer(layer):
                yield failed.replaced(name, spec)


def _of_unpacking(failed: Attempt, message: str) -> Iterator[Specs]:
    parts = re.search(r"values to unpack \(expected (\d+)", message)
    if not parts:
        return
    count = int(parts[1])
    for name, spec in failed.leaves():
        if spec.kind in ("float", "long") and len(spec.shape) != count:
            yield failed.replaced(name, _reranked(spec, count))
            yield from _spread(failed, name, spec, count)
        if spec.kind == "float":
            yield failed.replaced(name, Spec("tuple", items=(spec,) * count))


def _of_space(failed: Attempt) -> Iterator[Specs]:
    """Other sizes of images, other ranks."""
    for name, spec in failed.leaves():
        if spec.kind != "float":
            continue
        for side in _SIDES if len(spec.shape) == 4 else ():
            yield failed.replaced(name, replace(spec, shape=(*spec.shape[:2], side, side)))
        for rank in (4, 3, 2):
            if rank != len(spec.shape):
                yield failed.replaced(name, _reranked(spec, rank))
        yield from _spread(failed, name, spec, 4)


def _spread(failed: Attempt, name: str, spec: Spec, rank: int) -> Iterator[Specs]:
    """The same with its last axis last, and more before it."""
    if rank > 2 and len(spec.shape) not in (rank, 0, 1):
        shape = (spec.shape[0], *(TIME,) * (rank - 2), spec.shape[-1])
        yield failed.replaced(name, replace(spec, shape=shape))
