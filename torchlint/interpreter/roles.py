"""Roles: which dimension holds the samples that a layer has seen, and which their places."""

from __future__ import annotations

import ast
from enum import Enum, auto
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, syntax
from torchlint.interpreter.values import Ref, Tensor
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.provenance import Made
    from torchlint.interpreter.values import Value


class Role(Enum):
    """What the numbers along a dimension differ in."""

    SAMPLES = auto()
    CHANNELS = auto()
    PLACES = auto()
    FEATURES = auto()
    """Channels and places of one sample in a row."""


Roles = tuple[Role, ...]

_FARTHEST = 12
"""So many operations are gone back from a tensor."""

_WINDOWED = Pattern(r"([123])d$")
"""How layers are called that take a batch of lines, images or volumes, with their channels."""

_STAYING = frozenset(
    "relu gelu silu elu selu leakyrelu leaky_relu tanh sigmoid dropout layernorm layer_norm linear "
    "add radd iadd sub mul rmul imul contiguous clone to float half".split()
)
_REDUCING = frozenset({"mean", "sum", "amax", "amin", "squeeze"})
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
    record = machine.get(Ref(made.given)) if made.given is not None else None
    if given is None or not isinstance(record, Tensor) or record.shape is None:
        return None
    found = _after(made, record.shape, given)
    return found if found is not None and len(found) == len(made.shape) else None


def _after(made: Made, before: Shape, given: Roles) -> Roles | None:
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
    if made.op == "nn.Flatten" and len(made.shape) == 2:
        # As the layer does by itself: no other run of dimensions leaves a row for each sample.
        apart = dimensions.differ(dimensions.product(before[1:]), made.shape[1])
        return None if apart else _flattened([1], given)
    numbers = _numbers(node, len(given))
    if numbers is None:
        return None
    if name in _SWAPPING and len(numbers) == 2:
        order = [*range(len(given))]
        order[numbers[0]], order[numbers[1]] = numbers[1], numbers[0]
        return tuple(given[at] for at in order)
    if name == "permute" and sorted(numbers) == [*range(len(given))]:
        return tuple(given[at] for at in numbers)
    if name in _REDUCING and numbers:
        return tuple(role for at, role in enumerate(given) if at not in numbers)
    if name == "flatten" and numbers:
        return _flattened(numbers, given)
    return None


def _flattened(numbers: list[int], given: Roles) -> Roles | None:
    """The roles after a run of dimensions, given by its ends, has become one."""
    start, end = (*numbers, len(given) - 1)[:2]
    front, back = [[one] for one in given[:start]], [[one] for one in given[end + 1 :]]
    return _merged([*front, given[start : end + 1], *back])


def _merged(groups: Iterable[Iterable[Role]]) -> Roles | None:
    """The roles of dimensions that are each made of several, of one role or of one sample."""
    found = [{*group} for group in groups]
    if not all(found) or any(len(each) != 1 and Role.SAMPLES in each for each in found):
        return None
    return tuple(next(iter(each)) if len(each) == 1 else Role.FEATURES for each in found)


def _viewed(made: Made, one: Shape, given: Roles) -> Roles | None:
    """All places in a row, or all of a sample."""
    if len(made.shape) == 2 and given[0] is Role.SAMPLES:
        kept = made.shape[0] is not None and made.shape[0] == one[0]
        # Of what is asked for in numbers, the rest is as many as there were.
        whole = dimensions.same(dimensions.product(one[1:]), made.shape[1])
        return (Role.SAMPLES, Role.FEATURES) if kept or whole else None
    if len(made.shape) != 3:
        return None
    _, middle, last = made.shape
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
        number = syntax.whole_number(argument)
        if number is None or number >= rank:
            return None
        found.append(number if number >= 0 else rank + number)
    return found
