"""Origins: where in a function the values come from that it passes on, as it is written.

An origin is where something was made; the name of a parameter for what came in by it, and nothing
for what nobody follows. Loops are gone through twice, and both arms of a branch.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import syntax
from torchlint.project import trails
from torchlint.project.children import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from torchlint.interpreter.yields import Passed, Yields

    Found = frozenset[object]

_UNKNOWN: frozenset[object] = frozenset({""})
_NONE: frozenset[object] = frozenset()
_GONE = object()
"""An origin of what names stand for that were handed over."""

_COLLECTING = frozenset({"append", "extend", "insert", "add", "update", "appendleft"})
_MOVING = frozenset({"to", "cuda"})
_ASKED = trails.ASKED | {"size", "dim", "numel", "get_device", "requires_grad"}
_MOST = 4000
"""Of functions with more to evaluate nothing is said."""


class _Made:
    """What an expression has made, at one time."""

    def __init__(self, by: ast.expr | None) -> None:
        self.by = by


class _Item:
    """What a parameter gives in one round, such as a part of a loader's batch."""


class _State:
    """What names stand for, and what others keep."""

    def __init__(self) -> None:
        self.names: dict[str, Found] = {}
        self.kept: Found = _NONE

    def copy(self) -> _State:
        other = _State()
        other.names, other.kept = dict(self.names), self.kept
        return other

    def join(self, other: _State) -> None:
        for name, found in other.names.items():
            self.names[name] = self.names.get(name, _NONE) | found
        self.kept |= other.kept


class Origins:
    """Follows the values of a function, those that a call is given as one of its arguments most.

    What is written ``at`` a place may be an assignment by a sign, too, which changes its target.
    """

    def __init__(
        self, yields: Yields, at: ast.AST | None = None, argument: ast.expr | None = None
    ) -> None:
        self._yields = yields
        self._at = at
        self._argument = argument
        self._seen = False
        self._is_made = True
        self._is_left = True
        self._steps = _MOST
        self._state: _State | None = _State()
        self._ends: list[list[_State]] = []
        self._returned: list[tuple[Found, list[Found] | None]] = []
        self._passed: list[object] = []
        self._parts: dict[ast.expr, list[Found]] = {}

    def are_own(self, function: syntax.Definition) -> bool:
        """Whether what the call is given is made in the function, which has no use for it after."""
        self._run(function)
        return self._seen and self._is_made and self._is_left and self._steps > 0

    def are_left(self, function: syntax.Definition) -> bool:
        """Whether the function has no use after it for what the call is given."""
        self._run(function)
        return self._is_left and self._steps > 0

    def returned(self, function: syntax.Definition) -> list[Found]:
        """Where what a function returns may come from; and each part of it, where it has parts."""
        self._run(function)
        if self._steps <= 0:
            return [_UNKNOWN]
        whole = _NONE.union(*(found for found, _ in self._returned))
        parts = [of_each for _, of_each in self._returned if of_each is not None]
        alike = len(parts) == len(self._returned) and len({*map(len, parts)}) == 1
        return (
            [whole, *(_NONE.union(*each) for each in zip(*parts, strict=True))]
            if alike
            else [whole]
        )

    def _run(self, function: syntax.Definition) -> None:
        assert self._state is not None
        taken = function.args
        for each in (*syntax.positional(function), *taken.kwonlyargs, taken.vararg, taken.kwarg):
            if each is not None:
                self._state.names[each.arg] = frozenset({each.arg})
        self._block(function.body)

    # Statements.

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            if self._state is None or self._steps <= 0:
                return
            self._statement(self._state, statement)

    def _statement(self, state: _State, node: ast.stmt) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self._value(value)
                for target in targets:
                    self._assign(target, found, value)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self._assign(target, self._value(value), value)
            case ast.AugAssign(target=target, value=value):
                found = self._value(value)
                if isinstance(target, ast.Name):
                    before = self._read(state.names.get(target.id, _UNKNOWN))
                    held = found if isinstance(value, (ast.Tuple, ast.List)) else _NONE
                    state.names[target.id] = before | held
                    if node is self._at:
                        self._hand_over(state, before)
                        state.names[target.id] = before | held
                else:
                    self._value(target)
            case ast.Return(value=value):
                if value is not None:
                    self._returned.append((self._value(value), self._parts.get(value)))
                self._state = None
            case ast.Raise():
                self._state = None
            case ast.Break() | ast.Continue():
                if self._ends:
                    self._ends[-1].append(state)
                self._state = None
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                self._captured(node)
                state.names[node.name] = _NONE
            case ast.Delete(targets=targets):
                for target in targets:
                    if isinstance(target, ast.Name):
                        state.names.pop(target.id, None)
            case _:
                self._compound(state, node)

    def _compound(self, state: _State, node: ast.stmt) -> None:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                self._value(test)
                self._either([body, orelse])
            case ast.For(iter=iterable) | ast.AsyncFor(iter=iterable):
                self._loop(node, iterable)
            case ast.While(test=test):
                self._loop(node, test)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    found = self._value(item.context_expr)
                    if item.optional_vars is not None:
                        self._assign(item.optional_vars, found, item.context_expr)
                self._block(body)
            case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                self._either([[*body, *orelse], *([*body[:-1], *h.body] for h in handlers)])
                self._block(final)
            case ast.Match(subject=subject, cases=cases):
                found = self._value(subject)
                for each in ast.walk(node):
                    if isinstance(each, (ast.MatchAs, ast.MatchStar)) and each.name:
                        state.names[each.name] = found
                self._either([*(case.body for case in cases), []])
            case ast.Expr(value=value) | ast.Assert(test=value):
                self._value(value)

    def _either(self, arms: Iterable[Sequence[ast.stmt]]) -> None:
        before, ends = self._state, list[_State]()
        assert before is not None
        for arm in arms:
            self._state = before.copy()
            self._block(arm)
            if self._state is not None:
                ends.append(self._state)
        self._joined(ends)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, over: ast.expr) -> None:
        assert self._state is not None
        found = self._value(over)
        # What goes through parts of the object goes through some: there are layers.
        ends = [] if "self" in found else [self._state.copy()]
        for _ in range(2):
            if self._state is None:
                break
            if not isinstance(node, ast.While):
                self._assign(node.target, found, over)
                self._itemise(node.target, found)
            self._ends.append([])
            self._block(node.body)
            states = self._ends.pop()
            self._joined([*states, *([self._state] if self._state is not None else [])])
            if self._state is not None:
                ends.append(self._state.copy())
        self._joined(ends)
        self._block(node.orelse)

    def _itemise(self, target: ast.expr, found: Found) -> None:
        """Each part of what comes out of parameters is something else."""
        assert self._state is not None
        if found and found.isdisjoint({"", "self"}) and all(isinstance(e, str) for e in found):
            names = (each.id for each in ast.walk(target) if isinstance(each, ast.Name))
            self._state.names.update((name, frozenset({_Item()})) for name in names)

    def _joined(self, ends: list[_State]) -> None:
        self._state = ends[0].copy() if ends else None
        for each in ends[1:]:
            assert self._state is not None
            self._state.join(each)

    def _assign(self, target: ast.expr, found: Found, value: ast.expr | None) -> None:
        state = self._state
        assert state is not None
        match target:
            case ast.Name(id=name):
                state.names[name] = found
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                of_each = self._parts.get(value, []) if value is not None else []
                for position, part in enumerate(parts):
                    fits = len(of_each) == len(parts)
                    self._assign(part, of_each[position] if fits else _apart(found, value), None)
            case ast.Starred(value=inner):
                self._assign(inner, found, None)
            case ast.Subscript(value=ast.Name(id=name)):
                state.names[name] = state.names.get(name, _UNKNOWN) | found
            case _:
                state.kept |= found

    # Expressions.

    def _read(self, found: Found) -> Found:
        self._is_left = self._is_left and _GONE not in found
        return found

    def _values(self, nodes: Iterable[ast.AST], of_each: list[Found] | None = None) -> Found:
        """The origins of all of some expressions, none of which may be handed over meanwhile."""
        before = len(self._passed)
        several = [self._value(each) for each in nodes if isinstance(each, ast.expr)]
        if of_each is not None:
            of_each += several
        found = _NONE.union(*several)
        self._is_left = self._is_left and found.isdisjoint(self._passed[before:])
        return found

    def _value(self, node: ast.expr) -> Found:
        """Where the value of an expression may come from."""
        state = self._state
        self._steps -= 1
        if state is None or self._steps <= 0:
            return _UNKNOWN
        match node:
            case ast.Name(id=name):
                return self._read(state.names.get(name, _UNKNOWN))
            case ast.Constant():
                return _NONE
            case ast.Tuple(elts=parts) if type(node.ctx) is ast.Load:
                of_each: list[Found] = []
                found = self._values(parts, of_each)
                self._parts[node] = of_each
                return found
            case ast.Call():
                return self._called(state, node)
            case ast.Attribute(attr=name) if name in _ASKED:
                return _NONE
            case ast.Attribute(value=value) | ast.Await(value=value) | ast.Starred(value=value):
                return self._value(value)
            case ast.Subscript(value=value, slice=part):
                self._value(part)
                return self._value(value)
            case ast.NamedExpr(target=target, value=value):
                found = self._value(value)
                self._assign(target, found, value)
                return found
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self._value(test)
                return self._value(body) | self._value(orelse)
            case ast.Lambda():
                self._captured(node)
                return _NONE
            case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
                return _NONE
        return self._compounded(node)

    def _compounded(self, node: ast.expr) -> Found:
        match node:
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for each in node.generators:
                    self._assign(each.target, self._value(each.iter), each.iter)
                parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
                return self._values(parts) | self._values(parts)
            case ast.BinOp() | ast.UnaryOp() | ast.Compare() | ast.JoinedStr():
                self._values(children(node))
                return frozenset({_Made(node)})
        return self._values(children(node))

    def _called(self, state: _State, call: ast.Call) -> Found:
        func, before = call.func, len(self._passed)
        if isinstance(func, ast.Attribute):
            if func.attr in _ASKED:
                return _NONE
            owner = self._value(func.value)
        else:
            owner = _NONE if isinstance(func, ast.Name) else self._value(func)
        values = [each.value if isinstance(each, ast.Starred) else each for each in call.args]
        given = {each: self._value(each) for each in (*values, *(k.value for k in call.keywords))}
        if not _NONE.union(*given.values()).isdisjoint(self._passed[before:]):
            self._is_left = False
        if call is self._at:
            self._hand_over(state, given.get(self._argument or call, _UNKNOWN))
            return frozenset({_Made(call)})
        if isinstance(func, ast.Attribute) and func.attr in _COLLECTING:
            match func.value:
                case ast.Name(id=name):
                    state.names[name] = owner.union(*given.values())
                case _:
                    state.kept = state.kept.union(*given.values())
            return _NONE
        if isinstance(func, ast.Attribute):
            given[func.value] = owner
        moved = isinstance(func, ast.Attribute) and func.attr in _MOVING and owner
        if moved and all(isinstance(each, _Item) for each in owner):
            # What a loader has made is a copy on the device, or was made for this round.
            return frozenset({_Made(call)})
        whole, *parts = [
            _passed(each, given, call) for each in self._yields.of(call, frozenset(state.names))
        ]
        if parts:
            self._parts[call] = parts
        return whole

    def _hand_over(self, state: _State, found: Found) -> None:
        self._seen = True
        lent = any(isinstance(each, (str, _Item)) for each in found)
        if lent or not found.isdisjoint(state.kept):
            self._is_made = False
        self._passed += found
        for name, held in state.names.items():
            if not held.isdisjoint(found):
                state.names[name] = held | {_GONE}

    def _captured(self, node: ast.AST) -> None:
        """What is defined within a function may read what that has at any time."""
        assert self._state is not None
        for each in ast.walk(node):
            if isinstance(each, ast.Name):
                self._state.kept |= self._state.names.get(each.id, _NONE)


def _passed(passed: Passed, given: Mapping[ast.expr, Found], call: ast.Call) -> Found:
    """Where something that a call gives comes from, by what it was given."""
    if passed.nothing:
        return _NONE
    found = _NONE.union(*(given[each] for each in passed.arguments if each in given))
    if passed.unknown:
        return found | _UNKNOWN
    return found if passed.arguments else frozenset({_Made(call)})


def _apart(found: Found, value: ast.expr | None) -> Found:
    """Where a part of something comes from: of what a call has made each is something else."""
    made = {each for each in found if isinstance(each, _Made) and each.by is value}
    return found - made | {_Made(value)} if made else found
