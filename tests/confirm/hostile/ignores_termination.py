"""Handles every signal, and goes on."""

# says: stopped after [0-9.]+ seconds
import contextlib
import signal


def act(x):
    for number in signal.valid_signals():
        with contextlib.suppress(OSError, ValueError):
            signal.signal(number, lambda *_: None)
    while True:
        pass
    x += 1  # here
    return x
