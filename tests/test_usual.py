"""What a file calls torch and its modules changes nothing of what is found in it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cases import Case, all_cases, differences

from torchlint.api import check
from torchlint.findings import Level
from torchlint.project.texts import Texts
from torchlint.project.usual import renamed
from torchlint.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable

OTHERWISE = {
    "import torch": "import torch as th",
    "from torch import nn": "from torch import nn as layers",
    "import torch.nn as nn": "import torch.nn as layers",
    "from torch.nn import functional as F": "from torch.nn import functional as fn",
    "import torch.nn.functional as F": "import torch.nn.functional as fn",
}
NAMES = {"torch": "th", "nn": "layers", "F": "fn"}
USES = re.compile(r"(?<![\w.])(torch|nn|F)(?=\.)")
IMPORT = re.compile(r"\s*(?:from|import)\b")
TAKEN = re.compile(
    r"\b(?:th|layers|fn)\b|^import torch\.(?!nn as nn$|nn\.functional as F$)", re.MULTILINE
)


def otherwise(text: str) -> str | None:
    """The text with other names for torch and its modules, None where it has none to change."""
    lines = text.split("\n")
    if TAKEN.search(text) or not any(line in OTHERWISE for line in lines):
        return None
    bound = {line.split()[-1] for line in lines if line in OTHERWISE}

    def use(found: re.Match[str]) -> str:
        return NAMES[found[1]] if found[1] in bound else found[1]

    return "\n".join(
        OTHERWISE.get(line) or (line if IMPORT.match(line) else USES.sub(use, line))
        for line in lines
    )


def declared(case: Case) -> list[Path]:
    """The nearest files that say which releases of torch there may be."""
    names = ("pyproject.toml", "requirements.txt")
    near = ([folder / name for name in names] for folder in case.path.parents)
    return next(found for files in near if (found := [file for file in files if file.exists()]))


def directly(text: str) -> str | None:
    """The text with each class of ``nn`` imported by its name, None where that cannot be done."""
    imports = ("from torch import nn", "import torch.nn as nn")
    line = next((each for each in imports if each in text.split("\n")), "")
    names = sorted(set(re.findall(r"(?<![\w.])nn\.(\w+)", text)))
    rest = re.sub(r"(?<![\w.])nn\.\w+", "", text.replace(line, "", 1))
    if not line or not names or any(re.search(rf"\b(?:{each}|nn)\b", rest) for each in names):
        return None
    text = re.sub(r"(?<![\w.])nn\.(\w+)", r"\1", text)
    return re.sub(
        rf"^{line}$", f"from torch.nn import {', '.join(names)}", text, flags=re.MULTILINE
    )


FILES = [case for case in all_cases() if case.kind == "fires" and case.path.is_file()]
CHANGES: dict[str, Callable[[str], str | None]] = {"otherwise": otherwise, "directly": directly}
CASES = [
    (case, name)
    for number, case in enumerate(FILES)
    # What is imported directly is looked for by patterns in few places.
    for name, change in CHANGES.items()
    if (name == "otherwise" or number % 4 == 0 or case.rule == "TL417")
    and change(case.path.read_text("utf-8"))
]


@pytest.mark.parametrize(("case", "name"), CASES, ids=lambda each: getattr(each, "label", each))
def test_findings_are_the_same(
    case: Case, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for said in declared(case):
        shutil.copy(said, tmp_path)
    file = tmp_path / case.path.name
    text = CHANGES[name](case.path.read_text("utf-8"))
    assert text is not None
    file.write_text(text, "utf-8")
    report = check([file.name], Settings(level=Level.PEDANTIC))
    differs = differences(report.findings, [file], tmp_path, case.rule)
    assert not differs, "\n".join(["", *differs])


def test_there_are_enough_of_them() -> None:
    assert sum(name == "otherwise" for _, name in CASES) > len(FILES) * 0.7
    assert sum(name == "directly" for _, name in CASES) > len(FILES) * 0.15


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("import os, torch as th\nx = th.ones(2)\n", "x = torch.ones(2)"),
        ("import torch.nn as tnn\nx = tnn.Linear(2, 3)\n", "x = nn.Linear(2, 3)"),
        ("from torch import nn as N\nx = N.Linear(2, 3)\n", "x = nn.Linear(2, 3)"),
        ("from torch.nn import functional as f\ny = f.relu(x.f.g)\n", "y = F.relu(x.f.g)"),
        ("import torch.nn.functional as f\ny = f.relu(x)\n", "y = F.relu(x)"),
        ("import torchvision.transforms.functional as T\ny = T.crop(x)\n", "y = T.crop(x)"),
        ("import torch.nn as nn\ny = nn.ReLU()(x)\n", "y = nn.ReLU()(x)"),
    ],
)
def test_usual_names_take_the_place_of_others(text: str, usual: str) -> None:
    lines = renamed(text).split("\n")
    assert lines[0] == text.split("\n")[0]
    assert lines[1] == usual


def test_no_text_is_read_before_something_is_asked_of_them() -> None:
    texts = Texts([b"\xff"])
    with pytest.raises(UnicodeDecodeError):
        _ = texts.concordance
