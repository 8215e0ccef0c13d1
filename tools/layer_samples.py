"""Sample calls of the layers of torch.nn, in training mode."""

import inspect
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
from mutation import LayerSample, Sample, spread
from torch import nn

LIMIT = 32
"""So many of the sample inputs of one layer are run."""

Samples = dict[str, list[Sample]]


def layers() -> Samples:
    """Samples of every layer, by class name; `name(inplace)` with `inplace=True`."""
    found: Samples = defaultdict(list)
    for cls, arguments, keywords, given, named in (*_from_database(), *_more()):
        names = list(inspect.signature(cls.forward).parameters)[1:]
        inputs = {**dict(zip(names, given, strict=False)), **named}
        layer = cls(*arguments, **keywords)
        if isinstance(layer, nn.modules.lazy.LazyModuleMixin):
            layer(**inputs)  # its parameters have their shapes from the first call on
        found[cls.__name__].append(LayerSample(layer, inputs))
        if "inplace" in inspect.signature(cls).parameters:
            layer = cls(*arguments, **{**keywords, "inplace": True})
            found[f"{cls.__name__}(inplace)"].append(LayerSample(layer, inputs, {names[0]}))
    return found


Call = tuple[type[nn.Module], Sequence[Any], Mapping[str, Any], Sequence[Any], Mapping[str, Any]]


def _from_database() -> Iterator[Call]:
    """The calls that torch's own tests make."""
    from torch.testing._internal.common_modules import module_db

    for info in module_db:
        inputs = info.module_inputs_func(
            info, device="cpu", dtype=torch.float32, requires_grad=False, training=True
        )
        usable = [i for i in inputs if i.forward_input is not None]
        if info.module_cls.__module__.startswith("torch.nn.modules"):
            for chosen in spread(usable, LIMIT):
                built, called = chosen.constructor_input, chosen.forward_input
                yield info.module_cls, built.args, built.kwargs, called.args, called.kwargs


def _more() -> Iterator[Call]:
    """The layers that torch's tests have no sample of."""
    flat, image, volume = torch.rand(3, 4), torch.rand(2, 4, 6, 6), torch.rand(2, 4, 4, 4, 4)
    sequence = torch.rand(2, 4, 6)
    for layer, x in (
        (nn.AlphaDropout(), flat),
        (nn.Dropout(), flat),
        (nn.Dropout1d(), sequence),
        (nn.Dropout2d(), image),
        (nn.Dropout3d(), volume),
        (nn.FeatureAlphaDropout(), image),
    ):
        yield type(layer), (), {}, (x,), {}
    for cls, x in (
        (nn.Identity, flat),
        (nn.Flatten, image),
        (nn.Hardsigmoid, flat),
        (nn.RReLU, flat - 0.5),
    ):
        yield cls, (), {}, (x,), {}
    for cls, arguments, x in (
        (nn.ChannelShuffle, (2,), image),
        (nn.CrossMapLRN2d, (2,), image),
        (nn.Fold, ((4, 4), 2), torch.rand(1, 8, 9)),
        (nn.LazyBatchNorm1d, (), flat),
        (nn.LazyBatchNorm2d, (), image),
        (nn.LazyBatchNorm3d, (), volume),
        (nn.LazyInstanceNorm1d, (), sequence),
        (nn.LazyInstanceNorm2d, (), image),
        (nn.LazyInstanceNorm3d, (), volume),
        (nn.LazyLinear, (3,), flat),
        (nn.PixelShuffle, (2,), image),
        (nn.PixelUnshuffle, (2,), image),
        (nn.Unflatten, (1, (2, 2)), flat),
        (nn.Unfold, (2,), image),
    ):
        yield cls, arguments, {}, (x,), {}
    for cls, x in ((nn.Conv1d, sequence), (nn.Conv2d, image), (nn.Conv3d, volume)):
        yield cls, (4, 4, 2), {"padding": "same"}, (x,), {}
    for mode in ("nearest", "bilinear", "bicubic"):
        yield nn.Upsample, (), {"scale_factor": 2, "mode": mode}, (image,), {}
    yield nn.UpsamplingBilinear2d, (), {"scale_factor": 2}, (image,), {}
    yield nn.UpsamplingNearest2d, (), {"scale_factor": 2}, (image,), {}
    yield from _of_several_inputs(flat, image)


def _of_several_inputs(flat: torch.Tensor, image: torch.Tensor) -> Iterator[Call]:
    indices = torch.tensor([0, 2, 1, 3])
    sequence, volume = torch.rand(2, 4, 6), torch.rand(2, 4, 4, 4, 4)
    for mode in ("sum", "mean", "max"):
        yield nn.EmbeddingBag, (4, 3), {"mode": mode}, (indices, torch.tensor([0, 2])), {}
    for cls in (nn.CosineSimilarity, nn.PairwiseDistance):
        yield cls, (), {}, (flat, torch.rand_like(flat)), {}
    yield nn.AdaptiveLogSoftmaxWithLoss, (4, 10, [4]), {}, (flat, torch.tensor([0, 5, 9])), {}
    yield nn.NLLLoss2d, (), {}, (image.log_softmax(1), torch.randint(4, (2, 6, 6))), {}
    for cls in (nn.TripletMarginLoss, nn.TripletMarginWithDistanceLoss):
        yield cls, (), {}, (flat, torch.rand_like(flat), torch.rand_like(flat)), {}
    for cls, pool, x in (
        (nn.MaxUnpool1d, nn.MaxPool1d, sequence),
        (nn.MaxUnpool2d, nn.MaxPool2d, image),
        (nn.MaxUnpool3d, nn.MaxPool3d, volume),
    ):
        yield cls, (2,), {}, pool(2, return_indices=True)(x), {}
    decoder = nn.TransformerDecoderLayer(8, 2, 16)
    yield nn.TransformerDecoder, (decoder, 2), {}, (torch.rand(3, 2, 8), torch.rand(4, 2, 8)), {}
