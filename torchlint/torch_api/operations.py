"""Operations on tensors: functions of torch and torch.nn.functional, and methods of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import (
    copies,
    facts,
    layouts,
    mutations,
    operators,
    pairs,
    repeats,
    shapes,
    shaping,
    sizing,
    tensors,
)
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Ref,
    Storage,
    Tensor,
    Tuple,
)
from torchlint.torch_api import generated, registry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

_PAIRS = frozenset("max min median mode sort topk kthvalue cummax cummin nanmedian aminmax".split())
_REDUCTIONS = frozenset("sum mean prod max min median std var norm nansum nanmean".split())
_SPLITS = frozenset("chunk split unbind tensor_split unsafe_chunk".split())
_COPIES = frozenset("index_select masked_select gather take clone repeat tile".split())
_ALONG = frozenset({"dim", "axis", "other"})
_ALWAYS_PAIR = frozenset({"sort", "topk", "kthvalue", "mode", "cummax", "cummin"})


def apply(call: Call, op: str, *, receiver: Value | None = None) -> Value:
    """Apply an operation by its name without ``torch.``; ``receiver`` is a method's tensor."""
    machine, spot = call.machine, call.spot
    inputs = bound(call, op, receiver)
    registry.applied(machine, op, inputs, spot)
    pairs.given(machine, op, inputs, spot)
    out = inputs.pop("out", None)
    short = op.rpartition(".")[2]
    if isinstance(out, Ref):
        return _into(machine, out, inputs, op, spot)
    if short.endswith("_") and not short.endswith("__"):
        return _in_place(machine, inputs, op, spot)
    if inputs.pop("inplace", None) == Const(True):
        return _in_place(machine, inputs, f"{op}(inplace)", spot)
    result = _out_of_place(machine, op, inputs, spot)
    told = call.arguments.keywords
    if told and _is_of_another_release(op, told):
        record = machine.get(result)
        if isinstance(record, Tensor):
            machine.set(result, replace(record, shape=None))
    return result


_OF_ARRAYS = frozenset(
    "all any argmax argmin argsort cumprod cumsum max mean min prod repeat sort squeeze std sum "
    "take var".split()
)
_ALIASES = frozenset("axis keepdims x a x1 x2".split())
"""What torch takes for its own names, as NumPy has them."""


def _is_of_another_release(op: str, keywords: Iterable[str]) -> bool:
    """Whether a function is told something that it does not know: its namesake was another one."""
    overloads = generated.signatures(op) if not op.startswith("Tensor.") else ()
    known = {name for one in overloads for name in (*one.positional, *one.keyword_only)}
    return bool(known) and not known.union(_ALIASES).issuperset(keywords)


def _parts(machine: Machine, op: str, inputs: dict[str, Value], spot: Spot) -> Value:
    """The parts of a tensor: one by one where it is known how many there are."""
    short, tensor = op.rpartition(".")[2], next(iter(inputs.values()), NONE)
    found = facts.parts(machine, op, {**inputs, "input": tensor}, spot)
    if not found or inputs.get("dim", Const(0)) == Const(0):
        # They are for going through, as rows are.
        rows = tensors.view(machine, tensor, short, spot)
        common = shapes.common(found[0], found[-1]) if found else None
        if common is not None:
            sizing.learn(machine, rows, (len(found or ()), *common))
        return rows
    made = [tensors.view(machine, tensor, short, spot) for _ in found]
    for part, shape in zip(made, found, strict=True):
        sizing.learn(machine, part, shape)
    return Tuple(tuple(made))


def bound(call: Call, op: str, receiver: Value | None) -> dict[str, Value]:
    """The arguments by the names of the operation's parameters."""
    given = [*([receiver] if receiver is not None else []), *call.arguments.positional]
    names = generated.parameter_names(op, len(given)) or ()
    inputs: dict[str, Value] = {}
    for position, value in enumerate(given):
        name = names[position] if position < len(names) else f"_{position}"
        inputs[name if name not in inputs else f"_{position}"] = value
    if call.arguments.open:
        inputs["*"] = UNKNOWN
    return inputs | {_spelled(op, name): value for name, value in call.arguments.keywords.items()}


def _spelled(op: str, name: str) -> str:
    """The name of an operation's parameter: torch takes NumPy's ``axis`` for its own ``dim``.

    A method that arrays have too may be an array's where it is told an axis.
    """
    if name != "axis" or (op.startswith("Tensor.") and op.rpartition(".")[2] in _OF_ARRAYS):
        return name
    named = {
        each for one in generated.signatures(op) for each in (*one.positional, *one.keyword_only)
    }
    return "dim" if "dim" in named and "axis" not in named else name


def _out_of_place(machine: Machine, op: str, inputs: dict[str, Value], spot: Spot) -> Value:
    """The result of an out-of-place operation."""
    short = op.rpartition(".")[2]
    first = next(iter(inputs.values()), NONE)
    if generated.never_requires_grad(op):
        return tensors.without_graph(machine, op, inputs, spot)
    if short == "pow" and len(inputs) == 2:
        # The operator tells a number as exponent from a tensor, as the function does not.
        base, exponent = inputs.values()
        return operators.binary(machine, "Pow", base, exponent, spot)
    if short in _PAIRS and (short in _ALWAYS_PAIR or _along_dim(machine, inputs)):
        of = pairs.named(machine, op, inputs)
        values = tensors.apply(machine, op, inputs, spot)
        indices = tensors.without_graph(machine, "argsort", {"input": values}, spot)
        repeats.places(facts.operation_of(machine, op, inputs, spot), indices)
        return Tuple((values, indices), of)
    if short in shaping.SEVERAL_RESULTS:
        return results(machine, op, inputs, spot)
    if inputs.get("return_indices") == Const(True):
        return with_indices(machine, tensors.apply(machine, op, inputs, spot), spot)
    if short in _SPLITS and tensors.is_tensor(machine, first):
        return _parts(machine, op, inputs, spot)
    shares = generated.view(op) if tensors.is_tensor(machine, first) else None
    if shares == "always":
        return tensors.view(machine, first, op, spot, inputs)
    if shares == "contiguous":
        return _in_order(machine, first, op, spot, inputs)
    if short == "matmul":
        op = f"{op}(alike)"
    scalar = short in _REDUCTIONS and _ALONG.isdisjoint(inputs)
    saved = None
    if inputs.get("padding") == Const("same"):
        # Uneven padding makes a copy of the input; of the convolutions this entry was measured so.
        saved = generated.saved_function("conv2d(same)")
    made = tensors.apply(machine, op, inputs, spot, saved=saved, scalar=scalar)
    return copies.mark(machine, made, spot) if short in _COPIES else made


def results(machine: Machine, op: str, inputs: dict[str, Value], spot: Spot) -> Value:
    """The tensors that a function gives together."""
    first = tensors.apply(machine, op, inputs, spot)
    made = [first]
    for shape in facts.others(machine, op, inputs, spot):
        made.append(tensors.view(machine, first, "getitem", spot))
        if shape is not None:
            sizing.learn(machine, made[-1], shape)
    return Tuple(tuple(made)) if len(made) > 1 else machine.opaque()


def with_indices(machine: Machine, result: Ref, spot: Spot) -> Value:
    """What is pooled, and where it was."""
    indices = tensors.without_graph(machine, "argsort", {"input": result}, spot)
    return Tuple((result, indices))


def _in_order(
    machine: Machine, first: Value, op: str, spot: Spot, inputs: dict[str, Value]
) -> Value:
    """A view where the elements lie in order, else a copy; where that is open it may be either."""
    given = tensors.as_tensor(machine, first)
    seen = tensors.view(machine, first, op, spot, inputs)
    record = machine.get(seen)
    if given is not None and isinstance(record, Tensor) and not layouts.is_in_order(given):
        storages = record.storages | {machine.new(Storage()).address}
        machine.set(seen, replace(record, storages=storages, argument=""))
    return seen


def _along_dim(machine: Machine, inputs: dict[str, Value]) -> bool:
    """Whether ``max`` and its kin are told a dimension rather than another tensor."""
    other = inputs.get("other")
    return not inputs.keys().isdisjoint({"dim", "axis", "keepdim"}) or (
        other is not None and not tensors.is_tensor(machine, other)
    )


def _in_place(machine: Machine, inputs: dict[str, Value], op: str, spot: Spot) -> Value:
    """Apply an operation that changes its first argument, and give that argument."""
    (_, first), *others = inputs.items() or [("input", UNKNOWN)]
    if tensors.as_tensor(machine, first) is None:
        return first
    name = op.rpartition(".")[2]
    how = (
        f"{name}()" if name.endswith("_") else f"{name.removesuffix('(inplace)')} with inplace=True"
    )
    if name == "pow_" and len(others) == 1:
        # Here as well the operator tells a number as exponent, for which a copy is kept.
        op, others = "Tensor.__ipow__", [("other", others[0][1])]
    mutations.mutate(machine, first, op, dict(others), spot, how)
    return first


def _into(machine: Machine, out: Value, inputs: dict[str, Value], op: str, spot: Spot) -> Value:
    """Apply an operation whose result is written into ``out``."""
    if tensors.as_tensor(machine, out) is not None:
        mutations.mutate(machine, out, op, inputs, spot, "out=")
    return out
