"""Sample calls of torch's functions, of the methods of Tensor and of its operators."""

import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import stubs
import torch
from mutation import FunctionSample, Sample, spread

LIMIT = 64
"""So many of the sample inputs of one operation are run."""

Samples = dict[str, list[Sample]]


def functions(dtypes: Sequence[torch.dtype] = (torch.float32,)) -> Samples:
    """Samples of every function and method with sample inputs, by dotted name below torch."""
    from torch.testing._internal.common_methods_invocations import op_db

    found: Samples = defaultdict(list)
    for info in op_db:
        for dtype in dtypes:
            if dtype in info.dtypes and "aten" not in info.name:
                _add_samples(info, dtype, found)
    for name, positional, keywords in _more_calls():
        found[name] += call(name, positional, keywords)
    return {name: samples for name, samples in found.items() if samples}


def _add_samples(info: Any, dtype: torch.dtype, found: Samples) -> None:
    inputs = list(info.sample_inputs("cpu", dtype, requires_grad=False))
    for name in _spellings(info):
        for chosen in spread(inputs, LIMIT):
            found[name] += call(name, (chosen.input, *chosen.args), chosen.kwargs)


def in_place_functionals(samples: Samples) -> Samples:
    """The samples of every functional that takes `inplace`, with `inplace=True`."""
    return {
        f"{name}(inplace)": [_in_place(name, sample) for sample in group]
        for name, group in samples.items()
        if takes_inplace(name)
    }


def takes_inplace(name: str) -> bool:
    """Whether a function has a parameter `inplace`."""
    return any(p.name == "inplace" for overload in stubs.overloads(name) for p in overload)


def _in_place(name: str, sample: Sample) -> Sample:
    assert isinstance(sample, FunctionSample)
    function = stubs.resolve(name)
    assert function is not None
    first = next(iter(sample.arguments))
    arguments = {**sample.arguments, "inplace": True}
    return FunctionSample(lambda given: function(**given), arguments, overwritten={first})


def _spellings(info: Any) -> Iterator[str]:
    """The names under which a program can call one operation."""
    base = info.name.removeprefix("torch.")
    short = base.rpartition(".")[2]
    names = {base, f"nn.functional.{base}", *(alias.name for alias in info.aliases)}
    names |= {f"{name}_" for name in names} | {f"Tensor.{short}", f"Tensor.{short}_"}
    return (name for name in sorted(names) if _is_function(stubs.resolve(name)))


def _is_function(value: object) -> bool:
    return value is not None and not isinstance(value, type)


def call(name: str, positional: Sequence[Any], keywords: Mapping[str, Any]) -> Iterator[Sample]:
    """The sample for one call; none where the function has no parameters for these arguments."""
    function = stubs.resolve(name)
    names = parameter_names(stubs.overloads(name), positional, keywords)
    if function is not None and names is not None:
        yield _sample(function, names, positional, keywords, overwrites=writes_in_place(name))


def writes_in_place(name: str) -> bool:
    """Whether a name is one of an operation in place, which torch marks by an underscore."""
    return name.endswith("_") and not name.endswith("__")


def _sample(
    function: Callable[..., Any],
    names: Sequence[str],
    positional: Sequence[Any],
    keywords: Mapping[str, Any],
    *,
    overwrites: bool,
) -> Sample:
    arguments: dict[str, Any] = {}
    places: list[tuple[str, int | None]] = []
    for name, value in zip(names, positional, strict=True):
        variadic = names.count(name) > 1
        places.append((name, len(arguments.setdefault(name, [])) if variadic else None))
        if variadic:
            arguments[name].append(value)
        else:
            arguments[name] = value

    def run(given: Mapping[str, Any]) -> Any:
        values = (given[name] if at is None else given[name][at] for name, at in places)
        return function(*values, **{name: given[name] for name in keywords})

    overwritten = set(names[:1]) if overwrites else set()
    return FunctionSample(run, {**arguments, **keywords}, overwritten)


def parameter_names(
    overloads: list[stubs.Overload], positional: Sequence[Any], keywords: Mapping[str, Any]
) -> list[str] | None:
    """The parameter that each positional argument goes to, or None if no overload takes them."""
    for overload in overloads:
        names = _names_in(overload, positional)
        if names is not None and keywords.keys() <= {parameter.name for parameter in overload}:
            return names
    return None


def _names_in(overload: stubs.Overload, positional: Sequence[Any]) -> list[str] | None:
    places = [parameter for parameter in overload if not parameter.keyword_only]
    if places and places[-1].variadic:
        places += [places[-1]] * (len(positional) - len(places))
    if len(positional) > len(places):
        return None
    for value, place in zip(positional, places, strict=False):
        if isinstance(value, torch.Tensor) and not place.takes_tensor:
            return None
        if isinstance(value, int | float) and not place.takes_number:
            return None
    return [place.name for place, _ in zip(places, positional, strict=False)]


# --- calls that torch's samples lack -------------------------------------------------------------


PRODUCTS = ("matmul", "linalg.matmul", "Tensor.matmul", "Tensor.__matmul__", "Tensor.__rmatmul__")


def _more_calls() -> Iterator[tuple[str, tuple[Any, ...], dict[str, Any]]]:
    """Calls of functions whose samples are missing, or written for another order of arguments."""
    a, b, condition = torch.rand(3, 3) + 0.5, torch.rand(3, 3) + 0.5, torch.rand(3, 3) > 0.5
    for name in ("where", "Tensor.where"):
        order = (condition, a, b) if name == "where" else (a, condition, b)
        yield name, order, {}
    yield "where", (condition, a, 0.0), {}
    yield "einsum", ("ij,jk->ik", a, b), {}
    yield "einsum", ("ij,ij->i", a, b), {}
    yield "nn.functional.embedding", (torch.tensor([0, 2]), a), {}
    yield "embedding", (a, torch.tensor([0, 2])), {}
    for name in ("polygamma", "special.polygamma"):
        yield name, (1, a), {}
    for name in ("broadcast_tensors", "block_diag"):
        yield name, (a, b), {}
    for name in ("dropout", "alpha_dropout", "feature_dropout"):
        yield name, (a, 0.5, True), {}
        yield f"{name}_", (a, 0.5, True), {}
    yield "rrelu", (a, 0.1, 0.3, True), {}
    yield "nn.functional.lp_pool1d", (a, 2, 2), {}
    yield "nn.functional.fold", (torch.rand(1, 8, 4), (4, 4), (2, 2)), {"stride": 2}
    yield "batch_norm", (a, None, None, None, None, True, 0.1, 1e-5, False), {}
    yield "instance_norm", (a[None], None, None, None, None, True, 0.1, 1e-5, False), {}
    yield "prelu", (a - 1, torch.rand(3)), {}
    yield "nn.functional.threshold_", (a - 1, 0.1, 0.0), {}
    yield "softmax", (a, 1), {}
    yield "Tensor.tolist", (a,), {}
    for method in ("detach", "detach_", "cpu", "clone", "contiguous", "requires_grad_"):
        yield f"Tensor.{method}", (a,), {}
    yield "detach", (a,), {}
    for left, right in (
        ((3, 3), (3, 3)),
        ((2, 3, 3), (3, 3)),
        ((2, 3, 3), (2, 3, 3)),
        ((3, 3), (2, 3, 3)),
        ((2, 1, 3, 3), (2, 4, 3, 3)),
        ((2, 4, 3, 3), (2, 1, 3, 3)),
    ):
        for name in PRODUCTS:
            yield name, (torch.rand(left), torch.rand(right)), {}
    for dtype in (torch.float32, torch.float64):
        yield "Tensor.to", (a, dtype), {}
        yield "Tensor.type", (a, dtype), {}
        yield "Tensor.type_as", (a, b.to(dtype)), {}


PROPERTIES = ("T", "mT", "H", "mH", "data", "real", "imag")


def properties() -> Samples:
    """Samples of the properties of Tensor that are views."""
    tensor = torch.rand(3, 3, dtype=torch.complex64)

    def sample(name: str) -> Sample:
        return FunctionSample(lambda given: getattr(given["input"], name), {"input": tensor})

    return {f"Tensor.{name}": [sample(name)] for name in PROPERTIES}


# --- operators -----------------------------------------------------------------------------------

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "floordiv": operator.floordiv,
    "mod": operator.mod,
    "pow": operator.pow,
}
IN_PLACE = {
    "iadd": operator.iadd,
    "isub": operator.isub,
    "imul": operator.imul,
    "itruediv": operator.itruediv,
    "ifloordiv": operator.ifloordiv,
    "imod": operator.imod,
    "ipow": operator.ipow,
}
COMPARISONS = {name: getattr(operator, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}


def operators() -> Samples:
    """Samples of the operators of Python, under the names of the methods that they call."""
    a, b = torch.rand(3, 3) + 0.5, torch.rand(3, 3) + 0.5
    found: Samples = {"Tensor.__neg__": [_operator(operator.neg, a)]}
    found["Tensor.__abs__"] = [_operator(abs, a)]
    for name, function in {**BINARY, **COMPARISONS}.items():
        found[f"Tensor.__{name}__"] = [_operator(function, a, b), _operator(function, a, 2.5)]
    for name, function in BINARY.items():
        found[f"Tensor.__r{name}__"] = [_operator(lambda x, y, f=function: f(y, x), a, 2.5)]
    for name, function in IN_PLACE.items():
        calls = [_operator(function, a, other, overwrites=True) for other in (b, 2.5)]
        found[f"Tensor.__{name}__"] = calls
    return {**found, **_subscripts()}


def _operator(
    function: Callable[..., Any],
    first: torch.Tensor,
    other: Any = None,
    *,
    overwrites: bool = False,
) -> Sample:
    operands = {"input": first} if other is None else {"input": first, "other": other}
    overwritten = {"input"} if overwrites else set()
    return FunctionSample(lambda given: function(*given.values()), operands, overwritten)


def _subscripts() -> Samples:
    x = torch.rand(3, 4)
    keys = [0, slice(1, None), (slice(None), 2), None, torch.tensor([0, 2]), x > 0.5]
    read: list[Sample] = []
    written: list[Sample] = []
    for key in keys:
        read.append(
            FunctionSample(lambda g: g["input"][g["indices"]], {"input": x, "indices": key})
        )
        for value in (1.0, torch.tensor(2.0), torch.rand(x[key].shape)):
            arguments = {"input": x, "indices": key, "value": value}
            written.append(FunctionSample(_set_item, arguments, {"input"}))
    return {"Tensor.__getitem__": read, "Tensor.__setitem__": written}


def _set_item(given: Mapping[str, Any]) -> Any:
    given["input"][given["indices"]] = given["value"]
    return given["input"]
