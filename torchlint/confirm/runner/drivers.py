"""What the driver of an accelerator needs of a process that is shut in, as measured with CUDA."""

from __future__ import annotations

import glob
import os

VISIBLE = "CUDA_VISIBLE_DEVICES"
"""Names the devices that a process may use, the first one first."""


def nodes() -> list[str]:
    """The device files through which a process reaches the driver; none where there is none."""
    return sorted([*glob.glob("/dev/nvidia*"), *glob.glob("/dev/nvidia-caps/*")])


def needs() -> list[str]:
    """What is written to: the driver's files, and the names that it gives to its threads."""
    return [*nodes(), f"/proc/{os.getpid()}/task"]
