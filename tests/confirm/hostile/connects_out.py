"""Connects to the network, to this machine, and to sockets of its programs."""

# says: SystemExit: (refused: \w+(, )?){4}
import socket
import sys
from pathlib import Path

HERE = Path(__file__).parent


def act(x):
    port = int((HERE / "port.txt").read_text())
    places = [
        (socket.AF_INET, ("1.1.1.1", 53)),
        (socket.AF_INET, ("127.0.0.1", port)),
        (socket.AF_UNIX, str(HERE / "socket")),
        (socket.AF_UNIX, f"\0torchlint-hostile-{port}"),
    ]
    said = []
    for family, place in places:
        try:
            with socket.socket(family) as one:
                one.settimeout(2)
                one.connect(place)
                said.append("connected")
        except OSError as error:
            said.append(f"refused: {type(error).__name__}")
    sys.exit(", ".join(said))
    x += 1  # here
    return x
