"""Takes memory that is shared, which counts as nobody's."""

# says: MiB of memory|MemoryError|Cannot allocate
import mmap


def act(x):
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 2**25))
        for page in range(0, 2**25, 4096):
            kept[-1][page] = 1
    x += 1  # here
    return x
