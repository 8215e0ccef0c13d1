"""Pictures: what reads them, and draws the like, gives whole numbers from 0 to 255."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import replace
from torchlint.interpreter import arraytypes, imaging, opaque, ranges, tensors
from torchlint.interpreter.cuts import Number
from torchlint.interpreter.ranges import BYTE
from torchlint.interpreter.values import NONE, Const, Instance
from torchlint.project.index import External
from torchlint.torch_api.registry import Attribute, Call, attribute, function

if TYPE_CHECKING:
    from collections.abc import Callable

    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.values import Spot, Value
    from torchlint.torch_api.registry import Reader

_DTYPE = "uint8"
_WHOLE = "int64"
_AS_TENSORS = (
    *(
        f"torchvision.io.{name}"
        for name in ("read_image", "decode_image", "decode_jpeg", "decode_png", "image.read_image")
    ),
    "torchvision.transforms.functional.pil_to_tensor",
    "torchvision.transforms.v2.functional.pil_to_tensor",
)
_AS_ARRAYS = (
    "imageio.imread",
    "imageio.v2.imread",
    "imageio.v3.imread",
    "skimage.io.imread",
)
_IN_COLOUR = frozenset(
    {Const(0), Const(1), External("cv2.IMREAD_COLOR"), External("cv2.IMREAD_GRAYSCALE")}
)
"""Ways to read that give one byte for each colour, whatever the file holds."""

_OF_NUMPY = ("numpy.ascontiguousarray", "numpy.flip", "numpy.fliplr", "numpy.flipud", "numpy.rot90")
_ARRAY = Number(array=True, dtype=_DTYPE, picture=True)


def _tensor(machine: Machine, spot: Spot, by: str) -> Value:
    return tensors.new_tensor(machine, None, dtype=_DTYPE, range=ranges.spread(spot, by))


@function(*_AS_TENSORS)
def _read(call: Call) -> Value:
    return _tensor(call.machine, call.spot, call.name.rpartition(".")[2])


@function(*_AS_ARRAYS)
def _read_as_array(call: Call) -> Value:
    return _ARRAY


@function("cv2.imread", "cv2.imdecode")
def _read_by_opencv(call: Call) -> Value:
    how = call.get("flags", 1)
    if how is None or how in _IN_COLOUR:
        return _ARRAY
    return opaque.result(call.machine, call.arguments, call.spot)


@function("cv2.cvtColor", "cv2.resize", "cv2.flip", "cv2.GaussianBlur", *_OF_NUMPY)
def _arranged(call: Call) -> Value:
    """What gives a picture where it is given one."""
    given = call.get("src", 0)
    asked = call.get("dtype", 1) if call.name == "numpy.ascontiguousarray" else None
    if asked is not None and asked != NONE:
        cuts = given.cuts if isinstance(given, Number) else ()
        return Number(cuts, array=True, dtype=arraytypes.named(asked))
    if isinstance(given, Number):
        kept = given.picture
        return Number(given.cuts, array=True, dtype=given.dtype if kept else None, picture=kept)
    return opaque.result(call.machine, call.arguments, call.spot)


@function("numpy.random.randint")
def _drawn(call: Call) -> Value:
    """An array of whole numbers, where a size is asked for: of bytes, they may be a picture."""
    asked, size = call.arguments.keywords.get("dtype"), call.get("size", 2)
    dtype = arraytypes.named(asked) if asked is not None else _WHOLE
    if dtype is None or size is None or size == NONE:
        return opaque.result(call.machine, call.arguments, call.spot)
    ends = call.get("low", 0), call.get("high", 1)
    whole = ends in {(Const(0), Const(BYTE + 1)), (Const(0), Const(BYTE)), (Const(BYTE), None)}
    picture = dtype == _DTYPE and (whole or ends == (Const(BYTE + 1), None))
    return Number(array=True, dtype=dtype, picture=picture)


_DATA = frozenset({"data", "train_data", "test_data"})


def _of(*datasets: str, names: frozenset[str] = _DATA) -> Callable[[Reader], Reader]:
    """Declare what the data of these datasets of torchvision are, or what has these names."""

    def declare(reader: Reader) -> Reader:
        for dataset in datasets:
            attribute(f"torchvision.datasets.{dataset}", *names)(reader)
        return reader

    return declare


@_of("MNIST", "FashionMNIST", "KMNIST", "QMNIST", "EMNIST")
def _digits(read: Attribute) -> Value:
    return _tensor(read.machine, read.spot, read.name)


@_of("CIFAR10", "CIFAR100", "SVHN", "STL10")
def _photographs(read: Attribute) -> Value:
    return _ARRAY


@_of(*imaging.CLASSES, names=imaging.LABELS)
def _labels(read: Attribute) -> Value:
    """What a program has got hold of it may change: the dataset has it from now on."""
    dataset, labels = read.machine.get(read.owner), read.machine.opaque(read.name)
    assert isinstance(dataset, Instance)
    attributes = {**dataset.attributes, read.name: labels}
    read.machine.set(read.owner, replace(dataset, attributes=attributes))
    return labels
