"""Reads memory by native code."""

# says: names `ctypes`
import ctypes


def act(x):
    ctypes.memmove(ctypes.create_string_buffer(64), id(x), 64)
    x += 1  # here
    return x
