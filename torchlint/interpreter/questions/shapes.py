"""Questions about shapes: what is given where it does not fit, told in readers' terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter import provenance, shapes
from torchlint.interpreter.dimensions import same, written
from torchlint.interpreter.events.shapes import (
    RankUsed,
    Refused,
    Reordered,
    Reread,
    Resized,
    Squeezed,
)
from torchlint.interpreter.shapes import is_whole
from torchlint.interpreter.shaping.mismatch import Why

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.shaping.mismatch import Mismatch
    from torchlint.interpreter.trace import Chain, Trace

_NOUNS = {
    "in_channels": "channels",
    "num_features": "channels",
    "num_channels": "channels",
    "in_features": "features",
    "in1_features": "features",
    "in2_features": "features",
    "input_size": "features",
    "embed_dim": "features",
    "d_model": "features",
}
"""What a layer's settings count."""

_MULTIPLES = frozenset(
    "upscale_factor downscale_factor num_groups groups kernel_size dim sizes".split()
)
"""What has to divide a size, and need not be it."""

_TENSORS = "tensors"
_UNPACKED = "targets"
_PATTERNS = frozenset({"equation"})


def refused(trace: Trace, reasons: Iterable[Why]) -> Iterator[Refused]:
    """Operations that are given what they never take, for one of these reasons, each place once.

    What is wrong with a pattern has a rule of its own.
    """
    seen = set()
    for event in trace.of(Refused):
        found = event.mismatch
        if found.why not in reasons or found.by in _PATTERNS:
            continue
        if event.spot in trace.unsure and found.why is not Why.SIZE:
            # Code for another number of dimensions is for single samples.
            continue
        if event.spot not in seen:
            seen.add(event.spot)
            yield event


def level(trace: Trace, event: Refused) -> Level | None:
    """How sure it is: a single sample might be taken where a batch is refused."""
    return Level.SUSPICIOUS if event.spot in trace.unsure else None


def channels_last(trace: Trace) -> Iterator[Refused]:
    """Convolutions of what has as many channels as they take, in the last dimension."""
    for event in refused(trace, (Why.SIZE,)):
        found = event.mismatch
        wanted = found.wanted if found.by in _CHANNELS else None
        shape = found.shape if is_whole(found.shape) else None
        if shape and not isinstance(wanted, tuple) and same(wanted, shape[-1]):
            yield event


def lost_batches(trace: Trace) -> Iterator[tuple[Squeezed, bool]]:
    """Batches that are squeezed, and not put into the dimensions that they are to have at once.

    The flag tells of those that matter: whatever is done with others comes out the same.
    """
    mended = {event.squeezed for event in trace.of(Resized)}
    uses = trace.of(RankUsed)
    uneven = {event.squeezed for event in uses if not event.even}
    even = {event.squeezed for event in uses} - uneven
    for event in trace.of(Squeezed):
        if event.spot not in mended:
            yield event, event.spot not in even and not event.even


_CHANNELS = frozenset({"in_channels", "weight"})
"""What wants the channels of an image: a linear function wants the last dimension itself."""


def reordered(trace: Trace) -> Iterator[Reordered]:
    """Views with a dimension in another place, which nobody views again to make up for it."""
    reread = {event.first for event in trace.of(Reread)}
    for event in trace.of(Reordered):
        if event.spot not in reread:
            yield event


def told(event: Refused, trace: Trace | None = None) -> str:
    """What is wrong, as a sentence; a trace tells where what a layer gets has come from."""
    found = event.mismatch
    what = provenance.name(event.op, event.spot, event.built)
    shape = f" ({_shape(found.shape)})" if found.shape is not None else ""
    both = f"{_size(found.wanted)} and {_size(found.given)}"
    match found.why:
        case Why.SIZE if found.operand == _TENSORS:
            return f"{what} of tensors that have {both} {_where(found.dim)}, which has to be one"
        case Why.RANK if found.operand == _TENSORS and found.given == 0:
            return f"{what} of tensors that have no dimensions: `torch.stack` gives them one"
        case Why.RANK if found.operand == _TENSORS:
            return f"{what} of tensors that have {both} dimensions"
        case Why.SIZE if found.by in _NOUNS:
            story = provenance.story(trace, event.inputs.get(found.operand)) if trace else ""
            return (
                f"{what} takes {_size(found.wanted)} {_NOUNS[found.by]}, "
                f"gets {_size(found.given)}{f': {story}' if story else shape}"
            )
        case Why.SIZE if found.by in _MULTIPLES:
            return (
                f"{what} takes a multiple of {_size(found.wanted)} {_where(found.dim)}, "
                f"gets {_size(found.given)}{shape}"
            )
        case Why.SIZE:
            others = f", beside {_shape(found.other)}" if found.other is not None else ""
            return (
                f"{what} takes {_size(found.wanted)} {_where(found.dim)}, "
                f"gets {_size(found.given)}{shape}{others}"
            )
        case Why.COUNT:
            return _counted(what, found, shape)
        case Why.BROADCAST:
            return (
                f"{_pair(found.shape, found.other)} in {what}: "
                f"{_where(found.dim)} there are {_size(found.given)} and {_size(found.wanted)}"
            )
    wanted = f" {_size(found.wanted)} dimensions" if found.wanted is not None else " another rank"
    given = f" {_size(found.given)}" if found.given is not None else " what it never takes"
    return f"{what} takes{wanted}, gets{given}{shape}"


def _counted(what: str, found: Mismatch, shape: str) -> str:
    """Elements, or parts, of which there are more or fewer."""
    wanted, given = _size(found.wanted), _size(found.given)
    if found.by == _UNPACKED:
        return f"{what} gives {given}, and {wanted} are unpacked{shape}"
    multiple = "a multiple of " if found.dim is not None else ""
    return f"{what} asks for {multiple}{wanted} elements, gets {given}{shape}"


def path(trace: Trace, event: Refused) -> Chain:
    """The places that gave the shape, and where the layer was built."""
    found = event.mismatch
    values = [event.inputs.get(found.operand)]
    if found.other is not None:
        values.append(event.inputs.get(found.by))
    sizes = found.wanted if isinstance(found.wanted, tuple) else (found.wanted,)
    steps = [
        (trace.sized[size], "the sizes are given here")
        for size in (*sizes, found.given)
        if isinstance(size, int) and size in trace.sized
    ]
    steps += [step for value in values for step in provenance.chain(trace, value)]
    if event.built is not None and event.built.node is not event.spot.node:
        steps.append((event.built, "the layer is built here"))
    return tuple(step for step in dict(steps).items() if step[0] != event.spot)


def _pair(one: Shape | None, other: Shape | None) -> str:
    if one is None or other is None:
        return "what is given does not broadcast"
    return f"{_shape(one)} and {_shape(other)} do not broadcast"


def _shape(shape: Shape | None) -> str:
    return f"`{shapes.written(shape)}`"


def _size(size: Dim | tuple[Dim, ...]) -> str:
    if isinstance(size, tuple):
        return " or ".join(map(written, size))
    return written(size)


def _where(dim: int | None) -> str:
    return f"in dimension {dim}" if dim is not None else "elements"
