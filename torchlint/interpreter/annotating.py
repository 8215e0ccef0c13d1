"""Annotating: shapes that annotations give, as jaxtyping and torchtyping have them.

Sizes go by names there, which are the same in all annotations of a function.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, names, shapes, sizing, tensors
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.values import Certainty, Opaque, Tensor
from torchlint.project.index import External
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Function, Value
    from torchlint.project.outline import Outline

_TENSOR = External("torch.Tensor")
_LIBRARIES = ("jaxtyping.", "torchtyping.")
_PLAIN = frozenset({"int", "float", "bool", "str"})
_COLLECTIONS = frozenset("dict list tuple set Dict List Tuple Set Mapping Sequence".split())
_NAME = Pattern(r"[A-Za-z]\w*")
_SIZE = Pattern(r"(?:\w+=)?(\d+)")


def is_tensor(machine: Machine, outline: Outline, annotation: ast.expr | None) -> bool:
    """Whether an annotation is for a tensor with sizes."""
    return _written(machine, outline, annotation) is not None


def is_plain(annotation: ast.expr | None) -> bool:
    """Whether an annotation is for a number or text, which lives on no device."""
    return annotation is not None and names.dotted(annotation) in _PLAIN


def is_collection(annotation: ast.expr | None) -> bool:
    """Whether an annotation is for one of Python's collections, of whatever."""
    kind = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return kind is not None and names.dotted(kind).rpartition(".")[2] in _COLLECTIONS


def of_arguments(machine: Machine, function: Function, local: dict[str, Value]) -> dict[str, Dim]:
    """What is given to a function has the shapes that it is annotated with; gives the names.

    What is annotated as a collection is no tensor, which a forward is taken to be given otherwise.
    """
    given: dict[str, Dim] = {}
    arguments = function.node.args
    for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        written = _written(machine, function.region.outline, parameter.annotation)
        if written is not None and parameter.arg in local:
            _tell(machine, local[parameter.arg], written, given)
        elif is_collection(parameter.annotation) and parameter.arg in local:
            _untell(machine, local[parameter.arg])
    return given


def of_result(machine: Machine, function: Function, value: Value, given: dict[str, Dim]) -> None:
    """What a function returns has the shape that it says."""
    if isinstance(function.node, ast.Lambda):
        return
    written = _written(machine, function.region.outline, function.node.returns)
    if written is not None and isinstance(machine.get(value), Tensor):
        _tell(machine, value, written, given)


def _untell(machine: Machine, value: Value) -> None:
    """A value that was taken for a tensor is something else."""
    record = machine.peek(value)
    node = record.node if isinstance(record, Tensor) else None
    if node is not None and node.op == "input" and node.certainty is Certainty.ASSUMED:
        machine.set(value, Opaque(argument=True))


def _written(
    machine: Machine, outline: Outline, annotation: ast.expr | None
) -> tuple[str, ...] | None:
    """The sizes of an annotation, each as jaxtyping writes it; None for other annotations."""
    if not isinstance(annotation, ast.Subscript):
        return None
    match annotation.slice:
        case ast.Tuple(elts=[of, ast.Constant(value=str() as text)]) if names.dotted(of):
            kinds = [annotation.value, of]
            sizes = tuple(text.split())
        case _ if names.dotted(annotation.value).endswith("TensorType"):
            kinds, sizes = [annotation.value], _of_torchtyping(annotation.slice)
        case _:
            return None
    library, *of_what = (machine.index.meaning(outline, names.dotted(kind)) for kind in kinds)
    known = isinstance(library, External) and library.name.startswith(_LIBRARIES)
    return sizes if known and all(kind == _TENSOR for kind in of_what) else None


def _of_torchtyping(node: ast.expr) -> tuple[str, ...]:
    items = node.elts if isinstance(node, ast.Tuple) else [node]
    found: list[str] = []
    for item in items:
        match item:
            case ast.Constant(value=str() as name):
                found.append(name)
            case ast.Constant(value=int() as size):
                found.append(str(size))
            case ast.Constant(value=None) | ast.UnaryOp() | ast.Slice(upper=None):
                found.append("_")
            case ast.Slice(upper=ast.Constant(value=int() as size)):
                found.append(str(size))
            case ast.Slice(upper=ast.Constant(value=value)):
                found.append("..." if value is ... else "_")
            case ast.Constant(value=value) if value is ...:
                found.append("...")
    return tuple(found)


def _tell(machine: Machine, value: Value, written: tuple[str, ...], given: dict[str, Dim]) -> None:
    """A value is a tensor of the shape that is written."""
    tensor = tensors.as_tensor(machine, value)
    if tensor is None or sum(map(_is_open, written)) > 1:
        return
    pattern: Shape = tuple(_dim(size) for size in written)
    found = shapes.fitted(tensor.shape, pattern)
    if isinstance(found, shapes.Misfit):
        return
    if shapes.least_rank(found) == shapes.least_rank(pattern):
        found = _named(found, written, given)
    sizing.learn(machine, value, found, said=True)


def _is_open(size: str) -> bool:
    return size.startswith(("*", "..."))


def _dim(size: str) -> Dim:
    """The dimension that is written, if it is not a name."""
    if _is_open(size):
        return MORE
    found = _SIZE.fullmatch(size)
    return int(found[1]) if found else None


def _named(shape: Shape, written: tuple[str, ...], given: dict[str, Dim]) -> Shape:
    """A shape in which what goes by a name is what the name stands for already, or from now on."""
    if len(shape) != len(written):
        return shape
    dims: list[Dim] = []
    for dim, size in zip(shape, written, strict=True):
        if dim != MORE and _NAME.fullmatch(size):
            if dim is None and size not in given:
                given[size] = dimensions.new_name(size)
            dim = given.setdefault(size, dim) if dim is None else dim
            given.setdefault(size, dim)
        dims.append(dim)
    return tuple(dims)
