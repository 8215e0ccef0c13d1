"""Bubblewrap, where it is installed, for users whom the kernel does not let make namespaces.

Distributions that keep ordinary programs from that let this one: it then shuts in the interpreter
that runs all the jobs, and each of them shuts itself in further as far as it can.
"""

from __future__ import annotations

import os
import shutil
import sys

from torchlint.confirm.runner import drivers
from torchlint.confirm.runner.namespaces import are_allowed

HOLDS = "network, other processes, writing outside a scratch folder (bubblewrap)"
_OPTIONS = (
    "--die-with-parent",
    "--unshare-user-try",
    "--unshare-pid",
    "--unshare-net",
    "--unshare-ipc",
    "--unshare-uts",
    "--ro-bind / /",
    "--dev /dev",
    "--proc /proc",
)


def is_needed() -> bool:
    """Whether it can be had, and does what could not be done without."""
    is_there = sys.platform.startswith("linux") and shutil.which("bwrap") is not None
    return is_there and not are_allowed()


def around(command: list[str], folder: str) -> list[str]:
    """The command, shut in; it may write to this folder alone."""
    options = [word for option in _OPTIONS for word in option.split()]
    kept = ["--bind", folder, folder, "--chdir", os.getcwd()]
    for node in drivers.nodes():  # which jobs may open if they are told so
        kept += ["--dev-bind", node, node]
    return ["bwrap", *options, *kept, "--", *command]
