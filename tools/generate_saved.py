"""Generate `saved.json` (what each operation keeps for backward) and `views.json`.

    python tools/generate_tables.py saved views

runs every operation of which torch's own test suite has sample inputs (which needs `expecttest`),
every operator of Tensor and every layer of torch.nn, and writes into the tensors afterwards.

`saved.json` has one line an operation:

    "mul": {"keeps": {"input": ["other"], "other": ["input"]}}

The multiplication keeps `input` where `other` requires grad, and the other way round; `return`
stands for the result. `may_keep` reads the same and holds for some arguments only (a mode, an
exponent, an optional tensor). An empty entry is an operation that keeps nothing; one that is
missing was not measured. A number in the place of a tensor requires no grad, so `x * 2` keeps
nothing, and `x ** 2` keeps `input`, because it is kept for its own gradient.

- "functions": dotted names below `torch` (`exp`, `nn.functional.silu`, `linalg.norm`). What
  behaves as its namesake is left out: `torch.sigmoid`, `nn.functional.sigmoid` and `Tensor.sigmoid`
  are all `sigmoid`, and `torch.relu` is `nn.functional.relu`, the one with samples. The tensor
  that a method is called on is `input`. What an operation in place has written to is its `return`.
  Of several tensors in one parameter (`einsum`) each may be kept, and none is said to be.
- "modules": layers in training mode by class name, `parameters` being all their parameters
  together; `name(inplace)` is the layer built with `inplace=True`.
- "without_graph": functions whose result never requires grad.
- Some calls are tabled apart, as `name(case)`. "inplace" and "same" (a convolution that pads by
  `padding="same"`, perhaps a copy) are left out of the plain entry. It covers the others, which say
  more to who knows the case: "dim", "other" and "whole" (a maximum, minimum or median along a
  dimension, of two tensors, of all elements); "alike" (a matrix product of which no operand is
  repeated over a batch, and so perhaps copied).

`views.json` tells which functions return memory of their first tensor: "always", "contiguous"
(where that tensor is contiguous, and perhaps elsewhere), or "sometimes".
"""

from collections import defaultdict
from dataclasses import replace
from typing import TypeVar

import function_samples
import layer_samples
import torch
from function_samples import Samples
from mutation import FunctionSample, LayerSample, Record, Sample, all_tensors, measure
from torch import Tensor

Named = TypeVar("Named")
Entry = dict[str, dict[str, list[str]]]
NAMESPACES = ("", "nn.functional.", "Tensor.")
"""Where a function and its namesakes live, the plainest name first."""


def saved() -> dict[str, object]:
    """The table of what is kept."""
    samples = function_samples.functions()
    samples |= function_samples.in_place_functionals(samples)
    samples |= function_samples.operators()
    records = {name: measure(group) for name, group in by_case(samples).items()}
    modules = {n: measure(group) for n, group in by_case(layer_samples.layers()).items()}
    return {
        "functions": without_namesakes(_entries(records)),
        "modules": _entries(modules),
        "without_graph": sorted(without_namesakes(_without_graph(records))),
    }


def by_case(samples: Samples) -> Samples:
    """The samples by name, and by name and case."""
    found: Samples = defaultdict(list)
    for name, group in samples.items():
        for sample in group:
            case = _case(name, sample)
            if case != "same":
                found[name].append(sample)
            if case is not None:
                found[f"{name}({case})"].append(sample)
    return found


def _case(name: str, sample: Sample) -> str | None:
    if isinstance(sample, LayerSample):
        return "same" if getattr(sample.layer, "padding", None) == "same" else None
    arguments, short = sample.arguments, name.rpartition(".")[2].strip("_")
    if arguments.get("padding") == "same":
        return "same"
    if short in ("max", "min", "median", "nanmedian"):
        return next((name for name in ("dim", "other") if name in arguments), "whole")
    if short in ("matmul", "rmatmul") and not _broadcasts(*arguments.values()):
        return "alike"
    return None


def _broadcasts(left: Tensor, right: Tensor) -> bool:
    """Whether two factors with batches have different ones."""
    return max(left.ndim, right.ndim) > 2 and left.shape[:-2] != right.shape[:-2]


def _entries(records: dict[str, Record]) -> dict[str, Entry]:
    return {name: entry(record) for name, record in records.items() if record.differentiable}


def entry(record: Record) -> Entry:
    """What the table says of one operation."""
    sections = {"keeps": record.keeps(), "may_keep": record.may_keep()}
    return {name: section for name, section in sections.items() if section}


def _without_graph(records: dict[str, Record]) -> dict[str, Entry]:
    return {n: {} for n, r in records.items() if r.not_differentiable and not r.differentiable}


def without_namesakes(entries: dict[str, Named]) -> dict[str, Named]:
    """Leave out what its plainest namesake already says."""
    kept: dict[str, Named] = {}
    for name in sorted(entries):
        namespace = next((n for n in NAMESPACES[:0:-1] if name.startswith(n)), "")
        short = name.removeprefix(namespace)
        plainest = next((n + short for n in NAMESPACES if n + short in entries), name)
        if plainest == name or entries[plainest] != entries[name]:
            kept[name] = entries[name]
    return kept


VIEW_DTYPES = (torch.float32, torch.float64, torch.complex64)
"""With one alone, a cast would pass for a view."""

COPIES_BETWEEN_DEVICES = ("Tensor.cpu", "Tensor.cuda")
"""Views only on the device itself, which is all that a machine with one device can show."""


def views() -> dict[str, str]:
    """The table of functions that return memory of their first tensor."""
    samples = function_samples.functions(VIEW_DTYPES) | function_samples.operators()
    samples |= function_samples.properties()
    samples |= {f"nn.{n}": group for n, group in layer_samples.layers().items()}
    found = {name: how for name, group in samples.items() if (how := _sharing(group)) is not None}
    return without_namesakes(found | dict.fromkeys(COPIES_BETWEEN_DEVICES, "sometimes"))


def _sharing(samples: list[Sample]) -> str | None:
    """When the result shares memory with the first tensor, or None if never."""
    seen: list[tuple[bool, bool]] = []
    for sample in samples:
        if not sample.overwritten:
            seen += [*_shares(sample), *_shares(_transposed(sample))]
    if not any(shares for _, shares in seen):
        return None
    if all(shares for _, shares in seen):
        return "always"
    return "contiguous" if all(shares for dense, shares in seen if dense) else "sometimes"


def _shares(sample: Sample) -> list[tuple[bool, bool]]:
    """Whether the first tensor is contiguous, and whether the result shares its memory."""
    try:
        tensors, result = sample.call(())
        first = next(iter(tensors.values()))[0]
        outputs = [tensor for tensor in all_tensors(result) if tensor.numel()]
        places = {output.untyped_storage().data_ptr() for output in outputs}
    except Exception:  # refused arguments, sparse tensors: nothing to be seen
        return []
    if not outputs:
        return []
    return [(first.is_contiguous(), first.untyped_storage().data_ptr() in places)]


def _transposed(sample: Sample) -> Sample:
    """The sample with a first tensor that has the same values and is not contiguous."""
    assert isinstance(sample, FunctionSample | LayerSample)
    name, value = next(iter(sample.arguments.items()), ("", None))
    if not isinstance(value, Tensor) or value.layout is not torch.strided or value.ndim < 2:
        return sample
    return replace(sample, arguments={**sample.arguments, name: value.mT.contiguous().mT})
