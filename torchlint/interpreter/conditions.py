"""Conditions: what comes out true, how values compare, and what a test tells of its subject."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from torchlint.interpreter import (
    containers,
    edges,
    expressions,
    numbers,
    objects,
    ranks,
    tensors,
    trips,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.optimisation import Optimizer, Scaler
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Bound,
    Class,
    Const,
    Either,
    Function,
    Instance,
    Module,
    Opaque,
    Parameters,
    Partial,
    Sequence,
    Tensor,
    Tuple,
    either,
)
from torchlint.project.index import External
from torchlint.torch_api import registry

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value


def truth(machine: Machine, value: Value) -> bool | None:
    """Whether a value counts as true; None where that depends."""
    match value:
        case Const(value=constant):
            return bool(constant)
        case Tuple(items=items):
            return bool(items)
        case Function() | Class() | Bound() | Module() | Partial():
            return True
        case Either(options=options):
            truths = {truth(machine, option) for option in options}
            return truths.pop() if len(truths) == 1 else None
    match machine.get(value):
        case Instance(cls=str()) | Optimizer() | Scaler():
            return True
        case Tensor() as tensor:
            edges.tested(machine, tensor)
        case Sequence(items=items, escaped=False, rest=rest) if items or rest is None:
            return bool(items) if not items or rest is None else True
    return None


_COMPARISONS = {
    cst.Equal: "eq",
    cst.NotEqual: "ne",
    cst.LessThan: "lt",
    cst.LessThanEqual: "le",
    cst.GreaterThan: "gt",
    cst.GreaterThanEqual: "ge",
}


def compare(
    machine: Machine, operator: cst.BaseCompOp, left: Value, right: Value, node: cst.Comparison
) -> Value:
    """The value of ``left operator right``, for one of the operators that compare."""
    match operator:
        case cst.Is() | cst.IsNot():
            same = _same(machine, left, right)
            return UNKNOWN if same is None else Const(same == isinstance(operator, cst.Is))
    of_rank = ranks.compare(machine, operator, left, right)
    if of_rank is not None:
        return of_rank
    match operator:
        case cst.In() | cst.NotIn():
            inside = containers.contains(machine, right, left)
            return UNKNOWN if inside is None else Const(inside == isinstance(operator, cst.In))
    if isinstance(operator, (cst.Equal, cst.NotEqual)):
        numbers.compared(machine, left, right, machine.spot(node), isinstance(operator, cst.Equal))
    if tensors.is_tensor(machine, left) or tensors.is_tensor(machine, right):
        op = f"Tensor.__{_COMPARISONS[type(operator)]}__"
        registry.applied(machine, op, {"input": left, "other": right}, machine.spot(node))
        return tensors.without_graph(
            machine, op, {"input": left, "other": right}, machine.spot(node)
        )
    match left, right:
        case Const(value=one), Const(value=other):
            return _compare_constants(operator, one, other)
        case (Number() | Const(), Number()) | (Number(), Const()):
            left_at = trips.carried(machine, (left, right))
            return UNKNOWN if left_at is None else Number(left=left_at)
    return UNKNOWN


def _compare_constants(operator: cst.BaseCompOp, left: Any, right: Any) -> Value:
    try:
        match operator:
            case cst.Equal():
                return Const(left == right)
            case cst.NotEqual():
                return Const(left != right)
            case cst.LessThan():
                return Const(left < right)
            case cst.GreaterThan():
                return Const(left > right)
            case cst.LessThanEqual():
                return Const(left <= right)
            case cst.GreaterThanEqual():
                return Const(left >= right)
    except TypeError:
        pass
    return UNKNOWN


def _same(machine: Machine, left: Value, right: Value) -> bool | None:
    """Whether two values are one object; None where that is not known."""
    if isinstance(left, Const) and isinstance(right, Const):
        return left == right
    if NONE in (left, right):
        other = right if left == NONE else left
        if isinstance(other, (Tuple, Function, Class, Bound, Module, Parameters, External)):
            return False
        record = machine.get(other)
        if record is not None and not isinstance(record, Opaque):
            return False
    return None


def narrow(machine: Machine, test: cst.BaseExpression, *, positive: bool) -> None:
    """Take into account that a test has come out true, or false."""
    match test:
        case cst.UnaryOperation(operator=cst.Not(), expression=inner):
            narrow(machine, inner, positive=not positive)
        case cst.BooleanOperation(left=left, operator=operator, right=right):
            if isinstance(operator, cst.And) == positive:
                narrow(machine, left, positive=positive)
                narrow(machine, right, positive=positive)
        case cst.Comparison(
            left=subject,
            comparisons=[
                cst.ComparisonTarget(operator=cst.Is() | cst.IsNot() as operator, comparator=other)
            ],
        ) if isinstance(other, cst.Name) and other.value == "None":
            _narrow_none(machine, subject, is_none=isinstance(operator, cst.Is) == positive)
        case cst.Name() | cst.Attribute():
            if positive:
                _narrow_none(machine, test, is_none=False)


def _narrow_none(machine: Machine, subject: cst.BaseExpression, *, is_none: bool) -> None:
    if not isinstance(subject, (cst.Name, cst.Attribute)):
        return
    value = expressions.evaluate(machine, subject)
    if isinstance(value, Either) and NONE in value.options:
        rest = tuple(option for option in value.options if option != NONE)
        objects.assign_narrowed(machine, subject, NONE if is_none else either(rest))
