"""Comparisons of what a model gave with what was expected."""

from __future__ import annotations

from torchlint.interpreter.amounts import Amount, Of
from torchlint.interpreter.events.modes import Difference, Metric, Reading
from torchlint.interpreter.values import NONE, Const, Opaque, Tensor
from torchlint.torch_api.registry import Applied, Call, hear, watch

_CLOSE = frozenset({"allclose", "isclose"})
_SCORES = (
    "accuracy_score average_precision_score balanced_accuracy_score classification_report "
    "cohen_kappa_score confusion_matrix f1_score fbeta_score hamming_loss jaccard_score log_loss "
    "matthews_corrcoef mean_absolute_error mean_squared_error precision_recall_fscore_support "
    "precision_score r2_score recall_score roc_auc_score roc_curve"
)


@watch("eq", "ne", "allclose", "equal", "isclose")
def _compared(applied: Applied) -> None:
    """What is compared with a number is a mask rather than a metric.

    Nor is it one how close what models gave comes to what they gave elsewhere: that tells whether
    they are the same.
    """
    machine = applied.machine
    if machine.passing or any(isinstance(value, Const) for value in applied.inputs.values()):
        return
    records = [machine.get(value) for value in applied.inputs.values()]
    origins = [record.origin for record in records if isinstance(record, (Tensor, Opaque))]
    if applied.op.rpartition(".")[2] in _CLOSE and len(origins) > 1 and all(origins):
        return
    for origin in {*origins} - {0}:
        machine.emit(Metric, applied.spot, origin=origin)


@hear("function", *(f"sklearn.metrics.{name}" for name in _SCORES.split()))
def _scored(call: Call) -> None:
    """A library that measures takes tensors on the CPU as they are."""
    for value in call.arguments.values():
        record = call.machine.get(value)
        if isinstance(record, (Tensor, Opaque)) and record.origin and not call.machine.passing:
            call.machine.emit(Metric, call.spot, origin=record.origin)


@watch("sub", "cdist", "pairwise_distance")
def _subtracted(applied: Applied) -> None:
    """Data is what no model gave."""
    machine = applied.machine
    if machine.passing or machine.live.grad is not False:
        return
    records = [machine.get(value) for value in list(applied.inputs.values())[:2]]
    origins = [each.origin for each in records if isinstance(each, (Tensor, Opaque))]
    if len(origins) == 2 and min(origins) == 0 < max(origins):
        machine.emit(Difference, applied.spot, origin=max(origins))


@hear("tensor", "item", "tolist")
@hear("function", "builtins.float", "builtins.int")
def _read(call: Call) -> None:
    """The program wants to know what came of it, and not to train with it."""
    for value in (call.receiver, *call.arguments.positional):
        record = call.machine.get(value) if value is not None else None
        if isinstance(record, (Tensor, Opaque)) and record.origin:
            _told(call, record, single=call.name == "item")


def _told(call: Call, record: Tensor | Opaque, *, single: bool) -> None:
    """The numbers of something are read; whole ones of many samples are what a model decided."""
    decided = not single and record.dtype == "int64"
    call.machine.emit(Reading, call.spot, origin=record.origin, decided=decided)


@hear("tensor", "numpy")
def _handed_to_numpy(call: Call) -> None:
    """What NumPy gets has no graph: what had one was detached for it, or is no float."""
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    if isinstance(record, Tensor) and record.origin and record.node is None:
        _told(call, record, single=False)


@watch("sum", "mean")
def _counted(applied: Applied) -> None:
    """How many of a batch are right, or which part of it; along no dimension."""
    given = applied.machine.get(applied.inputs.get("input", NONE))
    if isinstance(given, Tensor) and given.dtype == "bool" and len(applied.inputs) == 1:
        of = Of.SUM if "sum" in applied.op else Of.MEAN
        applied.machine.amounts.places[applied.spot] = Amount(of, applied.spot)
