"""Conditions: what comes out true, how values compare, and what a test tells of its subject."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from torchlint.frozen import replace
from torchlint.interpreter import (
    asserting,
    containers,
    dtypes,
    edges,
    expressions,
    keyed,
    names,
    numbers,
    objects,
    pairs,
    ranks,
    syntax,
    tensors,
    trips,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.optimisation import Optimizer, Scaler
from torchlint.interpreter.state import Alike
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
    Ref,
    Sequence,
    Tensor,
    Tuple,
    either,
)
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated, registry

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value


def truth(machine: Machine, value: Value) -> bool | None:
    """Whether a value counts as true; None where that depends."""
    match value:
        case Const(value=constant):
            return bool(constant)
        case Tuple(items=items):
            return bool(items)
        case Function() | Class() | Bound() | Module() | Partial():
            return True
        case Either(truth=bool() as known):
            return known
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


def combined(left: Value, right: Value, *, conjunction: bool) -> Value:
    """What ``left and right`` gives, or ``left or right``, where nothing tells which it is.

    Where the right one settles it, the left one is given only if it counts as the same.
    """
    settles = isinstance(right, Const) and bool(right.value) is not conjunction
    return either((left, right), not conjunction if settles else None)


_COMPARISONS = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}


def _look_for(machine: Machine, value: Value, tensor: Value, spot: Spot) -> None:
    """``value in tensor`` is whether it is equal to any."""
    found = tensors.without_graph(machine, "Tensor.__eq__", {"input": tensor, "other": value}, spot)
    edges.tested(machine, tensors.as_tensor(machine, found))


def compare(
    machine: Machine, operator: ast.cmpop, left: Value, right: Value, node: ast.Compare
) -> Value:
    """The value of ``left operator right``, for one of the operators that compare."""
    match operator:
        case ast.Is() | ast.IsNot():
            same = _same(machine, left, right)
            return UNKNOWN if same is None else Const(same == isinstance(operator, ast.Is))
        case ast.Eq() | ast.NotEq() if isinstance(left, External):
            same = _same(machine, left, right)
            if same is not None:
                return Const(same == isinstance(operator, ast.Eq))
    of_rank = ranks.compare(machine, operator, left, right)
    if of_rank is not None:
        return of_rank
    match operator:
        case ast.In() | ast.NotIn():
            if keyed.is_name(machine, left):
                keyed.shown(machine, right)
            if isinstance(machine.get(right), Tensor):
                _look_for(machine, left, right, machine.spot(node))
            inside = containers.contains(machine, right, left)
            return UNKNOWN if inside is None else Const(inside == isinstance(operator, ast.In))
    pairs.computed(machine, type(operator).__name__, left, right, machine.spot(node))
    if isinstance(operator, (ast.Eq, ast.NotEq)):
        numbers.compared(machine, left, right, machine.spot(node), isinstance(operator, ast.Eq))
    if _are_tensors(machine, left, right):
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


def _are_tensors(machine: Machine, left: Value, right: Value) -> bool:
    """Whether values are compared element for element: what comes of a model is a tensor."""
    if tensors.is_tensor(machine, left) or tensors.is_tensor(machine, right):
        return True
    records = (machine.get(left), machine.get(right))
    return all(isinstance(record, Opaque) for record in records) and any(
        isinstance(record, Opaque) and record.origin for record in records
    )


def _compare_constants(operator: ast.cmpop, left: Any, right: Any) -> Value:
    try:
        match operator:
            case ast.Eq():
                return Const(left == right)
            case ast.NotEq():
                return Const(left != right)
            case ast.Lt():
                return Const(left < right)
            case ast.Gt():
                return Const(left > right)
            case ast.LtE():
                return Const(left <= right)
            case ast.GtE():
                return Const(left >= right)
    except TypeError:
        pass
    return UNKNOWN


def _same(machine: Machine, left: Value, right: Value) -> bool | None:
    """Whether two values are one object; None where that is not known."""
    if isinstance(left, Const) and isinstance(right, Const):
        return left == right
    if isinstance(left, External) and isinstance(right, External):
        types = [dtypes.named(each) for each in (left, right) if each.name.startswith("torch.")]
        if len(types) == 2 and None not in types:
            return types[0] == types[1]
        return left == right if _is_type(left.name) and _is_type(right.name) else None
    if NONE in (left, right):
        other = right if left == NONE else left
        if isinstance(other, (Number, Tuple, Function, Class, Bound, Module, Parameters, External)):
            return False
        record = machine.get(other)
        if record is not None and not isinstance(record, Opaque):
            return False
    return None


def _is_type(name: str) -> bool:
    return _TYPES.search(name) is not None or generated.is_module(name)


_TYPES = Pattern(r"builtins\.\w+$|torch\.Tensor$|torch\.nn\.Parameter$|numpy\.ndarray$")
"""Classes that have this one name."""


def narrow(machine: Machine, test: ast.expr, *, positive: bool, lasting: bool = False) -> None:
    """Take into account that a test has come out true, or false.

    It is ``lasting`` where nothing goes on otherwise, as far as the round of a loop.
    """
    left = _not_on_cuda(test, positive=positive)
    if left is not None:
        _narrow_device(machine, left)
    asserting.counted(machine, test, positive=positive)
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            narrow(machine, inner, positive=not positive, lasting=lasting)
        case ast.BoolOp(op=operator, values=values):
            if isinstance(operator, ast.And) == positive:
                for value in values:
                    narrow(machine, value, positive=positive, lasting=lasting)
        case ast.Compare(
            left=subject, ops=[ast.Is() | ast.IsNot() as operator], comparators=[other]
        ) if syntax.is_none(other):
            _narrow_none(machine, subject, is_none=isinstance(operator, ast.Is) == positive)
        case ast.Name() | ast.Attribute():
            if positive:
                _narrow_none(machine, test, is_none=False)
        case ast.Call(func=ast.Name(id="isinstance"), args=[subject, cls]):
            kind = expressions.evaluate(machine, cls)
            if positive and lasting:
                _derive(machine, subject, kind)
            _narrow_class(machine, machine.spot(test), subject, kind, positive=positive)
        case ast.Call(func=ast.Attribute(attr="is_tensor"), args=[subject]):
            kind = External("torch.Tensor")
            _narrow_class(machine, machine.spot(test), subject, kind, positive=positive)
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="type"), args=[subject]),
            ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq() as operator],
            comparators=[cls],
        ):
            kind = expressions.evaluate(machine, cls)
            alike = isinstance(operator, (ast.Is, ast.Eq)) == positive
            _narrow_class(machine, machine.spot(test), subject, kind, positive=alike, exactly=True)
        case ast.Compare():
            _narrow_compared(machine, test, positive=positive, lasting=lasting)


def _narrow_compared(machine: Machine, test: ast.Compare, *, positive: bool, lasting: bool) -> None:
    """Take into account what a comparison says of a function's name, or of what is equal."""
    match test:
        case ast.Compare(
            left=ast.Attribute(value=subject, attr="__name__"),
            ops=[ast.Eq() | ast.NotEq() as operator],
            comparators=[ast.Constant(value=said)],
        ):
            called = isinstance(operator, ast.Eq) == positive
            _narrow_name(machine, subject, Const(said), called=called)
        case ast.Compare(left=subject, ops=[ast.NotEq()], comparators=[other]) if not positive:
            asserting.equal(machine, subject, other, lasting=lasting)
        case ast.Compare(left=first, ops=compared, comparators=others) if positive:
            for one, how, other in zip([first, *others], compared, others, strict=False):
                if isinstance(how, ast.Eq):
                    asserting.equal(machine, one, other, lasting=lasting)


def _not_on_cuda(test: ast.expr, *, positive: bool) -> ast.expr | None:
    """What a test that has come out so leaves on the CPU, if it is a tensor at all."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            return _not_on_cuda(inner, positive=not positive)
        case ast.Attribute(value=subject, attr="is_cuda") if not positive:
            return subject
        case ast.Call(func=ast.Name(id="hasattr"), args=[subject, ast.Constant("is_cuda")]):
            return subject if not positive else None
        case ast.BoolOp(op=operator, values=values) if isinstance(operator, ast.And) != positive:
            subjects = [_not_on_cuda(value, positive=positive) for value in values]
            told = {ast.dump(subject) if subject is not None else None for subject in subjects}
            return subjects[0] if len(told) == 1 else None
    return None


def _narrow_device(machine: Machine, subject: ast.expr) -> None:
    """A tensor that was moved turns out to be where NumPy and the rest of the CPU have it."""
    if not isinstance(subject, (ast.Name, ast.Attribute)):
        return
    value = expressions.evaluate(machine, subject)
    record = machine.get(value)
    if isinstance(record, (Tensor, Opaque)) and record.device is not None:
        machine.set(value, replace(record, device=None))


def _narrow_none(machine: Machine, subject: ast.expr, *, is_none: bool) -> None:
    if not isinstance(subject, (ast.Name, ast.Attribute)):
        return
    value = expressions.evaluate(machine, subject)
    if isinstance(value, Either) and NONE in value.options:
        rest = tuple(option for option in value.options if option != NONE)
        objects.assign_narrowed(machine, subject, NONE if is_none else either(rest))


def _narrow_class(
    machine: Machine,
    spot: Spot,
    subject: ast.expr,
    kind: Value,
    *,
    positive: bool,
    exactly: bool = False,
) -> None:
    """Of several values those are left that may be of the class, or those that may not.

    ``exactly`` is to say that objects of classes derived from it are not.
    """
    if not isinstance(subject, (ast.Name, ast.Attribute)):
        return
    value = expressions.evaluate(machine, subject)
    if positive and _is_other(machine, value, kind):
        objects.assign_narrowed(machine, subject, machine.opaque())
    if positive and kind == External("torch.Tensor"):
        _narrow_to_tensor(machine, subject, value)
    if not isinstance(value, Either):
        return
    ask = _is_exactly if exactly else _is_of
    left = tuple(
        option
        for option in value.options
        if ask(machine, option, kind, spot) != Const(not positive)
    )
    if left and len(left) < len(value.options):
        # Of many objects the order is not known, whichever of them are left.
        several = isinstance(value, Alike) and len(left) > 1
        objects.assign_narrowed(machine, subject, Alike(left) if several else either(left))


def _narrow_name(machine: Machine, subject: ast.expr, said: Const, *, called: bool) -> None:
    """Of several functions those are left that may be ``called`` so, or those that may not."""
    if not isinstance(subject, (ast.Name, ast.Attribute)):
        return
    value = expressions.evaluate(machine, subject)
    if isinstance(value, Either):
        own = [(option, names.own_name(option)) for option in value.options]
        left = tuple(one for one, name in own if name == UNKNOWN or (name == said) == called)
        if left and len(left) < len(own):
            several = isinstance(value, Alike) and len(left) > 1
            objects.assign_narrowed(machine, subject, Alike(left) if several else either(left))


def _derive(machine: Machine, subject: ast.expr, kind: Value) -> None:
    """An object that has to be of a class that its own does not derive from is of one of both.

    What that has in the place of what either has is not known.
    """
    if not isinstance(subject, (ast.Name, ast.Attribute)):
        return
    record = machine.peek(expressions.evaluate(machine, subject))
    wanted = kind.definition if isinstance(kind, Class) else kind
    if not isinstance(record, Instance) or not isinstance(record.cls, Definition):
        return
    bases = machine.index.ancestors(record.cls)
    if isinstance(wanted, (Definition, External)) and wanted not in bases:
        objects.assign_narrowed(machine, subject, machine.opaque())


def _narrow_to_tensor(machine: Machine, subject: ast.Name | ast.Attribute, value: Value) -> None:
    """What nothing is known of is a tensor where a test has said so, and there alone."""
    if value == UNKNOWN:
        value = machine.opaque()
        objects.assign_narrowed(machine, subject, value)
    record = machine.get(value)
    if isinstance(value, Ref) and isinstance(record, Opaque):
        tensors.turned(machine, value, record)


def _is_of(machine: Machine, value: Value, kind: Value, spot: Spot) -> Value:
    name = "builtins.isinstance"
    return registry.FUNCTIONS[name](registry.Call(machine, name, Arguments((value, kind)), spot))


def _is_exactly(machine: Machine, value: Value, kind: Value, spot: Spot) -> Value:
    name = "builtins.type"
    found = registry.FUNCTIONS[name](registry.Call(machine, name, Arguments((value,)), spot))
    same = _same(machine, found, kind)
    return UNKNOWN if same is None else Const(same)


def _is_other(machine: Machine, value: Value, kind: Value) -> bool:
    """Whether what was announced as a tensor turns out to be of a class that is none of torch's."""
    tensor = machine.get(value)
    if not isinstance(tensor, Tensor) or tensor.node is None or tensor.node.op != "input":
        return False
    match kind:
        case External(name=name):
            return name.partition(".")[0] not in {"torch", "builtins"}
        case Class(definition=definition):
            return External("torch.Tensor") not in machine.index.ancestors(definition)
    return False
