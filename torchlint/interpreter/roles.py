"""Roles: which dimension holds the samples that a layer has seen, and which their places."""

from __future__ import annotations

import ast
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.interpreter.values import Ref
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.provenance import Made
    from torchlint.interpreter.values import Value


class Role(Enum):
    """What the numbers along a dimension differ in."""

    SAMPLES = auto()
    CHANNELS = auto()
    PLACES = auto()


Roles = tuple[Role, ...]

_FARTHEST = 12
"""So many operations are gone back from a tensor."""

_WINDOWED = Pattern(r"([123])d$")
"""How layers are called that take a batch of lines, images or volumes, with their channels."""

_STAYING = frozenset(
    "relu gelu silu elu selu leakyrelu leaky_relu tanh sigmoid dropout layernorm layer_norm linear "
    "add radd iadd sub mul rmul imul contiguous clone to float half".split()
)
_SWAPPING = frozenset({"transpose", "swapaxes", "swapdims"})
_VIEWS = frozenset({"view", "reshape"})
_ATOM = Pattern(r"\(([^()]*)\)|(\w+)")


def of(machine: Machine, value: Value, farthest: int = _FARTHEST) -> Roles | None:
    """The roles of a tensor's dimensions, if all of them follow from a layer that it comes from."""
    if isinstance(value, Ref) and value.address in machine.trace.roles:
        return machine.trace.roles[value.address]
    made = machine.trace.made.get(value.address) if isinstance(value, Ref) else None
    if made is None or not farthest:
        return None
    windows = _WINDOWED.search(made.op)
    if windows is not None:
        places = int(windows[1])
        whole = len(made.shape) == places + 2
        return (Role.SAMPLES, Role.CHANNELS, *[Role.PLACES] * places) if whole else None
    given = of(machine, Ref(made.given), farthest - 1) if made.given is not None else None
    before = machine.trace.made.get(made.given) if made.given is not None else None
    if given is None or before is None:
        return None
    found = _after(made, before, given)
    return found if found is not None and len(found) == len(made.shape) else None


def _after(made: Made, before: Made, given: Roles) -> Roles | None:
    """The roles after an operation on a tensor of which they are known."""
    name = made.op.rpartition(".")[2].strip("_").lower()
    node = made.spot.node
    if name in _STAYING:
        return given
    if name in _VIEWS:
        return _viewed(made, before, given)
    if not isinstance(node, ast.Call):
        return None
    if name == "einops_rearrange":
        return _rearranged(node, given)
    numbers = _numbers(node, len(given))
    if numbers is None:
        return None
    if name in _SWAPPING and len(numbers) == 2:
        order = [*range(len(given))]
        order[numbers[0]], order[numbers[1]] = numbers[1], numbers[0]
        return tuple(given[at] for at in order)
    if name == "permute" and sorted(numbers) == [*range(len(given))]:
        return tuple(given[at] for at in numbers)
    if name == "flatten" and numbers:
        start, end = (*numbers, len(given) - 1)[:2]
        front, back = [[one] for one in given[:start]], [[one] for one in given[end + 1 :]]
        return _merged([*front, given[start : end + 1], *back])
    return None


def _merged(groups: Iterable[Iterable[Role]]) -> Roles | None:
    """The roles of dimensions that are each made of several of one role."""
    found = [{*group} for group in groups]
    if any(len(each) != 1 for each in found):
        return None
    return tuple(role for (role,) in found)


def _viewed(made: Made, before: Made, given: Roles) -> Roles | None:
    """All places in a row, where the channels stay beside the samples, or at the end."""
    if len(made.shape) != 3:
        return None
    one, (_, middle, last) = before.shape, made.shape
    if given[:2] == (Role.SAMPLES, Role.CHANNELS) and middle is not None and middle == one[1]:
        return Role.SAMPLES, Role.CHANNELS, Role.PLACES
    ends = given[0], given[-1]
    if ends == (Role.SAMPLES, Role.CHANNELS) and last is not None and last == one[-1]:
        return Role.SAMPLES, Role.PLACES, Role.CHANNELS
    return None


def _rearranged(node: ast.Call, given: Roles) -> Roles | None:
    """The roles as a pattern of einops puts them, which gives each dimension a name."""
    match node.args:
        case [_, ast.Constant(value=str() as pattern)] if pattern.count("->") == 1:
            left, right = pattern.split("->")
        case _:
            return None
    names = left.split()
    if len(names) != len(given) or not all(name.isidentifier() for name in names):
        return None
    known = dict(zip(names, given, strict=True))
    groups = [(group or name).split() for group, name in _ATOM.findall(right)]
    if not all(name in known for group in groups for name in group):
        return None
    return _merged([known[name] for name in group] for group in groups)


def _numbers(node: ast.Call, rank: int) -> list[int] | None:
    """The dimensions that are written out in a call, counted from the first; None for others."""
    arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
    if arguments and not isinstance(arguments[0], (ast.Constant, ast.UnaryOp, ast.Tuple)):
        arguments = arguments[1:]  # The tensor that a function of torch is given.
    if len(arguments) == 1 and isinstance(arguments[0], (ast.Tuple, ast.List)):
        arguments = arguments[0].elts
    found = []
    for argument in arguments:
        match argument:
            case ast.Constant(value=int() as number) if number < rank:
                found.append(number)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                found.append(rank - number)
            case _:
                return None
    return found
