"""Transformers that are made of a project's own parts: what torch hands these."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from torchlint.interpreter.events.classes import Unexpected
from torchlint.interpreter.values import Instance, Spot
from torchlint.project.outline import Definition
from torchlint.torch_api.registry import hear

if TYPE_CHECKING:
    from torchlint.torch_api.registry import Call

_MASKS = tuple("tgt_mask memory_mask tgt_key_padding_mask memory_key_padding_mask".split())
_HINTS = ("tgt_is_causal", "memory_is_causal")


class _Handed(NamedTuple):
    """What a part is called with: so many values, these keywords, and the new ones since when."""

    position: int
    values: int
    keywords: tuple[str, ...]
    new: tuple[str, ...]
    since: str


_PARTS = {
    "torch.nn.Transformer": {
        "custom_encoder": _Handed(7, 1, ("mask", "src_key_padding_mask"), ("is_causal",), "2.1"),
        "custom_decoder": _Handed(8, 2, _MASKS, _HINTS, "2.1"),
    },
    "torch.nn.TransformerEncoder": {
        "encoder_layer": _Handed(0, 1, ("src_mask", "src_key_padding_mask"), ("is_causal",), "2.0"),
    },
    "torch.nn.TransformerDecoder": {"decoder_layer": _Handed(0, 2, _MASKS, _HINTS, "2.1")},
}
"""The parts that transformers call, by the parameters under which they are given."""


@hear("function", *_PARTS)
def _built(call: Call) -> None:
    """A transformer gets parts whose forward was written for what earlier releases handed over."""
    for parameter, handed in _PARTS[call.name].items():
        given = call.get(parameter, handed.position)
        record = call.machine.peek(given) if given is not None else None
        cls = record.cls if isinstance(record, Instance) else None
        index = call.machine.index
        forward = index.member(cls, "forward") if isinstance(cls, Definition) else None
        if not isinstance(forward, Definition) or forward.is_class:
            continue
        method = index.method(forward)
        known = handed.keywords
        lacking = [each for each in handed.new if not method.accepts(handed.values, *known, each)]
        if lacking and method.accepts(handed.values, *known):
            call.machine.emit(
                Unexpected,
                call.spot,
                keywords=tuple(lacking),
                forward=Spot(forward.region, forward.region.heading()),
                since=handed.since,
            )


@hear("derived", *_PARTS)
def _derived(call: Call) -> None:
    """A class derived from a transformer gets parts, which torch's own forward calls."""
    record = call.machine.peek(call.receiver) if call.receiver is not None else None
    cls = record.cls if isinstance(record, Instance) else None
    own = call.machine.index.member(cls, "forward") if isinstance(cls, Definition) else None
    if not isinstance(own, Definition):
        _built(call)
