"""Opens its own memory by a name in bytes."""

# says: reaches for what observes it .*open
import contextlib


def act(x):
    with contextlib.suppress(OSError):
        open(b"/proc/self/mem", "rb").close()
    x += 1  # here
    return x
