"""Fills the disk with files, none of them large."""

# says: No space left|more than 256 MiB


def act(x):
    for number in range(100_000):
        with open(f"file{number}", "wb") as stream:
            stream.write(bytes(2**23))
    x += 1  # here
    return x
