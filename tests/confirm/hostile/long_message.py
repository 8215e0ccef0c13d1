"""Fails with a message of many megabytes."""

# says: ValueError: x+…|MemoryError|stopped after 8 seconds


def act(x):
    raise ValueError("x" * 2**26)
    x += 1  # here
    return x
