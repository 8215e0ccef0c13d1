"""Every fix that is offered parses, takes away its finding, and makes no other mistake."""

import ast
import shutil
from collections import Counter
from pathlib import Path

import pytest

from torchlint.api import check
from torchlint.applying.changes import apply
from torchlint.findings import Finding, Level, Safety
from torchlint.settings import Settings

FIXTURES = Path(__file__).parents[1] / "fixtures"
CASES = sorted(case for case in FIXTURES.glob("*/*/fires_*") if case.parts[-3] != "run")


def found(path: Path) -> list[Finding]:
    return list(check([str(path)], Settings(level=Level.PEDANTIC)).findings)


def count(findings: list[Finding], finding: Finding) -> int:
    return sum(f.code == finding.code and f.scope == finding.scope for f in findings)


def mistakes(findings: list[Finding]) -> Counter[str]:
    """How often each rule is sure of a mistake; below that, one may have hidden another."""
    return Counter(finding.code for finding in findings if finding.level is Level.CORRECTNESS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parts[-2]}/{case.stem}")
def test_a_fix_takes_its_finding_away(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    copy = tmp_path / case.name
    if case.is_dir():
        shutil.copytree(case, copy)
    else:
        shutil.copy(case, copy)
    findings = found(copy)
    for finding in findings:
        if finding.fix is None:
            continue
        file = tmp_path / finding.place.path
        original = file.read_text(encoding="utf-8")
        repaired = apply(original, finding.fix.edits)
        ast.parse(repaired)
        file.write_text(repaired, encoding="utf-8")
        left = found(copy)
        file.write_text(original, encoding="utf-8")
        assert count(left, finding) < count(findings, finding), repaired
        assert not mistakes(left) - mistakes(findings), repaired


@pytest.mark.parametrize("change", ["chunk.add_(1)", "chunk += 1"])
def test_what_a_loop_goes_over_keeps_the_change(change: str, tmp_path: Path) -> None:
    """A name that the loop has given is nobody's: with another tensor, the input stays as it is."""
    file = tmp_path / "model.py"
    forward = f"for chunk in x.split(2):\n            {change}\n        return x"
    file.write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        f"        {forward}\n",
        encoding="utf-8",
    )
    assert [(finding.code, finding.fix) for finding in found(file)] == [("TL102", None)]


@pytest.mark.parametrize(("method", "offered"), [("relu_()", True), ("fill_(0.5)", False)])
def test_what_no_method_does_is_not_written(method: str, offered: bool, tmp_path: Path) -> None:
    file = tmp_path / "model.py"
    file.write_text(
        "from torch import nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
        f"        x.{method}\n        return x\n",
        encoding="utf-8",
    )
    [finding] = found(file)
    assert (finding.code, finding.fix is not None) == ("TL102", offered)


@pytest.mark.parametrize(
    ("body", "offered"),
    [
        ("if part.device.type != 'meta':\n            part.to(device)", False),
        ("part.to(device)\n        parts.append(part)", True),
    ],
)
def test_what_a_loop_does_not_look_at_again_is_not_kept(
    body: str, offered: bool, tmp_path: Path
) -> None:
    """A name that the loop has given is moved in vain, unless something comes after."""
    file = tmp_path / "moves.py"
    file.write_text(
        "import torch\n\ndef move(device):\n    parts = []\n    for part in torch.ones(2, 3):\n"
        f"        {body}\n    return parts\n",
        encoding="utf-8",
    )
    fixes = [finding.fix for finding in found(file) if finding.code == "TL503"]
    assert [fix is not None for fix in fixes] == [offered]


@pytest.mark.parametrize("chosen", ["checkpoint if saves else plain", "checkpoint"])
def test_what_may_be_another_function_is_told_nothing(chosen: str, tmp_path: Path) -> None:
    """An attribute may be a function that takes no options, where it is set again or chosen."""
    file = tmp_path / "model.py"
    file.write_text(
        "from torch import nn\nfrom torch.utils import checkpoint as tools\n"
        "from torch.utils.checkpoint import checkpoint\n\ndef plain(layer, x):\n"
        "    return layer(x)\n\nclass Net(nn.Module):\n    def __init__(self, saves):\n"
        f"        super().__init__()\n        self.run = {chosen}\n"
        "        self.fc = nn.Linear(2, 2)\n\n    def forward(self, x):\n"
        "        x = self.run(self.fc, x)\n        x = checkpoint(self.fc, x)\n"
        "        return tools.checkpoint(self.fc, x)\n",
        encoding="utf-8",
    )
    fixes = [finding.fix for finding in found(file) if finding.code == "TL114"]
    assert [fix is not None for fix in fixes] == [False, True, True]


def test_what_may_be_a_layer_is_not_built(tmp_path: Path) -> None:
    """Who builds the object may give a layer where the default is a class."""
    file = tmp_path / "model.py"
    file.write_text(
        "import torch\nfrom torch import nn\n\nclass Cell(nn.Module):\n"
        "    def __init__(self, size, nonlin=nn.GELU):\n        super().__init__()\n"
        "        self.nonlin = nonlin\n        self.fc = nn.Linear(size, size)\n\n"
        "    def forward(self, x):\n        return self.nonlin(self.fc(x))\n",
        encoding="utf-8",
    )
    assert [finding.fix for finding in found(file) if finding.code == "TL420"] == [None]


@pytest.mark.parametrize(
    ("call", "copied"),
    [
        ("x.new_tensor(y)", "y.detach().clone().to(x)"),
        ("x.new_tensor(y, dtype=d)", "y.detach().clone().to(dtype=d, device=x.device)"),
        (
            "x.new_tensor(y, device='cpu')",
            "y.detach().clone().to(dtype=x.dtype, device='cpu')",
        ),
        ("x.abs().new_tensor(y)", None),
        ("torch.tensor(y)", "y.detach().clone()"),
    ],
)
def test_a_copy_is_of_the_type_that_it_was(call: str, copied: str | None, tmp_path: Path) -> None:
    file = tmp_path / "copies.py"
    before = "import torch\n\nd, x, y = torch.float16, torch.ones(2).half(), torch.ones(2)\nz = "
    after = "\nw = torch.ones(2, requires_grad=True)\n(w * z).sum().backward()\n"
    file.write_text(f"{before}{call}{after}", encoding="utf-8")
    [finding] = [each for each in found(file) if each.code == "TL508"]
    repaired = apply(f"{before}{call}{after}", finding.fix.edits) if finding.fix else None
    assert repaired == (copied and f"{before}{copied}{after}")


@pytest.mark.parametrize(
    ("made", "there"),
    [
        ("torch.ones(4)", "torch.ones(4, device=x.device)"),
        ("torch.from_numpy(np.ones(4))", "torch.from_numpy(np.ones(4)).to(x.device)"),
        ("torch.Tensor([1.0, 2.0, 3.0, 4.0])", "torch.Tensor([1.0, 2.0, 3.0, 4.0]).to(x.device)"),
    ],
)
def test_what_takes_no_device_is_moved_to_one(made: str, there: str, tmp_path: Path) -> None:
    file = tmp_path / "gate.py"
    before = """
import numpy as np
import torch

class Gate(torch.nn.Linear):
    def forward(self, x):
        y = super().forward(x.view(-1, 4))
        return y * """
    after = "\n\ngate = Gate(4, 4).to('cuda' if torch.cuda.is_available() else 'cpu')\n"
    file.write_text(f"{before}{made}{after}", encoding="utf-8")
    [finding] = [each for each in found(file) if each.code == "TL501"]
    assert finding.fix is not None
    assert apply(f"{before}{made}{after}", finding.fix.edits) == f"{before}{there}{after}"


_SUMMED = """
def validate(batches):
    model = torch.nn.Linear(3, 1)
    model.eval()
    total, shown = 0, 0
    for x, y in batches:
        loss = torch.nn.functional.mse_loss(model(x), y)
        total = total + loss
        shown = shown + loss
    print(float(shown))
    return total

def train(model, criterion, optimizer, batches):
    total = 0
    for x, y in batches:
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss
    return total
"""
_SAID = """
def fit(model, x: torch.Tensor):
    y = torch.zeros(3)
    z = torch.tensor(y)
    w = torch.tensor(x.reshape(-1, 3))
    model(w + z).sum().backward()
"""


@pytest.mark.parametrize(
    ("code", "text", "safe"), [("TL802", _SUMMED, {10, 21}), ("TL508", _SAID, {5})]
)
def test_a_fix_is_safe_only_where_the_fact_is_sure(
    code: str, text: str, safe: set[int], tmp_path: Path
) -> None:
    file = tmp_path / "facts.py"
    file.write_text(f"import torch\n{text}", encoding="utf-8")
    fixes = {each.place.line: each.fix for each in found(file) if each.code == code}
    assert {line for line, fix in fixes.items() if fix and fix.safety is Safety.SAFE} == safe
