"""Turns: how often a loop goes round where nobody asks for more than what is written down.

A count that is a parameter is what the parameter is by default, an attribute is what the
constructor makes of such parameters, and an option of the command line is its default. What is not
written down anywhere is not known.
"""

from __future__ import annotations

import ast
import math
import operator
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import expressions, growth, names, sizing, syntax
from torchlint.project import options
from torchlint.project.meanings import Global

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.project.callings import Calling
    from torchlint.project.index import Index
    from torchlint.project.outline import Definition, Outline

_FEW = 8
"""In fewer rounds hardly any time goes into copying what there is so far."""

_FEW_ROWS = 16
"""Where something else has to grow up to no more rows, as much would be copied without this."""

_DEPTH = 6

_ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_ROUNDING: dict[str, Callable[[float], float]] = {
    "int": int,
    "float": float,
    "round": round,
    "ceil": math.ceil,
    "floor": math.floor,
}
_ALONG = frozenset({"enumerate", "reversed", "tqdm", "trange", "list", "sorted"})


def are_few(machine: Machine, loop: syntax.Loop) -> bool:
    """Whether a loop goes round so rarely that what it copies in each round does not matter."""
    function = machine.activation.function
    node, owner = (None, None) if function is None else (function.node, function.owner)
    definition = None if function is None else function.definition
    place = _Place(machine.region.outline, node, owner, definition)
    reckoner = _Reckoner(machine.index, place, machine)
    if isinstance(loop, ast.While):
        if growth.asks_for_the_rest(loop):
            return True
        rows = growth.filled_up_to(loop)
        count = None if rows is None else reckoner.number(rows)
        return count is not None and 0 < count <= _FEW_ROWS
    if node is not None and _is_listed(loop.iter, node):
        return True
    count = reckoner.length(loop.iter)
    return count is not None and 0 < count < _FEW


def _is_listed(
    along: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> bool:
    """Whether a loop goes along ``*args``, which whoever calls a function writes out."""
    match along:
        case ast.Name(id=name):
            return function.args.vararg is not None and function.args.vararg.arg == name
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _ALONG:
            return _is_listed(inner, function)
    return False


def are_windows(machine: Machine, loop: syntax.Loop) -> bool:
    """Whether a loop goes round as often as some length is in another: window by window."""
    match loop:
        case ast.For(iter=ast.Call(func=func, args=counts)):
            pass
        case _:
            return False
    if names.dotted(func).rpartition(".")[2] not in {"range", "trange"}:
        return False
    told = [part for count in counts for part in syntax.walk(count)]
    function = machine.activation.function
    for part in list(told):
        if isinstance(part, ast.Name) and function is not None:
            given = filter(None, _assigned(function.node, part.id))
            told += [inner for value in given for inner in syntax.walk(value)]
    return any(_is_division(part) for part in told)


def _is_division(node: ast.AST) -> bool:
    """Whether this is ``a // b``, ``int(a / b)`` or ``ceil(a / b)``."""
    match node:
        case ast.BinOp(op=ast.FloorDiv()):
            return True
        case ast.Call(func=func, args=[ast.BinOp(op=ast.Div())]):
            return names.dotted(func).rpartition(".")[2] in _ROUNDING
    return False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression stands: in a function, of a class, of a file."""

    outline: Outline
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None
    owner: Definition | None
    definition: Definition | None


class _Reckoner:
    """Works out what numbers are by default; ``machine`` is what knows the names of the place."""

    def __init__(
        self, index: Index, place: _Place, machine: Machine | None = None, depth: int = _DEPTH
    ) -> None:
        self._index = index
        self._place = place
        self._machine = machine
        self._depth = depth

    def length(self, node: ast.expr) -> float | None:
        """How many items an iterable has."""
        match node:
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                spread = any(isinstance(part, ast.Starred) for part in parts)
                return None if spread else len(parts)
            case ast.Call(func=func, args=[count], keywords=keywords):
                name = names.dotted(func).rpartition(".")[2]
                if name == "range":
                    return self.number(count)
                if name in _ALONG and not (keywords and name == "list"):
                    return self.number(count) if name == "trange" else self.length(count)
            case ast.Call(func=ast.Name(id="range"), args=[start, stop, *_]):
                return self._computed(ast.Sub(), stop, start)
            case ast.Name() | ast.Attribute():
                return self._largest(node, _Reckoner._fixed)
        return None

    def _fixed(self, node: ast.expr) -> float | None:
        """How many items what has a name has for good, as a tuple; a list may get more."""
        match node:
            case ast.Tuple(elts=parts):
                return len(parts)
            case ast.Name() | ast.Attribute():
                return self._largest(node, _Reckoner._fixed)
        return None

    def number(self, node: ast.expr) -> float | None:
        """What a number is, or the largest that it may be."""
        match node:
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.BinOp(left=left, op=op, right=right):
                return self._computed(op, left, right)
            case ast.IfExp(body=body, orelse=orelse):
                return _most([self.number(body), self.number(orelse)])
            case ast.Call(func=func, args=args):
                return self._called(names.dotted(func).rpartition(".")[2], args)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                known = self._known(node)
                return self._largest(node, _Reckoner.number) if known is None else known
        return None

    def _known(self, node: ast.expr) -> int | None:
        """What the run knows of a number, which may have been asked for."""
        if self._machine is None:
            return None
        value = expressions.evaluate(self._machine, node)
        size = sizing.dimension(self._machine, value, counts=False)
        return size if isinstance(size, int) else None

    def _computed(self, op: ast.operator, left: ast.expr, right: ast.expr) -> float | None:
        function, one, other = _ARITHMETIC.get(type(op)), self.number(left), self.number(right)
        if function is None or one is None or other is None:
            return None
        try:
            return function(one, other)
        except (ArithmeticError, ValueError):
            return None

    def _called(self, name: str, args: list[ast.expr]) -> float | None:
        """``int(n)``, ``min(n, 4)``, ``random.randint(1, n)``, ``len(items)``."""
        if not args or any(isinstance(argument, ast.Starred) for argument in args):
            return None
        if name == "len":
            return self.length(args[0])
        if name == "min":
            found = [number for number in map(self.number, args) if number is not None]
            return min(found, default=None)
        if name == "max":
            return _most(list(map(self.number, args)))
        if name == "randint":
            return self.number(args[-1])
        number = self.number(args[0]) if name in _ROUNDING else None
        if number is None or not math.isfinite(number):
            return None
        return _ROUNDING[name](number)

    def _largest(
        self, node: ast.expr, ask: Callable[[_Reckoner, ast.expr], float | None]
    ) -> float | None:
        """The largest of what a name or attribute may be by what is written of it."""
        if self._depth == 0:
            return None
        found: list[float | None] = []
        for value, place in self._given(node):
            if value is None:
                return None
            found.append(ask(_Reckoner(self._index, place, depth=self._depth - 1), value))
        return _most(found)

    def _given(
        self, node: ast.expr, *, by_name: bool = False
    ) -> Iterator[tuple[ast.expr | None, _Place]]:
        """What a name or attribute is given, and where; None for what is no plain assignment.

        Where others may call a function too, what it is given ``by_name`` counts if that is asked.
        """
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name):
                yield from self._of_object(name)
            case ast.Name(id=name):
                yield from self._of_name(name, by_name=by_name)
            case (
                ast.Attribute(value=base, attr=name)
                | ast.Subscript(value=base, slice=ast.Constant(value=str(name)))
            ):
                outline = self._parsed_in(base)
                default = options.default(outline, name) if outline is not None else None
                yield default, self._place if outline is None else _Place(outline, None, None, None)

    def _parsed_in(self, node: ast.expr) -> Outline | None:
        """The file whose parser has made what holds options, or the dictionary of them."""
        match node:
            case ast.Call(func=ast.Attribute(attr="parse_args")):
                return self._place.outline
            case ast.Call(func=ast.Name(id="vars"), args=[given]):
                return self._parsed_in(given)
            case ast.Name() | ast.Attribute(value=ast.Name(id="self")) if self._depth:
                found = {
                    _Reckoner(self._index, place, depth=self._depth - 1)._parsed_in(value)
                    if value is not None
                    else None
                    for value, place in self._given(node, by_name=True)
                }
                return found.pop() if len(found) == 1 else None
        return None

    def _of_object(self, name: str) -> Iterator[tuple[ast.expr | None, _Place]]:
        if self._place.owner is None:
            return
        family = self._index.family(self._place.owner)
        for write in family.writes(name):
            definition = next(
                one
                for base in family.lineage
                for one in base.members.values()
                if not one.is_class and one.region is write.spot.region
            )
            node = self._index.method(definition).node
            place = _Place(definition.outline, node, self._place.owner, definition)
            yield write.value if not write.how else None, place

    def _of_name(
        self, name: str, *, by_name: bool = False
    ) -> Iterator[tuple[ast.expr | None, _Place]]:
        function, place = self._place.function, self._place
        given = list(_assigned(function, name)) if function is not None else []
        for value in given:
            yield value, place
        if function is not None and name in _parameters(function):
            default = syntax.defaults(function).get(name)
            if default is not None:
                # A list that is given by default is as long as it is written there.
                yield ast.Tuple(default.elts) if isinstance(default, ast.List) else default, place
            else:
                yield from self._handed(function, name, by_name=by_name)
        elif not given:
            yield from self._bound(self._index.binding(place.outline, name))

    def _bound(self, bound: object) -> Iterator[tuple[ast.expr | None, _Place]]:
        """What the statements of a file give to a name of its own."""
        if isinstance(bound, Global):
            for region in bound.regions:
                for statement in region.statements:
                    for value in _assigned(statement, bound.name):
                        yield value, _Place(bound.outline, None, None, None)

    def _handed(
        self,
        function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        name: str,
        *,
        by_name: bool,
    ) -> Iterator[tuple[ast.expr | None, _Place]]:
        """What all calls of a private function, or of a class, give it for a parameter."""
        definition, owner = self._place.definition, self._place.owner
        callings: tuple[Calling, ...] = ()
        builds = definition is not None and definition.name == "__init__"
        if builds and owner is not None:
            callings = self._index.callings.by_name(owner)
        elif definition is not None:
            callings = self._index.callings.of(definition)
            if by_name and not callings:
                callings = self._index.callings.by_name(definition)
        if not callings:
            yield None, self._place
        taken = [each.arg for each in syntax.positional(function)]
        position = taken.index(name) if name in taken else len(taken)
        is_method = definition is not None and definition.nested_in is not None
        for calling in callings:
            call, caller = calling.path[0], calling.caller
            assert isinstance(call, ast.Call)
            at = position - (is_method and (builds or isinstance(call.func, ast.Attribute)))
            by_place = call.args[at] if name in taken and at < len(call.args) else None
            value = syntax.named(call, name) or by_place
            node = calling.region.statement if caller is not None else None
            inside = node if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) else None
            owner = caller.nested_in if caller is not None else None
            yield value, _Place(calling.region.outline, inside, owner, caller)


def _most(numbers: list[float | None]) -> float | None:
    """The largest of some numbers; None if there are none, or not all are known."""
    known = [number for number in numbers if number is not None]
    return max(known, default=None) if len(known) == len(numbers) else None


def _parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
) -> set[str]:
    return {each.arg for each in (*syntax.positional(function), *function.args.kwonlyargs)}


def _assigned(node: ast.AST, name: str) -> Iterator[ast.expr | None]:
    """What a name is given; None for what is no plain assignment of one expression."""
    plain: set[ast.AST] = set()
    for part in syntax.walk(node):
        match part:
            case ast.Assign(targets=[ast.Name(id=target) as place], value=value) if target == name:
                plain.add(place)
                yield value
            case ast.AnnAssign(target=ast.Name(id=target) as place, value=value) if target == name:
                plain.add(place)
                if value is not None:
                    yield value
            case ast.Name(id=target, ctx=ast.Store()) if target == name and part not in plain:
                yield None
