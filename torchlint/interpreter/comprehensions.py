"""Comprehensions: what their rounds give, and the variables that nobody sees outside of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import assignments, expressions, loops, parts
from torchlint.interpreter.values import UNKNOWN, Const, Mapping, Sequence, Tuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Sequence as Nodes

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_KINDS: dict[type[ast.expr], str] = {ast.ListComp: "list", ast.SetComp: "set"}


def sequence(machine: Machine, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> Value:
    """The list, the set or the generator of what each round gives."""
    kind = _KINDS.get(type(node), "generator")
    values, exact = _walk(machine, node, lambda: expressions.evaluate(machine, node.elt))
    if len(values) > 1 and _is_free(node):
        parts.repeated(machine, values[0], machine.spot(node))
    if exact:
        return machine.new(Sequence(kind, tuple(values), rounds=machine.rounds))
    rest = machine.join_all(values)
    return machine.new(Sequence(kind, rest=rest or UNKNOWN, rounds=machine.rounds))


def _is_free(node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> bool:
    """Whether what each round gives is a variable that no round sets."""
    return isinstance(node.elt, ast.Name) and node.elt.id not in _own(node.generators)


def mapping(machine: Machine, node: ast.DictComp) -> Value:
    """The dictionary of the pairs that the rounds give."""

    def pair() -> Value:
        key = expressions.evaluate(machine, node.key)
        return Tuple((key, expressions.evaluate(machine, node.value)))

    pairs, exact = _walk(machine, node, pair)
    keys = [pair.items[0] for pair in pairs if isinstance(pair, Tuple)]
    values = [pair.items[1] for pair in pairs if isinstance(pair, Tuple)]
    if exact and all(isinstance(key, Const) for key in keys):
        items = {key.value: value for key, value in zip(keys, values, strict=True)}  # type: ignore[union-attr]
        return machine.new(Mapping(tuple(items.items()), rounds=machine.rounds))
    return machine.new(Mapping(rest=machine.join_all(values) or UNKNOWN, rounds=machine.rounds))


def _walk(
    machine: Machine,
    node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp,
    element: Callable[[], Value],
) -> tuple[list[Value], bool]:
    """The values of all rounds; the flag says that these are all of them."""
    before = machine.variables().names
    values, exact = _rounds(machine, node.generators, element)
    machine.restore({name: before.get(name) for name in _own(node.generators)})
    return values, exact


def _own(loops_of: Nodes[ast.comprehension]) -> set[str]:
    """The variables of its own that a comprehension has."""
    return {
        part.id
        for loop in loops_of
        for part in ast.walk(loop.target)
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    }


def _rounds(
    machine: Machine, loops_of: Nodes[ast.comprehension], element: Callable[[], Value]
) -> tuple[list[Value], bool]:
    loop, *inner_loops = loops_of
    source = expressions.evaluate(machine, loop.iter)
    spot = machine.spot(loop.iter)
    values: list[Value] = []
    exact = not loop.ifs
    for item in loops.rounds(machine, source, spot):
        assignments.assign(machine, loop.target, item.value, spot)
        exact = exact and item.exact
        for condition in loop.ifs:
            expressions.evaluate(machine, condition)
        if inner_loops:
            inner, exactly = _rounds(machine, inner_loops, element)
            values.extend(inner)
            exact = exact and exactly
        else:
            values.append(element())
    return values, exact
