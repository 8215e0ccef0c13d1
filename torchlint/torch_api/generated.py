"""What torch itself says of its names and operations: the tables of `tools/generate_tables.py`.

The scripts there describe the tables. Names are dotted, with or without `torch.` in front; where a
function asks for a class name, that is the last part alone.
"""

import functools
import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any, Literal

from torchlint.frozen import dataclass

TABLES = Path(__file__).parent / "tables"

_ATTRIBUTES = frozenset(
    "H T data grad grad_fn itemsize mH mT name nbytes ndim output_nr requires_grad retains_grad "
    "shape".split()
)

NAMESPACES = ("", "nn.functional.", "Tensor.")
"""Where an operation and its namesakes live, the plainest name first; so the tables are written."""

Causes = frozenset[str]
"""The parameters of which one that requires grad is enough."""


@dataclass(frozen=True)
class Saved:
    """What an operation keeps for backward: writing to it before backward makes backward raise.

    `inputs` gives, for each parameter whose tensor is kept, the causes; `output` those for which
    the result is kept (after an operation in place, the tensor it wrote to). What is kept with some
    arguments only is in `maybe_inputs` and `maybe_output`.
    """

    output: Causes = frozenset()
    inputs: Mapping[str, Causes] = field(default_factory=dict)
    maybe_output: Causes = frozenset()
    maybe_inputs: Mapping[str, Causes] = field(default_factory=dict)


def torch_version() -> str:
    """The version of torch that the tables describe."""
    return str(_file("saved")["torch"])


# --- what operations keep, and what their results share ------------------------------------------


def saved_function(name: str) -> Saved | None:
    """What a function or method keeps; None if that was not measured.

    A method is `Tensor.relu_`, an operator `Tensor.__pow__`. A case of a call that keeps something
    of its own is `name(case)`: `nn.functional.relu(inplace)`, `max(dim)`, `matmul(alike)`.
    """
    entry = _plainest(_table("saved")["functions"], name)
    return None if entry is None else _saved(entry)


def saved_module(class_name: str, *, inplace: bool = False) -> Saved | None:
    """What a layer of torch.nn keeps in training mode; its own parameters are `parameters`."""
    entry = _table("saved")["modules"].get(f"{class_name}(inplace)" if inplace else class_name)
    return None if entry is None else _saved(entry)


def never_requires_grad(name: str) -> bool:
    """Whether the result of a function never has a graph (`argmax`, a comparison)."""
    return bool(_plainest(_without_graph(), name))


def is_operation(name: str) -> bool:
    """Whether a function or method computes with tensors, so that it has entries here."""
    return _plainest(_table("saved")["functions"], name) is not None or never_requires_grad(name)


def is_method(name: str) -> bool:
    """Whether torch has a method of this name, or an operator."""
    return is_operation(name) or bool(signatures(name)) or name.endswith("__")


View = Literal["always", "contiguous", "sometimes"]


def view(name: str) -> View | None:
    """When the result of a function or layer shares memory with its first tensor; None if never.

    "contiguous" is where that tensor is contiguous, and perhaps elsewhere (`reshape`).
    """
    found: View | None = _plainest(_table("views"), name)
    return found


# --- parameters of functions ---------------------------------------------------------------------


@dataclass(frozen=True)
class Signature:
    """The parameters of one overload; a method's first is `input`, the tensor it is called on."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...] = ()
    variadic: str | None = None
    first_tensor: int | None = 0

    def takes(self, count: int) -> bool:
        """Whether so many positional arguments fit."""
        return self.variadic is not None or count <= len(self.positional)

    def named(self, count: int) -> tuple[str, ...]:
        """The parameter that each of so many positional arguments goes to."""
        extra = count - len(self.positional)
        return self.positional[:count] + (self.variadic or "",) * max(extra, 0)


def signatures(name: str) -> tuple[Signature, ...]:
    """The overloads of a function, method or class; empty if it is not known."""
    return tuple(map(_signature, _plainest(_table("signatures"), name) or ()))


def parameter_names(name: str, count: int) -> tuple[str, ...] | None:
    """The parameter that each of `count` positional arguments goes to; None if not known."""
    fitting = (overload for overload in signatures(name) if overload.takes(count))
    return next((overload.named(count) for overload in fitting), None)


# --- operations in place -------------------------------------------------------------------------


def is_of_tensors(name: str) -> bool:
    """Whether tensors have an attribute or a method of this name."""
    if name in _table("factories")["makes"]:
        # It is found under this name as a function.
        return False
    known = name in _ATTRIBUTES or name.startswith("is_")
    return known or _plainest(_table("signatures"), f"Tensor.{name}") is not None


def writes_in_place(name: str) -> bool:
    """Whether an operation writes to its first tensor, so that what keeps that one is spoilt."""
    table = _table("inplace")
    name = name.removeprefix("torch.")
    return name in table["twins"] and name not in table["metadata"]


def out_of_place(name: str) -> str | None:
    """The twin of an operation in place that returns a new tensor; None if it has none."""
    twin: str | None = _table("inplace")["twins"].get(name.removeprefix("torch."))
    return twin


def takes_out(name: str) -> bool:
    """Whether a function has a parameter `out`."""
    return name.removeprefix("torch.") in _table("inplace")["out"]


def takes_inplace(name: str) -> bool:
    """Whether a function has a parameter `inplace`."""
    return name.removeprefix("torch.") in _table("inplace")["inplace"]


# --- functions that make tensors -----------------------------------------------------------------


def factory_names() -> tuple[str, ...]:
    """The functions of torch that make a tensor from no other, and take `device`."""
    return tuple(_table("factories")["makes"])


def factory_parameters(name: str) -> tuple[str, ...]:
    """The parameters of a function that makes tensors."""
    return tuple(_table("factories")["makes"].get(name.removeprefix("torch."), ()))


def like_names() -> tuple[str, ...]:
    """The functions of torch that make a tensor where another one is."""
    return tuple(n for n in _table("factories")["follows"] if not n.startswith("Tensor."))


# --- layers, losses, optimizers ------------------------------------------------------------------


def is_module(name: str) -> bool:
    """Whether a name is that of a class of torch.nn derived from Module."""
    namespace, _, short = name.rpartition(".")
    return namespace == "torch.nn" and short in _table("modules")


def is_layer_of(name: str, base: str) -> bool:
    """Whether a class of torch.nn is another one, or derives from it."""
    namespace, _, short = base.rpartition(".")
    derives = namespace == "torch.nn" and short in _layer(name.rpartition(".")[2])["bases"]
    return name == base or derives


def has_parameters(name: str) -> bool:
    """Whether a layer of torch.nn has parameters as it is usually constructed."""
    return is_module(name) and "parameters" in (_layer(name.rpartition(".")[2])["state"] or ())


_BRINGING = frozenset({"affine", "distance_function"})
"""Parameters of constructors of layers without parameters, which may give them some."""


def has_none(name: str) -> bool:
    """Whether a layer of torch.nn has no parameters, however it is constructed."""
    short = name.rpartition(".")[2]
    known = is_module(name) and _layer(short)["state"] is not None
    return known and not has_parameters(name) and _BRINGING.isdisjoint(constructor_names(short))


def constructor_names(class_name: str) -> tuple[str, ...]:
    """The parameters of the constructor of a layer, an optimizer or a scheduler."""
    tables = (
        _table("modules"),
        _table("optimizers")["optimizers"],
        _table("optimizers")["schedulers"],
    )
    return next((tuple(table[class_name]["init"]) for table in tables if class_name in table), ())


def constructor_defaults(class_name: str) -> Mapping[str, object]:
    """The plain defaults of the constructor of a layer or an optimizer."""
    tables = _table("modules"), _table("optimizers")["optimizers"]
    return next((table[class_name]["defaults"] for table in tables if class_name in table), {})


def forward_names(class_name: str) -> tuple[str, ...]:
    """The parameters of a call of a layer."""
    return tuple(_layer(class_name)["forward"]) if class_name in _table("modules") else ()


def functional(class_name: str) -> str | None:
    """The function whose result a layer returns (`nn.functional.conv2d`); None if it has none."""
    found: str | None = _table("modules").get(class_name, {}).get("functional")
    return found


def loss_functional(name: str) -> str | None:
    """The function that a loss of torch.nn applies: `cross_entropy` for CrossEntropyLoss."""
    if not is_module(name) or "Loss" not in name:
        return None
    return (functional(name.rpartition(".")[2]) or "").rpartition(".")[2] or None


def loss_classes() -> tuple[str, ...]:
    """The names of the losses of torch.nn that are built as objects."""
    names = (f"torch.nn.{name}" for name in _table("modules"))
    return tuple(name for name in names if loss_functional(name) is not None)


def loss_function(name: str) -> str | None:
    """The last part of the name of a loss function of torch.nn.functional; None for others."""
    namespace, _, short = name.rpartition(".")
    return short if namespace == "torch.nn.functional" and short in _losses() else None


def is_optimizer(name: str) -> bool:
    """Whether a name is that of an optimizer of torch."""
    namespace, _, short = name.rpartition(".")
    return namespace == "torch.optim" and short in _table("optimizers")["optimizers"]


def scheduler_names() -> tuple[str, ...]:
    """The learning rate schedulers of torch."""
    return tuple(_table("optimizers")["schedulers"])


def is_scheduler(name: str) -> bool:
    """Whether a name is that of a learning rate scheduler of torch."""
    namespace, _, short = name.rpartition(".")
    known = short in _table("optimizers")["schedulers"]
    return namespace == "torch.optim.lr_scheduler" and known


# --- names ---------------------------------------------------------------------------------------


def canonical(dotted: str) -> str:
    """The public name of what a long path leads to; the path itself if none is known."""
    parts = dotted.split(".")
    for end in range(len(parts) - 1, 0, -1):
        home = _aliases(".".join(parts[:end])).get(parts[end])
        if home is not None:
            return ".".join([home, *parts[end:]])
    return dotted


def is_public(dotted: str) -> bool:
    """Whether torch documents a name, or the namespace of this name."""
    namespace, _, short = dotted.rpartition(".")
    return dotted in _table("exports")["public"] or short in _public(namespace)


@functools.cache
def _aliases(module: str) -> Mapping[str, str]:
    homes = _table("exports")["aliases"].get(module, {})
    return {name: home for home, names in homes.items() for name in names.split()}


@functools.cache
def _public(namespace: str) -> frozenset[str]:
    return frozenset(_table("exports")["public"].get(namespace, "").split())


# --- reading -------------------------------------------------------------------------------------


def _saved(entry: Mapping[str, Mapping[str, list[str]]]) -> Saved:
    output, inputs = _split(entry.get("keeps", {}))
    maybe_output, maybe_inputs = _split(entry.get("may_keep", {}))
    return Saved(output, inputs, maybe_output, maybe_inputs)


def _split(kept: Mapping[str, list[str]]) -> tuple[Causes, Mapping[str, Causes]]:
    causes = {name: frozenset(names) for name, names in kept.items()}
    return causes.pop("return", frozenset()), causes


@functools.cache
def _signature(text: str) -> Signature:
    """Read `input dim * dtype out @1`."""
    words = text.split()
    mark = words.pop() if words and words[-1].startswith("@") else "@0"
    star = next((i for i, word in enumerate(words) if word.startswith("*")), len(words))
    variadic = words[star][1:] if star < len(words) and not words[star].startswith("**") else ""
    keywords = tuple(word for word in words[star + 1 :] if not word.startswith("*"))
    first = None if mark == "@-" else int(mark[1:])
    return Signature(tuple(words[:star]), keywords, variadic or None, first)


@functools.cache
def _without_graph() -> Mapping[str, bool]:
    return dict.fromkeys(_table("saved")["without_graph"], True)


@functools.cache
def _losses() -> frozenset[str]:
    return frozenset(name for each in loss_classes() if (name := loss_functional(each)))


def _layer(class_name: str) -> Any:
    return _table("modules")[class_name]


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
    return json.loads((TABLES / f"{name}.json").read_text(encoding="utf-8"))
