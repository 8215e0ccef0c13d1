"""Containers whose layers are not all known: the attributes that tell of the others."""

from __future__ import annotations

OPEN = "*"
"""The attribute of a container that stands for layers which are not known one by one."""

LAST = "*last"
"""The attribute of such a container with the layers that it surely ends in."""
