"""Tensors that index or mask others: of what type they have to be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from torchlint.interpreter import batches, contents, cutting, dtypes, facts, meetings
from torchlint.interpreter.arraytypes import OF_ARRAYS
from torchlint.interpreter.cuts import By, Number
from torchlint.interpreter.events.devices import (
    ArrayShared,
    CopyConstructed,
    OffDevice,
    WrongIndex,
)
from torchlint.interpreter.events.graph import ArrayMade
from torchlint.interpreter.graphs import back
from torchlint.interpreter.values import FALSE, Either, Opaque, Ref, Sequence, Tensor, Tuple
from torchlint.sources.patterns import Pattern
from torchlint.torch_api.registry import Applied, Call, hear, watch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Node, Value

_WHOLE = frozenset({"int64", "int32"})
_LONG = frozenset({"int64"})
_INDEXING = frozenset({*_WHOLE, "uint8", "bool"})
_TRUTHS = frozenset({"bool"})

_ARGUMENTS: dict[str, tuple[tuple[str, ...], frozenset[str], str]] = {
    **dict.fromkeys(
        ("embedding", "Embedding", "EmbeddingBag", "embedding_bag"),
        (("input",), _WHOLE, "int64 or int32"),
    ),
    **dict.fromkeys(
        "gather index_select scatter scatter_add index_add index_copy scatter_reduce".split(),
        (("index",), _WHOLE, "int64 or int32"),
    ),
    **dict.fromkeys(("take", "index_fill"), (("index",), _LONG, "int64")),
    "take_along_dim": (("indices",), _LONG, "int64"),
    "one_hot": (("tensor", "input"), _LONG, "int64"),
    "index": (("mask",), _INDEXING, "an integer type or bool"),
    "masked_fill": (("mask",), _TRUTHS, "bool"),
    "masked_scatter": (("mask",), _TRUTHS, "bool"),
    "masked_select": (("mask",), _TRUTHS, "bool"),
    "where": (("condition",), frozenset({"bool", "uint8"}), "bool"),
}


@watch(*_ARGUMENTS)
def _indexed(applied: Applied) -> None:
    """An index or mask whose type is known and will not do."""
    short = applied.op.rpartition(".")[2].strip("_")
    names, allowed, wanted = _ARGUMENTS[short]
    given = next((applied.inputs[name] for name in names if name in applied.inputs), None)
    if short == "where" and len(applied.inputs) == 1:
        # Alone it gives the places of what is not zero, of any type.
        return
    if applied.machine.choices:
        # Which of several objects is there may be told by what they are given.
        return
    if given is None and short == "where" and applied.op.startswith("Tensor."):
        return
    for part in given.items if isinstance(given, Tuple) else (given,):
        record = applied.machine.get(part) if part is not None else None
        if not isinstance(record, Tensor) or record.dtype is None or record.dtype in allowed:
            continue
        is_number = dtypes.is_float(record.dtype) or dtypes.is_integer(record.dtype)
        meant = allowed is _TRUTHS and record.dtype == "uint8" and not _asks(applied.machine)
        if is_number and (meant or facts.come_together(applied.machine, part)):
            applied.machine.emit(
                WrongIndex, applied.spot, name=short, dtype=record.dtype, wanted=wanted
            )


_TYPES = Pattern(r"dtype|bool|byte|uint8|version|mask|isinstance|type\(", re.IGNORECASE)


def _asks(machine: Machine) -> bool:
    """Whether what runs is under a test that may tell truths from the bytes of old."""
    return any(each.is_tested(_TYPES.search, returns=True) for each in machine.activations)


@hear("function", "torch.tensor")
@hear("tensor", "new_tensor")
def _copied(call: Call) -> None:
    given = call.get("data", 0)
    record = call.machine.get(given) if given is not None else None
    if isinstance(given, Ref) and given.address in call.machine.trace.taken:
        return
    if isinstance(record, Tensor) and not _may_be_other(record):
        name = f"x.{call.name}" if call.name == "new_tensor" else call.name
        call.machine.emit(CopyConstructed, call.spot, name=name, said=_said(record))


@hear("function", "torch.from_numpy")
def _shared(call: Call) -> None:
    """Nothing but an array can be shared, whatever is said of it."""
    given = call.get("ndarray", 0)
    record = call.machine.get(given) if given is not None else None
    if isinstance(record, Tensor) and (said := _said(record)):
        call.machine.emit(ArrayShared, call.spot, said=said)


def _said(tensor: Tensor) -> frozenset[Node]:
    """The inputs that are said to be tensors, where nothing else shows that this is one."""
    roots = [tensor.node] if tensor.node is not None else [cut.of for cut in tensor.cuts]
    if tensor.node is None and any(cut.by is not By.WHOLE for cut in tensor.cuts):
        return frozenset()
    ends = [node for node in back(roots, _arrays_have) if not _arrays_have(node)]
    inputs = frozenset(node for node in ends if node.op == "input")
    return inputs if all(node.opaque or node in inputs for node in ends) else frozenset()


def _arrays_have(node: Node) -> bool:
    """Whether it is a method, an operator or a view that NumPy's arrays have as well."""
    short = node.op.removeprefix("Tensor.")
    if short == node.op:
        return node.op in {"join", "neg", "rows", "select"}
    return short.startswith("__") or short in OF_ARRAYS


def _may_be_other(tensor: Tensor) -> bool:
    """Whether what is taken for a tensor may be an array: it came in, or from something unseen,
    as a batch does which the project puts together.

    An annotation says what should come in, and torch asks nobody for it.
    """
    node = tensor.node
    if node is None:
        return batches.is_of_its_own_kind(tensor)
    if node.op == "join":
        # Nothing but what is unseen is known to have gone into it.
        return all(each.opaque for each in back([node], _numbers_have) if not _numbers_have(each))
    return node.opaque or node.op == "input"


def _numbers_have(node: Node) -> bool:
    """Whether it stands for one of several ways, or is an operator, which numbers have as well."""
    return node.op == "join" or node.op.startswith("Tensor.__")


@hear("tensor", "numpy", "__array__")
def _array(call: Call) -> None:
    if call.get("force", 0) in (None, FALSE):
        _off_device(call, call.receiver, f"{call.name}()")


_JOINED = "array asarray stack concatenate vstack hstack".split()

_ELEMENTWISE = "sqrt exp log log2 log10 log1p square abs isnan isinf isfinite".split()

_REDUCING = "mean average median std var sum max min amax amin percentile".split()
"""What asks anything that has such a method for it, and makes arrays of lists only."""


@hear("function", *(f"numpy.{name}" for name in (*_JOINED, *_ELEMENTWISE)))
def _arrays(call: Call) -> None:
    for value in call.arguments.positional[:1]:
        held = _away_in(call, value, within=False)
        if held is not None:
            _off_device(call, held, call.name.replace("numpy.", "np."))


@hear("function", *(f"numpy.{name}" for name in _REDUCING))
def _reduced(call: Call) -> None:
    for value in call.arguments.positional[:1]:
        if isinstance(value, Tuple) or isinstance(call.machine.get(value), Sequence):
            _arrays(call)


def _away_in(call: Call, value: Value, *, within: bool = True) -> Value | None:
    """What surely is a tensor on a device, in something of which NumPy asks all for numbers.

    What a list holds may be something else, as a batch of the project's own has it.
    """
    match value:
        case Tuple(items=items):
            return _first_away(call, items)
        case Either(options=options):
            found = [_away_in(call, option) for option in options]
            return found[0] if all(found) else None
    record = call.machine.get(value)
    if isinstance(record, Sequence):
        return _first_away(call, contents.held(record))
    unsure = within and isinstance(record, Tensor) and _may_be_other(record)
    return value if not unsure and _elsewhere(call, value) is not None else None


def _first_away(call: Call, held: Iterable[Value]) -> Value | None:
    return next((found for one in held if (found := _away_in(call, one)) is not None), None)


_SCORES = (
    "accuracy_score balanced_accuracy_score f1_score precision_score recall_score roc_auc_score "
    "average_precision_score precision_recall_fscore_support precision_recall_curve roc_curve "
    "confusion_matrix classification_report cohen_kappa_score matthews_corrcoef log_loss r2_score "
    "mean_squared_error mean_absolute_error explained_variance_score".split()
)


_PLOTS = "plot scatter imshow hist bar semilogx semilogy loglog fill_between matshow".split()

_MEASURED = ("y_true", "y_pred", "y_score")


@hear("function", *(f"sklearn.metrics.{name}" for name in _SCORES))
@hear("function", *(f"matplotlib.pyplot.{name}" for name in _PLOTS))
def _shown(call: Call) -> None:
    """What measures predictions, or draws them, makes arrays of them."""
    told = call.arguments.keywords
    given = [*call.arguments.positional[:2], *(told[name] for name in _MEASURED if name in told)]
    how = f"{call.name.rpartition('.')[2]}()"
    for value in given:
        held = _away_in(call, value, within=False)
        if held is not None:
            _off_device(call, held, how)
        for part in cutting.parts(call.machine, value):
            record = call.machine.get(part)
            if isinstance(record, Tensor):
                call.machine.emit(
                    ArrayMade, call.spot, tensor=record, how=how, walked=call.machine.live.walked
                )


def _off_device(call: Call, value: Value | None, how: str) -> None:
    device = _elsewhere(call, value)
    if device is not None:
        sure = bool(device.accelerator)
        call.machine.emit(OffDevice, call.spot, device=device, how=how, sure=sure)


def _elsewhere(call: Call, value: Value | None) -> Device | None:
    """The device that a tensor is on, where that surely is not the CPU."""
    record = call.machine.get(value) if value is not None else None
    if isinstance(value, Number) or not isinstance(record, (Tensor, Opaque)):
        return None
    # What is moved, and then made an array of, is a tensor.
    device = record.device
    away = device is not None and (device.accelerator or meetings.is_away(call.machine, device))
    return device if away else None
