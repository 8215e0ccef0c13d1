"""Mistakes to put into code that is right, a family a module."""

from __future__ import annotations

from . import data, losses, modules, tensors, training
from .code import SEEDS, Code, Seed, Sown

__all__ = ["SEEDS", "Code", "Seed", "Sown", "data", "losses", "modules", "tensors", "training"]
