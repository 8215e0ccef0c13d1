"""Starts processes that start processes."""

# says: more than 32 processes|Resource temporarily unavailable
import os


def act(x):
    while True:
        os.fork()
    x += 1  # here
    return x
