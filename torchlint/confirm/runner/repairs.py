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
    given = [*args, *kwargs.values()]
    operands = [item for item in given if isinstance(item, torch.Tensor)]
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
    elif operation == "einsum" and operands and isinstance(args[0], str):
        yield from _of_einsum(failed, args[0], operands)
    elif operation in ("matmul", "__matmul__", "bmm", "mm") and len(operands) > 1:
        one, other = operands[:2]
        yield from _resize(failed, one, -1, other.shape[-2 if other.dim() > 1 else 0])
        yield from _resize(failed, other, -2 if other.dim() > 1 else 0, one.shape[-1])


def _of_einsum(failed: Attempt, equation: str, operands: list[torch.Tensor]) -> Iterator[Specs]:
    """What the pattern says of how many axes an operand has, and which are of one size."""
    axes = [part.strip() for part in equation.partition("->")[0].split(",")]
    message = str(failed.error)
    count = re.search(r"equation \((\d+)\).* dimensions \((\d+)\) for operand (\d+)", message)
    if count and int(count[3]) < len(operands):
        for name in failed.origin(operands[int(count[3])]):
            spec = failed.spec(name)
            rank = len(spec.shape) + int(count[1]) - int(count[2])
            yield from _spread(failed, name, spec, rank)
    clash = re.search(r"subscript (\w) has size (\d+) for operand (\d+) .* size (\d+)", message)
    for operand, letters in zip(operands, axes, strict=False) if clash else ():
        axis = letters.replace(" ", "").find(clash[1]) if clash else -1
        if clash and 0 <= axis < operand.dim():
            for size in {int(clash[2]), int(clash[4])} - {operand.shape[axis]}:
                yield from _resize(failed, operand, axis, size)


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
            yield from _made_up_for(failed, name, tensor.shape[axis], size)
        elif tensor.dim():
            same = axis % tensor.dim() if tensor.dim() == len(spec.shape) else 0
            axes = sorted(range(1, len(spec.shape)), key=lambda index: (index != same, -index))
            for changed in _resized(spec, axes, same, tensor.shape[axis], size):
                yield failed.replaced(name, changed)
            yield from _made_up_for(failed, name, tensor.shape[axis], size)


def _resized(spec: Spec, axes: list[int], same: int, now: int, size: int) -> Iterator[Spec]:
    """Inputs of which something with another size along an axis would have the size."""
    scaled = [index for index in axes if now and spec.shape[index] * size % now == 0]
    scaled = [index for index in scaled if spec.shape[index] * size >= now]
    yield from (spec.resized(index, size) for index in axes if spec.shape[index] == now)
    for index in scaled:
        for times in (1, 2, 4, 8) if now < spec.shape[index] else (1,):  # one part of several
            if index == same:
                yield spec.resized(index, times * spec.shape[index] * size // now)
    for index in [same] if same and len(spec.shape) > 3 else axes:
        left = spec.shape[index] + size - now  # as part of a concatenation
        if left > 0 or index == same:
            yield spec.resized(index, left if left > 0 else max(1, size // 2))
    for index in scaled:
        yield spec.resized(index, spec.shape[index] * size // now)


def _made_up_for(failed: Attempt, name: str, now: int, size: int) -> Iterator[Specs]:
    """Another size of one, with as much taken from what it may be joined to."""
    spec = failed.spec(name)
    axes = [index for index in range(1, len(spec.shape)) if spec.shape[index] == now]
    for other, beside in failed.leaves():
        for axis in axes if len(beside.shape) == len(spec.shape) and other != name else ():
            left = beside.shape[axis] + now - size
            if left > 0 and beside.kind == "float":
                changed = failed.replaced(name, spec.resized(axis, size))
                whole, _, inner = other.partition("/")
                changed[whole] = changed[whole].replaced(inner, beside.resized(axis, left))
                yield changed


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
        yield from _of_patches(failed, operands[0], first, second)
        yield from _of_patches(failed, operands[1], second, first)
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


def _of_patches(failed: Attempt, tensor: torch.Tensor, now: int, size: int) -> Iterator[Specs]:
    """Images with as many patches, and what stands before them, as there are positions."""
    for name in failed.origin(tensor):
        spec = failed.spec(name)
        for before in (0, 1) if len(spec.shape) == 4 and min(now, size) > 1 else ():
            patch = math.sqrt(math.prod(spec.shape[2:]) / (now - before))
            side = math.sqrt(size - before) * patch
            if spec.shape[2] == spec.shape[3] and patch.is_integer() and side.is_integer():
                yield failed.replaced(
                    name, replace(spec, shape=(*spec.shape[:2], *[int(side)] * 2))
                )


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
