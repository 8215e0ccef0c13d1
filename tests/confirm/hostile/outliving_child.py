"""Leaves a process that has no parent, no session and no end."""

# says: ended by itself with status 0
import os
import signal
import time


def act(x):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGHUP, signal.SIGTERM):
                signal.signal(number, signal.SIG_IGN)
            time.sleep(100)
        os._exit(0)
    os._exit(0)
    x += 1  # here
    return x
