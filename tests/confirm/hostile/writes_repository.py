"""Changes its own file."""

# says: PermissionError|Read-only


def act(x):
    with open(__file__, "a") as stream:
        stream.write("changed")
    x += 1  # here
    return x
