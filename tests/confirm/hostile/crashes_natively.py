"""Reads where there is no memory, by native code."""

# says: names `ctypes`
import ctypes


def act(x):
    ctypes.string_at(0)
    x += 1  # here
    return x
