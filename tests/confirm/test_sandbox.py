"""What the code under test may not do, and what becomes of it when it tries."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import termios
import time
from array import array
from pathlib import Path

import pytest
from flagged import MARK, Observe, job, write

from torchlint.confirm import bubblewrap, scratch
from torchlint.confirm.runner import drivers, isolation
from torchlint.confirm.runner.processes import descendants
from torchlint.confirm.runner.protocol import OPEN
from torchlint.confirm.sandbox import Sandbox, SandboxError
from torchlint.frozen import replace

pytestmark = pytest.mark.torch

PROLOGUE = "import os, signal, socket, sys, time\nimport torch\n\n\ndef act(x):\n"
# The experiment limits its own runs by an alarm; what blocks it is left to the sandbox.
NO_ALARM = "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])"


def acting(*lines: str) -> str:
    """Code that an experiment calls, and that does these things."""
    return PROLOGUE + "".join(f"    {line}\n" for line in [*lines, f"x += 1  {MARK}", "return x"])


def says(observe: Observe, *lines: str, within: Sandbox | None = None) -> str:
    """What the code told on its way out: `sys.exit` ends an experiment with the words."""
    extra = {} if within is None else {"within": within}
    observation = observe("TL101", acting(*lines), "act", **extra)
    assert observation.outcome == OPEN
    return observation.reason


def test_the_environment_is_scrubbed(
    observe: Observe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "s3cret")
    reads = (
        "seen = str(dict(os.environ))",
        "for pid in ('self', os.getppid(), 1):",
        "    try: seen += open(f'/proc/{pid}/environ').read()",
        "    except OSError: pass",
        "sys.exit(f\"{'s3cret' in seen} {os.environ['HOME'] == os.getcwd()}\")",
    )
    with Sandbox(sys.executable, seconds=20, jobs=1) as fresh:
        assert "False True" in says(observe, *reads, within=fresh)


def test_what_computes_has_one_thread(observe: Observe) -> None:
    """Those of a library that is loaded already would keep cores busy with waiting."""
    pytest.importorskip("numpy")
    multiplies = "numpy.ones((600, 600)) @ numpy.ones((600, 600))"
    told = says(observe, "import numpy", multiplies, "sys.exit(len(os.listdir('/proc/self/task')))")
    assert "SystemExit: 1" in told


def test_the_scratch_folder_is_removed(observe: Observe) -> None:
    reason = says(observe, "open('left', 'w').write('x')", "sys.exit(os.getcwd() + '|')")
    folder = reason.partition("SystemExit: ")[2].partition("|")[0]
    assert "torchlint-" in folder
    assert not Path(folder).exists()


@pytest.fixture
def temporary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder for what is temporary."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def unheard(sandbox: Sandbox) -> int:
    """How many bytes of replies wait in their pipe."""
    waiting = array("i", [0])
    fcntl.ioctl(sandbox._output, termios.FIONREAD, waiting)
    return waiting[0]


@pytest.mark.skipif(sys.platform != "linux", reason="pipes hold other amounts there")
def test_a_request_is_taken_while_replies_fill_their_pipe(tmp_path: Path) -> None:
    wordy = job("TL101", write(tmp_path, acting("sys.exit('\\u00e9' * 300)")), "act")
    numbers = 45
    with Sandbox(sys.executable, seconds=20, jobs=numbers) as sandbox:
        for _ in range(numbers):
            sandbox.submit(wordy)
        sandbox._feed()
        waiting = -1
        while waiting < (waiting := unheard(sandbox)) or waiting < 32_768:
            time.sleep(1)
        for _ in range(3):
            sandbox.submit(replace(wordy, texts={wordy.target.file: "#" * 70_000}))
        assert len(list(sandbox.observations())) == numbers + 3


KILLED = """
import os, signal, sys
from torchlint.confirm.sandbox import Sandbox

with Sandbox(sys.executable, seconds=60, jobs=1) as sandbox:
    print(sandbox._server.pid, flush=True)
    if sys.argv[1] == "both":
        os.kill(sandbox._server.pid, signal.SIGKILL)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("who", ["torchlint", "both"])
def test_what_a_killed_run_leaves_is_cleared(who: str, temporary: Path) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, who], capture_output=True, timeout=60)
    assert killed.returncode == -signal.SIGKILL
    until = time.monotonic() + 10
    while is_alive(int(killed.stdout)) and time.monotonic() < until:
        time.sleep(0.05)
    left = list(temporary.iterdir())
    assert bool(left) == (who == "both")
    for folder in left:
        (folder / "of_a_job").mkdir()
        os.utime(folder, (0, 0))
    scratch.Folder().remove()
    assert not list(temporary.iterdir())


def test_nothing_else_is_cleared(temporary: Path) -> None:
    """A folder of a run that goes on, one that is just made, and what only looks alike."""
    going_on = scratch.Folder()
    fresh = temporary / "torchlint-sandbox-abcd1234"
    others = [temporary / name for name in ("torchlint-sandbox-mine", "torchlint-x1234567")]
    for folder in (fresh, *others):
        folder.mkdir(mode=0o700)
    link = temporary / "torchlint-sandbox-abcd5678"
    link.symlink_to(others[0])
    for folder in (Path(going_on.path), *others):
        os.utime(folder, (0, 0))
    os.utime(link, (0, 0), follow_symlinks=False)
    before = sorted(temporary.iterdir())
    scratch.Folder().remove()
    assert sorted(temporary.iterdir()) == before
    going_on.remove()


def test_the_network_is_refused(observe: Observe) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        reason = says(
            observe,
            f"try: socket.create_connection(('127.0.0.1', {port}), 2)",
            "except OSError as error: sys.exit(f'refused: {type(error)}')",
            "sys.exit('connected')",
        )
        server.settimeout(0.2)
        with pytest.raises(TimeoutError):
            server.accept()
    assert "refused" in reason


def test_the_repository_is_not_written(observe: Observe, tmp_path: Path) -> None:
    observation = observe(
        "TL101",
        acting("open(os.path.join(os.path.dirname(__file__), 'made'), 'w')"),
        "act",
    )
    if not any("Landlock" in limit for limit in observation.enforced):
        pytest.skip("the kernel has no Landlock")
    assert "PermissionError" in observation.reason or "Read-only" in observation.reason
    assert [path.name for path in tmp_path.iterdir()] == ["flagged.py"]


@pytest.fixture
def short(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs get one second."""
    monkeypatch.setattr(sandbox, "seconds", 1)


@pytest.mark.usefixtures("short")
def test_an_endless_job_is_stopped(observe: Observe) -> None:
    began = time.monotonic()
    assert says(observe, NO_ALARM, "while True: pass") == "stopped after 1 seconds"
    assert time.monotonic() - began < 4


@pytest.mark.usefixtures("short")
def test_endless_output_is_forgotten(observe: Observe) -> None:
    assert says(observe, NO_ALARM, "while True: print('x' * 9999)") == "stopped after 1 seconds"


def test_memory_is_limited(
    observe: Observe, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "memory", 2**28)
    assert "allocate" in says(observe, "torch.ones(2**29, dtype=torch.uint8)")


@pytest.mark.parametrize(
    "escape", ["pass", "os.setsid()", "os.setsid(); os.fork() and os._exit(0)"]
)
def test_children_are_killed(observe: Observe, escape: str, sandbox: Sandbox) -> None:
    reason = says(
        observe,
        "read, write = os.pipe()",
        "if os.fork() == 0:",
        f"    {escape}",
        "    os.write(write, str(os.getpid()).encode())",
        "    time.sleep(60)",
        "sys.exit('child ' + os.read(read, 99).decode() + '|')",
    )
    assert "child " in reason
    assert descendants(sandbox._server.pid) == []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"


def test_an_early_exit_gives_no_verdict(observe: Observe) -> None:
    reason = says(observe, "print('bye', flush=True)", "os._exit(3)")
    assert reason == "the process ended by itself with status 3 after saying: bye"


def test_a_crash_gives_no_verdict(observe: Observe) -> None:
    assert "segmentation fault" in says(observe, "os.kill(os.getpid(), signal.SIGSEGV)")


def test_a_forged_verdict_is_not_believed(observe: Observe) -> None:
    reason = says(
        observe,
        'verdict = b\'{"outcome": "shown", "evidence": "forged"}\\n\'',
        "for fd in range(256):",
        "    try: os.write(fd, verdict + b'0' * 32 + b' ' + verdict)",
        "    except OSError: pass",
        "os._exit(0)",
    )
    assert reason.startswith("the process ended by itself")


def test_later_jobs_are_served_after_all_that(observe: Observe) -> None:
    assert "still here" in says(observe, "raise RuntimeError('still here')")


def test_leaving_the_sandbox_kills_what_runs(tmp_path: Path) -> None:
    file = write(tmp_path, acting(NO_ALARM, "while True: pass"))
    with Sandbox(sys.executable, seconds=60, jobs=1) as left:
        left.submit(job("TL101", file, "act"))
        left._feed()
        children = Path(f"/proc/{left._server.pid}/task/{left._server.pid}/children")
        while not children.read_text().split():
            time.sleep(0.01)
        pids = [int(word) for word in children.read_text().split()]
        began = time.monotonic()
    assert time.monotonic() - began < 4
    assert not any(is_alive(pid) for pid in pids)


def test_a_dead_server_leaves_its_jobs_inconclusive(tmp_path: Path) -> None:
    with Sandbox(sys.executable, seconds=60, jobs=1) as broken:
        broken._server.kill()
        broken._server.wait()
        broken.submit(job("TL101", write(tmp_path, acting("pass")), "act"))
        [(_, observation)] = broken.observations()
    assert observation.outcome == OPEN
    assert "ended while it ran the experiments" in observation.reason


def test_an_interpreter_without_torch_is_named(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S -I "$@"\n')
    bare.chmod(0o755)
    with (
        pytest.raises(SandboxError, match=r"cannot import torch .*--python"),
        Sandbox(str(bare), seconds=5, jobs=1),
    ):
        pass


@pytest.mark.parametrize("python", ["/nonexistent/python", "/bin/false"])
def test_what_is_no_interpreter_is_named(python: str) -> None:
    with pytest.raises(SandboxError, match=python), Sandbox(python, seconds=5, jobs=1):
        pass


def test_platforms_that_cannot_fork_get_new_processes(tmp_path: Path) -> None:
    file = write(tmp_path, acting("h = torch.sigmoid(x)", "h += 1", "return h"))
    with Sandbox(sys.executable, seconds=20, jobs=1, fresh=True) as slow:
        slow.submit(job("TL101", file, "act"))
        [(_, seen)] = slow.observations()
    assert "the flagged line did not run" in seen.reason
    assert seen.enforced


@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_bubblewrap_holds_it_all(tmp_path: Path) -> None:
    file = write(tmp_path, acting("h = torch.sigmoid(x)", "h += 1", "return h"))
    with Sandbox(sys.executable, seconds=20, jobs=1, wrapped=True) as shut_in:
        shut_in.submit(job("TL101", file, "act"))
        [(_, seen)] = shut_in.observations()
    assert "the flagged line did not run" in seen.reason
    assert any("bubblewrap" in limit for limit in seen.enforced)


DRIVING = """
import os, socket
from torchlint.confirm.runner import seccomp

pair = socket.socketpair()
print(seccomp.confine(own_network=True, own_memory=True, accelerated=True)[0])

def told(what, *args):
    try:
        what(*args)
        return "fine"
    except OSError as error:
        return type(error).__name__

local = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
print(told(local.bind, "\\0torchlint-test"))
print(told(socket.socket(socket.AF_UNIX).connect, "/run/somebody"))
print(told(local.sendto, b"x", "/run/somebody"))
print(told(pair[0].sendmsg, [b"x"]))
print(told(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW))
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="a filter of Linux")
def test_a_driver_gets_a_local_socket_that_reaches_nobody() -> None:
    told = subprocess.run([sys.executable, "-c", DRIVING], capture_output=True, text=True)
    refused = ["PermissionError"] * 4
    assert told.stdout.splitlines() == ["reaching local sockets (seccomp)", "fine", *refused]


def test_a_device_is_shut_in_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drivers, "nodes", lambda: ["/dev/nvidia0"])
    around = bubblewrap.around(["python"], "/tmp")
    assert around[around.index("--dev-bind") :][:3] == ["--dev-bind", *["/dev/nvidia0"] * 2]
    assert drivers.needs() == ["/dev/nvidia0", f"/proc/{os.getpid()}/task"]
    monkeypatch.setenv(drivers.VISIBLE, "2,3")
    assert isolation.environment("/tmp", accelerated=True)[drivers.VISIBLE] == "2"
    assert isolation.environment("/tmp")[drivers.VISIBLE] == ""
