"""Dtypes: of what type an operation's result is, given those of what it is applied to.

A dtype is named as in ``torch.float32``, without ``torch``; ``floating`` is one that is a floating
point type, whichever.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter import contents
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.values import Const, Sequence, Tensor, Tuple
from torchlint.project.index import External
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Value

FLOATING = "floating"
_SYNONYMS = {
    "float": "float32",
    "double": "float64",
    "half": "float16",
    "long": "int64",
    "int": "int32",
    "short": "int16",
    "byte": "uint8",
    "char": "int8",
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "HalfTensor": "float16",
    "LongTensor": "int64",
    "IntTensor": "int32",
    "ByteTensor": "uint8",
    "BoolTensor": "bool",
}
_FLOATS = frozenset({FLOATING, "float16", "bfloat16", "float32", "float64"})
_WIDTHS = {"bool": 0, "uint8": 1, "int8": 1, "int16": 2, "int32": 3, "int64": 4}

_CASTS = frozenset("float double half bfloat16 long int short byte char bool".split())

_INDICES = frozenset(
    "argmax argmin argsort multinomial nonzero one_hot bincount count_nonzero searchsorted "
    "bucketize randint randperm tril_indices triu_indices argwhere".split()
)
_TRUTHS = frozenset(
    "eq ne lt le gt ge greater less greater_equal less_equal not_equal logical_and logical_or "
    "logical_not logical_xor isnan isinf isfinite isin isclose any all signbit".split()
)
_ARITHMETIC = frozenset(
    "add radd iadd sub rsub isub subtract mul rmul imul multiply pow rpow maximum minimum fmod "
    "remainder where mod floordiv floor_divide and or xor lshift rshift bitwise_and bitwise_or "
    "bitwise_xor".split()
)
_DIFFERENCES = frozenset("sub rsub isub subtract".split())
"""What torch refuses to compute of truths."""

_QUOTIENTS = frozenset("div divide true_divide truediv rtruediv mean".split())
_SMOOTH = frozenset(
    "exp exp2 log log1p log2 log10 sqrt rsqrt sigmoid tanh sin cos erf softmax log_softmax "
    "softplus reciprocal".split()
)
"""What turns integers into floats."""

_COUNTS = frozenset("sum cumsum prod nansum".split())
_SAME = frozenset(
    "view reshape flatten squeeze unsqueeze transpose permute contiguous clone cuda cpu "
    "expand t T expand_as detach requires_grad_ movedim swapaxes nan_to_num alias view_as "
    "reshape_as unflatten index_select rows select item index repeat gather take abs neg relu "
    "clamp clip clamp_min clamp_max max min amax amin median mode sort topk roll flip "
    "masked_select masked_fill tril triu tile dropout chunk split unbind square round floor ceil "
    "trunc pad_sequence "
    "sign cat stack hstack vstack concat zeros_like ones_like full_like empty_like rand_like "
    "randn_like randint_like leaky_relu gelu silu elu selu narrow diagonal repeat_interleave "
    "moveaxis normalize bitwise_not einops_rearrange einops_repeat pad ravel unfold swapdims rot90 "
    "fliplr flipud take_along_dim pixel_shuffle pixel_unshuffle relu6 hardtanh hardswish mish celu "
    "glu max_pool2d max_pool3d interpolate".split()
)
_PRODUCTS = frozenset("matmul mm bmm mv dot einsum einops_einsum baddbmm addmm".split())
"""What takes tensors of one type, which integers are as well."""

_LAYERS = frozenset(
    "linear bilinear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d "
    "embedding batch_norm layer_norm group_norm instance_norm max_pool1d avg_pool2d "
    "avg_pool1d avg_pool3d adaptive_avg_pool3d "
    "adaptive_avg_pool1d adaptive_avg_pool2d adaptive_max_pool2d std var norm "
    "logsumexp scaled_dot_product_attention".split()
)
"""What takes and gives floats, under autocast perhaps other ones."""

_CASTING = frozenset(
    "linear conv1d conv2d conv3d conv_transpose1d conv_transpose2d conv_transpose3d matmul mm bmm "
    "einsum baddbmm addmm scaled_dot_product_attention".split()
)
"""What autocast has compute in its type, whatever it is given."""

_WIDENING = frozenset(
    "pow rpow rdiv rtruediv exp log log1p log2 log10 rsqrt reciprocal softmax log_softmax softplus "
    "sum cumsum prod norm normalize layer_norm group_norm embedding".split()
)
"""What autocast has compute in float32 on a GPU, and in the type that it is given elsewhere."""

_JOINING = frozenset("cat stack pad_sequence hstack vstack concat".split())
_NARROW = frozenset({"float16", "bfloat16"})


def is_float(dtype: str | None) -> bool:
    """Whether a type is known to be a floating point type."""
    return dtype in _FLOATS


def is_narrow(dtype: str | None) -> bool:
    """Whether a type is one of those of 16 bits."""
    return dtype in _NARROW


def is_integer(dtype: str | None) -> bool:
    """Whether a type is known to be an integer type, or bool."""
    return dtype in _WIDTHS


def cast(method: str) -> str | None:
    """The type that a method gives which is called after one; None for other methods."""
    return _SYNONYMS.get(method, method) if method in _CASTS else None


def legacy(name: str) -> str | None:
    """The type of the tensors of a class of old, such as ``FloatTensor``."""
    return "float32" if name == "Tensor" else _SYNONYMS.get(name)


def named(value: Value | None) -> str | None:
    """The type that a value means: ``torch.long``, ``"torch.FloatTensor"``, ``float``."""
    match value:
        case External(name="builtins.float"):
            short = "float64"
        case External(name="builtins.int"):
            short = "int64"
        case External(name=name):
            short = name.rpartition(".")[2]
        case Const(value=str() as name):
            short = name.rpartition(".")[2]
        case _:
            return None
    short = _SYNONYMS.get(short, short)
    return short if short in _FLOATS or short in _WIDTHS else None


def result(operation: Operation) -> str | None:
    """The type of an operation's result; None where it is not known."""
    name = operation.name
    asked = named(operation.inputs.get("dtype"))
    if asked is not None:
        return asked
    if name in _CASTS:
        return _SYNONYMS.get(name, name)
    if name in _INDICES:
        return "int64"
    if name in _TRUTHS:
        return "bool"
    given = [_type_of(operation.machine, value) for value in _operands(operation)]
    if name in _DIFFERENCES and "bool" in given:
        return None
    if name in _PRODUCTS and not any(map(is_float, given)):
        return next(filter(is_integer, given), None)
    autocast = operation.machine.live.autocast
    if autocast is not None and name in _CASTING:
        return FLOATING if "float64" in given else autocast
    if autocast is not None and name in _WIDENING and any(map(is_float, given)):
        return FLOATING
    if name in _ARITHMETIC or name in _QUOTIENTS:
        whole = "rounding_mode" in operation.inputs
        given = _beside_others(operation.machine, _operands(operation), given)
        return _promoted(given, divided=name in _QUOTIENTS and not whole)
    if "return_indices" in operation.inputs:
        return None
    first = given[0] if given else None
    if "input" in operation.inputs:
        first = _type_of(operation.machine, operation.inputs["input"])
    if name in _PRODUCTS:
        first = next(filter(is_narrow, given), first)
    if name in _JOINING and len(set(given)) > 1:
        return FLOATING if all(map(is_float, given)) else None
    if name in _SAME:
        return first
    if name in _SMOOTH:
        return "float32" if is_integer(first) else first or FLOATING
    if name in _COUNTS:
        return "int64" if is_integer(first) else first
    is_loss = generated.loss_function(f"torch.nn.functional.{name}") is not None
    if name in _LAYERS | _PRODUCTS:
        return first if is_narrow(first) else FLOATING
    return FLOATING if is_loss else None


def _operands(operation: Operation) -> list[Value]:
    if "rounding_mode" in operation.inputs:
        return [value for name, value in operation.inputs.items() if name != "rounding_mode"]
    if operation.name == "where":
        return [value for name, value in operation.inputs.items() if name != "condition"]
    values = list(operation.inputs.values())
    if values and isinstance(operation.machine.get(values[0]), Sequence):
        record = operation.machine.get(values[0])
        assert isinstance(record, Sequence)
        return [*contents.held(record)]
    if values and isinstance(values[0], Tuple):
        return list(values[0].items)
    return values


def _type_of(machine: Machine, value: Value) -> str | None:
    """The type of a tensor; of a number, that of its kind."""
    record = machine.get(value)
    if isinstance(record, Tensor):
        return record.dtype
    if isinstance(value, Const):
        match value.value:
            case bool():
                return "bool number"
            case int():
                return "int number"
            case float():
                return "float number"
    if isinstance(value, Number) and not value.array:
        return "some number"
    return None


def _beside_others(
    machine: Machine, operands: list[Value], given: list[str | None]
) -> list[str | None]:
    """The types, where what is in tensors without dimensions counts as numbers do.

    That is beside tensors that have dimensions: whole numbers beside whole numbers, all beside
    floats.
    """
    records = [machine.get(value) for value in operands]
    alone = [isinstance(record, Tensor) and record.scalar for record in records]
    sized = {
        record.dtype
        for record, is_alone in zip(records, alone, strict=True)
        if isinstance(record, Tensor) and not is_alone
    }
    if not any(alone) or not sized or "bool" in sized:
        return given
    if all(map(is_float, sized)):
        return [
            "some number" if is_alone else dtype
            for dtype, is_alone in zip(given, alone, strict=True)
        ]
    return [
        "int number" if is_alone and is_integer(dtype) else dtype
        for dtype, is_alone in zip(given, alone, strict=True)
    ]


def _promoted(given: list[str | None], *, divided: bool) -> str | None:
    """The type of arithmetic between tensors and numbers."""
    tensors = [dtype for dtype in given if dtype and not dtype.endswith("number")]
    floats = {dtype for dtype in tensors if is_float(dtype)}
    if None in given:
        # Floats stay floats beside what is not known, if not of the same type.
        return FLOATING if floats else None
    if not tensors:
        return None
    if floats:
        return floats.pop() if len(floats) == 1 else FLOATING
    if divided or "float number" in given:
        return "float32"
    if "some number" in given:
        return None
    widest = max(tensors, key=lambda dtype: _WIDTHS.get(dtype, 0))
    if {"uint8", "int8"} <= set(tensors) and _WIDTHS[widest] == _WIDTHS["uint8"]:
        return "int16"
    return "int64" if widest == "bool" and "int number" in given else widest


def of_data(machine: Machine, value: Value) -> str | None:
    """The type of ``torch.tensor(value)``."""
    if isinstance(value, Number):
        return value.dtype
    if isinstance(value, Tuple):
        kinds = {of_data(machine, item) for item in value.items}
    else:
        match machine.get(value):
            case Tensor(dtype=dtype):
                return dtype
            case Sequence(escaped=False) as listed if held := contents.held(listed):
                kinds = {of_data(machine, item) for item in held}
            case _:
                kind = _type_of(machine, value)
                return _OF_NUMBERS.get(kind) if kind is not None else None
    if None in kinds:
        return None
    kinds_in_order = ("float64", "float32", "int64", "bool")
    return next((dtype for dtype in kinds_in_order if dtype in kinds), None)


_OF_NUMBERS = {"bool number": "bool", "int number": "int64", "float number": "float32"}
