"""A wire between two processes: messages go both ways, and neither end blocks the other."""

from __future__ import annotations

import ctypes
import io
import os
import pickle
import select
import time
from collections import deque
from typing import Any

import torch

_CHUNK = 2**16
_LENGTH = 8


class HungUpError(Exception):
    """The other end is closed, and has said nothing more of the kind that is waited for."""


class SilenceError(Exception):
    """Nothing of the kind that is waited for has come in time."""


class _Pickler(pickle.Pickler):
    """Writes tensors as their bytes: torch's own way goes through ``torch.save``."""

    def reducer_override(self, value: Any) -> Any:
        """What rebuilds a tensor; others know how to be rebuilt."""
        if not isinstance(value, torch.Tensor):
            return NotImplemented
        given = value.detach().cpu().contiguous()
        data = ctypes.string_at(given.data_ptr(), given.nbytes) if given.nbytes else b""
        return _rebuilt, (data, given.dtype, tuple(given.shape))


def _rebuilt(data: bytes, dtype: torch.dtype, shape: tuple[int, ...]) -> torch.Tensor:
    if not data:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(bytearray(data), dtype=dtype).view(shape)


class Wire:
    """One end: messages are any values, each of a kind, and are received kind by kind."""

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        os.set_blocking(incoming, False)
        os.set_blocking(outgoing, False)
        self._outbox = bytearray()
        self._buffer = bytearray()
        self._inbox: deque[tuple[str, Any]] = deque()
        self._is_open = True

    @classmethod
    def pair(cls) -> tuple[tuple[int, int], tuple[int, int]]:
        """The descriptors of both ends."""
        first, second = os.pipe(), os.pipe()
        return (first[0], second[1]), (second[0], first[1])

    def send(self, kind: str, message: Any) -> None:
        """Say something; it goes out as the other end takes it."""
        stream = io.BytesIO()
        _Pickler(stream).dump((kind, message))
        data = stream.getvalue()
        self._outbox += len(data).to_bytes(_LENGTH, "big") + data
        self._pump(0)

    def receive(self, *kinds: str, seconds: float) -> tuple[str, Any]:
        """The next message of one of these kinds."""
        until = time.monotonic() + seconds
        while True:
            for message in self._inbox:
                if message[0] in kinds:
                    self._inbox.remove(message)
                    return message
            if not self._is_open:
                raise HungUpError
            if time.monotonic() > until:
                raise SilenceError
            self._pump(max(until - time.monotonic(), 0))

    def close(self, seconds: float) -> None:
        """Say what is still to be said, and hang up."""
        until = time.monotonic() + seconds
        while self._outbox and self._is_open and time.monotonic() < until:
            self._pump(0.1)
        os.close(self._incoming)
        os.close(self._outgoing)

    def _pump(self, seconds: float) -> None:
        """Move what can be moved, once something can be."""
        writing = [self._outgoing] if self._outbox else []
        reading = [self._incoming] if self._is_open else []
        readable, writable, _ = select.select(reading, writing, [], seconds)
        if writable:
            try:
                del self._outbox[: os.write(self._outgoing, self._outbox[:_CHUNK])]
            except BrokenPipeError:
                self._outbox.clear()
        if readable:
            data = os.read(self._incoming, _CHUNK)
            self._is_open = bool(data)
            self._buffer += data
            self._sort()

    def _sort(self) -> None:
        while len(self._buffer) >= _LENGTH:
            end = _LENGTH + int.from_bytes(self._buffer[:_LENGTH], "big")
            if len(self._buffer) < end:
                return
            self._inbox.append(pickle.loads(bytes(self._buffer[_LENGTH:end])))
            del self._buffer[:end]
