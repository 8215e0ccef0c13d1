"""What torch itself says of its operations: the tables that `tools/generate_tables.py` writes."""

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

NAMESPACES = ("", "nn.functional.", "Tensor.")
"""Where an operation and its namesakes live, the plainest name first; so the tables are written."""

Causes = frozenset[str]
"""The parameters of which one that requires grad is enough."""


@dataclass(frozen=True)
class Saved:
    """What an operation keeps for backward: writing to it before backward makes backward raise.

    `inputs` gives, for each parameter whose tensor is kept, the causes; `output` those for which the
    result is kept (after an operation in place, the tensor it wrote to). What is kept with some
    arguments only is in `maybe_inputs` and `maybe_output`.
    """

    output: Causes = frozenset()
    inputs: Mapping[str, Causes] = field(default_factory=dict)
    maybe_output: Causes = frozenset()
    maybe_inputs: Mapping[str, Causes] = field(default_factory=dict)


def saved_function(name: str) -> Saved | None:
    """What a function or method keeps; None if that was not measured.

    The name is dotted, with or without `torch.`; a method is `Tensor.relu_`, an operator
    `Tensor.__pow__`, a call with `inplace=True` is `nn.functional.relu(inplace)`.
    """
    entry = _plainest(_table("saved")["functions"], name)
    return None if entry is None else _saved(entry)


def saved_module(class_name: str, *, inplace: bool = False) -> Saved | None:
    """What a layer of torch.nn keeps in training mode; its own parameters are `parameters`."""
    entry = _table("saved")["modules"].get(f"{class_name}(inplace)" if inplace else class_name)
    return None if entry is None else _saved(entry)


def never_requires_grad(name: str) -> bool:
    """Whether the result of a function never has a graph (`argmax`, a comparison)."""
    saved = _table("saved")
    return _plainest(dict.fromkeys(saved["without_graph"], True), name) or False


View = Literal["always", "contiguous", "sometimes"]


def view(name: str) -> View | None:
    """When the result of a function shares memory with its first tensor; None if never.

    "contiguous" is where that tensor is contiguous, and perhaps elsewhere (`reshape`).
    """
    found: View | None = _plainest(_table("views"), name)
    return found


def torch_version() -> str:
    """The version of torch that the tables describe."""
    return str(_file("saved")["torch"])


def _saved(entry: Mapping[str, Mapping[str, list[str]]]) -> Saved:
    output, inputs = _split(entry.get("keeps", {}))
    maybe_output, maybe_inputs = _split(entry.get("may_keep", {}))
    return Saved(output, inputs, maybe_output, maybe_inputs)


def _split(kept: Mapping[str, list[str]]) -> tuple[Causes, Mapping[str, Causes]]:
    causes = {name: frozenset(names) for name, names in kept.items()}
    return causes.pop("return", frozenset()), causes


def _plainest(table: Mapping[str, Any], name: str) -> Any:
    """The entry of a name, or of its plainest namesake, which is not written twice."""
    name = name.removeprefix("torch.")
    if name in table:
        return table[name]
    namespace = next((n for n in NAMESPACES[1:] if name.startswith(n)), "")
    short = name.removeprefix(namespace)
    if "." in short:
        return None
    return next((table[n + short] for n in NAMESPACES if n + short in table), None)


def _table(name: str) -> Any:
    return _file(name)[name]


@functools.cache
def _file(name: str) -> Any:
    path = resources.files("torchlint.torch_api") / "tables" / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8"))
