"""Fails with a traceback of many thousand lines."""

# says: RecursionError
import sys

sys.setrecursionlimit(10_000)


def deeper(x):
    return deeper(x) + 1


def act(x):
    deeper(x)
    x += 1  # here
    return x
