"""Exporting and compiling: what is recorded of a model once, and in which mode; summing up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import calls, recording, sizing, tensors
from torchlint.interpreter.events.modes import UNSEEN, Exported
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import FALSE, NONE, TRUE, Instance, Ref, Tensor, Tuple
from torchlint.project.index import External
from torchlint.torch_api import mode_layers
from torchlint.torch_api.registry import Call, hear

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value

_ONNX = "torch.onnx.export"
_TRACE = "torch.jit.trace"
_WITH_BATCH = "torchinfo.summary"
_SUMMARIES = ("torchsummary.summary", _WITH_BATCH)
_BY_GRAPH = "2.9"
"""Since this release the exporter to ONNX leaves the mode as it is, if not told to be the old one.

The old one switches to evaluation for the time.
"""


@hear("function", _ONNX, _TRACE, "torch.export.export")
def _recorded(call: Call) -> None:
    """What is exported is run once with what it is given for that."""
    machine, model = call.machine, _model(call)
    given = call.get("example_inputs", 1) or call.get("args", 1)
    if model is None or given is None:
        return
    inputs = given.items if isinstance(given, Tuple) else (given,)
    if all(isinstance(machine.get(value), Tensor) for value in inputs):
        old = call.name == _ONNX and not _is_by_graph(call)
        _run(call, model, inputs, _TRACE if old else call.name)


def _run(call: Call, model: Value, inputs: tuple[Value, ...], recorder: str = "") -> None:
    """A model is run on these, which leaves all as it was."""
    machine = call.machine
    before, passing = machine.live.fork(), machine.passing
    machine.passing = True
    machine.live.recorder = recorder or machine.live.recorder
    calls.call(machine, model, Arguments(inputs), call.spot)
    machine.state, machine.passing = before, passing


@hear("function", *_SUMMARIES)
def _summarised(call: Call) -> None:
    """What is summed up layer by layer is run on numbers of the sizes that are told."""
    model, given = call.get("model", 0), call.get("input_size", 1)
    if model is None or not isinstance(given, Tuple) or "batch_dim" in call.arguments.keywords:
        return
    sizes = sizing.sizes(call.machine, [given])
    if sizes and all(type(size) is int for size in sizes):
        samples = sizes if call.name == _WITH_BATCH else (2, *sizes)
        made = tensors.new_tensor(call.machine, None, shape=samples, dtype="float32")
        _run(call, model, (made,))


@hear("function", "torch.compile")
def _compiled(call: Call) -> None:
    """What is compiled is compiled as it is called."""
    what = call.get("model", 0)
    if what is not None and call.get("disable") in (None, FALSE):
        whole = call.get("fullgraph") == TRUE
        recording.compiled(call.machine, what, recording.WHOLE if whole else recording.COMPILE)


@hear("tensor", "item", "tolist")
def _read(call: Call) -> None:
    assert call.receiver is not None
    recording.tested(call.machine, call.receiver, call.spot, f".{call.name}()")


@hear("function", "builtins.float", "builtins.int", "builtins.bool", "builtins.print")
def _read_by(call: Call) -> None:
    for value in call.arguments.positional:
        recording.tested(call.machine, value, call.spot, f"{call.name.rpartition('.')[2]}()")


@hear("function", "builtins.max", "builtins.min")
def _compared(call: Call) -> None:
    """The larger of two is chosen as the program runs, but for what compiles it as an operation."""
    given = call.arguments.positional
    for value in given if call.machine.live.recorder == _TRACE and len(given) > 1 else ():
        recording.tested(call.machine, value, call.spot, f"{call.name.rpartition('.')[2]}()")


@hear("function", _ONNX, _TRACE, "torch.export.export")
def _exported(call: Call) -> None:
    model = _model(call)
    record = call.machine.get(model) if model is not None else None
    if not isinstance(model, Ref) or not isinstance(record, Instance) or record.escaped:
        return
    if call.name == _ONNX and not _keeps_mode(call):
        return
    for _, layer, kind in mode_layers.under(call.machine, model):
        modes = record.modes | layer.modes
        known = kind != UNSEEN and record.modes and layer.modes
        if known and all(mode.training for mode in modes):
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
    return _is_by_graph(call)


def _is_by_graph(call: Call) -> bool:
    """Whether the newer exporter is asked for, or is what there is by default."""
    asked = call.get("dynamo")
    if asked is None:
        return call.machine.trace.releases.reach(_BY_GRAPH) and not call.arguments.open
    return asked == TRUE


def _is_evaluation(asked: Value) -> bool:
    if isinstance(asked, External):
        return asked.name.endswith(".EVAL")
    return asked in (NONE, FALSE)
