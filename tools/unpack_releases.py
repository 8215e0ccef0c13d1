"""Fetch releases of a package, and unpack what is Python in them; nothing is installed.

    python tools/unpack_releases.py FOLDER

The wheels for macOS are the smallest, and hold the same Python code. Each is taken apart at once
and deleted: `FOLDER` then has `torch-2.6.0/torch/…` for `generate_history.py` to read.
"""

import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

RELEASES = {
    "torch": {
        "3.7": "1.0.1",
        "3.8": "1.4.0 1.6.0 1.7.1 1.8.1",
        "3.9": "1.10.2",
        "3.10": "1.13.1 2.0.1 2.1.2 2.2.2 2.3.1 2.4.1 2.5.1 2.6.0 2.7.1 2.8.0 2.9.1 2.10.0 2.11.0 "
        "2.12.0 2.13.0",
    },
    "torchvision": {
        "3.8": "0.5.0 0.7.0 0.8.2 0.9.1 0.10.1 0.11.2",
        "3.10": "0.12.0 0.13.1 0.14.1 0.15.2 0.16.2 0.17.2 0.18.1 0.19.1 0.20.1 0.21.0 0.22.1 "
        "0.23.0 0.24.1 0.25.0 0.26.0 0.27.1 0.28.0 0.29.2",
    },
    "pytorch_lightning": {
        "3.10": "1.0.8 1.2.10 1.3.8 1.4.9 1.5.10 1.6.5 1.7.7 1.8.6 1.9.5 2.0.9 2.1.4 2.2.5 2.3.3 "
        "2.4.0 2.5.6 2.6.6",
    },
    "accelerate": {
        "3.10": "0.5.1 0.9.0 0.12.0 0.15.0 0.18.0 0.20.3 0.24.1 0.27.2 0.30.1 0.34.2 1.0.1 1.2.1 "
        "1.5.2 1.8.1 1.12.0 1.15.0",
    },
}
"""The releases that the tables are made from, by the Python whose wheels are read."""

PLATFORMS = (
    "macosx_14_0_arm64 macosx_12_0_arm64 macosx_11_0_arm64 macosx_11_0_x86_64 macosx_10_13_x86_64 "
    "macosx_10_9_x86_64 macosx_10_7_x86_64"
).split()


def unpack(package: str, release: str, python: str, folder: Path) -> None:
    """Download one wheel, and keep its `.py` and `.pyi` files."""
    target = folder / f"{package}-{release}"
    if target.exists():
        return
    platforms = [part for name in PLATFORMS for part in ("--platform", name)]
    with tempfile.TemporaryDirectory() as wheels:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
        command += [*platforms, "--python-version", python, "-d", wheels, f"{package}=={release}"]
        subprocess.run(command, check=True)
        with zipfile.ZipFile(next(Path(wheels).glob("*.whl"))) as wheel:
            names = [name for name in wheel.namelist() if name.endswith((".py", ".pyi"))]
            wheel.extractall(target, names)


if __name__ == "__main__":
    for package, by_python in RELEASES.items():
        for python, releases in by_python.items():
            for release in releases.split():
                unpack(package, release, python, Path(sys.argv[1]))
