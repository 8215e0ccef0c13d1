"""What is said of loads that may run code, and where loading weights only is offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from torchlint.api import check
from torchlint.findings import Finding, Level
from torchlint.settings import Settings

BEFORE = """\
import torch
from torch import nn


"""


def found(
    folder: Path, text: str, declared: str = "torch>=2.0", level: Level = Level.SUSPICIOUS
) -> Finding:
    (folder / "requirements.txt").write_text(f"{declared}\n")
    (folder / "sample.py").write_text(BEFORE + text)
    settings = Settings(select=("TL903",), level=level)
    (finding,) = check([str(folder / "sample.py")], settings).findings
    return finding


PLAIN = "def load(path):\n    return torch.load(path)\n"


@pytest.mark.parametrize(("declared", "offered"), [("torch>=1.12", False), ("torch>=1.13", True)])
def test_who_does_not_know_the_argument_is_not_told_to_give_it(
    declared: str, offered: bool, tmp_path: Path
) -> None:
    assert (found(tmp_path, PLAIN, declared).fix is not None) == offered


def test_who_gives_it_knows_it(tmp_path: Path) -> None:
    text = "def load(path):\n    return torch.load(path, weights_only=False)\n"
    assert found(tmp_path, text, "torch>=1.10").fix is not None


def test_what_has_failed_is_not_tried_again(tmp_path: Path) -> None:
    text = (
        "def load(path):\n    try:\n        return torch.load(path, weights_only=True)\n"
        "    except Exception:\n        return torch.load(path, weights_only=False)\n"
    )
    assert found(tmp_path, text).fix is None


MORE = {
    "model = ckpt['model'].float()\n    model.load_state_dict({})": "model.load_state_dict",
    "csd = ckpt['model'].float().state_dict()": "ckpt['model'].float().state_dict",
    "model = (ckpt.get('ema') or ckpt['model']).to('cpu').half()\n    model.eval()": "model.eval",
    "args = ckpt['args']\n    print(args.width)": "args.width",
    "print(vars(ckpt['args']))": "vars(ckpt['args'])",
    "assert isinstance(ckpt, Thing)": "isinstance(ckpt, Thing)",
    "if not isinstance(ckpt, Thing):\n        raise TypeError": "isinstance(ckpt, Thing)",
    "return ckpt(torch.ones(2))": "ckpt(torch.ones(2))",
    "return [part.name_of_it for part in ckpt['parts']]": "part.name_of_it",
    "return ckpt['table'].astype('float32')": "ckpt['table'].astype",
    "ckpt.to('cpu')\n    torch.save(ckpt, path)": "ckpt.to('cpu')",
    "return ckpt.tensor.detach()": "ckpt.tensor",
    "np.random.set_state(ckpt['numpy'])": "np.random.set_state(ckpt['numpy'])",
    "if path:\n        net = ckpt\n    else:\n        net = path\n    net.eval()": "net.eval",
}
"""What is done with what was loaded, and what of it shows that there is more than weights."""


@pytest.mark.parametrize("text", MORE)
def test_what_holds_more_than_weights_cannot_be_loaded_as_weights(
    text: str, tmp_path: Path
) -> None:
    finding = found(tmp_path, f"def load(path):\n    ckpt = torch.load(path)\n    {text}\n")
    assert finding.fix is None
    assert f"`{MORE[text]}`" in finding.message


@pytest.mark.parametrize(
    ("declared", "advice"),
    [("torch>=2.0", ", whose classes to allow"), ("torch==2.3.0", ": keep that elsewhere")],
)
def test_classes_are_allowed_where_that_can_be_said(
    declared: str, advice: str, tmp_path: Path
) -> None:
    text = "def load(path):\n    ckpt = torch.load(path)\n    ckpt.eval()\n    return ckpt\n"
    assert found(tmp_path, text, declared).message.endswith(advice)


WEIGHTS = [
    "return ckpt['model']",
    "nn.Linear(2, 2).load_state_dict(ckpt['model'])",
    "return {name: value.float() for name, value in ckpt['state_dict'].items()}",
    "ckpt = Thing(ckpt)\n    return ckpt.width",
    "if isinstance(ckpt, nn.Module):\n        ckpt = ckpt.state_dict()\n    return ckpt",
    "if hasattr(ckpt, 'state_dict'):\n        ckpt = ckpt.state_dict()\n    return ckpt['a']",
    "return ckpt.state_dict() if isinstance(ckpt, nn.Module) else ckpt",
    "if not isinstance(ckpt, dict):\n        raise TypeError\n    return ckpt.get('model')",
    "assert isinstance(ckpt, (dict, Thing))",
    "return [ckpt.name_of_it for ckpt in things]",
    "return ckpt['x'].detach().cpu().numpy().astype('float32')",
    "return ckpt['x'].shape, ckpt['x'].is_cuda, ckpt['name'].split('.'), ckpt['epoch'].real",
]
"""What may be done with weights."""


@pytest.mark.parametrize("text", WEIGHTS)
def test_weights_are_loaded_as_weights(text: str, tmp_path: Path) -> None:
    finding = found(tmp_path, f"def load(path):\n    ckpt = torch.load(path)\n    {text}\n")
    assert finding.fix is not None


GRAPHS = """\
from torch_geometric.data import InMemoryDataset


class Graphs(InMemoryDataset):
    def __init__(self, root):
        super().__init__(root)
        self.data, self.slices = torch.load(self.processed_paths[0])
"""


def test_data_of_a_dataset_of_graphs_is_no_weights(tmp_path: Path) -> None:
    finding = found(tmp_path, GRAPHS)
    assert finding.fix is None
    assert "`self.data, self.slices`" in finding.message


def test_a_class_of_the_project_is_no_weights(tmp_path: Path) -> None:
    text = "class Thing:\n    pass\n\n\ndef load(path) -> Thing:\n    return torch.load(path)\n"
    assert found(tmp_path, text).fix is None


@pytest.mark.parametrize("kind", ["dict", "TypedDict", "OrderedDict", "nn.Parameter"])
def test_a_class_that_may_hold_weights_is_no_sign(kind: str, tmp_path: Path) -> None:
    head = "from collections import OrderedDict\nfrom typing import TypedDict\n\n\n"
    text = f"class Thing({kind}):\n    pass\n\n\n"
    load = "def load(path):\n    thing: Thing = torch.load(path)\n"
    assert found(tmp_path, head + text + load).fix is not None


@pytest.mark.parametrize(
    ("declared", "level"),
    [
        ("torch>=1.7,<2.0", Level.PEDANTIC),
        ("torch>=1.7", Level.SUSPICIOUS),
        ("torch>=2.1,<2.3", Level.SUSPICIOUS),
    ],
)
def test_where_no_release_can_be_told_of_classes_nothing_safer_is_asked_for(
    declared: str, level: Level, tmp_path: Path
) -> None:
    assert found(tmp_path, GRAPHS, declared, Level.PEDANTIC).level is level
    assert found(tmp_path, PLAIN, declared, Level.PEDANTIC).level is Level.SUSPICIOUS
