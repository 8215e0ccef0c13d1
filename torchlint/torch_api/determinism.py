"""Operations that have no deterministic implementation, and what decides by measuring.

Those are listed of which torch says so in `torch.use_deterministic_algorithms`, and that a call
tells by its name and literal arguments. Torch 2.13 takes `bilinear` and `trilinear` apart into
deterministic steps by now, and there is nothing to refuse in pooling to a single place.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from torchlint.interpreter.values import Const, Tuple

if TYPE_CHECKING:
    from torchlint.interpreter.machine import Arguments

_FUNCTIONAL = "torch.nn.functional"

EVERYWHERE = frozenset(
    [
        *(f"torch.nn.MaxUnpool{n}d" for n in (1, 2, 3)),
        *(f"{_FUNCTIONAL}.max_unpool{n}d" for n in (1, 2, 3)),
    ]
)
"""What has none on any device."""

PUT = ".put_"
"""Has one on a CPU where it accumulates."""

_FORWARD = frozenset({"torch.histc", "torch.bincount", "torch.median", ".scatter_reduce"})

_POOLS = frozenset(
    [
        *(f"torch.nn.AdaptiveAvgPool{n}d" for n in (2, 3)),
        *(f"{_FUNCTIONAL}.adaptive_avg_pool{n}d" for n in (2, 3)),
    ]
)

_BACKWARD = frozenset(
    [
        "torch.nn.AvgPool3d",
        f"{_FUNCTIONAL}.avg_pool3d",
        "torch.nn.AdaptiveMaxPool2d",
        f"{_FUNCTIONAL}.adaptive_max_pool2d",
        *(f"torch.nn.FractionalMaxPool{n}d" for n in (2, 3)),
        *(f"{_FUNCTIONAL}.fractional_max_pool{n}d" for n in (2, 3)),
        *(f"torch.nn.ReflectionPad{n}d" for n in (1, 2, 3)),
        "torch.nn.CTCLoss",
        f"{_FUNCTIONAL}.ctc_loss",
        f"{_FUNCTIONAL}.grid_sample",
    ]
)

_MODES = {
    "torch.nn.Upsample": (2, ("linear", "bicubic")),
    f"{_FUNCTIONAL}.interpolate": (3, ("linear", "bicubic")),
    f"{_FUNCTIONAL}.pad": (2, ("reflect",)),
    "torch.nn.EmbeddingBag": (5, ("max",)),
    f"{_FUNCTIONAL}.embedding_bag": (6, ("max",)),
}
"""Where an argument decides: its place (its name is ``mode``), and what has none."""

OPERATIONS = frozenset(chain(EVERYWHERE, (PUT,), _FORWARD, _POOLS, _BACKWARD, _MODES))
"""All names to look for where determinism is demanded."""

MEASURES = "torch.backends.cudnn.benchmark"
"""The switch by which cuDNN picks algorithms by their times."""

SEEDS = frozenset(
    [
        "torch.manual_seed",
        "torch.random.manual_seed",
        "torch.cuda.manual_seed",
        "torch.cuda.manual_seed_all",
        "transformers.set_seed",
        "accelerate.utils.set_seed",
        *(
            f"{package}.seed_everything"
            for package in ("lightning", "lightning.pytorch", "lightning.fabric")
        ),
        "pytorch_lightning.seed_everything",
    ]
)
"""What fixes the random numbers of a program."""


def refused(name: str, given: Arguments) -> str:
    """What a call of such a name lacks a deterministic version of, and where; else nothing."""
    if name in EVERYWHERE:
        return "implementation on any device"
    if name in _BACKWARD:
        return "backward on CUDA"
    if given.open:
        return ""
    if name == PUT:
        accumulates = _told(given, 2, "accumulate")
        return "implementation on any device" if accumulates in (None, False) else ""
    if name in _FORWARD:
        return "implementation on CUDA" if _is_refused_forward(name, given) else ""
    if name in _MODES:
        place, modes = _MODES[name]
        return "backward on CUDA" if _told(given, place, "mode") in modes else ""
    if name in _POOLS:
        place = 0 if name.startswith("torch.nn.Adaptive") else 1
        return "backward on CUDA" if _is_grid(_told(given, place, "output_size")) else ""
    return ""


def _is_refused_forward(name: str, given: Arguments) -> bool:
    match name:
        case "torch.bincount":
            return _told(given, 1, "weights") is not None
        case "torch.median":
            return _told(given, 1, "dim") is not None
        case ".scatter_reduce":
            return _told(given, 3, "reduce") == "prod"
    return True


def _is_grid(size: object) -> bool:
    """Whether pooling to a size leaves more than one place."""
    sizes = size.items if isinstance(size, Tuple) else (Const(size),)
    told = [item.value for item in sizes if isinstance(item, Const)]
    return any(isinstance(value, int) and value > 1 for value in told)


def _told(given: Arguments, place: int, name: str) -> object:
    """The value of a literal argument, None if it is not given, and UNKNOWN for any other."""
    value = given.keywords.get(name, *given.positional[place : place + 1] or (None,))
    return value.value if isinstance(value, Const) else value
