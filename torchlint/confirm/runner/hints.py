"""Inputs that might do where others failed, by what the message of the failure says."""

from __future__ import annotations

import inspect
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from .guesses import WIDTH
from .kinds import of_kinds
from .specs import BATCH, SIDE, TIME, Spec, floats, longs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import nn

    from .inputs import Subject
    from .trials import Attempt

Specs = dict[str, Spec]
_MOST_NUMBERS = 6
_LETTERS = {"B": BATCH, "N": BATCH, "C": 3, "H": SIDE, "W": SIDE, "D": 8, "T": TIME, "L": TIME}
_SHAPE = re.compile(r"[\[(]((?:\s*(?:\*|\.\.\.|\d+|[A-Z])\s*,)+\s*(?:\d+|[A-Z])?\s*)[\])]")
_TOO_SMALL = re.compile(
    r"[Kk]ernel size|too small|Padding size|less than the corresponding|smaller than|at least|"
    r"Calculated (padded|output)|non-zero|Sizes of tensors must match|must be greater"
)
_EMPTY = re.compile(
    r"NoneType|[Yy]ou (have to|must) specify|must be specified|cannot be None|is required"
)
_ONE = re.compile(r"Size\(\[(\d+)\]\)")
_SIZES = ("img_size", "image_size", "input_size", "input_resolution", "resolution", "size")


def hints(failed: Attempt, subject: Subject) -> Iterator[Specs]:
    """Changed inputs, the likeliest to help first."""
    message = str(failed.error)
    yield from of_kinds(failed, message)
    yield from _of_shapes(failed, message)
    yield from _of_equal(failed, message)
    if _EMPTY.search(message):
        yield from _filled(failed, subject)
    yield from _padded(failed, message)
    if _TOO_SMALL.search(message):
        yield from _larger(failed)
    if failed.failed is None or isinstance(failed.error, (AssertionError, ValueError)):
        yield from _of_numbers(failed, message, subject.module)


def _of_shapes(failed: Attempt, message: str) -> Iterator[Specs]:
    """A shape that the message writes down, or a rank."""
    shapes = [_read(written) for written in _SHAPE.findall(message)]
    for shape in [*shapes, *((int(size),) for size in _ONE.findall(message))]:
        for name, spec in failed.leaves():
            if spec.kind in ("float", "long") and shape and spec.shape != shape:
                yield failed.replaced(name, replace(spec, shape=shape))
    ranks = re.findall(
        r"(?:[Ee]xpected|needs?|must be|should be|be a|have)\D{0,20}?(\d)(?:-?D\b| dim)", message
    )
    for rank in dict.fromkeys(map(int, ranks)):
        for name, spec in failed.leaves():
            if spec.kind in ("float", "long") and len(spec.shape) != rank and 0 < rank < 6:
                yield failed.replaced(name, replace(spec, shape=_of_rank(spec.shape, rank)))


def _read(written: str) -> tuple[int, ...]:
    """The sizes of a shape such as ``*, 1, H, W``."""
    sizes = []
    for part in (part.strip() for part in written.split(",")):
        if part.isdigit():
            sizes.append(int(part))
        elif part in ("*", "..."):
            sizes.append(BATCH)
        elif part:
            sizes.append(_LETTERS.get(part, WIDTH))
    return tuple(sizes) if 1 < len(sizes) < 6 and 0 not in sizes else ()


def _of_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """The shape with another rank, as images and videos have it from four on."""
    width = shape[1] if len(shape) > 3 else shape[-1] if len(shape) > 1 else WIDTH
    ends = {1: (), 2: (width,), 3: (TIME, width), 4: (width, SIDE, SIDE), 5: (width, 8, 16, 16)}
    return (shape[0] if shape else BATCH, *ends[rank])


def _of_equal(failed: Attempt, message: str) -> Iterator[Specs]:
    """All tensors alike, or two of which one is named after the other."""
    if not re.search(r"same (shape|size|batch|dim|dtype)|[Mm]ismatch|must match|equal", message):
        return
    tensors = {name: spec for name, spec in failed.leaves() if spec.kind == "float"}
    for name, spec in tensors.items():
        changed = dict(failed.specs)
        for other in failed.specs:
            if other in tensors and other != name:
                changed[other] = spec
        if changed != failed.specs:
            yield changed


def _filled(failed: Attempt, subject: Subject) -> Iterator[Specs]:
    """What may be left out, and cannot after all."""
    like = next((spec for _, spec in failed.leaves() if spec.kind == "float"), None)
    for parameter in subject.optional:
        name = parameter.name.lower()
        if parameter.name in failed.specs or parameter.default is not None:
            continue
        if re.search(r"ids|idx|tokens", name):
            yield {**failed.specs, parameter.name: longs(32, BATCH, TIME)}
        elif "mask" in name:
            yield {**failed.specs, parameter.name: Spec("bool", (BATCH, TIME))}
        elif re.search(r"pixel|image|img", name):
            yield {**failed.specs, parameter.name: floats(BATCH, 3, SIDE, SIDE)}
        elif re.search(r"label|target", name):
            yield {**failed.specs, parameter.name: longs(2, BATCH)}
        else:
            yield {**failed.specs, parameter.name: like or floats(BATCH, TIME, WIDTH)}


def _padded(failed: Attempt, message: str) -> Iterator[Specs]:
    """Signals that are longer than what pads them."""
    told = re.search(r"padding \((\d+), (\d+)\) at dimension", message)
    length = 4 * max(map(int, told.groups())) if told else 0
    for name, spec in failed.leaves() if length else ():
        if spec.kind == "float" and spec.shape:
            yield failed.replaced(name, spec.resized(-1, length))
        elif spec.kind == "long":
            yield failed.replaced(name, floats(BATCH, length))


def _larger(failed: Attempt) -> Iterator[Specs]:
    """Images and sequences of more extent, and longer signals."""
    for factor in (2, 4, 7, 64, 512):
        changed = dict(failed.specs)
        for name, spec in failed.leaves():
            axes = len(spec.shape) - 2 if factor < 64 else 1
            if spec.kind != "float" or len(spec.shape) < 2 or axes < 1 or "/" in name:
                continue
            if factor < 64 or len(spec.shape) < 4:
                ends = tuple(factor * size for size in spec.shape[-axes:])
                changed[name] = replace(spec, shape=(*spec.shape[:-axes], *ends))
                yield failed.replaced(name, changed[name])
        yield changed


def _of_numbers(failed: Attempt, message: str, module: nn.Module | None) -> Iterator[Specs]:
    """Sizes that are numbers of the message, or that the module keeps."""
    told = [int(text) for text in re.findall(r"(?<![\w.])\d+(?![\w.])", message)]
    kept = [getattr(module, name, None) for name in _SIZES]
    flat = [item for each in kept for item in (each if isinstance(each, (tuple, list)) else [each])]
    numbers = [item for item in [*told, *flat] if type(item) is int and 1 <= item <= 1024]
    for number in list(dict.fromkeys(numbers))[:_MOST_NUMBERS]:
        for name, spec in failed.leaves():
            if spec.kind not in ("float", "long"):
                continue
            if len(spec.shape) > 3:
                yield failed.replaced(name, replace(spec, shape=(*spec.shape[:-2], number, number)))
            for axis in range(1, len(spec.shape)):
                if spec.shape[axis] != number:
                    yield failed.replaced(name, spec.resized(axis, number))


def optional(parameters: list[inspect.Parameter]) -> list[inspect.Parameter]:
    """Those that may be left out."""
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        item for item in parameters if item.kind not in variadic and item.default is not item.empty
    ]
