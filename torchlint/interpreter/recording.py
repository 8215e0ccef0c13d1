"""Recording: code that is run once and written down, or compiled, and what it decides by values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter.events.recording import Decided
from torchlint.interpreter.graphs import back
from torchlint.interpreter.values import Certainty, Ref, Tensor, options_of

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Function, Node, Spot, Value

COMPILE = "torch.compile"
WHOLE = "torch.compile(fullgraph=True)"
_DECORATORS = {
    "torch.compile": COMPILE,
    **dict.fromkeys(("torch.compiler.disable", "torch._dynamo.disable", "torch.jit.ignore"), ""),
}
"""What has a function compiled, or left out of that."""

_ENTRIES = frozenset({"forward", "__call__"})


def tested(machine: Machine, value: Value, spot: Spot, how: str) -> None:
    """The program goes one way or another by a value; of interest where it is recorded."""
    recorder = machine.live.recorder
    if not recorder:
        return
    for option in options_of(value):
        record = machine.get(option)
        if isinstance(record, Tensor) and _is_surely_one(machine, record):
            machine.emit(Decided, spot, recorder=recorder, how=how)
            return


def _is_surely_one(machine: Machine, tensor: Tensor) -> bool:
    """Whether it is a tensor for certain, and not a flag or a number that came in.

    What is computed of one is, whatever it is computed with; on two ways it has to be on both.
    """
    if tensor.argument:
        return False
    roots = [cut.of for cut in tensor.cuts]
    roots += [tensor.node] if tensor.node is not None else []
    if not any(node.opaque for root in roots for node in machine.trace.reach(root)):
        return not any(map(_is_given, roots))
    found = list(back(roots, lambda node: not node.opaque))
    ends = [node for node in found if not node.opaque and not node.parents]
    is_one = any(node not in roots or not _is_given(node) for node in ends)
    return is_one and all(node.op != "join" for node in found)


def _is_given(node: Node) -> bool:
    """Whether something came in, and may be taken for a tensor for its name or place alone."""
    return node.op == "input" and node.certainty is Certainty.ASSUMED


def compiled(machine: Machine, what: Value, recorder: str) -> None:
    """What is called from now on is compiled."""
    if isinstance(what, Ref):
        machine.trace.compiled[what.address] = recorder
    elif _node(what) is not None:
        machine.trace.compiled[_node(what)] = recorder


def _node(value: Value) -> object:
    function = getattr(value, "method", value)
    return getattr(function, "node", None)


def decorated(machine: Machine, name: str, decorator: ast.expr) -> None:
    """A function has a decorator."""
    if name not in _DECORATORS:
        return
    whole = isinstance(decorator, ast.Call) and any(
        keyword.arg == "fullgraph"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value is True
        for keyword in decorator.keywords
    )
    machine.live.recorder = WHOLE if whole else _DECORATORS[name]


def entered(machine: Machine, function: Function) -> None:
    """A function begins to run: it may be one that was compiled, or the forward of a module."""
    known = machine.trace.compiled
    if not known:
        return
    receiver = machine.activation.receiver
    found = known.get(function.node)
    if found is None and isinstance(receiver, Ref) and function.name in _ENTRIES:
        found = known.get(receiver.address)
    if found is not None:
        machine.live.recorder = found
