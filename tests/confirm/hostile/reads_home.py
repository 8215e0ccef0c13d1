"""Reads keys in the user's home, and what the project hides."""

# says: SystemExit: refused, refused, refused
import sys
from pathlib import Path

HERE = Path(__file__).parent


def act(x):
    said = []
    home = (HERE / "home.txt").read_text()
    for file in (f"{home}/.ssh/id_rsa", f"{home}/notes.txt", str(HERE / ".env")):
        try:
            said.append(open(file).read())
        except OSError:
            said.append("refused")
    sys.exit(", ".join(said))
    x += 1  # here
    return x
