"""What is said where torchlint itself fails."""

from __future__ import annotations

import textwrap

_LONGEST = 200


def line(error: Exception) -> str:
    """An error in one line of at most 200 characters.

    Raises what was to end the run, an interruption or an exit, where the error has come in its way:
    what a ``finally`` raises while such a thing passes through it, as that of a library may that
    has only half of what it looks up by then, takes its place.
    """
    hidden = error.__context__
    while hidden is not None:
        if not isinstance(hidden, Exception):
            raise hidden
        hidden = hidden.__context__
    return textwrap.shorten(f"{type(error).__name__}: {error}", _LONGEST, placeholder=" …")


def sentence(error: Exception) -> str:
    """What a run says that could not go on."""
    return f"torchlint failed: {line(error)}; please report this"
