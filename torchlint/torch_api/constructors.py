"""Constructors of layers: which settings they refuse, whatever the layer will be given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, sizing
from torchlint.interpreter.events.layers import BuildRefused
from torchlint.interpreter.values import NONE, Const, Sequence, Tuple
from torchlint.torch_api import generated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from torchlint.interpreter.dimensions import Dim
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Call

    Rule = Callable[["_Order"], Iterator[str]]


class _Order:
    """What a layer is to be like: its settings by name, those left out by their default."""

    def __init__(self, call: Call, kind: str, settings: dict[str, Value]) -> None:
        self.machine: Machine = call.machine
        self.call = call
        self.kind = kind
        self.given = settings
        self._defaults = {} if call.arguments.open else generated.constructor_defaults(kind)

    def value(self, name: str) -> Value | None:
        """A setting; None where it is not known, or others may come here."""
        if name in self.given:
            sure = not self.machine.decided_since or _is_literal(self.written(name))
            return self.given[name] if sure else None
        return Const(self._defaults[name]) if name in self._defaults else None

    def written(self, name: str) -> ast.expr | None:
        """How a setting is written where the layer is built."""
        node = self.call.spot.node
        if not isinstance(node, ast.Call):
            return None
        for keyword in node.keywords:
            if keyword.arg == name:
                return keyword.value
        names = generated.constructor_names(self.kind)
        stars = any(isinstance(one, ast.Starred) for one in node.args)
        return None if stars else dict(zip(names, node.args, strict=False)).get(name)

    def dim(self, name: str) -> Dim:
        """The size that a setting is; None where it is not known."""
        return sizing.dimension(self.machine, self.value(name))

    def text(self, name: str) -> str | None:
        """The string that a setting is."""
        value = self.value(name)
        return value.value if isinstance(value, Const) and isinstance(value.value, str) else None

    def number(self, name: str) -> float | None:
        """The number that a setting is."""
        value = self.value(name)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            return value.value
        return None

    def items(self, name: str) -> tuple[Value, ...]:
        """The numbers that a setting is made of: one, or several in a tuple or list."""
        value = self.value(name)
        record = self.machine.get(value) if value is not None else None
        if isinstance(value, Tuple):
            return value.items
        if isinstance(record, Sequence):
            return record.items if record.rest is None and not record.escaped else ()
        return (value,) if value is not None else ()


def refused(call: Call, kind: str, settings: dict[str, Value]) -> bool:
    """Whether a layer of torch cannot be built with these settings, which is an event.

    Where somebody waits for the exception, or one of several layers is built, it is none.
    """
    rules = _RULES.get(kind)
    if rules is None or call.machine.tries or call.machine.choices:
        return False
    order = _Order(call, kind, settings)
    for rule in rules:
        for reason in rule(order):
            call.machine.emit(BuildRefused, call.spot, kind=kind, reason=reason)
            return True
    return False


def _sizes(*names: str, least: int = 0, whole: bool = True) -> Rule:
    """Sizes that are ints, unless torch is lax, and not below the least that is taken."""

    def rule(order: _Order) -> Iterator[str]:
        for name in names:
            for item in order.items(name):
                if item == NONE:
                    continue
                if whole and _is_fraction(order, name, item):
                    yield f"`{name}` is {_shown(item)}, and has to be an int"
                size = sizing.dimension(order.machine, item, counts=False)
                # What a setting is need not be positive: one that is negated was not.
                if isinstance(size, int) and size < least:
                    wanted = "not be negative" if least == 0 else "be positive"
                    yield f"`{name}` is {dimensions.written(size)}, and has to {wanted}"

    return rule


def _is_fraction(order: _Order, name: str, item: Value) -> bool:
    """Whether a size is a float, as every quotient by ``/`` is."""
    if isinstance(item, Const):
        return isinstance(item.value, float)
    written = order.written(name)
    return isinstance(written, ast.BinOp) and isinstance(written.op, ast.Div)


def _is_literal(node: ast.expr | None) -> bool:
    """Whether an argument is written as a number or string."""
    return isinstance(node, ast.Constant)


def _shown(item: Value) -> str:
    return repr(item.value) if isinstance(item, Const) else "the quotient of a division by `/`"


def _divides(part: str, *wholes: str) -> Rule:
    """One setting has to divide others."""

    def rule(order: _Order) -> Iterator[str]:
        count = order.dim(part)
        for name in wholes:
            size = order.dim(name)
            if count == 0 or size is None or count is None:
                continue
            if dimensions.indivisible([size], [count]):
                what = f"`{name}` is {dimensions.written(size)}"
                yield f"{what}, which `{part}`, {dimensions.written(count)}, does not divide"

    return rule


def _share(name: str) -> Rule:
    """A probability."""

    def rule(order: _Order) -> Iterator[str]:
        share = order.number(name)
        if share is not None and not 0 <= share <= 1:
            yield f"`{name}` is {share!r}, and has to be between 0 and 1"

    return rule


def _one_of(name: str, *allowed: str) -> Rule:
    """A name out of a few."""

    def rule(order: _Order) -> Iterator[str]:
        text = order.text(name)
        if text is not None and text not in allowed:
            choice = " or ".join(repr(one) for one in allowed)
            yield f"`{name}` is {text!r}, and has to be {choice}"

    return rule


def _flags(*names: str) -> Rule:
    """Settings that are True or False: a number in their place was meant for another."""

    def rule(order: _Order) -> Iterator[str]:
        for name in names:
            value = order.value(name)
            if isinstance(value, Const) and not isinstance(value.value, bool):
                yield f"`{name}` is {value.value!r}, and has to be True or False"

    return rule


def _function(order: _Order) -> Iterator[str]:
    """A number in the place of what a plain recurrent layer applies was meant for another."""
    number = order.number("nonlinearity")
    if number is not None:
        yield f"`nonlinearity` is {number!r}, and has to be 'tanh' or 'relu'"


def _same_padding(order: _Order) -> Iterator[str]:
    """What keeps the size has a stride of one."""
    steps = [sizing.dimension(order.machine, item) for item in order.items("stride")]
    if order.text("padding") == "same" and any(dimensions.differ(step, 1) for step in steps):
        yield "`padding='same'` goes with a `stride` of 1 only"


def _in_table(order: _Order) -> Iterator[str]:
    """The row that stands for nothing is one of the table's."""
    row, size = order.dim("padding_idx"), order.dim("num_embeddings")
    if row is None or size is None:
        return
    last = -1 - row if isinstance(row, int) and row < 0 else row
    if dimensions.at_least(last, size):
        yield (
            f"`padding_idx` is {dimensions.written(row)}, and the table has "
            f"{dimensions.written(size)} rows"
        )


def _projection(order: _Order) -> Iterator[str]:
    """Only an LSTM projects its state, to less than it is."""
    size, hidden = order.dim("proj_size"), order.dim("hidden_size")
    if size is None or size == 0:
        return
    if order.kind != "LSTM" and isinstance(size, int):
        yield "`proj_size` is for an LSTM only"
    elif dimensions.at_least(size, hidden):
        yield (
            f"`proj_size` is {dimensions.written(size)}, and has to be below "
            f"{dimensions.written(hidden)}, the `hidden_size`"
        )


def _bounds(order: _Order) -> Iterator[str]:
    """The upper bound is above the lower one."""
    low, high = order.number("min_val"), order.number("max_val")
    if low is not None and high is not None and high <= low:
        yield f"`max_val` is {high!r}, and has to be above `min_val`, {low!r}"


def _margin(order: _Order) -> Iterator[str]:
    margin = order.number("margin")
    if margin is not None and margin <= 0:
        yield f"`margin` is {margin!r}, and has to be positive"


def _exponent(order: _Order) -> Iterator[str]:
    exponent = order.number("p")
    if exponent is not None and exponent not in {1, 2}:
        yield f"`p` is {exponent!r}, and has to be 1 or 2"


def _if_affine(rule: Rule) -> Rule:
    """What matters only where there are weights."""

    def narrowed(order: _Order) -> Iterator[str]:
        if order.value("affine") == Const(True):
            yield from rule(order)

    return narrowed


_CHANNELS = _sizes("in_channels", "out_channels", "kernel_size")
_GROUPS = (_sizes("groups", least=1), _divides("groups", "in_channels", "out_channels"))
_PADDING = (
    _one_of("padding", "same", "valid"),
    _same_padding,
    _one_of("padding_mode", "zeros", "reflect", "replicate", "circular"),
)
_LAYER = (
    _sizes("d_model", "nhead", least=1, whole=False),
    _divides("nhead", "d_model"),
    _sizes("dim_feedforward"),
    _share("dropout"),
    _one_of("activation", "relu", "gelu"),
)
_RECURRENT = (
    _sizes("input_size", "hidden_size", "num_layers", least=1),
    _share("dropout"),
    _flags("bias", "batch_first"),
    _sizes("proj_size"),
    _projection,
)
_WINDOWS = "1d 2d 3d".split()

_RULES: dict[str, tuple[Rule, ...]] = {
    **{f"Conv{n}": (_CHANNELS, *_GROUPS, *_PADDING) for n in _WINDOWS},
    **{
        f"ConvTranspose{n}": (_CHANNELS, *_GROUPS, _one_of("padding_mode", "zeros"))
        for n in _WINDOWS
    },
    **{f"BatchNorm{n}": (_sizes("num_features"),) for n in _WINDOWS},
    **{f"InstanceNorm{n}": (_if_affine(_sizes("num_features")),) for n in _WINDOWS},
    **dict.fromkeys(
        "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout".split(),
        (_share("p"),),
    ),
    **dict.fromkeys(("LSTM", "GRU"), _RECURRENT),
    "RNN": (*_RECURRENT, _function, _one_of("nonlinearity", "tanh", "relu")),
    **dict.fromkeys(("RNNCell", "GRUCell", "LSTMCell"), (_sizes("input_size", "hidden_size"),)),
    **dict.fromkeys(("TransformerEncoderLayer", "TransformerDecoderLayer"), _LAYER),
    "Transformer": _LAYER,
    "MultiheadAttention": (
        _sizes("embed_dim", "num_heads", least=1, whole=False),
        _divides("num_heads", "embed_dim"),
    ),
    **dict.fromkeys(
        ("Embedding", "EmbeddingBag"),
        (_sizes("num_embeddings", "embedding_dim"), _in_table),
    ),
    "Linear": (_sizes("in_features", "out_features"),),
    "Bilinear": (_sizes("in1_features", least=1), _sizes("in2_features", "out_features")),
    "LayerNorm": (_sizes("normalized_shape"),),
    "RMSNorm": (_sizes("normalized_shape"),),
    "GroupNorm": (_divides("num_groups", "num_channels"), _if_affine(_sizes("num_channels"))),
    "SyncBatchNorm": (_sizes("num_features"),),
    "PReLU": (_sizes("num_parameters"),),
    "Hardtanh": (_bounds,),
    "TripletMarginLoss": (_margin,),
    "TripletMarginWithDistanceLoss": (_margin,),
    "MultiMarginLoss": (_exponent,),
}
"""What is looked at of each kind of layer, in order: the first that is wrong is told."""
