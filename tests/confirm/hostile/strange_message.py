"""Fails with a message that clears screens, and is no text."""

# says: ValueError: .{0,40}


def act(x):
    raise ValueError("\x1b[2J\x1b]0;title\x07\udcff\u202e")
    x += 1  # here
    return x
