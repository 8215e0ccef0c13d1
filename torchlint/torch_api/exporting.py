"""Exporting: what is recorded of a model once, in the mode that it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.modes import UNSEEN, Exported
from torchlint.interpreter.holdings import modules_under
from torchlint.interpreter.values import FALSE, NONE, TRUE, Instance, Ref
from torchlint.project.index import External
from torchlint.torch_api import kinds, mode_layers
from torchlint.torch_api.registry import Call, hear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_ONNX = "torch.onnx.export"
_BY_GRAPH = "2.9"
"""Since this release the exporter to ONNX leaves the mode as it is, if not told to be the old one.

The old one switches to evaluation for the time.
"""


@hear("function", _ONNX, "torch.jit.trace", "torch.export.export")
def _exported(call: Call) -> None:
    model = _model(call)
    record = call.machine.get(model) if model is not None else None
    if not isinstance(model, Ref) or not isinstance(record, Instance) or record.escaped:
        return
    if call.name == _ONNX and not _keeps_mode(call):
        return
    for layer, kind in _layers(call.machine, model):
        modes = record.modes | layer.modes
        if record.modes and layer.modes and all(mode.training for mode in modes):
            short = call.name.removeprefix("torch.")
            switches = tuple(mode.spot for mode in modes if mode.spot is not None)
            call.machine.emit(
                Exported, call.spot, how=short, kind=kind, built=layer.spot, switched=switches
            )
            return


def _model(call: Call) -> Value | None:
    names = ("model", "func", "mod")
    return next((value for name in names if (value := call.get(name, 0)) is not None), None)


def _keeps_mode(call: Call) -> bool:
    """Whether the export to ONNX is made in the mode of the model, without that being asked for."""
    asked = call.get("training")
    if asked is not None and not _is_evaluation(asked):
        return False
    by_graph = call.get("dynamo")
    if by_graph is None:
        return call.machine.trace.releases.reach(_BY_GRAPH) and not call.arguments.open
    return by_graph == TRUE


def _is_evaluation(asked: Value) -> bool:
    if isinstance(asked, External):
        return asked.name.endswith(".EVAL")
    return asked in (NONE, FALSE)


def _layers(machine: Machine, model: Ref) -> Iterator[tuple[Instance, str]]:
    """The layers of a model that do not do the same in training and in evaluation."""
    for address in sorted(modules_under(machine, frozenset({model.address}))):
        layer = machine.live.heap.get(address)
        if not isinstance(layer, Instance) or not isinstance(layer.cls, str):
            continue
        kind = mode_layers.kind_of(machine, layer, layer.cls.rpartition(".")[2])
        if kind is None and layer.cls.startswith(kinds.PRETRAINED):
            kind = mode_layers.kind_of_whole(layer.cls)
        if kind not in {None, UNSEEN}:
            assert kind is not None
            yield layer, kind
