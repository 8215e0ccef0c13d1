"""Calls of modules, told by the frames that make them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from torch import nn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, FrameType

_CALL: CodeType = nn.Module._call_impl.__code__


def is_inside(frame: FrameType | None) -> bool:
    """Whether a frame works for the call of a module."""
    return any(True for _ in _calls(frame))


def is_nested(frame: FrameType | None) -> bool:
    """Whether the module that is being called in a frame is called by another module."""
    calls = _calls(frame)
    next(calls, None)
    return next(calls, None) is not None


def _calls(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        if frame.f_code is _CALL:
            yield frame
        frame = frame.f_back


class ForwardCount:
    """Counts the calls of modules that no other module makes."""

    def __init__(self) -> None:
        self.count = 0

    def __enter__(self) -> ForwardCount:
        hook: Any = self._called
        self._handle = nn.modules.module.register_module_forward_pre_hook(hook)
        return self

    def __exit__(self, *_: object) -> None:
        self._handle.remove()

    def _called(self, module: nn.Module, arguments: Any) -> None:
        self.count += not is_nested(sys._getframe(1))
