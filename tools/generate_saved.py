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

- "functions": dotted names below `torch` (`relu`, `nn.functional.silu`, `linalg.norm`). What
  behaves as its namesake is left out: `torch.relu`, `nn.functional.relu` and `Tensor.relu` are all
  `relu`. The tensor that a method is called on is `input`. What an operation in place has written
  to is its `return`. `name(inplace)` is the call with `inplace=True`.
- "modules": layers in training mode by class name, `parameters` being all their parameters
  together; `name(inplace)` is the layer built with `inplace=True`.
- "without_graph": functions whose result never requires grad.

`views.json` tells which functions return memory of their first tensor: "always", "contiguous"
(where that tensor is contiguous, and perhaps elsewhere), or "sometimes".
"""

from __future__ import annotations

from typing import TypeVar

import function_samples
import layer_samples

from function_samples import Samples, writes_in_place
from mutation import Record, Sample, all_tensors, measure

Named = TypeVar("Named")
Entry = dict[str, dict[str, list[str]]]
NAMESPACES = ("", "nn.functional.", "Tensor.")
"""Where a function and its namesakes live, the plainest name first."""


def saved() -> dict[str, object]:
    """The table of what is kept."""
    samples = function_samples.functions()
    samples |= function_samples.in_place_functionals(samples)
    records = {name: measure(group) for name, group in samples.items()}
    operators = {n: measure(group) for n, group in function_samples.operators().items()}
    records |= operators
    modules = {name: measure(group) for name, group in layer_samples.layers().items()}
    return {
        "functions": without_namesakes(_entries(records)),
        "modules": _entries(modules),
        "without_graph": sorted(without_namesakes(_without_graph(records))),
    }


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


def views() -> dict[str, str]:
    """The table of functions that return memory of their first tensor."""
    samples = {**function_samples.functions(), **function_samples.operators()}
    found = {n: _sharing(group) for n, group in samples.items() if not writes_in_place(n)}
    return without_namesakes({name: how for name, how in found.items() if how is not None})


def _sharing(samples: list[Sample]) -> str | None:
    """When the result shares memory with the first tensor, or None if never."""
    seen = [shares for sample in samples for shares in _shares(sample)]
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
    return [(first.is_contiguous(), places == {first.untyped_storage().data_ptr()})]
