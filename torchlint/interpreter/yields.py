"""Yields: whether what a call gives is made there, or may be what it was given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter import names, syntax
from torchlint.interpreter.origins import Origins
from torchlint.project.index import External
from torchlint.project.outline import Definition
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Set

    from torchlint.project.index import Index, Meaning
    from torchlint.project.outline import Outline

_DEEPEST = 3
_HOLDING = frozenset({"get", "pop", "items", "values", "keys", "copy", "setdefault"})
_COUNTING = frozenset(
    "len int float bool str repr id type isinstance hasattr callable range print round".split()
)
_PASSING = frozenset(
    "getattr next iter zip enumerate reversed list tuple dict set sorted min max map filter".split()
)
_SHARING = frozenset({"as_tensor", "from_numpy", "asarray", "detach_", "requires_grad_"})


@dataclass(frozen=True, slots=True)
class Place:
    """Where a call stands: in a file, and in a method of a class, if in any."""

    outline: Outline
    owner: Definition | None


@dataclass(frozen=True, slots=True)
class Passed:
    """What a call may give of what there was: of these arguments, or of what nobody follows."""

    arguments: tuple[ast.expr, ...] = ()
    unknown: bool = False
    nothing: bool = False


MADE = Passed()
NOTHING = Passed(nothing=True)
UNKNOWN = Passed(unknown=True)


class Yields:
    """What the calls in a function give."""

    def __init__(self, index: Index, place: Place, depth: int = _DEEPEST) -> None:
        self.index = index
        self.place = place
        self._depth = depth

    def of(self, call: ast.Call, local: frozenset[str]) -> list[Passed]:
        """What a call gives, and each part of it, where these names are the function's own."""
        func, given = call.func, tuple(syntax.given(call))
        dotted = names.dotted(func)
        first, _, rest = dotted.partition(".")
        if dotted and first not in local:
            meaning = self.index.meaning(self.place.outline, dotted)
            if meaning is not None:
                return self._of_meaning(meaning, call)
            if not rest:
                return [_of_builtin(first, given)]
        match func:
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.place.owner:
                return self._of_object(self.place.owner, name, call)
            case ast.Attribute(value=owner) if syntax.is_super(owner):
                return [UNKNOWN]
            case ast.Attribute(value=receiver, attr=name):
                return [_of_method(name, receiver, given)]
        return [MADE if given else UNKNOWN]

    def _of_meaning(self, meaning: Meaning, call: ast.Call) -> list[Passed]:
        given = tuple(syntax.given(call))
        match meaning:
            case External(name=name) if name.startswith("torch."):
                return [_of_torch(name, call)]
            case Definition(is_class=False):
                return self._of_function(meaning, call, None)
        return [Passed(given, unknown=not given)]

    def _of_object(self, owner: Definition, name: str, call: ast.Call) -> list[Passed]:
        """What a method of the object gives, or what is kept in an attribute of it."""
        found = self.index.member(owner, name)
        if isinstance(found, Definition):
            return self._of_function(found, call, owner)
        layers = [
            self._of_layer(value, write.spot.region.outline, call)
            for write in self.index.family(owner).writes(name)
            for value in (_arms(write.value) if write.value is not None else ())
        ]
        if not layers:
            return [MADE if syntax.given(call) else UNKNOWN]
        alike = len({*map(len, layers)}) == 1
        parts = zip(*layers, strict=True) if alike else [tuple(each[0] for each in layers)]
        return [_any(each) for each in parts]

    def _of_layer(self, built: ast.expr, outline: Outline, call: ast.Call) -> list[Passed]:
        """What a layer gives, by what it is built with."""
        given = tuple(syntax.given(call))
        dotted = names.dotted(built.func) if isinstance(built, ast.Call) else ""
        meaning = self.index.meaning(outline, dotted) if dotted else None
        if isinstance(meaning, Definition) and meaning.is_class:
            forward = self.index.member(meaning, "forward")
            if isinstance(forward, Definition):
                return self._of_function(forward, call, meaning)
            bases = self.index.externals(meaning)
            meaning = External(next((name for name in bases if name.startswith("torch.")), ""))
        if isinstance(meaning, External) and isinstance(built, ast.Call):
            short = meaning.name.rpartition(".")[2]
            changes = any(each.arg == "inplace" for each in built.keywords)
            if changes or "Dropout" in short or generated.view(f"nn.{short}"):
                return [Passed(given[:1])]
        return [MADE if given else UNKNOWN]

    def _of_function(
        self, function: Definition, call: ast.Call, owner: Definition | None
    ) -> list[Passed]:
        """What a function of the project gives, by what it returns."""
        given = tuple(syntax.given(call))
        node = function.region.statement
        if not self._depth or not isinstance(node, syntax.FUNCTIONS):
            return [Passed(given, unknown=not given)]
        inner = Yields(self.index, Place(function.outline, owner), self._depth - 1)
        taken = [each.arg for each in syntax.positional(node)][owner is not None :]
        by_name = dict(zip(taken, call.args, strict=False))
        by_name.update({each.arg: each.value for each in call.keywords if each.arg})
        known = by_name.keys() | syntax.defaults(node)
        return [
            _of_parameters(found, by_name, known, given) for found in Origins(inner).returned(node)
        ]


def _of_parameters(
    found: frozenset[object],
    by_name: Mapping[str, ast.expr],
    known: Set[str],
    given: tuple[ast.expr, ...],
) -> Passed:
    """What a call passes on by the parameters that its result may come from."""
    named = {each for each in found if isinstance(each, str)} - {"", "self"}
    unknown = not found.isdisjoint({"", "self"})
    if not named <= known:
        return Passed(given, unknown=unknown)
    passed = tuple(by_name[each] for each in named if each in by_name)
    return Passed(passed, unknown=unknown, nothing=not found)


def _any(layers: Iterable[Passed]) -> Passed:
    """What one of several layers gives."""
    several = list(layers)
    passed = tuple(argument for each in several for argument in each.arguments)
    return Passed(passed, unknown=any(each.unknown for each in several))


def _arms(value: ast.expr) -> Iterator[ast.expr]:
    """What a value may be, without None."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _arms(body)
            yield from _arms(orelse)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _arms(each)
        case ast.Constant():
            pass
        case _:
            yield value


def _of_builtin(name: str, given: tuple[ast.expr, ...]) -> Passed:
    if name in _COUNTING:
        return NOTHING
    return Passed(given, unknown=not given) if name in _PASSING or not given else Passed(given)


def _of_method(name: str, receiver: ast.expr, given: tuple[ast.expr, ...]) -> Passed:
    """What a method of a tensor, a collection, or of something unseen gives."""
    shares = generated.view(f"Tensor.{name}") or generated.view(name)
    if shares or name.endswith("_") or name in _HOLDING:
        return Passed((receiver,))
    return MADE if given or generated.is_operation(f"Tensor.{name}") else Passed((receiver,))


def _of_torch(name: str, call: ast.Call) -> Passed:
    plain, given = name.removeprefix("torch."), tuple(syntax.given(call))
    shares = generated.view(plain) or plain.rpartition(".")[2] in _SHARING
    if shares or plain.endswith("_") or syntax.named(call, "inplace") is not None:
        return Passed(given[:1])
    return MADE
