"""Calls that cost time: what is made in one place for another, compiled, flushed, joined."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import (
    always,
    clocks,
    contents,
    loop_names,
    names,
    once,
    opaque,
    rows,
    syntax,
    tensors,
    trips,
)
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.events.speed import (
    Clock,
    Compiled,
    Created,
    Flushed,
    FromArrays,
    Gathered,
    Joined,
    Moved,
    Rebuilt,
    RowLoop,
    Zeroed,
)
from torchlint.interpreter.values import (
    NONE,
    Const,
    Either,
    Instance,
    Ref,
    Sequence,
    Spot,
    Tensor,
    Tuple,
)
from torchlint.project import around
from torchlint.sources.patterns import Pattern
from torchlint.torch_api import generated
from torchlint.torch_api.registry import Applied, Call, function, given, hear, watch

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value

_DRAWN = frozenset({"rand", "randn", "randint", "randperm", "normal"})
_FROM_DATA = frozenset(
    {"tensor", "as_tensor", "asarray", "range", "empty_strided", "scalar_tensor"}
)
FILLING = tuple(name for name in generated.factory_names() if name not in _FROM_DATA)
"""Functions that make a tensor of no data: what is made of data has to be copied in any case."""

_SETTLED = frozenset({"device", "out", "requires_grad", "pin_memory", "generator", "layout"})
"""Settings of a factory with which ``device=`` would not do the same, or does not do."""


@hear("function", *(f"torch.{name}" for name in FILLING))
def _created(call: Call) -> None:
    machine, given = call.machine, call.arguments.keywords
    settled = any(given[name] != Const(False) for name in given.keys() & _SETTLED)
    if machine.live.default_device or settled:
        return
    if not _is_by_name(call):
        # Another function may be called there, which takes no device.
        return
    if not (call.arguments.open and "**" in machine.region.source_of(call.spot.node)):
        machine.emit(Created, call.spot, drawn=call.name.rpartition(".")[2] in _DRAWN)


def _is_by_name(call: Call) -> bool:
    """Whether a function is called by its own name, and not as what a variable holds."""
    node = call.spot.node
    written = names.dotted(node.func) if isinstance(node, ast.Call) else ""
    return written.rpartition(".")[2] == call.name.rpartition(".")[2]


@hear("tensor", "to", "cuda")
def _moved(call: Call) -> None:
    node = call.spot.node
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return
    if "copy" in call.arguments.keywords or "memory_format" in call.arguments.keywords:
        return
    wanted = call.get("device", 0)
    model = call.machine.get(wanted) if wanted is not None else None
    follows = isinstance(model, Tensor)
    if isinstance(model, Tensor) and _is_at_home(call, model):
        return
    if isinstance(model, Instance) and _is_here(call.machine.get(model.attributes.get("of", NONE))):
        return
    if follows or call.name == "cuda" or _is_elsewhere(call, wanted):
        tensor = call.machine.get(call.receiver) if call.receiver is not None else None
        if isinstance(tensor, Tensor) and tensor.device is not None:
            trips.returned(call.machine, tensor.device.left, call.spot)
        if isinstance(tensor, Tensor) and tensor.shape is not None and 0 in tensor.shape:
            return
        tried = call.machine.tries > call.machine.activation.tries
        if tried and isinstance(tensor, Tensor) and {*(tensor.shape or ())} == {1}:
            # One number, to see whether there is such a device.
            return
        given = _given_before(call.spot) or node.func.value
        made = syntax.as_made(given)
        call.machine.emit(
            Moved,
            call.spot,
            source=Spot(call.spot.region, made),
            follows=follows,
            as_made=made is given,
            built=once.for_its_object(call.machine, call.spot),
        )


def _given_before(spot: Spot) -> ast.expr | None:
    """What the statement before gives to a name, where the next does nothing but move that."""
    match around.path(spot.region, spot.node)[-3:]:
        case [outer, ast.Assign(targets=[target]) as step, ast.Call(func=ast.Attribute() as func)]:
            named = names.dotted(target)
        case _:
            return None
    earlier = [each for each in around.before(outer, step) if not _is_idle(each)]
    match earlier[-1:]:
        case [ast.Assign(targets=[known], value=value)] if named and (
            names.dotted(known) == named == names.dotted(func.value)
        ):
            return value
    return None


def _is_idle(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


@hear("function", "torch.tensor", "torch.as_tensor", "torch.asarray")
def _made_elsewhere(call: Call) -> None:
    if _is_elsewhere(call, call.get("device")):
        left = trips.from_arrays(call.machine, call.arguments.positional[:1])
        trips.returned(call.machine, left, call.spot)


def _is_elsewhere(call: Call, wanted: Value | None) -> bool:
    """Whether a value is, or can be, a device other than the CPU."""
    match wanted:
        case None | Const(value=None):
            return False
        case Const(value=value):
            return isinstance(value, (str, int)) and value != "cpu"
        case Either(options=options):
            return any(_is_elsewhere(call, option) for option in options)
    written = ""
    if isinstance(call.spot.node, ast.Call):
        named = syntax.named(call.spot.node, "device")
        written = "".join(map(names.dotted, [*filter(None, [named]), *call.spot.node.args][:1]))
    known = call.machine.get(wanted)
    if isinstance(known, Instance):
        if known.attributes.get("type") == Const("cpu"):
            return False
    elif _is_none_by_default(call, written):
        return False
    return opaque.is_device(call.machine, wanted, written)


def _is_none_by_default(call: Call, name: str) -> bool:
    """Whether a name is a parameter that is None unless a caller gives another, and nobody asks."""
    activation = call.machine.activation
    if activation.function is None or activation.is_tested(Pattern(rf"\b{name}\b").search):
        return False
    node = activation.function.node
    default = syntax.defaults(node).get(name)
    return (
        isinstance(default, ast.Constant)
        and default.value is None
        and not any(
            isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Store)
            for part in syntax.walk(node)
        )
    )


@hear("function", "torch.compile", "torch.jit.script", "torch.jit.trace")
def _compiled(call: Call) -> None:
    """Compiled again although it is the same; a copy that is kept would do."""
    machine, node = call.machine, call.spot.node
    if not isinstance(node, ast.Call) or not syntax.given(node):
        return
    loop = machine.loop
    if loop is not None:
        again = always.in_every_round(machine) and not any(
            loop_names.varies(loop, argument) for argument in syntax.given(node)
        )
    else:
        again = _is_forward(call) and always.in_every_call(machine)
    if again:
        machine.emit(Compiled, call.spot, name=call.name)


_SAME_EACH_TIME = (
    "arange eye linspace logspace tril_indices triu_indices hann_window hamming_window "
    "blackman_window bartlett_window kaiser_window triu tril"
)


@given(*(f"torch.{name}" for name in _SAME_EACH_TIME.split()))
def _rebuilt(call: Call, value: Value) -> None:
    """Made again of what does not change."""
    machine, node, loop = call.machine, call.spot.node, call.machine.loop
    tensor = machine.get(value)
    if loop is None or not isinstance(node, ast.Call) or not isinstance(tensor, Tensor):
        return
    filled = {event.spot.node for event in machine.trace.of(Created) if not event.drawn}
    if not always.in_every_round(machine) or loop_names.varies(loop, node, {node, *filled}):
        return
    before = [event for event in machine.trace.of(Rebuilt) if event.spot == call.spot][-1:]
    changed = None
    for last in before:
        changed = any(tensors.storage(machine, one).version for one in last.storages)
    made = tensor.storages
    machine.emit(Rebuilt, call.spot, name=call.name, storages=made, changed=changed)


def _is_here(record: object) -> bool:
    """Whether a tensor is where others are that are made by default, or on the CPU by name."""
    return isinstance(record, Tensor) and (
        record.device is not None and record.device.kind in {"default", "cpu"}
    )


def _is_at_home(call: Call, tensor: Tensor) -> bool:
    """Whether a tensor may be where it was made, as what a constructor has, and moves nowhere."""
    if _is_here(tensor):
        return True
    function = call.machine.activation.function
    built = function is not None and function.owner is not None and function.name == "__init__"
    return built and (tensor.device is None or tensor.device.kind == "follows")


def _is_forward(call: Call) -> bool:
    function = call.machine.activation.function
    return function is not None and function.owner is not None and function.name == "forward"


def _is_by_hand(call: Call) -> bool:
    """Whether somebody has to collect what is young, as Python does not do it by itself."""
    return "gc.disable(" in call.machine.outline.text


@hear("function", "torch.cuda.empty_cache", "torch.mps.empty_cache", "torch.xpu.empty_cache")
@hear("function", "gc.collect", "torch.cuda.synchronize", "torch.mps.synchronize")
def _flushed(call: Call) -> None:
    given = call.arguments
    if call.name == "gc.collect" and (given.positional or given.keywords or _is_by_hand(call)):
        return
    if always.at_every_step(call.machine):
        call.machine.emit(Flushed, call.spot, name=call.name, since=call.machine.births[-1])


@hear("function", "torch.tensor", "torch.as_tensor")
@hear("function", *(f"torch.{kind}Tensor" for kind in ("", "Float", "Double", "Long", "Int")))
def _from_data(call: Call) -> None:
    given = call.get("data", 0)
    record = call.machine.get(given) if given is not None else None
    parts: tuple[Value, ...] = given.items if isinstance(given, Tuple) else ()
    if isinstance(record, Sequence):
        parts = contents.held(record)
    if not any(isinstance(part, Number) and part.array for part in parts):
        return
    # Where arrays are told apart, they have gone another way.
    if not call.machine.activation.is_tested(_ARRAYS.search, returns=True):
        call.machine.emit(FromArrays, call.spot, name=call.name)


_ARRAYS = Pattern(r"\bndarray\b")


def zeroed(call: Call) -> None:
    """``zero_grad`` leaves zeros where it is told to, and nothing where it is not."""
    if call.get("set_to_none", 0) == Const(False):
        call.machine.emit(Zeroed, call.spot, told=True)


@hear("tensor", "zero_")
@hear("opaque", "zero_")
def _filled(call: Call) -> None:
    node = call.spot.node
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="grad"))):
            call.machine.emit(Zeroed, call.spot, told=False)


_CLOCKS = "time perf_counter monotonic process_time time_ns perf_counter_ns monotonic_ns"


@function(*(f"time.{name}" for name in _CLOCKS.split()), "timeit.default_timer")
def _clock(call: Call) -> Value:
    value = call.machine.opaque("time")
    call.machine.emit(Clock, call.spot, address=value.address)
    return value


@hear("opaque", "elapsed_time")
def _elapsed(call: Call) -> None:
    """Events of a device are clocks too."""
    if isinstance(call.receiver, Ref):
        call.machine.emit(Clock, call.spot, address=call.receiver.address)


@hear("tensor", *"item tolist cpu cuda to numpy __array__ nonzero unique".split())
@hear("function", *(f"torch.{name}.synchronize" for name in ("cuda", "mps", "xpu", "cpu")))
@hear("function", *(f"builtins.{name}" for name in "print float int bool str format".split()))
@hear("function", "torch.accelerator.synchronize", "torch.distributed.barrier")
# Memory is given back once the device is done: `cudaFree` waits for it.
@hear("function", *(f"torch.{name}.empty_cache" for name in ("cuda", "mps", "xpu", "accelerator")))
def _waits(call: Call) -> None:
    clocks.waited(call.machine, call.spot)


@hear("tensor", "item", "tolist", "cpu", "numpy", "to")
@hear("function", *(f"builtins.{name}" for name in "print float int bool str".split()))
def _needed(call: Call) -> None:
    name = call.name.rpartition(".")[2]
    if name == "to" and call.get("device", 0) != Const("cpu"):
        return
    given = (call.receiver,) if call.receiver is not None else call.arguments.positional
    how = f"{'.' if call.receiver is not None else ''}{name}()"
    for value in given:
        clocks.needed(call.machine, value, call.spot, how)


@watch("matmul", "mm", "bmm", "addmm", "baddbmm")
def _multiplied(applied: Applied) -> None:
    """A product of matrices is work for a device as a module is, where that is what is timed."""
    machine, here = applied.machine, applied.spot.region
    read = machine.trace.of(Clock)[-1:]
    of_a_script = machine.activation.function is None
    if not any(one.spot.region is here or of_a_script for one in read):
        return
    for value in applied.inputs.values():
        record = machine.get(value)
        if isinstance(record, Tensor):
            clocks.worked(machine, record.device, applied.spot)


@watch("lt", "gt", "le", "ge", "eq", "ne", "isnan", "isfinite", "masked_select", "nonzero")
def _decides(applied: Applied) -> None:
    """A test of values is made for a decision, which waits for them."""
    clocks.waited(applied.machine, applied.spot)


_ROW_BY_ROW = (
    "add sub mul div truediv pow radd rsub rmul rtruediv matmul dot mm abs neg exp expm1 log log1p "
    "log2 sqrt rsqrt square sin cos tan tanh atan2 sigmoid relu softplus erf sign floor ceil round "
    "clamp clip maximum minimum sum mean std var norm max min amax amin prod argmax argmin any all "
    "softmax log_softmax logsumexp cumsum cosine_similarity t transpose unsqueeze float long"
).split()
"""Operations that have the same meaning for a stack of what they are given, along another dim."""


@watch(*_ROW_BY_ROW)
def _of_a_row(applied: Applied) -> None:
    rows.work(applied.machine, applied.spot)


@hear("tensor", "item", "t", "transpose", "unsqueeze", "float", "long")
@hear("function", "builtins.float")
@hear("function", *(f"torch.nn.functional.{n}_loss" for n in ("mse", "l1", "smooth_l1", "huber")))
def _read_of_a_row(call: Call) -> None:
    rows.work(call.machine, call.spot)


@watch("cat", "concat", "concatenate", "stack", "vstack", "hstack", "row_stack")
def _gathered(applied: Applied) -> None:
    _gather(applied.machine, applied.inputs.get("tensors"), applied.spot)


@hear("function", "builtins.sum", "torch.tensor", "torch.as_tensor", "numpy.mean", "numpy.sum")
def _added_up(call: Call) -> None:
    _gather(call.machine, next(iter(call.arguments.positional), None), call.spot)


def _gather(machine: Machine, value: Value | None, spot: Spot) -> None:
    if isinstance(value, Ref) and machine.trace.of(RowLoop):
        machine.emit(Gathered, spot, held=value.address)


@watch("cat", "concat", "concatenate", "hstack", "vstack", "dstack", "row_stack", "column_stack")
def _joined(applied: Applied) -> None:
    if applied.machine.loop is not None:
        applied.machine.emit(Joined, applied.spot, name=applied.op)
