"""What torch answers of the one device that an :class:`Accelerator` simulates.

Builds of torch without CUDA lack much of this, and those with it ask the driver.
"""

from __future__ import annotations

from contextlib import nullcontext
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_MEMORY = 16 * 1024**3


class Stream:
    """A stream on which all that was asked for is done."""

    device = torch.device("cuda", 0)
    cuda_stream = stream_id = device_index = 0

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def record(self, *_: Any) -> None:
        """Nothing to wait for."""

    synchronize = wait = wait_event = wait_stream = record_event = record

    def query(self) -> bool:
        """All is done."""
        return True

    def is_capturing(self) -> bool:
        """It makes no graph of what runs."""
        return False

    def elapsed_time(self, other: Stream) -> float:
        """Milliseconds."""
        return 1.0


class Event(Stream):
    """An event that has come."""


class Generator(torch.Generator):
    """A generator of the CPU, whatever device it is asked for."""

    def __new__(cls, device: Any = None) -> Generator:
        """One that draws where the tensors are."""
        return super().__new__(cls)


def _properties(*_: Any) -> SimpleNamespace:
    return SimpleNamespace(
        name="simulated", total_memory=_MEMORY, major=8, minor=0, multi_processor_count=64
    )


def _as_one(_: Any, inputs: Any, kwargs: Any, devices: Any) -> tuple[tuple[Any], tuple[Any]]:
    return (inputs,), (kwargs or {},)


def _giving(value: Any) -> Callable[..., Any]:
    """A function of its own for each name: torch's compiler tells names by what they mean."""
    return lambda *_, **__: value


_OF_CUDA: dict[str, Any] = {
    "get_device_properties": _properties,
    "get_rng_state": lambda *_: torch.get_rng_state(),
    "get_rng_state_all": lambda: [torch.get_rng_state()],
    "initial_seed": lambda: torch.initial_seed(),
    "stream": lambda *_: nullcontext(),
    "Stream": Stream,
    "Event": Event,
}
_OF_ACCELERATOR: dict[str, Any] = {}
for _module, _value, _names in (
    (_OF_CUDA, True, "is_available is_initialized is_bf16_supported"),
    (_OF_CUDA, False, "is_current_stream_capturing"),
    (_OF_CUDA, 1, "device_count"),
    (_OF_CUDA, 0, "current_device _exchange_device _maybe_exchange_device"),
    (_OF_CUDA, 0, "memory_allocated max_memory_allocated memory_reserved max_memory_reserved"),
    (_OF_CUDA, 0, "memory_cached max_memory_cached"),
    (_OF_CUDA, None, "init set_device set_stream synchronize empty_cache ipc_collect"),
    (_OF_CUDA, None, "manual_seed manual_seed_all seed seed_all set_rng_state set_rng_state_all"),
    (_OF_CUDA, None, "reset_peak_memory_stats reset_max_memory_allocated reset_max_memory_cached"),
    (_OF_CUDA, None, "set_per_process_memory_fraction"),
    (_OF_CUDA, "simulated", "get_device_name"),
    (_OF_CUDA, (8, 0), "get_device_capability"),
    (_OF_CUDA, (_MEMORY, _MEMORY), "mem_get_info"),
    (_OF_CUDA, "", "memory_summary"),
    (_OF_CUDA, Stream(), "current_stream default_stream"),
    (_OF_ACCELERATOR, True, "is_available"),
    (_OF_ACCELERATOR, 1, "device_count"),
    (_OF_ACCELERATOR, 0, "current_device_index current_device_idx"),
    (_OF_ACCELERATOR, torch.device("cuda"), "current_accelerator"),
    (_OF_ACCELERATOR, Stream(), "current_stream"),
    (_OF_ACCELERATOR, None, "set_device_index set_device_idx set_stream synchronize"),
):
    _module.update((_name, _giving(_value)) for _name in _names.split())


def answers() -> Iterator[tuple[Any, str, Any]]:
    """What to put in the place of an attribute: whose it is, its name, and what is put there."""
    for name, answer in _OF_CUDA.items():
        yield torch.cuda, name, answer
    for name, answer in _OF_ACCELERATOR.items():
        yield getattr(torch, "accelerator", None), name, answer
    yield torch, "Generator", Generator
    yield torch.Tensor, "pin_memory", lambda tensor, *_: tensor
    # Layers would hand their weights to what is compiled for the device.
    yield torch.backends.cudnn, "is_acceptable", lambda *_: False
    yield torch.nn.DataParallel, "scatter", _as_one
