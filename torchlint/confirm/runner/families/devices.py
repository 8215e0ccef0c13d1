"""Claims about where tensors are, and of what type."""

from __future__ import annotations

import ast
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from unittest import mock

import torch

from ..claims import MODEL, NOTHING, UNDER, UNTYPED, After, Raises, Sees, Warns
from ..device import MIXED
from ..protocol import OPEN, Observation

if TYPE_CHECKING:
    from ..claims import Aftermath, Sighting
    from ..protocol import Job
    from ..tally import Answer

_DATA = frozenset({"data"})
"""What is moved or cast has to be the user's own: that it is a tensor is part of the claim."""


def _is_dropped(call: Sighting) -> bool | None:
    """Whether the statement is the call alone, or several, perhaps for each item of something.

    None for a call within its arguments, or one that torch makes on its behalf.
    """
    node = call.statement.value if isinstance(call.statement, ast.Expr) else None
    match node:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[ast.GeneratorExp(elt=item)]):
            node = item
        case ast.ListComp(elt=item):
            node = item
    calls = node.elts if isinstance(node, ast.Tuple) else [node]
    names = {
        each.func.attr
        for each in calls
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute)
    }
    if not names:
        return False
    return None if call.by_torch or call.name.rpartition(".")[2] not in names else True


def _left_behind(call: Sighting) -> Answer:
    """What is moved stays where it is, and nobody has what was made elsewhere."""
    dropped = _is_dropped(call)
    if not dropped:
        return False if dropped is False else None
    here, there = call.receiver.device, call.result.device
    if here == there:
        return None
    return f"the call gave a tensor on {there}, and the one it was called on is still on {here}"


move_discarded = Sees(
    "torch.Tensor.to torch.Tensor.cuda torch.Tensor.cpu",
    _left_behind,
    on_device=True,
    matters=_DATA,
)


_RESULTS = (
    "squeeze unsqueeze permute masked_fill masked_scatter index_fill index_copy index_add "
    "scatter_add view_as expand_as reshape_as type_as softmax log_softmax clamp clamp_min "
    "clamp_max nan_to_num tril triu contiguous movedim swapaxes sigmoid flatten unflatten "
    "index_put detach clone view reshape transpose expand repeat type abs neg exp sqrt rsqrt pow "
    "relu tanh scatter flip roll round floor ceil clip t add sub mul div log sort float double "
    "half bfloat16 long int bool"
)


def _nothing_changed(call: Sighting) -> Answer:
    """The receiver is as it was, and what the call gave is another than that."""
    dropped = _is_dropped(call)
    if not dropped:
        return False if dropped is False else None
    here, made = call.receiver, call.result
    made = made[0] if isinstance(made, tuple) else made
    if not isinstance(made, torch.Tensor) or made is here or not isinstance(here, torch.Tensor):
        return None
    before = call.before[0]
    if here.shape != before.shape or not torch.equal(here.detach(), before):
        return False
    said = [
        f"{what} {new}, and the one it was called on {old} as before"
        for what, new, old in (
            ("has the shape", tuple(made.shape), tuple(here.shape)),
            ("is", made.dtype, here.dtype),
            ("has `requires_grad`", made.requires_grad, here.requires_grad),
            ("has the strides", made.stride(), here.stride()),
        )
        if new != old
    ]
    if not said and not torch.equal(made.detach(), here.detach()):
        said = ["has other values, and the one it was called on those that it had"]
    return f"the call gave a tensor that {said[0]}" if said else None


_results = Sees(
    " ".join(f"torch.Tensor.{name}" for name in _RESULTS.split()),
    _nothing_changed,
    matters=UNTYPED,
)


def _has_other_weights(layer: Any, given: Any) -> Answer:
    """A layer that is asked for one with the weights that are given does not have these."""
    weight = getattr(layer, "weight", None)
    if not isinstance(weight, torch.Tensor) or not isinstance(given, torch.Tensor):
        return None
    if weight.shape == given.shape and torch.equal(weight.detach(), given.detach()):
        return False
    return "after the statement the weights of the layer are others than those that were given"


def _is_another_array(array: Any, name: str, given: list[Any]) -> Answer:
    """An array that is asked for another one is not what it was asked for."""
    if type(array).__module__ != "numpy" or None in given:
        return None
    made = getattr(array, name)(*given)
    told = [(each.shape, str(each.dtype), each.strides) for each in (array, made)]
    return "after the statement the array is as it was" if told[0] != told[1] else None


def _as_it_was(seen: Aftermath) -> Answer:
    """A flag that is named in a statement is not set, or a layer has other weights than given."""
    match seen.statement:
        case ast.Expr(value=ast.Attribute(value=owner, attr="requires_grad")):
            tensor = seen.value(owner)
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=owner, attr="from_pretrained"), args=[given, *_]
            )
        ):
            return _has_other_weights(seen.value(owner), seen.value(given))
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=owner, attr=name), args=given, keywords=[])
        ):
            return _is_another_array(seen.value(owner), name, list(map(seen.value, given)))
        case _:
            return False
    if not isinstance(tensor, torch.Tensor) or tensor.requires_grad:
        return None
    return "after the statement `requires_grad` is still False"


_unmoved = After("(?!)", judge=_as_it_was, matters=_DATA)


def result_discarded(job: Job) -> Observation:
    """TL510: the statement leaves everything as it was."""
    seen = _results(job)
    return seen if seen.outcome != OPEN else _unmoved(replace(job, seconds=job.seconds / 2))


_without_device = Raises(
    # The last is what is said where there is one, and jobs are refused its driver's files.
    r"not compiled with CUDA|No CUDA GPUs|NVIDIA driver|CUDA driver|error from cudaGetDeviceCount",
    (AssertionError, RuntimeError),
    matters=NOTHING,
    simulates=False,
)


def hard_coded_cuda(job: Job) -> Observation:
    """TL502: it raises here, where there is no such device."""
    if torch.cuda.is_available():
        return Observation(OPEN, reason="there is such a device here")
    return _without_device(job)


device_mismatch = Raises(
    MIXED,
    at=UNDER,
    on_device=True,
    mixing=False,
)

index_dtype = Raises(
    r"Expected tensor for argument #1 'indices'|Expected dtype int|for index|tensors used as ind"
    r"|only applicable to index tensor|dtype of indices|boolean mask|BoolTensor for mask"
    r"|condition to be a boolean",
    (RuntimeError, IndexError, TypeError),
    matters=_DATA,
)

dtype_mismatch = Raises(
    r"same d(?:ata)?type|type.* should be the same|expected scalar type|not match weight dtype"
    r"|Found dtype|be cast to the desired output type|not implemented for '"
    r"|(?:with a|with two|on a) bool tensor",
    (RuntimeError, ValueError, NotImplementedError),
)

truth_of_tensor = After(
    r"Boolean value of Tensor with (?:more than one|no) value",
    judge=lambda seen: False,
    matters=_DATA,
)

tensor_from_tensor = Warns("To copy construct from a tensor", matters=UNTYPED)

numpy_of_graph_tensor = Raises(
    r"Can't call numpy\(\) on Tensor that requires grad|device type tensor to numpy",
    (RuntimeError, TypeError),
    on_device=True,
    matters=MODEL | _DATA,
)


# While programs run, both are stood in for, so that nothing is written.
_save, _load = torch.save, torch.load


def _of_another_machine(call: Sighting) -> Answer:
    """The same file, were it written where there is an accelerator, cannot be read here."""
    known = call.result is not None
    file = io.BytesIO()
    with mock.patch.object(torch.serialization, "location_tag", return_value="cuda:0"):
        _save(call.result if known else torch.ones(1), file)
    file.seek(0)
    try:
        _load(file, *call.args[1:], **call.kwargs)
    except RuntimeError as error:
        if "deserialize object on a CUDA device" in str(error):
            which = "the same" if known else "a"
            return f"{which} file with its tensors on cuda:0 raises here: {str(error)[:90]}"
        return None
    return None if torch.cuda.is_available() else False


load_without_map_location = Sees(
    "torch.load", _of_another_machine, failing=(OSError,), matters=NOTHING, anywhere=True
)
