"""Writes one file without end."""

# says: File too large|wrote too large a file


def act(x):
    with open("file", "wb") as stream:
        while True:
            stream.write(bytes(2**23))
    x += 1  # here
    return x
