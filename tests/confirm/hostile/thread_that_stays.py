"""Ends, but for a thread that does not."""

# says: stopped after [0-9.]+ seconds|took longer|cut short|SystemExit
import sys
import threading
import time


def act(x):
    threading.Thread(target=lambda: time.sleep(100)).start()
    sys.exit("done")
    x += 1  # here
    return x
