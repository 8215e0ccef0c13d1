"""What was found at a commit: its files, in a scratch folder, looked at as today's are."""

from __future__ import annotations

import difflib
import os
import subprocess
import tempfile
from collections import Counter
from contextlib import chdir
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.frozen import dataclass, replace
from torchlint.known import Known, identity
from torchlint.releases import declarations
from torchlint.settings import Settings, SettingsError
from torchlint.sources.formats import SUFFIXES, is_walked
from torchlint.sources.lines import split

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from torchlint.findings import Report
    from torchlint.settings import SettingsOf

    Lint = Callable[[Sequence[str], SettingsOf], Report]
    Tree = Mapping[str, str]

# What findings depend on: code, and what says for which releases of torch it is.
_DECLARING = ("*.toml", *declarations.FILES)
_FILES = ("100644", "100755")


@dataclass(slots=True)
class Base:
    """A commit to compare with: where the histories of ``ref`` and of HEAD part.

    To look at it, the working directory of the process is changed for a while.
    """

    ref: str
    warnings: list[str] = field(default_factory=list)
    _commit: str = ""
    _known: Known | None = None

    def resolve(self) -> None:
        """Find the commit; SettingsError where there is none."""
        if self._commit:
            return
        self._answer("rev-parse", "--show-toplevel")
        found = _git(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{self.ref}^{{commit}}"
        )
        if found.returncode or not self.ref:
            raise SettingsError(f"--diff-base {self.ref}: there is no such commit{self._advice()}")
        commit = found.stdout.decode().strip()
        parting = _git("merge-base", commit, "HEAD")
        if parting.returncode == 1:
            said = "has no commit in common with HEAD here, so it is compared with as it is"
            self.warnings.append(f"--diff-base {self.ref} {said}")
        self._commit = parting.stdout.decode().strip() or commit

    def known(
        self, files: Iterable[Path], paths: Sequence[str], settings: SettingsOf, lint: Lint
    ) -> Known:
        """What was found there: in these files, and under these paths in those that are gone."""
        if self._known is None:
            root = os.path.normpath(self._answer("rev-parse", "--show-toplevel"))
            tree = dict(self._tree())
            with tempfile.TemporaryDirectory(prefix="torchlint-") as scratch:
                then = _Then(settings, root, os.path.realpath(scratch))
                named = [*then.named(files, tree), *then.gone(paths, tree)]
                self._known = _found(then, named, tree, lint)
        return self._known

    def _tree(self) -> Iterator[tuple[str, str]]:
        """The files that matter, by their paths in the repository."""
        listing = self._answer("ls-tree", "-r", "-z", "--full-tree", self._commit)
        for entry in filter(None, listing.split("\0")):
            described, _, path = entry.partition("\t")
            mode, _, name = described.split()
            if mode in _FILES and _matters(PurePosixPath(path)):
                yield path, name

    def _answer(self, *arguments: str) -> str:
        answer = _git(*arguments)
        if answer.returncode:
            reason = os.fsdecode(answer.stderr).strip().splitlines()[-1:]
            said = "".join(reason).removeprefix("fatal: ")
            raise SettingsError(f"--diff-base {self.ref}: git says: {said}")
        return os.fsdecode(answer.stdout).removesuffix("\n")

    def _advice(self) -> str:
        near = difflib.get_close_matches(self.ref, branches(), n=1, cutoff=0.5)
        return f"; did you mean {near[0]}?" if near else "; git fetch may bring it here."


def branches() -> list[str]:
    """What branches and tags are called; none where there is no repository."""
    return os.fsdecode(_git("for-each-ref", "--format=%(refname:short)").stdout).splitlines()


@dataclass(frozen=True, slots=True)
class _Then:
    """The settings of files as they were: those of what is in their place today."""

    settings: SettingsOf
    root: str
    scratch: str

    def of(self, file: Path) -> Settings:
        """What holds for this file."""
        return self._moved(self.settings.of(Path(self._today(os.path.abspath(file)))))

    def of_folder(self, folder: str) -> Settings:
        """What holds in this folder."""
        return self._moved(self.settings.of_folder(self._today(folder)))

    def named(self, files: Iterable[Path], tree: Tree) -> Iterator[str]:
        """The files, relative to the working directory, that were there."""
        for file in files:
            if self._in_repository(os.path.abspath(file)) in tree:
                yield os.path.relpath(file)

    def gone(self, paths: Sequence[str], tree: Tree) -> Iterator[str]:
        """Code under the paths that was there, is not now, and would not be left out."""
        folders = [os.path.abspath(path) for path in paths if os.path.isdir(path)]
        for path in tree:
            file = os.path.join(self.root, *path.split("/"))
            if is_walked(path) and not os.path.lexists(file):
                above = (folder for folder in folders if file.startswith(folder + os.sep))
                if any(not self._is_left_out(file, folder) for folder in above):
                    yield os.path.relpath(file)

    @property
    def folder(self) -> str:
        """What the working directory was."""
        return os.path.join(self.scratch, os.path.relpath(os.getcwd(), self.root))

    def _is_left_out(self, file: str, folder: str) -> bool:
        excluded = self.settings.of_folder(os.path.dirname(file)).filter.excludes
        steps = os.path.relpath(file, folder).split(os.sep)
        walked = [os.path.join(folder, *steps[: each + 1]) for each in range(len(steps))]
        return any(excluded(path, os.path.basename(path), folder=path != file) for path in walked)

    def _in_repository(self, path: str) -> str:
        return os.path.relpath(path, self.root).replace(os.sep, "/")

    def _today(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.root, os.path.relpath(path, self.scratch)))

    def _moved(self, settings: Settings) -> Settings:
        """What was hidden then was there too; what is left out has been left out."""
        roots = (os.path.relpath(folder, self.root) for folder in settings.src)
        src = tuple(os.path.normpath(os.path.join(self.scratch, each)) for each in roots)
        level = Level.PEDANTIC
        return replace(settings, src=src, level=level, baseline="", force_exclude=False)


def _found(then: _Then, named: Sequence[str], tree: Tree, lint: Lint) -> Known:
    _lay_out(then.scratch, tree)
    here, there = os.getcwd(), then.folder
    os.makedirs(there, exist_ok=True)
    with chdir(there):
        report = lint(named, then)
    lines = {path: split(text) for path, text in report.texts.items()}
    return Known(Counter(identity(finding, lines) for finding in report.findings), here)


def _lay_out(folder: str, tree: Tree) -> None:
    """Write the files into the folder, which then looks like the root of a repository."""
    os.mkdir(os.path.join(folder, ".git"))
    output = _git("cat-file", "--batch", given="\n".join(tree.values()) + "\n").stdout
    start = 0
    for path in tree:
        line = output.index(b"\n", start)
        header, start = output[start:line].split(), line + 1
        if header[-1] == b"missing":
            continue
        end = start + int(header[2])
        file = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        Path(file).write_bytes(output[start:end])
        start = end + 1


def _matters(path: PurePosixPath) -> bool:
    if not {"..", ".git"}.isdisjoint(path.parts):  # no repository should have such
        return False
    return path.suffix.lower() in SUFFIXES or any(map(path.match, _DECLARING))


def _git(*arguments: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
    try:
        return subprocess.run(["git", *arguments], input=given.encode(), capture_output=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise SettingsError(f"--diff-base needs git, which cannot be run: {reason}.") from None
