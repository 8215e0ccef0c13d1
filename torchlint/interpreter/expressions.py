"""Expressions: what each gives, and the events that evaluating it causes."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING, Any

from torchlint.interpreter import (
    absences,
    calls,
    comprehensions,
    conditions,
    containers,
    contents,
    formatting,
    gradients,
    holdings,
    instances,
    loaders,
    names,
    objects,
    operators,
    pairs,
    ranks,
    recording,
    scalars,
    streams,
    tensors,
    truths,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.state import join
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Function,
    Mapping,
    Opaque,
    Sequence,
    Tuple,
)
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Nodes

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

    Evaluator = Callable[[Machine, Any], Value]

_SUPER = External("builtins.super")
_CASTS = frozenset("bool byte cpu cuda double float half int long to type_as unsqueeze".split())
"""Methods of tensors that what comes of comparing other things has not, arrays among them."""


def evaluate(machine: Machine, node: ast.expr) -> Value:
    """The value of an expression."""
    machine.tick()
    evaluator = _EVALUATORS.get(type(node))
    return evaluator(machine, node) if evaluator else UNKNOWN


def _name(machine: Machine, node: ast.Name) -> Value:
    return names.lookup(machine, node.id)


def _attribute(machine: Machine, node: ast.Attribute) -> Value:
    return objects.attribute(machine, _owner(machine, node), node.attr, node)


def _owner(machine: Machine, node: ast.Attribute) -> Value:
    """What is asked for an attribute."""
    if isinstance(node.value, ast.Compare) and node.attr in _CASTS:
        owner = _comparison(machine, node.value, cast=True)
    else:
        owner = evaluate(machine, node.value)
    pairs.read(machine, owner, node)
    return owner


def _constant(machine: Machine, node: ast.Constant) -> Value:
    if isinstance(node.value, (bytes, complex)):
        return UNKNOWN
    return contents.bounded(Const(node.value))


def _formatted(machine: Machine, node: ast.JoinedStr) -> Value:
    parts = [evaluate(machine, part.value) for part in formatting.parts(node)]
    return ranks.computed(machine, *parts) or formatting.text(node, parts)


def _template(machine: Machine, node: Any) -> Value:
    """A template has the values themselves, for whoever makes a text of it."""
    machine.escape([evaluate(machine, part.value) for part in formatting.parts(node)])
    return UNKNOWN


def _elements(machine: Machine, nodes: Nodes[ast.expr]) -> tuple[list[Value], list[Spot | None]]:
    """The values of what stands in brackets, and the places of what brings others."""
    given: list[Value] = []
    stars: list[Spot | None] = []
    for node in nodes:
        inner = node.value if isinstance(node, ast.Starred) else node
        value = _slice(machine, inner) if isinstance(inner, ast.Slice) else evaluate(machine, inner)
        given.append(value)
        stars.append(machine.spot(node) if isinstance(node, ast.Starred) else None)
    return given, stars


def _tuple(machine: Machine, node: ast.Tuple) -> Value:
    values, more = containers.spread(machine, *_elements(machine, node.elts))
    if more:
        return machine.new(Sequence("tuple", rest=machine.join_all(values)))
    return contents.bounded(Tuple(values))


def _list(machine: Machine, node: ast.List | ast.Set) -> Value:
    kind = "list" if isinstance(node, ast.List) else "set"
    given, stars = _elements(machine, node.elts)
    parameters = holdings.union(given) if all(stars) else None
    if parameters is not None:
        return parameters
    values, more = containers.spread(machine, given, stars)
    if more:
        rest = machine.join_all(values)
        return machine.new(Sequence(kind, rest=rest, rounds=machine.rounds))
    return machine.new(Sequence(kind, values, rounds=machine.rounds))


def _dict(machine: Machine, node: ast.Dict) -> Value:
    items: dict[object, Value] = {}
    rest: Value | None = None
    for written, item in zip(node.keys, node.values, strict=True):
        value = evaluate(machine, item)
        key = evaluate(machine, written) if written is not None else UNKNOWN
        if isinstance(key, Const):
            items[key.value] = value
        elif written is not None:
            rest = machine.join_all([value] if rest is None else [rest, value])
        else:
            match machine.get(value):
                case Mapping(items=others, rest=other):
                    items.update(others)
                    rest = other or rest
                case _:
                    rest = UNKNOWN
    return machine.new(Mapping(tuple(items.items()), rest, machine.rounds))


def _subscript(machine: Machine, node: ast.Subscript) -> Value:
    owner, index = evaluate(machine, node.value), index_of(machine, node)
    if isinstance(owner, Number):
        scalars.indexed(machine, owner, index, machine.spot(node))
    return containers.subscript(machine, owner, index, node)


def index_of(machine: Machine, node: ast.Subscript) -> Value:
    """The value of the index of a subscript; several indices are a tuple, or unknown."""
    several = isinstance(node.slice, ast.Tuple)
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    values, more = containers.spread(machine, *_elements(machine, parts))
    ranks.given(machine, values, machine.spot(node))
    if more:
        # Nobody knows of how many dimensions they are, nor how many they add.
        return UNKNOWN
    return Tuple(values) if several else values[0]


def _slice(machine: Machine, node: ast.Slice) -> Value:
    """A part of a list or tensor, from one end to the other."""
    written = (node.lower, node.upper, node.step)
    bounds = [None if bound is None else evaluate(machine, bound) for bound in written]
    given = [bound for bound in bounds if bound is not None]
    ranks.given(machine, given, machine.spot(node))
    return Const(slice(*map(_bound, bounds)))


def _bound(bound: Value | None) -> object:
    """An end of a slice: a number, or the value that is one."""
    return bound.value if isinstance(bound, Const) else bound


def _call(machine: Machine, node: ast.Call) -> Value:
    spot = machine.spot(node)
    if isinstance(node.func, ast.Attribute):
        owner = _owner(machine, node.func)
        callee = objects.method(machine, owner, node.func.attr, node.func)
        absences.called(machine, owner, callee, node)
    else:
        callee = evaluate(machine, node.func)
    if callee == _SUPER:
        return instances.super_of(machine, arguments_of(machine, node))
    return contents.bounded(calls.call(machine, callee, arguments_of(machine, node), spot))


def arguments_of(machine: Machine, node: ast.Call) -> Arguments:
    """The values of the arguments of a call."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    more = False
    last: list[Value] = []
    for argument in node.args:
        if not isinstance(argument, ast.Starred):
            positional.append(evaluate(machine, argument))
            last += positional[-1:]
            continue
        value = evaluate(machine, argument.value)
        spread = containers.known_items(machine, value)
        if spread is None:
            more = True
            positional.append(containers.element(machine, value, machine.spot(argument)))
            last = [*containers.last_items(machine, value)]
        else:
            positional.extend(spread)
            last += spread
    for keyword in node.keywords:
        value = evaluate(machine, keyword.value)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        match machine.get(value):
            case Mapping(items=items, rest=None, unsure=unsure):
                named = {str(key): UNKNOWN if key in unsure else item for key, item in items}
                keywords = {**named, **keywords}
            case _:
                more = True
    return Arguments(tuple(positional), keywords, more, last=tuple(last))


def _binary(machine: Machine, node: ast.BinOp) -> Value:
    left, right = evaluate(machine, node.left), evaluate(machine, node.right)
    return operators.binary(machine, type(node.op).__name__, left, right, machine.spot(node))


def _unary(machine: Machine, node: ast.UnaryOp) -> Value:
    value = evaluate(machine, node.operand)
    match node.op, value:
        case ast.Not(), _:
            of_rank = ranks.test_of(machine, value)
            if of_rank is not None:
                return of_rank.inverted()
            truths.asked(machine, value, node.operand)
            known = conditions.truth(machine, value)
            recording.tested(machine, value, machine.spot(node), "not")
            return UNKNOWN if known is None else Const(not known)
        case ast.USub(), Const(value=int() | float() as number):
            return Const(-number)
        case ast.USub(), _ if tensors.is_tensor(machine, value):
            return operators.negated(machine, value, machine.spot(node))
        case ast.USub(), _ if isinstance(machine.get(value) or value, (Number, Opaque, Tuple)):
            return operators.binary(machine, "Sub", Const(0), value, machine.spot(node))
        case ast.Invert(), _ if tensors.is_tensor(machine, value):
            return tensors.without_graph(
                machine, "bitwise_not", {"input": value}, machine.spot(node)
            )
    return UNKNOWN


def _boolean(machine: Machine, node: ast.BoolOp) -> Value:
    positive = isinstance(node.op, ast.And)
    first, *others = node.values
    left = evaluate(machine, first)
    for count, other in enumerate(others, 1):
        left = _either_or(machine, left, node.values[:count], other, positive=positive)
    return left


def _either_or(
    machine: Machine, left: Value, tests: list[ast.expr], other: ast.expr, *, positive: bool
) -> Value:
    """``left and other``, or ``left or other``; ``left`` has come of the tests before."""
    truths.asked(machine, left, tests[-1])
    known = conditions.truth(machine, left)
    if known is not None:
        return left if known is not positive else evaluate(machine, other)
    base = machine.live.fork()
    for test in tests:
        conditions.narrow(machine, test, positive=positive)
    ranks.restrict(machine, left, positive=positive)
    machine.activation.undecided += 1
    right = left if machine.state is None else evaluate(machine, other)
    machine.activation.undecided -= 1
    machine.state = join([base, *([machine.state] if machine.state is not None else [])])
    of_rank = ranks.combined(machine, left, right, conjunction=positive)
    if of_rank is not None:
        return of_rank
    return conditions.combined(left, right, conjunction=positive)


def _comparison(machine: Machine, node: ast.Compare, *, cast: bool = False) -> Value:
    left = evaluate(machine, node.left)
    result: Value = UNKNOWN
    for number, (operator, comparator) in enumerate(zip(node.ops, node.comparators, strict=True)):
        if number:
            truths.asked(machine, result, node)
        right = evaluate(machine, comparator)
        if len(node.ops) == 1 and cast:
            # What is compared element for element is a tensor, or one of the two is.
            _ = tensors.as_tensor(machine, left) or tensors.as_tensor(machine, right)
        result = conditions.compare(machine, operator, left, right, node)
        left = right
    return result if len(node.ops) == 1 else UNKNOWN


def _conditional(machine: Machine, node: ast.IfExp) -> Value:
    test = evaluate(machine, node.test)
    truths.asked(machine, test, node.test)
    recording.tested(machine, test, machine.spot(node.test), "if")
    known = conditions.truth(machine, test)
    if known is not None:
        return evaluate(machine, node.body if known else node.orelse)

    def arm(expression: ast.expr, positive: bool) -> Callable[[], Value]:
        def run() -> Value:
            conditions.narrow(machine, node.test, positive=positive)
            ranks.restrict(machine, test, positive=positive)
            if machine.state is None:
                return UNKNOWN
            says = names.dotted if positive else names.negated
            with machine.guarded(says(node.test), node.test):
                return evaluate(machine, expression)

        return run

    results = machine.branches([arm(node.body, True), arm(node.orelse, False)])
    return machine.join_all(results) or UNKNOWN


def _lambda(machine: Machine, node: ast.Lambda) -> Value:
    return Function(machine.region, node, "<lambda>", closure=machine.frame)


def _walrus(machine: Machine, node: ast.NamedExpr) -> Value:
    value = evaluate(machine, node.value)
    machine.bind(node.target.id, value)
    return value


def _await(machine: Machine, node: ast.Await) -> Value:
    return evaluate(machine, node.value)


def _yield(machine: Machine, node: ast.Yield) -> Value:
    """Whoever iterates goes on with what it is given, and may do anything before it comes back."""
    gradients.maybe_cleared(machine)
    ranks.unseen(machine, machine.spot(node))
    machine.activation.yields.append(NONE if node.value is None else evaluate(machine, node.value))
    machine.activation.suspended.append(machine.live.switches)
    loaders.paused(machine)
    return UNKNOWN


def _yield_from(machine: Machine, node: ast.YieldFrom) -> Value:
    gradients.maybe_cleared(machine)
    source = streams.drawn(machine, evaluate(machine, node.value), machine.spot(node))
    loaders.paused(machine, source)
    machine.activation.yields.append(containers.element(machine, source, machine.spot(node)))
    return UNKNOWN


def _comprehension(machine: Machine, node: Any) -> Value:
    if isinstance(node, ast.DictComp):
        return comprehensions.mapping(machine, node)
    return comprehensions.sequence(machine, node)


_EVALUATORS: dict[type[ast.AST], Evaluator] = {
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Constant: _constant,
    ast.JoinedStr: _formatted,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.Set: _list,
    ast.Dict: _dict,
    ast.Subscript: _subscript,
    ast.Call: _call,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _boolean,
    ast.Compare: _comparison,
    ast.IfExp: _conditional,
    ast.Lambda: _lambda,
    ast.NamedExpr: _walrus,
    ast.Await: _await,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
}
if sys.version_info >= (3, 14):
    _EVALUATORS[ast.TemplateStr] = _template
