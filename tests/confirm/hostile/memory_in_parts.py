"""Takes memory in many processes, a little in each."""

# says: more than 256 MiB of memory
import os
import time


def act(x):
    for _ in range(8):
        if os.fork() == 0:
            kept = bytearray(b"x" * 2**26)
            time.sleep(100)
    time.sleep(100)
    x += 1  # here
    return x
