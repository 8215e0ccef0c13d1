"""Fetch the projects that torchlint is measured on, at pinned versions, as wheels from PyPI."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

PROJECTS = {
    "accelerate": "1.15.0",
    "botorch": "0.18.1",
    "captum": "0.9.0",
    "diffusers": "0.42.1",
    "espnet": "202511",
    "fairseq": "0.12.2",
    "gpytorch": "1.15.2",
    "kornia": "0.9.0",
    "lightly": "1.6.0",
    "monai": "1.6.1",
    "nerfstudio": "1.1.5",
    "open_clip_torch": "3.3.0",
    "peft": "0.21.2",
    "pyro-ppl": "1.9.2",
    "pytorch-lightning": "2.6.6",
    "segmentation-models-pytorch": "0.6.0",
    "sentence-transformers": "6.2.0",
    "speechbrain": "1.1.2",
    "stable-baselines3": "2.9.2",
    "tianshou": "2.0.1",
    "timm": "1.0.31",
    "torch_geometric": "2.8.1",
    "torchaudio": "2.11.0",
    "torchmetrics": "1.9.0",
    "torchrl": "0.14.1",
    "torchvision": "0.29.2",
    "transformers": "5.23.0",
    "trl": "1.16.0",
    "ultralytics": "8.4.190",
    "vit-pytorch": "1.26.11",
    "x-transformers": "2.31.10",
}

OLD = ("fairseq",)
"""Projects whose wheels are for an older Python."""

_FOR_OLD = ("--python-version", "3.8", "--implementation", "cp", "--platform", "manylinux1_x86_64")


def download(name: str, folder: Path) -> Path:
    """The wheel of a project, fetched without its dependencies."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += _FOR_OLD if name in OLD else ()
    command += ["--only-binary", ":all:", "--dest", str(folder), f"{name}=={PROJECTS[name]}"]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def fetch(name: str, cache: Path) -> None:
    """Unpack a project into ``cache/<name>``, in place of what was there."""
    wheels = cache / ".wheels" / name
    target = cache / name
    shutil.rmtree(target, ignore_errors=True)
    with zipfile.ZipFile(download(name, wheels)) as wheel:
        wheel.extractall(target)
    # A repository of its own, as what lies around it would else say which releases it supports.
    (target / ".git").mkdir()
    print(f"{name} {PROJECTS[name]} is in {target}")


def main() -> None:
    """Fetch the projects that the command line names, or all of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("projects", nargs="*", metavar="PROJECT", help=", ".join(PROJECTS))
    parser.add_argument("--cache", type=Path, default=Path(".benchmarks"))
    options = parser.parse_args()
    unknown = set(options.projects) - PROJECTS.keys()
    if unknown:
        parser.error(f"no such project: {', '.join(sorted(unknown))}")
    for name in options.projects or PROJECTS:
        fetch(name, options.cache)


if __name__ == "__main__":
    main()
