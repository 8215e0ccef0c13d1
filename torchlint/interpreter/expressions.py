"""Expressions: what each gives, and the events that evaluating it causes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import libcst as cst

from torchlint.interpreter import (
    assignments,
    calls,
    conditions,
    containers,
    gradients,
    holdings,
    instances,
    loops,
    names,
    objects,
    operators,
    ranks,
    streams,
    tensors,
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
    either,
)
from torchlint.project.index import External

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Nodes

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value

    Evaluator = Callable[[Machine, Any], Value]


_SUPER = External("builtins.super")


def evaluate(machine: Machine, node: cst.BaseExpression) -> Value:
    """The value of an expression."""
    machine.tick()
    evaluator = _EVALUATORS.get(type(node))
    return evaluator(machine, node) if evaluator else UNKNOWN


def _name(machine: Machine, node: cst.Name) -> Value:
    return names.lookup(machine, node.value)


def _attribute(machine: Machine, node: cst.Attribute) -> Value:
    owner = evaluate(machine, node.value)
    return objects.attribute(machine, owner, node.attr.value, node)


def _integer(machine: Machine, node: cst.Integer) -> Value:
    try:
        return Const(int(node.value.replace("_", ""), 0))
    except ValueError:
        return UNKNOWN


def _float(machine: Machine, node: cst.Float) -> Value:
    return Const(float(node.value.replace("_", "")))


def _string(machine: Machine, node: cst.SimpleString) -> Value:
    if not node.prefix and "\\" not in node.value:
        return Const(node.raw_value)
    try:
        return Const(node.evaluated_value)
    except (ValueError, SyntaxError):
        return UNKNOWN


def _concatenated(machine: Machine, node: cst.ConcatenatedString) -> Value:
    left, right = evaluate(machine, node.left), evaluate(machine, node.right)
    match left, right:
        case Const(value=str() as one), Const(value=str() as other):
            return Const(one + other)
    return UNKNOWN


def _formatted(machine: Machine, node: cst.FormattedString) -> Value:
    parts = [
        evaluate(machine, part.expression)
        for part in node.parts
        if isinstance(part, cst.FormattedStringExpression)
    ]
    return ranks.computed(machine, *parts) or UNKNOWN


def elements(machine: Machine, nodes: Nodes[cst.BaseElement]) -> tuple[tuple[Value, ...], bool]:
    """The values of a display's elements; the flag says whether a star brings others."""
    given = [evaluate(machine, element.value) for element in nodes]
    return containers.spread(machine, given, [_star(machine, element) for element in nodes])


def _star(machine: Machine, node: cst.BaseElement) -> Spot | None:
    return machine.spot(node) if isinstance(node, cst.StarredElement) else None


def _tuple(machine: Machine, node: cst.Tuple) -> Value:
    values, more = elements(machine, node.elements)
    if more:
        return machine.new(Sequence("tuple", rest=machine.join_all(values)))
    return Tuple(values)


def _list(machine: Machine, node: cst.List | cst.Set) -> Value:
    kind = "list" if isinstance(node, cst.List) else "set"
    given = [evaluate(machine, element.value) for element in node.elements]
    stars = [_star(machine, element) for element in node.elements]
    parameters = holdings.union(given) if all(stars) else None
    if parameters is not None:
        return parameters
    values, more = containers.spread(machine, given, stars)
    if more:
        rest = machine.join_all(values)
        return machine.new(Sequence(kind, rest=rest, rounds=machine.rounds))
    return machine.new(Sequence(kind, values, rounds=machine.rounds))


def _dict(machine: Machine, node: cst.Dict) -> Value:
    items: dict[object, Value] = {}
    rest: Value | None = None
    for element in node.elements:
        value = evaluate(machine, element.value)
        key = evaluate(machine, element.key) if isinstance(element, cst.DictElement) else UNKNOWN
        if isinstance(key, Const):
            items[key.value] = value
        elif isinstance(element, cst.DictElement):
            rest = machine.join_all([value] if rest is None else [rest, value])
        else:
            match machine.get(value):
                case Mapping(items=others, rest=other):
                    items.update(others)
                    rest = other or rest
                case _:
                    rest = UNKNOWN
    return machine.new(Mapping(tuple(items.items()), rest, machine.rounds))


def _subscript(machine: Machine, node: cst.Subscript) -> Value:
    owner = evaluate(machine, node.value)
    return containers.subscript(machine, owner, index_of(machine, node), node)


def index_of(machine: Machine, node: cst.Subscript) -> Value:
    """The value of the index of a subscript; slices and several indices are tuples or unknown."""
    parts: list[Value] = []
    for element in node.slice:
        match element.slice:
            case cst.Index(value=value):
                parts.append(evaluate(machine, value))
            case cst.Slice(lower=lower, upper=upper, step=step):
                bounds = [
                    evaluate(machine, bound) for bound in (lower, upper, step) if bound is not None
                ]
                ranks.given(machine, bounds, machine.spot(node))
                # Which part it is is not known, but where it is the whole.
                parts.append(Const(slice(... if bounds else None)))
    ranks.given(machine, parts, machine.spot(node))
    return parts[0] if len(parts) == 1 else Tuple(tuple(parts))


def _call(machine: Machine, node: cst.Call) -> Value:
    spot = machine.spot(node)
    if isinstance(node.func, cst.Attribute):
        owner = evaluate(machine, node.func.value)
        callee = objects.method(machine, owner, node.func.attr.value, node.func)
    else:
        callee = evaluate(machine, node.func)
    if callee == _SUPER:
        return instances.super_of(machine, arguments_of(machine, node.args))
    return calls.call(machine, callee, arguments_of(machine, node.args), spot)


def arguments_of(machine: Machine, nodes: Nodes[cst.Arg]) -> Arguments:
    """The values of the arguments of a call."""
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    more = False
    for argument in nodes:
        value = evaluate(machine, argument.value)
        if argument.star == "*":
            spread = containers.known_items(machine, value)
            if spread is None:
                more = True
                positional.append(containers.element(machine, value, machine.spot(argument)))
            else:
                positional.extend(spread)
        elif argument.star == "**":
            match machine.get(value):
                case Mapping(items=items, rest=None):
                    keywords.update((str(key), item) for key, item in items)
                case _:
                    more = True
        elif argument.keyword is not None:
            keywords[argument.keyword.value] = value
        else:
            positional.append(value)
    return Arguments(tuple(positional), keywords, more)


def _binary(machine: Machine, node: cst.BinaryOperation) -> Value:
    left, right = evaluate(machine, node.left), evaluate(machine, node.right)
    return operators.binary(machine, type(node.operator).__name__, left, right, machine.spot(node))


def _unary(machine: Machine, node: cst.UnaryOperation) -> Value:
    value = evaluate(machine, node.expression)
    match node.operator, value:
        case cst.Not(), _:
            of_rank = ranks.test_of(machine, value)
            if of_rank is not None:
                return of_rank.inverted()
            known = conditions.truth(machine, value)
            return UNKNOWN if known is None else Const(not known)
        case cst.Minus(), Const(value=int() | float() as number):
            return Const(-number)
        case cst.Minus(), _ if tensors.is_tensor(machine, value):
            return tensors.apply(machine, "neg", (value,), machine.spot(node))
        case cst.Minus(), _ if isinstance(value, Number) or isinstance(machine.get(value), Opaque):
            return operators.binary(machine, "Subtract", Const(0), value, machine.spot(node))
        case cst.BitInvert(), _ if tensors.is_tensor(machine, value):
            return tensors.without_graph(
                machine, "bitwise_not", {"input": value}, machine.spot(node)
            )
    return UNKNOWN


def _boolean(machine: Machine, node: cst.BooleanOperation) -> Value:
    left = evaluate(machine, node.left)
    known = conditions.truth(machine, left)
    decides = known is (not isinstance(node.operator, cst.And))
    if known is not None and decides:
        return left
    if known is not None:
        return evaluate(machine, node.right)
    base = machine.live.fork()
    positive = isinstance(node.operator, cst.And)
    conditions.narrow(machine, node.left, positive=positive)
    ranks.restrict(machine, left, positive=positive)
    right = left if machine.state is None else evaluate(machine, node.right)
    machine.state = join([base, *([machine.state] if machine.state is not None else [])])
    of_rank = ranks.combined(machine, left, right, conjunction=positive)
    if of_rank is not None:
        return of_rank
    return either((left, right)) if left != right else left


def _comparison(machine: Machine, node: cst.Comparison) -> Value:
    left = evaluate(machine, node.left)
    result: Value = UNKNOWN
    for target in node.comparisons:
        right = evaluate(machine, target.comparator)
        result = conditions.compare(machine, target.operator, left, right, node)
        left = right
    return result if len(node.comparisons) == 1 else UNKNOWN


def _conditional(machine: Machine, node: cst.IfExp) -> Value:
    test = evaluate(machine, node.test)
    known = conditions.truth(machine, test)
    if known is not None:
        return evaluate(machine, node.body if known else node.orelse)

    def arm(expression: cst.BaseExpression, positive: bool) -> Callable[[], Value]:
        def run() -> Value:
            conditions.narrow(machine, node.test, positive=positive)
            ranks.restrict(machine, test, positive=positive)
            if machine.state is None:
                return UNKNOWN
            with machine.guarded(names.dotted(node.test) if positive else "", node.test):
                return evaluate(machine, expression)

        return run

    results = machine.branches([arm(node.body, True), arm(node.orelse, False)])
    return machine.join_all(results) or UNKNOWN


def _lambda(machine: Machine, node: cst.Lambda) -> Value:
    return Function(machine.region, node, "<lambda>", closure=machine.frame)


def _walrus(machine: Machine, node: cst.NamedExpr) -> Value:
    value = evaluate(machine, node.value)
    if isinstance(node.target, cst.Name):
        machine.bind(node.target.value, value)
    return value


def _await(machine: Machine, node: cst.Await) -> Value:
    return evaluate(machine, node.expression)


def _yield(machine: Machine, node: cst.Yield) -> Value:
    """Whoever iterates goes on with what it is given, and may do anything before it comes back."""
    gradients.maybe_cleared(machine)
    match node.value:
        case cst.From(item=item):
            source = streams.drawn(machine, evaluate(machine, item), machine.spot(node))
            machine.activation.yields.append(
                containers.element(machine, source, machine.spot(node))
            )
        case None:
            machine.activation.yields.append(NONE)
        case expression:
            machine.activation.yields.append(evaluate(machine, expression))
    return UNKNOWN


def _comprehension(machine: Machine, node: cst.ListComp | cst.SetComp | cst.GeneratorExp) -> Value:
    kind = {cst.ListComp: "list", cst.SetComp: "set"}.get(type(node), "generator")
    values, exact = _walk(machine, node.for_in, lambda: evaluate(machine, node.elt))
    if exact:
        return machine.new(Sequence(kind, tuple(values), rounds=machine.rounds))
    rest = machine.join_all(values)
    return machine.new(Sequence(kind, rest=rest or UNKNOWN, rounds=machine.rounds))


def _dict_comprehension(machine: Machine, node: cst.DictComp) -> Value:
    def pair() -> Value:
        return Tuple((evaluate(machine, node.key), evaluate(machine, node.value)))

    pairs, exact = _walk(machine, node.for_in, pair)
    keys = [pair.items[0] for pair in pairs if isinstance(pair, Tuple)]
    values = [pair.items[1] for pair in pairs if isinstance(pair, Tuple)]
    if exact and all(isinstance(key, Const) for key in keys):
        items = {key.value: value for key, value in zip(keys, values, strict=True)}  # type: ignore[union-attr]
        return machine.new(Mapping(tuple(items.items()), rounds=machine.rounds))
    return machine.new(Mapping(rest=machine.join_all(values) or UNKNOWN, rounds=machine.rounds))


def _walk(
    machine: Machine, loop: cst.CompFor, element: Callable[[], Value]
) -> tuple[list[Value], bool]:
    """The values of a comprehension's rounds; the flag says that these are all of them."""
    source = evaluate(machine, loop.iter)
    values: list[Value] = []
    exact = not loop.ifs
    for item in loops.rounds(machine, source, machine.spot(loop)):
        assignments.assign(machine, loop.target, item.value, machine.spot(loop))
        exact = exact and item.exact
        for condition in loop.ifs:
            evaluate(machine, condition.test)
        if loop.inner_for_in is not None:
            inner, exactly = _walk(machine, loop.inner_for_in, element)
            values.extend(inner)
            exact = exact and exactly
        else:
            values.append(element())
    return values, exact


_EVALUATORS: dict[type[cst.CSTNode], Evaluator] = {
    cst.Name: _name,
    cst.Attribute: _attribute,
    cst.Ellipsis: lambda machine, node: Const(...),
    cst.Integer: _integer,
    cst.Float: _float,
    cst.SimpleString: _string,
    cst.ConcatenatedString: _concatenated,
    cst.FormattedString: _formatted,
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _list,
    cst.Dict: _dict,
    cst.Subscript: _subscript,
    cst.Call: _call,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.BooleanOperation: _boolean,
    cst.Comparison: _comparison,
    cst.IfExp: _conditional,
    cst.Lambda: _lambda,
    cst.NamedExpr: _walrus,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _dict_comprehension,
}
