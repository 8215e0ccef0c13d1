"""Generate `modules.json`, `optimizers.json` and `exports.json`.

    python tools/generate_tables.py modules optimizers exports

`modules.json` has one line a layer of torch.nn: "bases", the other layers that its class derives
from; "init", the parameters of its constructor; "defaults", those defaults that are plain values;
"forward", the parameters of a call; "state", whether it has parameters and buffers (as usually
constructed; null where none was constructed); "functional", the function that its forward calls,
if it is one.

`optimizers.json` has the optimizers and the schedulers with the parameters of their constructors,
and of the scheduler's step.

`exports.json` has the public names of each namespace, and for each other module of torch which of
its names are public where, so that an import by a long path resolves to the public name.
"""

import importlib
import inspect
import re
import sys
import typing
from collections import defaultdict
from types import ModuleType
from typing import Any

import layer_samples
import torch
from mutation import LayerSample
from stubs import VARIADIC
from torch import nn, optim

PLAIN = (bool, int, float, str, type(None))

NAMESPACES = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.init",
    "torch.nn.parallel",
    "torch.nn.utils",
    "torch.nn.utils.parametrizations",
    "torch.nn.utils.rnn",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.optim.swa_utils",
    "torch.utils.data",
    "torch.utils.checkpoint",
    "torch.amp",
    "torch.autograd",
    "torch.autograd.functional",
    "torch.autograd.profiler",
    "torch.cuda",
    "torch.cuda.amp",
    "torch.distributed",
    "torch.distributions",
    "torch.fft",
    "torch.func",
    "torch.jit",
    "torch.linalg",
    "torch.special",
)
"""The namespaces that torch documents; a class that is in two has the name of the first."""


# --- layers --------------------------------------------------------------------------------------


def modules() -> dict[str, dict[str, object]]:
    """The table of layers."""
    built = layer_samples.layers()
    classes = _classes(nn, nn.Module)
    found = {}
    for name, cls in classes.items():
        sample = next(iter(built.get(name, [])), None)
        found[name] = {
            "bases": [n for n, c in classes.items() if c is not cls and issubclass(cls, c)],
            "init": _parameters(_spelled_out(cls.__init__)),
            "defaults": _defaults(_spelled_out(cls.__init__)),
            "forward": _parameters(cls.forward),
            "state": _state(sample.layer) if isinstance(sample, LayerSample) else None,
            "functional": _functional(cls),
        }
    return found


def _classes(holder: ModuleType, base: type) -> dict[str, type[Any]]:
    public = {name: value for name, value in vars(holder).items() if not name.startswith("_")}
    return {n: v for n, v in public.items() if isinstance(v, type) and issubclass(v, base)}


def _spelled_out(function: Any) -> Any:
    """The first of a function's overloads, where it has any: a recurrent layer hides the names."""
    return next(iter(typing.get_overloads(function)), function)


def _parameters(function: Any) -> list[str]:
    """The parameter names, a `*` before those that are variadic."""
    parameters = list(inspect.signature(function).parameters.values())[1:]
    return [VARIADIC.get(parameter.kind, "") + parameter.name for parameter in parameters]


def _defaults(function: Any) -> dict[str, object]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if _plain(p.default)}


def _plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(_plain(item) for item in value)
    return isinstance(value, PLAIN)


def _state(layer: nn.Module) -> list[str]:
    has = {"parameters": layer.parameters(), "buffers": layer.buffers()}
    return [name for name, tensors in has.items() if next(iter(tensors), None) is not None]


def _functional(cls: type[nn.Module]) -> str | None:
    """The one function of torch.nn.functional or torch whose result forward returns."""
    source = inspect.getsource(cls.forward)
    helpers = {name for name in re.findall(r"self\.(_\w+)\(", source) if hasattr(cls, name)}
    source += "".join(inspect.getsource(getattr(cls, name)) for name in sorted(helpers))
    for module, prefix in (("F", "nn.functional."), ("torch", "")):
        returned = set(re.findall(rf"return {module}\.([a-z]\w*)\(", source))
        if len(returned) == 1:
            return prefix + returned.pop()
    return None


# --- optimizers ----------------------------------------------------------------------------------


def optimizers() -> dict[str, dict[str, object]]:
    """The table of optimizers and schedulers."""
    schedulers = _classes(optim.lr_scheduler, optim.lr_scheduler.LRScheduler)
    return {
        "optimizers": {
            name: {"init": _parameters(cls.__init__), "defaults": _defaults(cls.__init__)}
            for name, cls in _classes(optim, optim.Optimizer).items()
        },
        "schedulers": {
            name: {"init": _parameters(cls.__init__), "step": _parameters(cls.step)}
            for name, cls in schedulers.items()
        },
    }


# --- names ---------------------------------------------------------------------------------------


def exports() -> dict[str, object]:
    """The table of public names."""
    public = {namespace: _public(namespace) for namespace in NAMESPACES}
    classes: dict[int, str] = {}
    for namespace in NAMESPACES:
        for name, value in public[namespace].items():
            if isinstance(value, type):
                classes.setdefault(id(value), f"{namespace}.{name}")
    return {
        "public": {namespace: " ".join(sorted(names)) for namespace, names in public.items()},
        "aliases": {m: found for m in _modules() if (found := _aliases(m, public, classes))},
    }


def _public(namespace: str) -> dict[str, object]:
    module = importlib.import_module(namespace)
    listed = set(getattr(module, "__all__", ()))
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_") and (name in listed or _defined_by_torch(value))
    }


def _defined_by_torch(value: object) -> bool:
    if isinstance(value, torch.dtype | torch.layout | torch.memory_format):
        return True
    if inspect.ismodule(value) or not callable(value):
        return False
    module = getattr(value, "__module__", None) or "torch"
    return module.startswith("torch") and not (module == "torch._C" and isinstance(value, type))


def _modules() -> list[str]:
    """The modules that a program may import from, private ones left out."""
    names = [name for name in sys.modules if name.startswith("torch.")]
    return sorted(name for name in names if not any(p.startswith("_") for p in name.split(".")))


def _aliases(
    module: str, public: dict[str, dict[str, object]], classes: dict[int, str]
) -> dict[str, str]:
    """The names of a module that are public elsewhere: by namespace."""
    found: dict[str, list[str]] = defaultdict(list)
    for name, value in list(vars(sys.modules[module]).items()):
        home = _home(module, name, value, public, classes)
        if home is not None:
            found[home].append(name)
    return {home: " ".join(sorted(names)) for home, names in found.items()}


def _home(
    module: str,
    name: str,
    value: object,
    public: dict[str, dict[str, object]],
    classes: dict[int, str],
) -> str | None:
    """The namespace under which a name of another module is public, if it is that module's own."""
    listed = getattr(sys.modules[module], "__all__", ())
    if name.startswith("_") or not (name in listed or getattr(value, "__module__", "") == module):
        return None
    if isinstance(value, type):
        home, _, known = classes.get(id(value), "").rpartition(".")
        return home if known == name and home != module else None
    if module in public or not callable(value):
        return None
    return next((n for n in NAMESPACES if public[n].get(name) is value), None)
