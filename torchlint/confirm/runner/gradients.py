"""Gradients of parameters, from one optimizer step to the next."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass
class Account:
    """The gradient of one parameter, from one step to the next.

    ``used`` is what the last step left in ``.grad``, ``leftover`` the same once a backward found it
    still there, ``fresh`` what was added since, and ``held`` what ``.grad`` then was.
    """

    parameter: Tensor
    used: Tensor | None = None
    leftover: Tensor | None = None
    fresh: Tensor | None = None
    held: Tensor | None = None
    flagged: bool = False
    stepped: bool = False

    def clear(self) -> None:
        """Nothing is in ``.grad``."""
        self.used = self.leftover = None
        self._restart()

    def _restart(self) -> None:
        self.fresh = self.held = None
        self.flagged = False

    def open_backward(self) -> None:
        """See what a backward pass finds in ``.grad``."""
        found = dense(self.parameter.grad)
        if found is None or not found.any():
            self.clear()
        elif self.used is not None and torch.equal(found, self.used):
            self.leftover, self.used = self.used, None
            self._restart()

    def add(self, gradient: Tensor) -> None:
        """Note what a backward pass brings."""
        gradient = copied(gradient)
        self.fresh = gradient if self.fresh is None else self.fresh + gradient

    def close_step(self) -> None:
        """See what a step leaves behind."""
        left = dense(self.parameter.grad)
        self.clear()
        self.stepped = True
        self.used = copied(left) if left is not None and bool(left.any()) else None

    def holds_leftover(self) -> bool:
        """Whether ``.grad`` is, but for a common factor, the last step's plus the fresh one."""
        if self.leftover is None or self.fresh is None or self.held is None:
            return False
        return _close(self.held, self.leftover + self.fresh) and self._is_held()

    def is_fresh(self) -> bool:
        """Whether ``.grad`` is, but for a common factor, what was added since the last step."""
        if self.leftover is not None or self.fresh is None or self.held is None:
            return False
        return _close(self.held, self.fresh) and self._is_held()

    def _is_held(self) -> bool:
        """Clipping and unscaling multiply a gradient; they take nothing out of it."""
        now = dense(self.parameter.grad)
        if now is None or self.held is None:
            return False
        one, other = now.double().flatten(), self.held.double().flatten()
        product = torch.dot(one, other) / (one.norm() * other.norm())
        return bool(product > 0.9999)


def dense(gradient: Tensor | None) -> Tensor | None:
    """A gradient without its graph, and not sparse."""
    if gradient is None:
        return None
    gradient = gradient.detach()
    return gradient.to_dense() if gradient.is_sparse else gradient


def copied(tensor: Tensor | None) -> Any:
    """A copy that later operations in place do not reach."""
    plain = dense(tensor)
    return None if plain is None else plain.clone()


def _close(one: Tensor, other: Tensor) -> bool:
    return torch.allclose(one, other, rtol=1e-3, atol=1e-6 * max(1.0, float(other.abs().max())))


def norm(tensor: Tensor | None) -> float:
    """The Euclidean norm; nothing has none."""
    return 0.0 if tensor is None else float(tensor.double().norm())


def overall(tensors: Iterable[Tensor | None]) -> float:
    """The norm of several as if they were one."""
    return math.hypot(*map(norm, tensors))


def listen(parameter: Tensor, hook: Any) -> Any:
    """Let a hook hear of the gradients that come; returns what ends that."""
    untyped: Any = parameter
    return untyped.register_hook(hook)
