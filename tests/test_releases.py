"""Which releases of torch a project supports, by what its files say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from torchlint.api import check
from torchlint.findings import Level
from torchlint.releases import NEWEST, Releases, forget, parse, supported
from torchlint.releases.companions import of_torch
from torchlint.settings import Settings


def bounds(releases: Releases) -> tuple[str, str]:
    return str(releases.oldest), str(releases.newest)


@pytest.mark.parametrize(
    ("text", "oldest", "newest"),
    [
        ("2.1", "2.1", "2.1"),
        (">=2.0", "2.0", "2.13"),
        (">=1.13,<2.6", "1.13", "2.6.dev0"),
        ("==2.3.1", "2.3.1", "2.3.1"),
        ("==2.3.*", "2.3", "2.4.dev0"),
        ("==2.*", "2", "2.13"),
        (">=1.12.1+cu116", "1.12.1", "2.13"),
        ("==2.0.1+cu117", "2.0.1", "2.0.1"),
        ("~=2.1", "2.1", "2.13"),
        ("~=2.1.2", "2.1.2", "2.2.dev0"),
        ("~=1.13", "1.13", "2.dev0"),
        ("^2.1", "2.1", "2.13"),
        ("~2.1", "2.1", "2.2.dev0"),
        ("<=2.4", "2.4", "2.4"),
        (">=2.0,!=2.0.1", "2.0", "2.13"),
        (">=2.0,!=2.1.*", "2.0", "2.13"),
        ("", "2.13", "2.13"),
    ],
)
def test_specifiers(text: str, oldest: str, newest: str) -> None:
    assert bounds(parse(text)) == (oldest, newest)


@pytest.mark.parametrize("text", ["new", ">=", "2.x.y", ">>2"])
def test_what_is_no_range_is_an_error(text: str) -> None:
    with pytest.raises(ValueError, match="no version"):
        parse(text)


def test_questions_to_a_range() -> None:
    releases = parse(">=2.1,<2.6")
    assert releases.reach_below("2.6")
    assert not releases.reach_below("2.1")
    assert releases.reach("2.5")
    assert not releases.reach("2.6")


FILES = {
    "pyproject.toml": '[project]\ndependencies = ["numpy", "torch >= 2.2, < 2.7"]\n',
    "poetry/pyproject.toml": '[tool.poetry.dependencies]\ntorch = {version = ">=2.2,<2.7"}\n',
    "setup.cfg": "[options]\ninstall_requires =\n    numpy\n    torch>=2.2,<2.7\n",
    "setup.py": "from setuptools import setup\nsetup(install_requires=['torch>=2.2,<2.7'])\n",
    "requirements.txt": "-r other.txt\nnumpy\ntorch>=2.2,<2.7  # not newer\ntorchvision\n",
    "requirement.txt": "numpy\ntorch>=2.2,<2.7\n",
    "gpu_requirements.txt": "numpy\ntorch>=2.2,<2.7\n",
    "docker/requirements.txt": "numpy\ntorch>=2.2,<2.7\n",
    "requirements-dev.txt": "torch[extra]>=2.2,<2.7 ; python_version > '3.8'\n",
    "environment.yml": "dependencies:\n  - python=3.11\n  - pytorch::pytorch>=2.2,<2.7\n",
    "requirements.yml": "dependencies:\n  - python=3.11\n  - pytorch>=2.2,<2.7\n",
    "env.yml": "name: base\ndependencies:\n  - pip:\n      - torch>=2.2,<2.7\n",
    "conda_gpu.yaml": "dependencies:\n  - python=3.11\n  - pytorch>=2.2,<2.7\n",
    "envs/gpu.yml": "dependencies:\n  - python=3.11\n  - pytorch>=2.2,<2.7\n",
    "thing-1.0.dist-info/METADATA": "Name: thing\nRequires-Dist: torch<2.7,>=2.2\n\nText\n",
}


@pytest.mark.parametrize("name", FILES)
def test_declared_dependencies(tmp_path: Path, name: str) -> None:
    file = tmp_path / name.removeprefix("poetry/")
    file.parent.mkdir(exist_ok=True)
    file.write_text(FILES[name])
    releases = supported(tmp_path / "package" / "deep" / "train.py")
    assert bounds(releases) == ("2.2", "2.7.dev0")
    assert releases.said_by == file.name


_PLACE = "https://download.pytorch.org/whl/cu117/torch-2.4.1%2Bcu117-cp310-cp310-linux_x86_64.whl"

LOCKS = {
    "pyproject.toml": f'[tool.poetry.dependencies]\ntorch = {{url = "{_PLACE}"}}\n',
    "requirements.txt": f"numpy\n{_PLACE}\n",
    "requirements-gpu.txt": f"torch @ {_PLACE}\n",
    "uv.lock": '[[package]]\nname = "torch"\nversion = "2.4.1+cpu"\n',
    "poetry.lock": '[[package]]\nname = "torch"\nversion = "2.4.1"\n',
    "Pipfile.lock": '{"default": {"torch": {"version": "==2.4.1"}}}',
    "environment.yaml": "dependencies:\n  - pytorch=2.4.1=py3.11_cuda\n",
}

INSTALLS = (
    "!pip install torch==2.4.1",
    "%%capture\n%pip install -q numpy \\\n    'torch==2.4.1+cu121' -f https://example.org",
    "import sys\n! {sys.executable} -m pip install torchvision==0.19.1",
    "!conda install -y pytorch=2.4.1=py3.11_cuda -c pytorch",
    f"!pip3 install {_PLACE}",
)


@pytest.mark.parametrize("code", INSTALLS)
def test_what_a_notebook_installs(tmp_path: Path, code: str) -> None:
    (tmp_path / "requirements.txt").write_text("torch==2.0\n")
    cells = [{"cell_type": "markdown", "source": ["!pip install torch==1.13"]}]
    cells.append({"cell_type": "code", "source": code.splitlines(keepends=True)})
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells}))
    assert supported(tmp_path / "train.ipynb").all_have("2.4")
    assert not supported(tmp_path / "train.ipynb").reach("2.5")
    assert bounds(supported(tmp_path / "train.py")) == ("2.0", "2.0")


@pytest.mark.parametrize("code", ["# !pip install torch==2.4.1", "!pip install torch", "pip = 1"])
def test_a_notebook_that_installs_no_release_is_of_its_folder(tmp_path: Path, code: str) -> None:
    (tmp_path / "requirements.txt").write_text("torch==2.0\n")
    cells = [{"cell_type": "code", "source": code}]
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells}))
    assert bounds(supported(tmp_path / "train.ipynb")) == ("2.0", "2.0")


WITH_STARS = {"=2.4": "2.5.dev0", "=2.4.*": "2.5.dev0", "=2.*": "2.13"}


@pytest.mark.parametrize("name", LOCKS)
def test_locks(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(LOCKS[name])
    assert bounds(supported(tmp_path / "train.py")) == ("2.4.1", "2.4.1")


@pytest.mark.parametrize(("wanted", "newest"), WITH_STARS.items())
def test_conda_means_all_that_begin_so(tmp_path: Path, wanted: str, newest: str) -> None:
    (tmp_path / "environment.yml").write_text(f"dependencies:\n  - pytorch{wanted}\n")
    assert bounds(supported(tmp_path / "train.py"))[1] == newest


def test_a_nightly_build_is_one_release(tmp_path: Path) -> None:
    text = "dependencies:\n  - pytorch=2.1.0.dev20230612=py3.8_cuda12.1\n"
    (tmp_path / "environment.yml").write_text(text)
    assert not supported(tmp_path / "train.py").reach("2.1")


def test_a_dependency_without_bounds_leaves_it_to_the_lock(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\ndependencies = ["torch"]\n')
    (tmp_path / "uv.lock").write_text(LOCKS["uv.lock"])
    assert bounds(supported(tmp_path / "train.py")) == ("2.4.1", "2.4.1")


def test_extras_widen_the_range(tmp_path: Path) -> None:
    text = '[project.optional-dependencies]\nold = ["torch==1.13"]\nnew = ["torch>=2.5"]\n'
    (tmp_path / "pyproject.toml").write_text(text)
    assert bounds(supported(tmp_path / "train.py")) == ("1.13", "2.13")


def test_the_nearest_folder_that_says_it_counts(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.13\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "requirements.txt").write_text("torch==2.0\n")
    assert bounds(supported(tmp_path / "inner" / "train.py")) == ("2.0", "2.0")


def test_a_repository_does_not_look_outside(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.13\n")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    assert supported(tmp_path / "repository" / "train.py") == Releases()


@pytest.mark.parametrize("text", ["[project", "\x00", "torch @ https://example.org/torch.whl"])
def test_files_that_cannot_be_read_say_nothing(tmp_path: Path, text: str) -> None:
    for name in (*FILES, *LOCKS):
        file = tmp_path / name.removeprefix("poetry/")
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    (tmp_path / ".git").mkdir()
    assert supported(tmp_path / "train.py") == Releases(NEWEST, NEWEST)


def test_a_setting_overrides_the_files(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.13\n")
    assert bounds(supported(tmp_path / "train.py", parse("2.0"))) == ("2.0", "2.0")


OTHERS = {
    "pyproject.toml": '[project]\ndependencies = ["torch>=2.2", "lightning[extra]>=1.9,<2.1"]\n',
    "poetry/pyproject.toml": '[tool.poetry.dependencies]\npytorch-lightning = ">=1.9,<2.1"\n',
    "requirements.txt": "torch>=2.2\npytorch_lightning>=1.9,<2.1\n",
    "environment.yml": "dependencies:\n  - conda-forge::pytorch-lightning>=1.9,<2.1\n",
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_packages_are_declared_alike(tmp_path: Path, name: str) -> None:
    file = tmp_path / name.removeprefix("poetry/")
    file.write_text(OTHERS[name])
    lightning = supported(tmp_path / "train.py", None, "pytorch_lightning")
    assert bounds(lightning) == ("1.9", "2.1.dev0")
    assert supported(tmp_path / "train.py", None, "accelerate") == Releases()


PYTHONS = {
    "environment.yml": "dependencies:\n  - python=3.7\n  - pip:\n    - torch\n",
    "env.yml": "dependencies:\n  - python=3.7.9=h7579374_0\n  - pytorch<2\n  - torchvision\n",
    "pyproject.toml": '[project]\nrequires-python = ">=3.6,<3.8"\ndependencies = ["torch"]\n',
    "poetry/pyproject.toml": '[tool.poetry.dependencies]\npython = "~3.7"\ntorch = "*"\n',
}


@pytest.mark.parametrize("name", PYTHONS)
def test_a_python_has_a_newest_torch(tmp_path: Path, name: str) -> None:
    (tmp_path / name.removeprefix("poetry/")).write_text(PYTHONS[name])
    assert bounds(supported(tmp_path / "train.py")) == ("1.13.1", "1.13.1")


def test_a_python_bounds_the_torch_that_is_declared_with_it(tmp_path: Path) -> None:
    environment = tmp_path / "environment.yml"
    environment.write_text("dependencies:\n  - python=3.8\n  - pytorch>=1.9\n")
    assert bounds(supported(tmp_path / "train.py")) == ("1.9", "2.4.1")
    environment.write_text("dependencies:\n  - python=3.8\n  - pytorch=2.5.0\n")
    forget()  # As another run does, which finds another text there.
    assert supported(tmp_path / "train.py").reach("2.5")


def test_a_channel_is_no_release(tmp_path: Path) -> None:
    (tmp_path / "environment.yml").write_text(
        "channels:\n  - pytorch\ndependencies:\n  - python=3.8.5=h7579374_1\n"
        "  - pytorch=1.8.1=py3.8_cuda10.2_cudnn7.6.5_0\n"
    )
    assert bounds(supported(tmp_path / "train.py")) == ("1.8.1", "1.8.1")


@pytest.mark.parametrize("asked", [">=3.7", "^3.7", ">=3.7,<4.0"])
def test_a_python_that_may_be_newer_bounds_nothing(tmp_path: Path, asked: str) -> None:
    dependencies = f'[tool.poetry.dependencies]\npython = "{asked}"\ntorch = ">=1.9"\n'
    (tmp_path / "pyproject.toml").write_text(dependencies)
    assert bounds(supported(tmp_path / "train.py")) == ("1.9", "2.13")


def test_torchvision_is_told_by_the_torch_that_it_comes_with() -> None:
    assert [of_torch(release) for release in ("0.9", "0.14", "0.15", "0.28")] == [
        "1.8",
        "1.13",
        "2.0",
        "2.13",
    ]


@pytest.mark.parametrize(
    ("pinned", "release"), [("0.12.1", "1.12"), ("2.2.2", "2.2"), ("2.11.0", "2.11")]
)
def test_torchaudio_comes_with_one_release_of_torch_too(
    tmp_path: Path, pinned: str, release: str
) -> None:
    (tmp_path / "requirements_audio.txt").write_text(f"torchaudio=={pinned}\ntorcheval==0.0.7\n")
    assert bounds(supported(tmp_path / "train.py")) == (release, release)


def test_the_oldest_torchaudio_that_will_do_says_nothing_of_torch(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch\ntorchaudio>=0.8.0\n")
    assert not supported(tmp_path / "train.py").said_by


@pytest.mark.parametrize(
    ("declared", "newest"),
    [("torch==1.4.0", "1.3"), ("torch>=1.8,<1.11", "1.9"), ("torchvision==0.14", "2.2")],
)
def test_a_torch_has_a_newest_lightning_that_takes_it(
    tmp_path: Path, declared: str, newest: str
) -> None:
    (tmp_path / "requirements.txt").write_text(f"{declared}\n")
    found = supported(tmp_path / "train.py", None, "pytorch_lightning")
    assert bounds(found) == (newest, newest)


def test_what_is_asked_of_lightning_goes_no_further_than_the_torch(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.8.0\npytorch-lightning>=1.2.4\n")
    assert bounds(supported(tmp_path / "train.py", None, "pytorch_lightning")) == ("1.2.4", "1.6")


def test_a_lightning_that_the_torch_is_too_old_for_is_what_it_says(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.8.0\npytorch-lightning>=2.0,<2.2\n")
    found = supported(tmp_path / "train.py", None, "pytorch_lightning")
    assert bounds(found) == ("2.0", "2.2.dev0")


def test_lightning_by_its_older_name_is_the_one_that_is_imported_by_it(tmp_path: Path) -> None:
    lines = "lightning=2.0.8=pypi_0\npytorch-lightning=1.7.7=pypi_0\n"
    (tmp_path / "requirements.txt").write_text(lines)
    found = supported(tmp_path / "train.py", None, "pytorch_lightning")
    assert str(found.newest) == "1.7.7"
    (tmp_path / "requirements_new.txt").write_text("lightning==2.1\n")
    forget()  # As another run does, to which a folder may have another file.
    assert str(supported(tmp_path / "train.py", None, "lightning").newest) == "2.1"


def test_a_new_torch_says_nothing_of_lightning(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch>=1.4\n")
    assert supported(tmp_path / "train.py", None, "pytorch_lightning") == Releases()


VISION = {
    "pyproject.toml": '[project]\ndependencies = ["torchvision>=0.10.0,<0.17"]\n',
    "requirements.txt": "torch\ntorchvision >= 0.10.0, < 0.17  # not newer\n",
    "environment.yml": "dependencies:\n  - pytorch::torchvision>=0.10.0,<0.17\n",
    "thing-1.0.dist-info/METADATA": "Requires-Dist: torchvision (<0.17,>=0.10.0)\n\n",
}


@pytest.mark.parametrize("name", VISION)
@pytest.mark.parametrize("package", ["torch", "torchvision"])
def test_who_declares_torchvision_declares_its_torch(
    tmp_path: Path, name: str, package: str
) -> None:
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(VISION[name])
    found = supported(tmp_path / "train.py", None, package)
    assert bounds(found) == ("1.9", "2.2.dev0")


def test_each_of_them_speaks_for_itself_first(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch>=2.1\ntorchvision>=0.15\n")
    assert bounds(supported(tmp_path / "train.py")) == ("2.1", "2.13")
    assert bounds(supported(tmp_path / "train.py", None, "torchvision")) == ("2.0", "2.13")


@pytest.mark.parametrize("declared", ["torchvision>=0.10.0", "torch>=1.9", "torchvision<0.13"])
def test_a_torchvision_without_weights_is_supported(tmp_path: Path, declared: str) -> None:
    (tmp_path / "requirements.txt").write_text(f"{declared}\n")
    (tmp_path / "sample.py").write_text(
        "from torchvision.models import vgg16\n\nmodel = vgg16(pretrained=True)\n"
    )
    settings = Settings(select=("TL905",), level=Level.PEDANTIC)
    (found,) = check([str(tmp_path / "sample.py")], settings).findings
    assert (found.level, found.fix) == (Level.PEDANTIC, None)


@pytest.mark.parametrize(("declared", "is_fixed"), [(">=1.7", False), (">=1.11", True)])
def test_an_argument_is_added_where_all_releases_take_it(
    tmp_path: Path, declared: str, *, is_fixed: bool
) -> None:
    (tmp_path / "requirements.txt").write_text(f"torch{declared}\n")
    code = (
        "from torch import nn\n"
        "from torch.utils.checkpoint import checkpoint\n\n\n"
        "class Block(nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.fc = nn.Linear(2, 2)\n\n"
        "    def forward(self, x):\n"
        "        return checkpoint(self.fc, x)\n"
    )
    (tmp_path / "block.py").write_text(code)
    (found,) = check([tmp_path], Settings(select=("TL114",))).findings
    assert (found.fix is not None) is is_fixed
