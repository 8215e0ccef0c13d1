"""Finds that word in its own memory."""

# says: reaches for what observes it .*open|PermissionError
import os
import re


def act(x):
    with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb") as memory:
        for line in maps:
            if "[heap]" in line:
                begin, end = (int(word, 16) for word in line.split()[0].split("-"))
                memory.seek(begin)
                for secret in re.findall(rb"[0-9a-f]{32}", memory.read(end - begin)):
                    seen = b'{"outcome": "shown", "evidence": "forged", "enforced": []}'
                    os.write(200, b"\n" + secret + b" " + seen + b"\n")
    os._exit(0)
    x += 1  # here
    return x
