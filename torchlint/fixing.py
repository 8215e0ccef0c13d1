"""Fixing: edits of the source that mend what a check has found, or nothing where none is right."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from torchlint.findings import Place, Safety
from torchlint.interpreter.repairs import Repair
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.values import Spot
    from torchlint.project.regions import Region

_SYMBOLS: dict[type[cst.CSTNode], str] = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
}
_TENSOR_USE = r"\b{name}\.(?:shape|size|device|dtype|view|reshape|permute|transpose|flatten)\b"
"""What shows that a name means a tensor, in a function that is never given anything else."""

_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.Integer, cst.Float)


def out_of_place(spot: Spot) -> Repair | None:
    """``x += y`` becomes ``x = x + y``; ``x.relu_()`` and ``inplace=True`` give new tensors."""
    region = spot.region
    match spot.node:
        case cst.AugAssign(target=cst.Name() | cst.Attribute() as target, operator=operator):
            node = spot.node
            symbol = _SYMBOLS.get(type(operator))
            if symbol is None:
                return None
            name = region.source_of(target)
            value = _grouped(region, node.value)
            text = f"{name} = {name} {symbol} {value}"
            return Repair("Write it out of place", Safety.UNSAFE, ((region.place(node), text),))
        case cst.Call(func=cst.Attribute(value=owner, attr=attr)) as node:
            if attr.value.endswith("_") and not attr.value.endswith("__"):
                return _without_underscore(region, node, owner, attr)
            return _without_inplace(region, node)
        case cst.Call() as node:
            return _without_inplace(region, node)
    return None


def _without_underscore(
    region: Region, node: cst.Call, owner: cst.BaseExpression, attr: cst.Name
) -> Repair | None:
    twin = generated.out_of_place(f"Tensor.{attr.value}")
    if twin is None:
        return None
    plain = twin.rpartition(".")[2]
    edits = [(region.place(attr), plain)]
    if isinstance(_parent(region, node), cst.Expr):
        if not isinstance(owner, (cst.Name, cst.Attribute)):
            return None
        start = region.place(node)
        before = Place(start.path, start.line, start.column, start.line, start.column, start.cell)
        edits.insert(0, (before, f"{region.source_of(owner)} = "))
    title = f"Use `{plain}`, which gives a new tensor"
    return Repair(title, Safety.UNSAFE, tuple(edits))


def _without_inplace(region: Region, node: cst.Call) -> Repair | None:
    """Turn off ``inplace=True`` where the result is used, so that it still arrives."""
    if isinstance(_parent(region, node), cst.Expr):
        return None
    for argument in node.args:
        if argument.keyword is not None and argument.keyword.value == "inplace":
            edit = (region.place(argument.value), "False")
            return Repair("Do not work in place", Safety.UNSAFE, (edit,))
    return None


def clear_before(backward: Spot, step: Spot) -> Repair | None:
    """Insert a ``zero_grad()`` of the optimizer that steps before the backward, in one function."""
    region = backward.region
    if step.region is not region or not isinstance(step.node, cst.Call):
        return None
    optimizer = _optimizer(step.node)
    statement = _statement(region, backward.node)
    stepping = _statement(region, step.node)
    if optimizer is None or statement is None or stepping is None:
        return None
    if _parent(region, statement) is not _parent(region, stepping):
        # A step behind a guard is one of accumulated gradients, which are cleared elsewhere.
        return None
    start = region.place(statement)
    margin = region.outline.lines(start.line, start.line)[: start.column - 1]
    if margin.strip():
        return None
    at = Place(start.path, start.line, start.column, start.line, start.column, start.cell)
    text = f"{region.source_of(optimizer)}.zero_grad()\n{margin}"
    return Repair("Clear the gradients before the backward", Safety.UNSAFE, ((at, text),))


def _optimizer(step: cst.Call) -> cst.BaseExpression | None:
    """What steps in ``optimizer.step()`` or ``scaler.step(optimizer)``, if it has a plain name."""
    owner = step.args[0].value if step.args else None
    if owner is None and isinstance(step.func, cst.Attribute):
        owner = step.func.value
    return owner if isinstance(owner, (cst.Name, cst.Attribute)) else None


def unwrap(applied: Spot, used: Spot) -> Repair | None:
    """Replace ``softmax(x, …)`` by ``x`` where it stands in the call that should get logits."""
    node = applied.node
    if applied.region is not used.region or not isinstance(node, cst.Call):
        return None
    if not any(child is node for child in _walk(used.node)) or not _normalises(node.func):
        return None
    match node.func:
        case cst.Attribute(value=owner) if _is_method(owner):
            inner: cst.BaseExpression | None = owner
        case _:
            positional = [item.value for item in node.args if item.keyword is None]
            inner = positional[0] if positional and not node.args[0].star else None
    if inner is None:
        return None
    text = _grouped(applied.region, inner)
    edit = (applied.region.place(node), text)
    return Repair("Pass the logits themselves", Safety.UNSAFE, (edit,))


def _normalises(function: cst.BaseExpression) -> bool:
    """Whether a call is of softmax, sigmoid or their kin by its own name."""
    match function:
        case cst.Call(func=layer):
            return _normalises(layer)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name.lower() in {"softmax", "log_softmax", "logsoftmax", "sigmoid"}
    return False


def _is_method(owner: cst.BaseExpression) -> bool:
    """Whether ``owner.softmax()`` is a method of a tensor rather than a function of a module."""
    match owner:
        case cst.Name(value="torch" | "F" | "nn" | "functional" | "self"):
            return False
        case cst.Attribute(attr=cst.Name(value="functional" | "nn" | "special")):
            return False
        case cst.Attribute(value=cst.Name(value="self")):
            return False
    return True


def follow_argument(factory: Spot) -> Repair | None:
    """Add ``device=x.device`` to a factory in a forward whose first argument is a tensor ``x``."""
    region = factory.region
    function = region.statement
    if not isinstance(function, cst.FunctionDef) or function.name.value != "forward":
        return None
    node = factory.node
    parameters = function.params.params
    if len(parameters) < 2 or not isinstance(node, cst.Call) or not node.args:
        return None
    name = parameters[1].name.value
    annotation = parameters[1].annotation
    if annotation is None:
        known = re.search(_TENSOR_USE.format(name=re.escape(name)), region.text) is not None
    else:
        known = "Tensor" in region.source_of(annotation.annotation).partition("[")[0]
    if not known:
        return None
    if any(argument.star for argument in node.args):
        return None
    # After the value of the last argument, so that a trailing comma or comment stays where it is.
    end = region.place(node.args[-1])
    at = Place(end.path, end.end_line, end.end_column, end.end_line, end.end_column, end.cell)
    title = f"Create it where `{name}` is"
    return Repair(title, Safety.SAFE, ((at, f", device={name}.device"),))


def detach_stored(spot: Spot) -> Repair | None:
    """Store ``x.detach()`` in place of ``x`` in ``items.append(x)`` or ``items[key] = x``."""
    match spot.node:
        case cst.Call(args=[cst.Arg(value=value, star="", keyword=None)]):
            return _detach(spot.region, value)
        case cst.Assign(value=value):
            return _detach(spot.region, value)
    return None


def detach_added(spot: Spot) -> Repair | None:
    """Add ``x.detach()`` in place of ``x`` in ``total += x`` or ``total = total + x``."""
    match spot.node:
        case cst.AugAssign(operator=cst.AddAssign(), value=value):
            return _detach(spot.region, value)
        case cst.Assign(
            targets=[cst.AssignTarget(target=target)],
            value=cst.BinaryOperation(left=left, operator=cst.Add(), right=right),
        ):
            if left.deep_equals(target):
                return _detach(spot.region, right)
            if right.deep_equals(target):
                return _detach(spot.region, left)
    return None


def _detach(region: Region, value: cst.BaseExpression) -> Repair | None:
    if isinstance(value, (cst.Tuple, cst.List, cst.Dict, cst.GeneratorExp, cst.ListComp)):
        return None
    text = f"{_grouped(region, value)}.detach()"
    title = f"Keep the value without its graph: `{text}`"
    return Repair(title, Safety.SAFE, ((region.place(value), text),))


def _grouped(region: Region, node: cst.BaseExpression) -> str:
    """The text of an expression, in parentheses unless it binds as tightly as a name."""
    text = region.source_of(node)
    return text if isinstance(node, _ATOMS) or node.lpar else f"({text})"


def _statement(region: Region, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line of simple statements that holds a node."""
    for line in _walk_region(region):
        if isinstance(line, cst.SimpleStatementLine) and any(
            child is node for child in _walk(line)
        ):
            return line
    return None


def _parent(region: Region, node: cst.CSTNode) -> cst.CSTNode | None:
    for candidate in _walk_region(region):
        if any(child is node for child in candidate.children):
            return candidate
    return None


def _walk_region(region: Region) -> Iterator[cst.CSTNode]:
    for statement in region.statements:
        yield from _walk(statement)


def _walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(current.children)
