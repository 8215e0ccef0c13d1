"""Generate `signatures.json`, `inplace.json` and `factories.json`.

    python tools/generate_tables.py signatures inplace factories

`signatures.json` has the parameters of each function and method, overloads apart:

    "max": ["input * out", "input other * out", "input dim keepdim * out"]

What follows `*` is by keyword only, and `*name` takes any number of arguments. `@1` at the end says
that the first tensor is the second parameter, `@-` that no parameter takes a tensor; without it,
the first does. Keys are those of `saved.json`; classes outside torch.nn are by dotted name too.

`inplace.json` has, under "twins", each operation that writes to its first tensor with the one that
returns a new tensor instead, or null; "metadata" are those among them that leave the values alone
(`requires_grad_`); "out" and "inplace" are the functions with a parameter of that name.

`factories.json` has the functions that make a tensor from no other, with `device=`; "follows" are
those that take what is not given from a tensor (`zeros_like`, `Tensor.new_zeros`); "scalar" always
make a tensor without dimensions (`tensor` does where its argument is a number).
"""

import importlib
import inspect

import function_samples
import stubs
import torch
from function_samples import writes_in_place
from generate_saved import without_namesakes
from mutation import Sample

NAMESPACES = (
    "",
    "nn.functional",
    "Tensor",
    "amp",
    "autograd",
    "cuda",
    "cuda.amp",
    "fft",
    "func",
    "linalg",
    "nn.init",
    "nn.utils",
    "nn.utils.rnn",
    "optim.swa_utils",
    "special",
    "utils.checkpoint",
    "utils.data",
)

LEAVES_VALUES_ALONE = ("rename_", "requires_grad_", "share_memory_", "sparse_resize_")
"""Methods without sample that change what a tensor is called or where it lives, not its values."""


REDRAWS = ("bernoulli_", "normal_")
"""Methods that draw into a tensor, which their namesakes without underscore do not."""


def signatures() -> dict[str, list[str]]:
    """The table of parameter names."""
    found = _all_signatures()
    for name in [name for name in found if name.startswith("Tensor.")]:
        function = found.get(name.removeprefix("Tensor."), [])
        if found[name] == [text.removesuffix(" * out").removesuffix(" out") for text in function]:
            del found[name]  # it has but `out` less than the function
    return without_namesakes(found)


def _all_signatures() -> dict[str, list[str]]:
    names = [*public_names(), *function_samples.operators(), *function_samples.PRODUCTS]
    overloads = {name: stubs.overloads(name) for name in names}
    found = {name: _distinct(group) for name, group in overloads.items() if group}
    return {name: written for name, written in found.items() if written}


def public_names() -> list[str]:
    """The public functions, methods and classes of these namespaces, by dotted name below torch."""
    return sorted(name for namespace in NAMESPACES for name in _public_names(namespace))


def _public_names(namespace: str) -> list[str]:
    if namespace == "Tensor":
        holder: object = torch.Tensor
    else:
        holder = importlib.import_module(f"torch.{namespace}".rstrip("."))
    chosen = getattr(holder, "__all__", None) if namespace not in ("", "nn.functional") else None
    names = [n for n in chosen or dir(holder) if not n.startswith("_")]
    prefix = f"{namespace}." if namespace else ""
    return [prefix + name for name in names if _of_torch(getattr(holder, name, None))]


def _of_torch(value: object) -> bool:
    """Whether a value is a function or class that torch defines and not one that it imports."""
    if inspect.ismodule(value) or not callable(value):
        return False
    module = getattr(value, "__module__", None) or "torch"
    return module.startswith("torch") and not isinstance(value, torch.dtype)


def _distinct(overloads: list[stubs.Overload]) -> list[str]:
    """The overloads as text, without those that take no more than another does."""
    first: dict[str, list[int]] = {}
    for overload in overloads:
        tensors = [i for i, p in enumerate(overload) if p.takes_tensor and p.name != "out"]
        first.setdefault(_written(overload), []).extend(tensors)
    return [
        text + _mark(first[text])
        for text in first
        if not any(text != other and _is_part(text, other) for other in first)
    ]


def _written(overload: stubs.Overload) -> str:
    words: list[str] = []
    for parameter in overload:
        if parameter.keyword_only and not any(word.startswith("*") for word in words):
            words.append("*")
        words.append(parameter.variadic + parameter.name)
    return " ".join(words)


def _mark(tensors: list[int]) -> str:
    """Where the first tensor is, unless that is the usual place."""
    if not tensors:
        return " @-"
    return f" @{min(tensors)}" if min(tensors) else ""


def _is_part(text: str, other: str) -> bool:
    """Whether each call that one overload binds is bound alike by the other."""
    (positional, _, keywords), (others, _, more) = text.partition(" * "), other.partition(" * ")
    return f"{others} ".startswith(f"{positional} ") and {*keywords.split()} <= {*more.split()}


def inplace() -> dict[str, object]:
    """The table of what writes to its first tensor."""
    names = set(public_names())
    written = [name for name in names if writes_in_place(name)]
    samples = function_samples.functions()
    alone = [n for n in written if _leaves_values_alone(n, samples.get(n, []))]
    overloads = {name: {p.name for o in stubs.overloads(name) for p in o} for name in names}
    return {
        "twins": {name: _twin(name, names) for name in written},
        "metadata": sorted(alone),
        "out": sorted(name for name, parameters in overloads.items() if "out" in parameters),
        "inplace": sorted(n for n, parameters in overloads.items() if "inplace" in parameters),
    }


def _twin(name: str, names: set[str]) -> str | None:
    namespace, _, short = name.rpartition(".")
    if namespace not in ("", "nn.functional", "Tensor") or short in REDRAWS:
        return None
    candidates = (name[:-1], short[:-1])
    return next((candidate for candidate in candidates if candidate in names), None)


def _leaves_values_alone(name: str, samples: list[Sample]) -> bool:
    """Whether no sample counts as a write to the first tensor."""
    writes = [written for sample in samples if (written := _writes(sample)) is not None]
    return not any(writes) if writes else name.rpartition(".")[2] in LEAVES_VALUES_ALONE


def _writes(sample: Sample) -> bool | None:
    try:
        tensors, _ = sample.call(())
    except Exception:  # arguments that the operation refuses
        return None
    return bool(next(iter(tensors.values()))[0]._version)


def factories() -> dict[str, object]:
    """The table of functions that make tensors."""
    names = [name for name in public_names() if "." not in name and _takes_device(name)]
    follows = [name for name in names if name.endswith("_like")]
    methods = [f"Tensor.{name}" for name in dir(torch.Tensor) if name.startswith("new_")]
    return {
        "makes": {n: _names_once(n) for n in names if n not in follows and _from_nothing(n)},
        "follows": sorted(follows + methods),
        "scalar": ["scalar_tensor"],
    }


def _takes_device(name: str) -> bool:
    return any(p.name == "device" for overload in stubs.overloads(name) for p in overload)


def _from_nothing(name: str) -> bool:
    """Whether a call needs no tensor: some overload takes none, or the argument is `data`."""
    return any(
        all(
            not parameter.takes_tensor or parameter.name in ("out", "obj", "data")
            for parameter in o
        )
        for o in stubs.overloads(name)
    )


def _names_once(name: str) -> list[str]:
    parameters = (p.name for overload in stubs.overloads(name) for p in overload)
    return list(dict.fromkeys(parameters))
