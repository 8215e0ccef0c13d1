"""Arrays as NumPy and scikit-learn make them: mostly of float64, which torch keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import arraytypes, opaque, shapes, sizing
from torchlint.interpreter.arraytypes import DOUBLE
from torchlint.interpreter.cuts import PLAIN, Number
from torchlint.interpreter.values import TRUE, Const, Instance, Tuple
from torchlint.torch_api.registry import Call, function, heard, method

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.dimensions import Shape
    from torchlint.interpreter.values import Value
    from torchlint.torch_api.registry import Handler

_DRAWS = {
    **dict.fromkeys("random random_sample ranf sample standard_normal".split(), 0),
    **dict.fromkeys("exponential rayleigh chisquare standard_t".split(), 1),
    **dict.fromkeys("normal uniform beta gamma laplace lognormal logistic".split(), 2),
}
"""Where functions that draw floats are told how many; without that they give a Python number."""

_GENERATOR = "numpy.random.Generator"
_ALWAYS = frozenset({"rand", "randn"})
_DOUBLES = "zeros ones empty linspace logspace eye identity loadtxt genfromtxt".split()
_SCALERS = [
    f"sklearn.preprocessing.{name}"
    for name in ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "Normalizer")
]
_CLASSES = "classification blobs moons circles gaussian_quantiles hastie_10_2".split()
_QUANTITIES = "regression friedman1 friedman2 friedman3 swiss_roll s_curve".split()
_LABELLED = {
    **{f"sklearn.datasets.make_{name}": "int64" for name in _CLASSES},
    **{f"sklearn.datasets.make_{name}": DOUBLE for name in _QUANTITIES},
}
_STORED = {
    **{
        f"sklearn.datasets.load_{name}": "int64"
        for name in ("iris", "wine", "digits", "breast_cancer")
    },
    "sklearn.datasets.load_diabetes": DOUBLE,
    "sklearn.datasets.fetch_california_housing": DOUBLE,
}
_BUNCH = "sklearn.utils.Bunch"
_RESHAPING = (
    (".shape = ", r"(?<!\bself)\.shape = "),
    (".resize(", r"^[ \t]*[\w.]+\.resize\("),
)
_SOME = Const(slice(None))
"""Any of the rows."""


def _array(dtype: str | None, shape: Shape | None = None) -> Number:
    return Number(array=True, dtype=dtype, shape=shape)


def _sized(call: Call, *sizes: Value | None) -> Shape | None:
    """The sizes that an array is told to have; one that is told no more has one dimension."""
    given = [value for value in sizes if value is not None]
    if not given or call.arguments.open or _may_be_resized(call):
        return None
    return sizing.sizes(call.machine, given, counts=False)


def _may_be_resized(call: Call) -> bool:
    """Whether the project gives some array another shape in place."""
    index, outline = call.machine.index, call.spot.region.outline
    return any(index.says(outline, *asked) for asked in _RESHAPING)


@method(_GENERATOR, *_DRAWS)
@method("numpy.random.RandomState", *_DRAWS, *_ALWAYS)
def _generated(call: Call) -> Value:
    """Others hear of what is done to a generator as of all that is none of torch's."""
    heard("opaque", call)
    return _drawn(call)


@function(*(f"numpy.random.{name}" for name in (*_DRAWS, *_ALWAYS)))
def _drawn(call: Call) -> Value:
    """Floats, in an array where it is said how many."""
    short = call.name.rpartition(".")[2]
    size = call.get("size", _DRAWS.get(short, 0))
    if isinstance(size, Const) and size.value is None:
        size = None
    shape = _sized(call, *(call.arguments.positional if short in _ALWAYS else (size,)))
    if "dtype" in call.arguments.keywords:
        return _array(arraytypes.named(call.arguments.keywords["dtype"]), shape)
    return PLAIN if size is None else _array(DOUBLE, shape)


@function("numpy.random.default_rng", "numpy.random.RandomState")
def _generator(call: Call) -> Value:
    name = _GENERATOR if call.name.endswith("default_rng") else call.name
    return call.machine.new(Instance(name, spot=call.spot))


@function(*(f"numpy.{name}" for name in _DOUBLES))
def _made(call: Call) -> Value:
    """An array of float64, where no other type is asked for."""
    is_filled = call.name.endswith(("zeros", "ones", "empty"))
    asked = call.get("dtype", 1 if is_filled else None)
    shape = _sized(call, call.get("shape", 0)) if is_filled else None
    return _array(DOUBLE if asked is None else arraytypes.named(asked), shape)


@function("numpy.full")
def _full(call: Call) -> Value:
    asked, fill = call.get("dtype", 2), call.get("fill_value", 1)
    if asked is not None:
        return _array(arraytypes.named(asked))
    return _array(arraytypes.of_data(call.machine, fill) if fill is not None else None)


@function("numpy.bincount")
def _tallied(call: Call) -> Value:
    return _array("int64" if call.get("weights", 1) is None else DOUBLE)


@function("sklearn.utils.class_weight.compute_class_weight")
def _balanced(call: Call) -> Value:
    """How much each class counts, the less often it comes the more."""
    return _array(DOUBLE)


@function("numpy.arange")
def _counted(call: Call) -> Value:
    if "dtype" in call.arguments.keywords:
        return _array(arraytypes.named(call.arguments.keywords["dtype"]))
    kinds = {arraytypes.of_data(call.machine, value) for value in call.arguments.values()}
    return _array(DOUBLE if DOUBLE in kinds else "int64" if kinds == {"int64"} else None)


@function("numpy.float32", "numpy.float64", "numpy.float16")
def _cast(call: Call) -> Value:
    if sizing.are_numbers(call.machine, call.arguments.positional):
        return PLAIN
    return Number(dtype=call.name.rpartition(".")[2])


@function(*_LABELLED)
def _labelled(call: Call) -> Value:
    """Made-up data: points and what belongs to each of them."""
    if not call.arguments.keywords.keys().isdisjoint({"coef", "return_centers", "hole"}):
        return call.machine.opaque()
    return Tuple((_array(DOUBLE), _array(_LABELLED[call.name])))


@function(*_STORED)
def _stored(call: Call) -> Value:
    """Data that scikit-learn brings along."""
    if "as_frame" in call.arguments.keywords:
        return call.machine.opaque()
    data, target = _array(DOUBLE), _array(_STORED[call.name])
    if call.get("return_X_y") == TRUE:
        return Tuple((data, target))
    return call.machine.new(Instance(_BUNCH, {"data": data, "target": target}, spot=call.spot))


@function("sklearn.model_selection.train_test_split")
def _split(call: Call) -> Value:
    """Two of each that is given, of the same kind."""
    given = call.arguments.positional
    arrays = [value for value in given if isinstance(value, Number)]
    if call.arguments.open or len(arrays) < len(given):
        return opaque.result(call.machine, call.arguments, call.spot)
    parts = [replace(array, shape=shapes.taken(array.shape, _SOME)) for array in arrays]
    return Tuple(tuple(part for array in parts for part in (array, array)))


@function(*_SCALERS)
def _scaler(call: Call) -> Value:
    return call.machine.new(Instance(call.name, spot=call.spot))


def _of_scalers(*names: str) -> Callable[[Handler], Handler]:
    """Declare what these methods of all scalers do."""

    def declare(handler: Handler) -> Handler:
        for scaler in _SCALERS:
            method(scaler, *names)(handler)
        return handler

    return declare


@_of_scalers("fit")
def _fit(call: Call) -> Value:
    assert call.receiver is not None
    return call.receiver


@_of_scalers("fit_transform", "transform", "inverse_transform")
def _scaled(call: Call) -> Value:
    """Floats of the type that is given; what is of integers becomes float64."""
    given = call.get("X", 0)
    dtype = given.dtype if isinstance(given, Number) else None
    shape = given.shape if isinstance(given, Number) else None
    return _array(DOUBLE if dtype in {DOUBLE, "int64"} else None, shape)
