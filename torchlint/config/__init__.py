"""Settings of a project: read from its files, joined with the command line, for every file."""

from __future__ import annotations

from torchlint.config.files import Layer, Value
from torchlint.config.resolving import Configuration, Resolved

__all__ = ["Configuration", "Layer", "Resolved", "Value"]
