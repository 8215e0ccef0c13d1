"""Settings of layers and operations that are refused: when they are built, or when applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import shapes
from torchlint.interpreter.dimensions import written
from torchlint.interpreter.events.layers import BuildRefused
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.shaping.mismatch import Mismatch
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot

_WINDOW = frozenset("kernel_size stride padding dilation output_size output_padding".split())


@dataclass(frozen=True, slots=True)
class Problem:
    """What is refused somewhere, as a sentence."""

    spot: Spot
    text: str


def refused(trace: Trace) -> Iterator[Problem]:
    """Layers that cannot be built, and settings that do not go with what they are applied to."""
    for built in trace.of(BuildRefused):
        yield Problem(built.spot, f"`{built.kind}` cannot be built: {built.reason}")
    seen = set()
    for event in trace.of(Refused):
        text = _text(event.op, event.mismatch)
        if text and event.spot not in seen:
            seen.add(event.spot)
            yield Problem(event.spot, text)


def _text(op: str, found: Mismatch) -> str:
    """What is wrong with the settings; empty where it is something else."""
    shape = f"`{shapes.written(found.shape)}`"
    if isinstance(found.wanted, tuple):
        return ""
    wanted, given = written(found.wanted), written(found.given)
    match found.why:
        case Why.EMPTY if found.by == "kernel_size":
            what = f"`{op}` has a window of {wanted} in dimension {found.dim}"
            return f"{what}, where there are {given}, padding included: it gets {shape}"
        case Why.EMPTY:
            return f"`{op}` would give a size of {given} in dimension {found.dim}: it gets {shape}"
        case Why.RANGE if found.by == "pad":
            what = f"`{op}` pads by {given} in dimension {found.dim}"
            return f"{what}, and cannot by more than {wanted}: it gets {shape}"
        case Why.RANGE if found.by == "size":
            return f"`{op}` has a window of {given} in dimension {found.dim}: it gets {shape}"
        case Why.ARGUMENTS:
            return _clash(op, found, wanted, given)
    return ""


def _numbers(wanted: str) -> str:
    return "1 number" if wanted == "1" else f"{wanted} numbers"


def _clash(op: str, found: Mismatch, wanted: str, given: str) -> str:
    """Settings that do not go together."""
    match found.by:
        case "size" | "scale_factor" if found.wanted is not None:
            return f"`{op}` takes {_numbers(wanted)} for `scale_factor`, gets {given}"
        case "size" if op.startswith(("expand", "broadcast")):
            return f"`{op}` keeps only the sizes of dimensions that there are with -1"
        case "dims" | "dim" | "dim1" | "source":
            return f"`{op}` is told a dimension twice: it gets {shapes.written(found.shape)}"
        case "shape" | "sizes" | "other":
            return f"`{op}` can work out one size that is -1, and no other is below 0"
        case "start_dim":
            return f"`{op}` would end before it starts: it gets {shapes.written(found.shape)}"
        case "size":
            return f"`{op}` takes either `size` or `scale_factor`"
        case "pad":
            return f"`{op}` takes an even number of amounts, one for each side"
        case "padding" if found.wanted is None:
            return f"`{op}` pads to the same size only with a `stride` of 1"
        case "padding":
            return f"`{op}` pads by {given}, and cannot by more than half of its window, {wanted}"
        case "output_padding":
            what = f"`{op}` has an `output_padding` of {given}"
            return f"{what}, and takes less than `stride` or `dilation`, {wanted}"
        case "" if found.operand in _WINDOW:
            return f"`{op}` takes {_numbers(wanted)} for `{found.operand}`, gets {given}"
        case "groups":
            return f"`{op}` wants `groups`, {wanted}, to divide {given} channels"
    return ""
