"""Operations on tensors: functions of torch and torch.nn.functional, and methods of tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import mutations, operators, tensors
from torchlint.interpreter.values import (
    NONE,
    UNKNOWN,
    Const,
    Kind,
    Range,
    Ref,
    Tensor,
    Tuple,
)
from torchlint.torch_api import generated, registry

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Call

RANGES = {
    "softmax": Kind.PROBABILITIES,
    "gumbel_softmax": Kind.PROBABILITIES,
    "sigmoid": Kind.UNIT_INTERVAL,
    "hardsigmoid": Kind.UNIT_INTERVAL,
    "log_softmax": Kind.LOG_PROBABILITIES,
}
"""Operations that bring values into a range, by the last part of their name."""

_KEEP_RANGE = frozenset(
    "view reshape flatten squeeze unsqueeze transpose permute contiguous clone float double half "
    "bfloat16 to cuda cpu type type_as expand expand_as detach requires_grad_ movedim swapaxes t "
    "clamp clamp_min clamp_max nan_to_num alias view_as reshape_as unflatten index_select".split()
)
_PAIRS = frozenset("max min median mode sort topk kthvalue cummax cummin nanmedian aminmax".split())
_REDUCTIONS = frozenset("sum mean prod max min median std var norm nansum nanmean".split())
_ALWAYS_PAIR = frozenset({"sort", "topk", "kthvalue", "mode", "cummax", "cummin"})


def apply(call: Call, op: str, *, receiver: Value | None = None) -> Value:
    """Apply an operation by its name without ``torch.``; ``receiver`` is a method's tensor."""
    machine, spot = call.machine, call.spot
    inputs = bound(call, op, receiver)
    registry.applied(machine, op, inputs, spot)
    out = inputs.pop("out", None)
    short = op.rpartition(".")[2]
    if isinstance(out, Ref):
        return _into(machine, out, inputs, op, spot)
    if short.endswith("_") and not short.endswith("__"):
        return _in_place(machine, inputs, op, spot)
    if inputs.pop("inplace", None) == Const(True):
        return _in_place(machine, inputs, f"{op}(inplace)", spot)
    return _out_of_place(machine, op, inputs, spot)


def bound(call: Call, op: str, receiver: Value | None) -> dict[str, Value]:
    """The arguments by the names of the operation's parameters."""
    given = [*([receiver] if receiver is not None else []), *call.arguments.positional]
    names = generated.parameter_names(op, len(given)) or ()
    inputs: dict[str, Value] = {}
    for position, value in enumerate(given):
        name = names[position] if position < len(names) else f"_{position}"
        inputs[name if name not in inputs else f"_{position}"] = value
    return inputs | call.arguments.keywords


def _out_of_place(machine: Machine, op: str, inputs: dict[str, Value], spot: Spot) -> Value:
    """The result of an out-of-place operation."""
    short = op.rpartition(".")[2]
    first = next(iter(inputs.values()), NONE)
    if generated.never_requires_grad(op):
        return tensors.without_graph(machine, tuple(inputs.values()), spot)
    if short == "pow" and len(inputs) == 2:
        # The operator tells a number as exponent from a tensor, as the function does not.
        base, exponent = inputs.values()
        return operators.binary(machine, "Power", base, exponent, spot)
    if short in _PAIRS and (short in _ALWAYS_PAIR or _along_dim(machine, inputs)):
        values = tensors.apply(machine, op, inputs, spot)
        return Tuple((values, tensors.without_graph(machine, (first,), spot)))
    if generated.view(op) in {"always", "contiguous"} and tensors.is_tensor(machine, first):
        return tensors.view(machine, first, op, spot, keep_range=short in _KEEP_RANGE)
    if short == "matmul":
        op = f"{op}(alike)"
    range_ = _range(machine, short, first, inputs, spot)
    scalar = short in _REDUCTIONS and "dim" not in inputs and "axis" not in inputs
    saved = None
    if inputs.get("padding") == Const("same"):
        # Uneven padding makes a copy of the input; of the convolutions this entry was measured so.
        saved = generated.saved_function("conv2d(same)")
    return tensors.apply(machine, op, inputs, spot, range_=range_, saved=saved, scalar=scalar)


def _along_dim(machine: Machine, inputs: dict[str, Value]) -> bool:
    """Whether ``max`` and its kin are told a dimension rather than another tensor."""
    other = inputs.get("other")
    return "dim" in inputs or (other is not None and not tensors.is_tensor(machine, other))


def _range(
    machine: Machine, short: str, first: Value, inputs: dict[str, Value], spot: Spot
) -> Range | None:
    kind = RANGES.get(short)
    if kind is not None:
        return Range(kind, spot, short)
    tensor = tensors.as_tensor(machine, first)
    if short in {"cat", "concat", "concatenate", "stack", "vstack"}:
        parts = [machine.get(item) for item in tensors.flatten(machine, first)]
        ranges = {part.range for part in parts if isinstance(part, Tensor)}
        return ranges.pop() if len(ranges) == 1 else None
    if tensor is None or tensor.range is None:
        return None
    if short in _KEEP_RANGE:
        return tensor.range
    if short == "log" and tensor.range.kind is Kind.PROBABILITIES:
        return Range(Kind.LOG_PROBABILITIES, spot, "log")
    return None


def _in_place(machine: Machine, inputs: dict[str, Value], op: str, spot: Spot) -> Value:
    """Apply an operation that changes its first argument, and give that argument."""
    (_, first), *others = inputs.items() or [("input", UNKNOWN)]
    if tensors.as_tensor(machine, first) is None:
        return first
    name = op.rpartition(".")[2]
    how = (
        f"{name}()" if name.endswith("_") else f"{name.removesuffix('(inplace)')} with inplace=True"
    )
    kind = RANGES.get(name.removesuffix("(inplace)").rstrip("_"))
    range_ = Range(kind, spot, name) if kind else None
    mutations.mutate(machine, first, op, dict(others), spot, how, range_=range_)
    return first


def _into(machine: Machine, out: Value, inputs: dict[str, Value], op: str, spot: Spot) -> Value:
    """Apply an operation whose result is written into ``out``."""
    if tensors.as_tensor(machine, out) is not None:
        mutations.mutate(machine, out, op, inputs, spot, "out=")
    return out
