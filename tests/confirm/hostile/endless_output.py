"""Says something without end."""

# says: stopped after [0-9.]+ seconds
import signal


def act(x):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    while True:
        print("x" * 9999)
    x += 1  # here
    return x
