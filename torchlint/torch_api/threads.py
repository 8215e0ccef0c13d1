"""Pools of threads: what they are given to do is done in the process itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import calls, containers
from torchlint.interpreter.machine import Arguments
from torchlint.interpreter.values import UNKNOWN, Instance, Sequence
from torchlint.torch_api.registry import function, method

if TYPE_CHECKING:
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

_POOL = "concurrent.futures.ThreadPoolExecutor"
_FUTURE = "concurrent.futures.Future"
_RESULT = "@result"


@function(_POOL)
def _pool(call: Call) -> Value:
    return call.machine.new(Instance(_POOL, spot=call.spot))


@method(_POOL, "submit")
def _submit(call: Call) -> Value:
    """A function is called at some time, with all that is handed over besides."""
    positional = call.arguments.positional
    worker = positional[0] if positional else UNKNOWN
    result = _done(call, worker, replace(call.arguments, positional=positional[1:]))
    return call.machine.new(Instance(_FUTURE, {_RESULT: result}, spot=call.spot))


@method(_POOL, "map")
def _map(call: Call) -> Value:
    """A function is called with what is next in each of several things."""
    worker, *sources = call.arguments.positional or (UNKNOWN,)
    items = tuple(containers.element(call.machine, each, call.spot) for each in sources)
    result = _done(call, worker, Arguments(items))
    return call.machine.new(Sequence("iterator", rest=result))


def _done(call: Call, worker: Value, given: Arguments) -> Value:
    """What a thread gives, which begins with the grad mode on, whatever it is where it is begun."""
    before = call.machine.live.grad
    call.machine.live.grad = True
    result = calls.call(call.machine, worker, given, call.spot)
    call.machine.live.grad = before
    return result


@method(_FUTURE, "result")
def _result(call: Call) -> Value:
    record = call.machine.get(call.receiver) if call.receiver is not None else None
    return record.attributes.get(_RESULT, UNKNOWN) if isinstance(record, Instance) else UNKNOWN
