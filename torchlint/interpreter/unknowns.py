"""Unseen calls: where what they give in loops comes from, which of them give losses, or tensors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter.events.data import EpochSet
from torchlint.interpreter.events.distributed import WorkAwaited
from torchlint.interpreter.values import Certainty, Const, Node, Opaque, Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Device, Spot
    from torchlint.torch_api.registry import Call


def part(whole: Opaque, name: str) -> Opaque:
    """What something unseen has in it: it is where that is, and was computed from the same."""
    made = Opaque(name, device=whole.device, node=whole.node, origin=whole.origin, bare=whole.bare)
    return replace(made, lent=whole.lent or whole.argument)


def called(machine: Machine, name: str, spot: Spot) -> None:
    """Allow for a method of something unknown being that of a sampler, or of a handle."""
    match name:
        case "set_epoch":
            machine.emit(EpochSet, spot, sampler=None)
        case "wait":
            machine.emit(WorkAwaited, spot, work=None)


def source(
    machine: Machine, node: Node | None, spot: Spot, parts: Iterable[Opaque] = ()
) -> Node | None:
    """Where something comes from that a loop computes, unless it is of a known graph."""
    if node is not None or not machine.rounds:
        return None
    parents = tuple(part.source for part in parts if part.source is not None)
    return Node("opaque", spot, parents, Certainty.UNSEEN, opaque=True, rounds=machine.rounds)


def of_graph(made: Opaque, spot: Spot) -> Opaque:
    """What something unseen has computed, which is of one graph wherever that is asked for."""
    if made.node is not None or made.source is not None:
        return made
    return replace(made, source=Node("opaque", spot, (), Certainty.UNSEEN, opaque=True))


def walked_back(machine: Machine, node: Node) -> None:
    """What an unseen call has given has a graph, if it is all that a walk starts from."""
    way: Node | None = node
    while way is not None:
        if way.op == "opaque" and way.spot is not None and isinstance(way.spot.node, ast.Call):
            machine.trace.losses.add(way.spot)
            return
        way = way.parents[0] if len(way.parents) == 1 else None


_BY_INDEX = frozenset({"gather", "scatter", "scatter_", "scatter_add", "scatter_add_"})


_OF_NOTHING = frozenset("long int short t exp sqrt rsqrt square relu relu_ tanh norm".split())
_OF_A_NUMBER = frozenset({"norm", "pow"})


def tells_a_tensor(call: Call) -> bool:
    """Whether a method that others have as well is given what it is given of a tensor only.

    What belongs to a library (``xp.exp(x)``), or is a layer (``block.norm(x)``), is given one.
    """
    given = [*call.arguments.values()]
    if call.name in _OF_NOTHING and not given:
        return not call.arguments.open
    if call.name in _OF_A_NUMBER and len(given) == 1:
        return isinstance(given[0], Const) and isinstance(given[0].value, (int, float))
    return _tells_a_dimension(call)


def _tells_a_dimension(call: Call) -> bool:
    """Whether a method is told a dimension that only tensors have.

    NumPy's `flatten` takes none, nor do plots that scatter, nor processes that gather.
    """
    dim = call.get("start_dim" if call.name == "flatten" else "dim", 0)
    if not isinstance(dim, Const) or type(dim.value) is not int:
        return False
    if call.name == "flatten":
        return True
    index = call.get("index", 1) if call.name in _BY_INDEX else None
    return index is not None and isinstance(call.machine.get(index), Tensor)


_TAKING = frozenset("get pop setdefault items values copy".split())


def place(record: Opaque, method: str = "get") -> Device | None:
    """Where something is that is taken out of what was loaded from a file: where that is."""
    is_loaded = record.device is not None and record.device.kind == "loaded"
    return record.device if is_loaded and method in _TAKING else None
