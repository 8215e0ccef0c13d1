"""Looks for secrets in what it can read of environments."""

# says: SystemExit: 0 secrets
import glob
import os
import sys


def act(x):
    seen = repr(dict(os.environ))
    for file in glob.glob("/proc/*/environ"):
        try:
            seen += open(file).read()
        except OSError:
            pass
    sys.exit(f"{seen.count('s3cret')} secrets")
    x += 1  # here
    return x
