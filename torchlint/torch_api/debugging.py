"""Debuggers, profilers, histories and prints."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import always, expressions, profilers, syntax
from torchlint.interpreter.events.debugging import Halted, History, Printed
from torchlint.interpreter.values import NONE, Tensor
from torchlint.torch_api.registry import Call, function, hear

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_DEBUGGERS = ("builtins.breakpoint", "pdb.set_trace", "ipdb.set_trace", "pudb.set_trace")


@hear("function", *_DEBUGGERS, "IPython.embed")
def _halted(call: Call) -> None:
    """Who asks for it by a flag knows."""
    if not any(call.machine.guards):
        call.machine.emit(Halted, call.spot)


@function(*_DEBUGGERS)
def _debugger(call: Call) -> Value:
    return NONE


@function("torch.profiler.profile", "torch.autograd.profiler.profile")
def _profiler(call: Call) -> Value:
    """A profiler with a schedule records some steps of many."""
    made = call.machine.opaque("profile")
    given = call.arguments
    if "schedule" not in given.keywords and not given.open and not any(call.machine.guards):
        profilers.made(call.machine, made, call.spot)
    return made


@hear("function", "torch.cuda.memory._record_memory_history")
def _history(call: Call) -> None:
    if not any(call.machine.guards):
        ends = call.get("enabled", 0) == NONE
        call.machine.emit(History, call.spot, begins=not ends)


@hear("function", "builtins.print")
def _printed(call: Call) -> None:
    if always.in_every_round(call.machine) and any(_tensors(call)):
        call.machine.emit(Printed, call.spot)


def _tensors(call: Call) -> Iterator[bool]:
    """Whether each of the things that are printed is a tensor, by itself or in a string."""
    machine, node = call.machine, call.spot.node
    yield from (_is_tensor(machine, value) for value in call.arguments.positional)
    for argument in syntax.given(node) if isinstance(node, ast.Call) else ():
        match argument:
            case ast.JoinedStr(values=values):
                for part in values:
                    match part:
                        case ast.FormattedValue(
                            value=ast.Name() | ast.Attribute() as named, format_spec=None
                        ):
                            yield _is_tensor(machine, expressions.evaluate(machine, named))


def _is_tensor(machine: Machine, value: Value) -> bool:
    return isinstance(machine.get(value), Tensor)
