"""Ends its process without a word."""

# says: ended by itself with status 0
import os


def act(x):
    os._exit(0)
    x += 1  # here
    return x
