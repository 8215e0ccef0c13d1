"""Ends a process of the same user."""

# says: SystemExit: refused
import os
import signal
import sys
from pathlib import Path

HERE = Path(__file__).parent


def act(x):
    try:
        os.kill(int((HERE / "victim.txt").read_text()), signal.SIGKILL)
    except OSError:
        sys.exit("refused")
    sys.exit("done")
    x += 1  # here
    return x
