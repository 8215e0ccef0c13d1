"""Waits at its import for a lock that it holds itself."""

# says: stopped after [0-9.]+ seconds
import signal
import threading

signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
LOCK = threading.Lock()
FIRST = LOCK.acquire()
SECOND = LOCK.acquire()


def act(x):
    x += FIRST + SECOND  # here
    return x
