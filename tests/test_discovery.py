"""Which files are found under the paths, and which of the project are read along with them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from torchlint.sources.context import context
from torchlint.sources.discovery import discover, shown
from torchlint.sources.filtering import Filter, Pattern, made
from torchlint.sources.reading import Found, read
from torchlint.sources.source import Source

Tree = Callable[..., None]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tree:
    """Makes files in the working directory; a value is a file's text."""
    monkeypatch.chdir(tmp_path)

    def make(*empty: str, **texts: str) -> None:
        for path, text in {**dict.fromkeys(empty, ""), **texts}.items():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_text(text, "utf-8")

    return make


def found(*paths: str) -> list[str]:
    return [file.path for file in discover(paths).files]


def test_a_folder_is_walked_for_python(tree: Tree) -> None:
    tree("b.py", "a.py", "pkg/deep/c.py", "stub.pyi", "read.md", "py", "x.py.txt")
    assert found(".") == ["a.py", "b.py", "pkg/deep/c.py"]
    assert found("pkg") == ["pkg/deep/c.py"]


def test_lines_that_mean_nothing_ignore_nothing(tree: Tree) -> None:
    tree("a.py", "b.py", **{".gitignore": "[z-a]\nc\\\n!\nb.py\n"})
    assert found(".") == ["a.py"]


def test_notebooks_are_found_too(tree: Tree) -> None:
    tree("a.py", "b.ipynb", ".ipynb_checkpoints/b-checkpoint.ipynb", ".#c.ipynb", "d.IPYNB.txt")
    assert found(".") == ["a.py", "b.ipynb"]


def test_what_is_ignored_in_this_clone_alone(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    tree("pkg/a.py", "pkg/mine.py", **{".git/info/exclude": "# none\n/pkg/mine.py\n"})
    assert found(".") == ["pkg/a.py"]
    assert found("pkg") == ["pkg/a.py"]
    assert found("pkg/mine.py") == ["pkg/mine.py"]
    tree(**{"pkg/.gitignore": "!mine.py\n"})
    assert found(".") == ["pkg/a.py", "pkg/mine.py"]


def test_what_is_ignored_in_a_further_work_tree(tree: Tree) -> None:
    tree("there/a.py", "there/mine.py", **{"first/.git/info/exclude": "mine.py\n"})
    tree(**{"there/.git": "gitdir: ../first/.git/worktrees/there\n"})
    tree(**{"first/.git/worktrees/there/commondir": "../..\n"})
    assert found("there") == ["there/a.py"]


@pytest.mark.parametrize(
    ("settings", "file"),
    [
        ({}, "home/.config/git/ignore"),
        ({"home/.gitconfig": '[core]\n\texcludesFile = "~/mine"\n'}, "home/mine"),
        ({"home/.config/git/config": "[core]\nexcludesfile=~/mine\n"}, "home/mine"),
    ],
)
def test_what_somebody_ignores_everywhere(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], file: str
) -> None:
    monkeypatch.setenv("HOME", os.path.abspath("home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("GIT_CONFIG_GLOBAL", raising=False)
    tree(
        "repo/a.py", "repo/scratch_b.py", **{"repo/.git/HEAD": "", file: "scratch_*\n", **settings}
    )
    assert found("repo") == ["repo/a.py"]
    tree(**{"repo/.gitignore": "!scratch_b.py\n"})
    assert found("repo") == ["repo/a.py", "repo/scratch_b.py"]


def test_other_files_where_they_are_wanted(tree: Tree) -> None:
    tree("a.py", "README.md", "docs/b.md", "docs/c.txt", "build/d.md")
    wanted = Filter(included=made((), (Pattern("docs/*.md"),), False, True).included)
    paths = [file.path for file in discover(["."], lambda folder: wanted).files]
    assert paths == ["a.py", "docs/b.md"]
    assert found("README.md") == ["README.md"]


def test_each_file_once(tree: Tree) -> None:
    tree("pkg/a.py", "pkg/b.py")
    assert found("pkg/b.py", "pkg", "./pkg/../pkg/a.py", "pkg") == ["pkg/a.py", "pkg/b.py"]
    assert discover(["pkg", "pkg"]).warnings == []


def test_a_named_file_is_taken_whatever_it_is_called(tree: Tree) -> None:
    tree("script", "build/a.py", **{".gitignore": "build\n", ".git/HEAD": ""})
    assert found("script", "build/a.py") == ["build/a.py", "script"]


@pytest.mark.parametrize(
    "folder", [".git", ".venv", "venv", "build", "dist", "node_modules", "site-packages", ".tox"]
)
def test_folders_of_others_are_left_out(tree: Tree, folder: str) -> None:
    tree("a.py", f"{folder}/b.py", f"src/{folder}/c.py", f"{folder}s/d.py")
    assert found(".") == ["a.py", f"{folder}s/d.py"] or found(".") == [f"{folder}s/d.py", "a.py"]
    assert found(folder) == [f"{folder}/b.py"]


def test_an_environment_by_any_name_is_left_out(tree: Tree) -> None:
    tree("a.py", "my-env/pyvenv.cfg", "my-env/lib/b.py")
    assert found(".") == ["a.py"]


def test_settings_of_an_environment_do_not_make_one(tree: Tree) -> None:
    tree("pyvenv.cfg", "a.py", "sub/pyvenv.cfg", "sub/b.py", "lib/python3/site-packages/c.py")
    assert found(".") == ["a.py", "sub/b.py"]


def test_what_git_ignores_is_left_out(tree: Tree) -> None:
    tree(
        "a.py", "gen/b.py", "gen_x.py", "pkg/c.py", "pkg/gen_y.py", "pkg/out/d.py", "keep/out/e.py"
    )
    tree(**{".gitignore": "/gen/\ngen_*.py\n", "pkg/.gitignore": "out/\n!gen_y.py\n"})
    assert found(".") == ["a.py", "keep/out/e.py", "pkg/c.py", "pkg/gen_y.py"]


def test_patterns_above_the_named_folder_count_within_the_repository(tree: Tree) -> None:
    tree(
        "repo/pkg/a.py", "repo/pkg/gen.py", **{"repo/.gitignore": "gen.py\n", "repo/.git/HEAD": ""}
    )
    tree(**{".gitignore": "a.py\n"})
    assert found("repo/pkg") == ["repo/pkg/a.py"]


def test_a_named_folder_that_git_ignores_is_walked(tree: Tree) -> None:
    tree("scratch/a.py", **{".gitignore": "scratch/\n", ".git/HEAD": ""})
    assert found(".") == []
    assert found("scratch") == ["scratch/a.py"]


def test_links_to_folders_are_not_followed(tree: Tree) -> None:
    tree("pkg/a.py", "other/b.py")
    Path("pkg/loop").symlink_to("..", target_is_directory=True)
    Path("pkg/other").symlink_to("../other", target_is_directory=True)
    Path("pkg/folder.py").symlink_to("../other", target_is_directory=True)
    assert found("pkg") == ["pkg/a.py"]
    assert found("pkg/other") == ["pkg/other/b.py"]


def test_a_link_to_a_file_is_followed_once(tree: Tree) -> None:
    tree("pkg/a.py", "other/b.py")
    Path("pkg/same.py").symlink_to("a.py")
    Path("pkg/b.py").symlink_to("../other/b.py")
    assert found("pkg") == ["pkg/a.py", "pkg/b.py"]


def test_locks_of_emacs_are_no_files(tree: Tree) -> None:
    tree("a.py")
    Path(".#a.py").symlink_to("me@host.1234")
    assert found(".") == ["a.py"]


def test_paths_are_shown_from_the_working_directory(tree: Tree, tmp_path: Path) -> None:
    tree("pkg/a.py")
    assert found(str(tmp_path / "pkg")) == ["pkg/a.py"]
    os.chdir("pkg")
    assert found("..") == ["a.py"]


@pytest.mark.skipif(os.name == "nt", reason="such names cannot be made")
def test_a_path_is_shown_in_one_line_of_printable_text(tree: Tree) -> None:
    tree("a\nb\x1b[2J.py")
    Path(os.fsdecode(b"\xff.py")).touch()
    assert found(".") == ["\\udcff.py", "a\\nb\\x1b[2J.py"]
    assert shown(Path("名.py")) == "名.py"


def test_a_folder_without_python_is_worth_a_warning(tree: Tree) -> None:
    tree("empty/read.md", "a.py")
    discovered = discover(["empty", "a.py"])
    assert discovered.warnings == ["no Python files found under empty"]
    assert discovered.troubles == []
    assert [file.path for file in discovered.files] == ["a.py"]


def along(*paths: str) -> list[str]:
    """The files that are read along with the named ones."""
    sources = [read(file) for file in discover(paths).files]
    assert all(isinstance(source, Source) for source in sources)
    taken = list(context([source for source in sources if isinstance(source, Source)]))
    assert not any(source.reported for source in taken)
    return sorted(source.path for source in taken)


def test_a_script_brings_what_it_imports(tree: Tree) -> None:
    tree("models/__init__.py", "models/other.py", "unrelated.py", "models/head.py", "losses.py")
    tree(
        **{
            "train.py": "import torch\nfrom models.net import (\n  Net,  # x\n)\nimport losses\n",
            "models/net.py": "import torch\nfrom . import head\nfrom .missing import x\n",
        }
    )
    assert along("train.py") == [
        "losses.py",
        "models/__init__.py",
        "models/head.py",
        "models/net.py",
    ]
    assert along(".") == []


def test_a_file_in_a_package_finds_its_package(tree: Tree) -> None:
    tree("lib/pkg/__init__.py", "lib/pkg/a/__init__.py", "lib/pkg/b.py", "lib/pkg/c/__init__.py")
    tree("lib/other/__init__.py", "lib/pkg/d.py")
    imports = "import torch, other, pkg.c\nfrom .. import b\nfrom ...pkg import d\n"
    tree(**{"lib/pkg/a/x.py": imports})
    assert along("lib/pkg/a/x.py") == [
        "lib/pkg/__init__.py",
        "lib/pkg/b.py",
        "lib/pkg/c/__init__.py",
        "lib/pkg/d.py",
    ]


@pytest.mark.parametrize("marker", ["pyproject.toml", "setup.py", ".git"])
def test_a_projects_marker_makes_its_folder_a_root(
    tree: Tree, marker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree(f"project/{marker}", "project/lib/net.py", "project/src/core/net.py")
    tree(**{"project/scripts/train.py": "import torch\nimport lib.net\nimport core.net\n"})
    monkeypatch.chdir("project/scripts")
    assert along("train.py") == ["../lib/net.py", "../src/core/net.py"]


def test_the_working_directory_is_a_root(tree: Tree) -> None:
    tree("lib/net.py", **{"scripts/train.py": "import torch, lib.net\n"})
    assert along("scripts") == ["lib/net.py"]


def test_an_installed_package_does_not_bring_its_neighbours(tree: Tree) -> None:
    tree("pyproject.toml", "env/site-packages/torch/__init__.py")
    tree("env/site-packages/timm/other.py")
    tree(**{"env/site-packages/timm/__init__.py": "import torch\nfrom timm import other\n"})
    assert along("env/site-packages/timm/__init__.py") == ["env/site-packages/timm/other.py"]


def test_imports_in_a_circle_end(tree: Tree) -> None:
    tree(**{"a.py": "import torch, b\n", "b.py": "import a, c\n", "c.py": "from b import x\n"})
    assert along("a.py") == ["b.py", "c.py"]


def test_an_import_of_what_cannot_be_read_is_passed_over(tree: Tree) -> None:
    tree(**{"a.py": "import torch, b\n"})
    Path("b.py").write_bytes(b"\xff\xfe\0")
    assert along("a.py") == []


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfx = 1\r\n", "x = 1\r\n"),
        ("x = 'é🔥'\n".encode(), "x = 'é🔥'\n"),
        (
            "# -*- coding: latin-1 -*-\nx = 'é'\n".encode("latin-1"),
            "# -*- coding: latin-1 -*-\nx = 'é'\n",
        ),
        ("#!/bin/sh\n# vim: set fileencoding=cp1252 :\n'€'".encode("cp1252"), None),
        (b"\x0cx = 1\ry = 2", "\x0cx = 1\ry = 2"),
        (b"", ""),
    ],
)
def test_a_file_is_decoded_as_it_declares(tmp_path: Path, data: bytes, text: str | None) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(data)
    source = read(Found("a.py", file))
    assert isinstance(source, Source)
    assert source.text == (data.decode("cp1252") if text is None else text)


def test_an_installed_module_does_not_bring_its_neighbours(tree: Tree) -> None:
    tree("site-packages/torch/__init__.py", **{"site-packages/alone.py": "import torch\n"})
    assert along("site-packages/alone.py") == []


def test_a_named_file_is_not_read_along(tree: Tree) -> None:
    tree("b.py", **{"a.py": "import torch\nimport b, c\n", "c.py": "import torch\n"})
    assert along("a.py") == ["b.py", "c.py"]
    assert along("a.py", "b.py") == ["c.py"]


def test_what_does_not_mention_torch_brings_nothing(tree: Tree) -> None:
    tree("b.py", **{"a.py": "import b\n"})
    assert along("a.py") == []


def test_the_nearest_imports_come_first(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(**{"a.py": "import torch, b, c\n", "b.py": "import d\n", "c.py": "", "d.py": ""})
    monkeypatch.setattr("torchlint.sources.context.MOST", 2)
    assert along("a.py") == ["b.py", "c.py"]
