"""Fills the memory that processes share."""

# says: No space left|more than 256 MiB|PermissionError|MiB of memory


def act(x):
    for number in range(100_000):
        with open(f"/dev/shm/torchlint-hostile-{number}", "wb") as stream:
            stream.write(bytes(2**23))
    x += 1  # here
    return x
