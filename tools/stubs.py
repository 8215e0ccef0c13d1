"""Read the parameter names of torch's functions and methods.

Most of torch is written in C++, where `inspect.signature` sees nothing. The type stubs in the wheel
list every overload with the names that the argument parser accepts; what has no stub (torch.linalg,
torch.special, torch.fft) has an operator schema.
"""

import ast
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import torch

TORCH = Path(torch.__file__).parent


@dataclass(frozen=True)
class Parameter:
    """One parameter of one overload."""

    name: str
    keyword_only: bool
    takes_tensor: bool
    variadic: Literal["", "*", "**"] = ""
    takes_number: bool = True


Overload = tuple[Parameter, ...]
VARIADIC: dict[inspect._ParameterKind, Literal["*", "**"]] = {
    inspect.Parameter.VAR_POSITIONAL: "*",
    inspect.Parameter.VAR_KEYWORD: "**",
}
THIS = Parameter("input", keyword_only=False, takes_tensor=True)


def overloads(name: str) -> list[Overload]:
    """The overloads of a function or method, by dotted name below torch.

    The tensor that a method is called on is its first parameter, named `input`.
    """
    namespace, _, short = name.rpartition(".")
    if namespace == "Tensor":
        methods = _stubs("_C/__init__.pyi", "TensorBase").get(short, [])
        return [(THIS, *overload) for overload in methods] or inspected(name)
    if namespace == "nn.functional":
        return (
            _stubs("nn/functional.pyi").get(short, [])
            or inspected(name)
            or _stubs("_C/_nn.pyi").get(short, [])
            or _stubs("_C/_VariableFunctions.pyi").get(short, [])
            or schemas(short)
        )
    if namespace == "":
        return _stubs("_C/_VariableFunctions.pyi").get(short, []) or inspected(name)
    return inspected(name) or schemas(name.replace(".", "_"))


def inspected(name: str) -> list[Overload]:
    """What `inspect.signature` knows of a function written in Python."""
    function = resolve(name)
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):  # not there, or written in C++
        return []
    if [parameter.kind for parameter in parameters] == list(VARIADIC):
        return []  # a wrapper
    return [tuple(_inspected(parameter) for parameter in parameters)]


def resolve(name: str) -> Callable[..., Any] | None:
    """The function or class of torch with this dotted name."""
    value: Any = torch
    for part in name.split("."):
        value = getattr(value, part, None)
    return value if callable(value) else None


def schemas(operator: str) -> list[Overload]:
    """The schemas of an operator."""
    found = torch._C._jit_get_schemas_for_operator(f"aten::{operator}")
    return [
        tuple(
            Parameter(_named(argument.name), argument.kwarg_only, "Tensor" in str(argument.type))
            for argument in schema.arguments
        )
        for schema in found
    ]


def _inspected(parameter: inspect.Parameter) -> Parameter:
    unannotated = parameter.annotation in (parameter.empty, Any)
    return Parameter(
        _named(parameter.name),
        parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_KEYWORD),
        takes_tensor=unannotated or "Tensor" in str(parameter.annotation),
        variadic=VARIADIC.get(parameter.kind, ""),
    )


@functools.cache
def _stubs(file: str, class_name: str | None = None) -> dict[str, list[Overload]]:
    body = ast.parse((TORCH / file).read_text()).body
    if class_name is not None:
        (body,) = (n.body for n in body if isinstance(n, ast.ClassDef) and n.name == class_name)
    found: dict[str, list[Overload]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            overload = _overload(node.args, method=class_name is not None)
            if not _out_of_use(overload):
                found.setdefault(node.name, []).append(overload)
    return found


def _out_of_use(overload: Overload) -> bool:
    """Whether this is an order of arguments of old, with a factor before its tensor."""
    factors = [i for i, p in enumerate(overload) if p.name in ("alpha", "beta", "value")]
    return any(p.takes_tensor and p.name != "out" for i in factors[:1] for p in overload[i + 1 :])


def _overload(arguments: ast.arguments, *, method: bool) -> Overload:
    positional = [*arguments.posonlyargs, *arguments.args][1 if method else 0 :]
    parameters = [_parameter(argument, keyword_only=False) for argument in positional]
    if arguments.vararg is not None:
        parameters.append(_parameter(arguments.vararg, keyword_only=False, variadic="*"))
    parameters += [_parameter(argument, keyword_only=True) for argument in arguments.kwonlyargs]
    return tuple(parameters)


def _parameter(
    argument: ast.arg, *, keyword_only: bool, variadic: Literal["", "*"] = ""
) -> Parameter:
    annotation = ast.unparse(argument.annotation) if argument.annotation is not None else "Any"
    takes_tensor = "Tensor" in annotation or annotation == "Any"
    takes_number = annotation not in ("Tensor", "Tensor | None")
    return Parameter(_named(argument.arg), keyword_only, takes_tensor, variadic, takes_number)


def _named(name: str) -> str:
    """The name in the table: the argument parser takes `input` for what stubs call `self`."""
    return "input" if name == "self" else name
