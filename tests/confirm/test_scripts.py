"""Running the user's scripts: their neighbours, their options, the libraries they lack."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from flagged import Observe, job, write

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN, Observation
from torchlint.confirm.sandbox import Sandbox

pytestmark = pytest.mark.torch

ENGINE = """
def train_one_epoch(model, batches, optimizer):
    for x, y in batches:
        loss = (model(x) - y).pow(2).mean()
        loss.backward()  # here
        optimizer.step()
"""

MAIN = """
import argparse
import torch
from {module} import train_one_epoch

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("data")
    parser.add_argument("--lr", type=float, required=True)
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    batches = list(zip(torch.randn(8, 2).split(2), torch.randn(8, 1).split(2)))
    for epoch in range(args.epochs):
        {clear}train_one_epoch(model, batches, optimizer)

if __name__ == "__main__":
    main()
"""


def ask(sandbox: Sandbox, code: str, file: Path, root: Path) -> Observation:
    sandbox.submit(replace(job(code, file, "train_one_epoch"), root=str(root)))
    [(_, observation)] = sandbox.observations()
    return observation


@pytest.mark.parametrize("name", ["engine.py", "package/engine.py"])
def test_the_script_that_imports_the_flagged_file_is_run(
    name: str, tmp_path: Path, sandbox: Sandbox
) -> None:
    file = write(tmp_path, ENGINE, name)
    if "/" in name:
        write(tmp_path, "", "package/__init__.py")
    module = name.removesuffix(".py").replace("/", ".")
    write(tmp_path, MAIN.format(module=module, clear=""), "train.py")
    seen = ask(sandbox, "TL201", file, tmp_path)
    assert seen.outcome == SHOWN, seen
    assert "gradient of `weight`" in seen.evidence or "gradient of `bias`" in seen.evidence


def test_a_hook_in_the_script_that_clears_is_respected(tmp_path: Path, sandbox: Sandbox) -> None:
    """Called alone the function would show leftovers; its script does not."""
    file = write(tmp_path, ENGINE, "engine.py")
    clear = "optimizer.register_step_post_hook(lambda o, *_: o.zero_grad()); "
    write(tmp_path, MAIN.format(module="engine", clear=clear), "train.py")
    assert ask(sandbox, "TL201", file, tmp_path).outcome == ABSENT


def test_files_of_other_projects_are_not_run(tmp_path: Path, sandbox: Sandbox) -> None:
    file = write(tmp_path, ENGINE, "engine.py")
    write(tmp_path, "def train_one_epoch(): ...\nraise SystemExit(3)\n", "other.py")
    assert ask(sandbox, "TL201", file, tmp_path).outcome == SHOWN


PACKAGE = """
import torch
from torch import nn
from .data import batches

model = nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for x, y in batches:
    loss = (model(x) - y).pow(2).mean()
    loss.backward()  # here
    optimizer.step()
"""
BATCHES = """
import torch
import typing_extensions

batches = list(zip(torch.randn(8, 2).split(2), torch.randn(8, 1).split(2)))
"""


def test_a_file_that_imports_from_its_package_runs_as_its_module(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    """Its neighbours are no modules of their own then, whatever they are called."""
    file = write(tmp_path, PACKAGE, "src/pkg/train.py")
    for name in ("src/pkg/__init__.py", "pyproject.toml"):
        write(tmp_path, "", name)
    write(tmp_path, BATCHES, "src/pkg/data.py")
    write(tmp_path, "raise RuntimeError('not this one')", "src/pkg/typing_extensions.py")
    sandbox.submit(replace(job("TL201", file, ""), root=str(tmp_path / "src")))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen


def test_a_package_within_another_imports_from_itself(tmp_path: Path, sandbox: Sandbox) -> None:
    file = write(tmp_path, PACKAGE, "pkg/inner/__init__.py")
    for name in ("pkg/__init__.py", "pyproject.toml"):
        write(tmp_path, "", name)
    write(tmp_path, BATCHES, "pkg/inner/data.py")
    sandbox.submit(replace(job("TL201", file, ""), root=str(tmp_path)))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen


def test_a_script_that_looks_through_a_package_finds_all(tmp_path: Path, sandbox: Sandbox) -> None:
    write(tmp_path, "from .wide import *\n", "nets_q/__init__.py")
    write(tmp_path, "import torch\n\nclass wide(torch.nn.Linear): ...\n", "nets_q/wide.py")
    file = write(
        tmp_path,
        """
        import torch
        import nets_q as models

        net = models.__dict__["wide"](2, 3)
        if __name__ == "__main__":
            print(net(torch.ones(2)).t().view(3))
            print(torch.ones(2, 3).t().view(6))  # here
        """,
        "main_q.py",
    )
    sandbox.submit(job("TL704", file, ""))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen


def test_what_torchvision_has_given_up_is_missing(tmp_path: Path, sandbox: Sandbox) -> None:
    """A package of that name stands for it here, which has what it has today."""
    write(tmp_path, "", "torchvision/__init__.py")
    write(
        tmp_path, "class Resize:\n    def __init__(self, size): ...\n", "torchvision/transforms.py"
    )
    text = (
        "import torchvision.transforms as T\n\ndef cut(size):\n    return T.Scale(size)  # here\n"
    )
    asked = job("TL905", write(tmp_path, text, "cut_r.py"), "cut")
    said = "torchvision has no `transforms.Scale`: use `torchvision.transforms.Resize`"
    asked = replace(asked, target=replace(asked.target, message=said))
    sandbox.submit(asked)
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen
    file = write(tmp_path, text.replace("Scale", "Resize"), "cut_s.py")
    sandbox.submit(replace(asked, target=replace(asked.target, file=str(file))))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == ABSENT, seen


def test_a_script_finds_the_package_that_is_to_be_installed(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    file = write(tmp_path, PACKAGE.replace(".data", "pkg.data"), "examples/train.py")
    for name in ("src/pkg/__init__.py", "pyproject.toml"):
        write(tmp_path, "", name)
    write(tmp_path, BATCHES, "src/pkg/data.py")
    sandbox.submit(replace(job("TL201", file, ""), root=str(tmp_path / "examples")))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen


BARS = """
import torch
import wandb
import matplotlib.pyplot as plt
from tqdm.auto import tqdm
from torch.utils.tensorboard import SummaryWriter

wandb.init(project="x")
writer = SummaryWriter()
model = torch.nn.Linear(2, 1)
wandb.watch(model)
optimizer = torch.optim.Adam(model.parameters())
batches = tqdm(torch.randn(8, 2).split(2), desc="train")
for x in batches:
    loss = model(x).pow(2).mean()
    loss.backward()  # here
    optimizer.step()
    batches.set_postfix(loss=loss.item())
    writer.add_scalar("loss", loss.item())
    wandb.log({"loss": loss.item()})
figure, axes = plt.subplots()
axes.plot([1, 2, 3])
plt.show()
"""


def test_what_only_reports_to_people_may_be_missing(observe: Observe) -> None:
    seen = observe("TL201", BARS, "")
    assert seen.outcome == SHOWN, seen


def test_a_reporter_that_decides_taints(observe: Observe) -> None:
    text = BARS.replace(
        "    optimizer.step()\n", "    if not wandb.skip():\n        optimizer.step()\n"
    )
    assert observe("TL201", text, "").outcome == OPEN


def test_a_script_that_waits_and_asks_ends(observe: Observe) -> None:
    text = """
import time
import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    model(torch.ones(1, 2)).backward()  # here
    optimizer.step()
    time.sleep(1000)
input("done?")
"""
    assert observe("TL201", text, "").outcome == SHOWN


def test_folders_for_what_it_makes_need_not_be_there(tmp_path: Path, sandbox: Sandbox) -> None:
    """The project cannot be written to, which says nothing of the program."""
    text = """
import os
from pathlib import Path
import torch

here = Path(__file__).parent
os.makedirs(here / "samples" / "grids", exist_ok=True)
(here / "weights").mkdir(exist_ok=True)
model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(4):
    model(torch.ones(1, 2)).backward()  # here
    optimizer.step()
    torch.save(model.state_dict(), here / "weights" / "last.pt")
"""
    file = write(tmp_path, text)
    sandbox.submit(job("TL201", file, ""))
    [(_, seen)] = sandbox.observations()
    assert seen.outcome == SHOWN, seen
    assert list(tmp_path.iterdir()) == [file]


def test_failures_are_told_with_their_line(observe: Observe) -> None:
    text = """
import torch

model = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
state = torch.load("weights.pt")
model(torch.ones(1, 2)).backward()  # here
optimizer.step()
"""
    seen = observe("TL201", text, "")
    assert seen.outcome == OPEN
    assert "weights.pt" in seen.reason
    assert "(flagged.py, line 6)" in seen.reason


def test_code_that_nothing_runs_says_so(observe: Observe) -> None:
    text = """
class Strange:
    def __init__(self, a, b):
        raise RuntimeError("not here")

    def learn(self):
        self.loss.backward()  # here
"""
    seen = observe("TL202", text, "Strange.learn")
    assert seen.outcome == OPEN
    assert "Strange.learn" in seen.reason


TUTORIAL = """
import torch
import torch.nn as nn
import torch.optim as optim
import torchvision
import torchvision.transforms as transforms
from torchvision import datasets

transform = transforms.Compose(
    [transforms.Resize(20), transforms.ToTensor(), transforms.Normalize((0.1307,), (0.3081,))]
)
train_set = datasets.MNIST("data", train=True, download=True, transform=transform)
loader = torch.utils.data.DataLoader(train_set, batch_size=64, shuffle=True, num_workers=2)

net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 16 * 16, 10)){move}
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.001, momentum=0.9)

for epoch in range(10):
    for i, (inputs, labels) in enumerate(loader):
        inputs, labels = inputs{move}, labels{move}
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()  # here
        {step}
"""


@pytest.mark.parametrize("move", ["", ".cuda()", ".to('cuda')"])
@pytest.mark.parametrize(("step", "outcome"), [("pass", SHOWN), ("optimizer.step()", ABSENT)])
def test_made_up_pictures_and_a_simulated_accelerator_will_do_for_a_loop(
    move: str, step: str, outcome: str, observe: Observe
) -> None:
    seen = observe("TL202", TUTORIAL.format(move=move, step=step), "")
    assert seen.outcome == outcome, seen


def test_a_model_that_is_not_there_will_not_do(observe: Observe) -> None:
    text = TUTORIAL.format(move="", step="pass")
    text = text.replace("nn.Sequential(", "torchvision.models.resnet18(")
    seen = observe("TL202", text, "")
    assert seen.outcome == OPEN
    assert "torchvision.models" in seen.reason


TABLE = """
import argparse
import csv
import numpy as np
import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--data", default="data/train.csv")
args = parser.parse_args()
{read}
x, y = torch.tensor(table[:, :-1]), torch.tensor(table[:, -1]).long()
model = nn.Sequential(nn.Linear(x.shape[1], 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(5):
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()  # here
    optimizer.step()
"""
ROWS = """
with open(args.data) as stream:
    table = np.array(list(csv.reader(stream))[1:], dtype=np.float32)
"""


@pytest.mark.parametrize(
    "read", [ROWS, 'table = np.loadtxt(args.data, delimiter=",", dtype=np.float32)']
)
def test_a_table_that_is_not_there_is_made_up(read: str, observe: Observe) -> None:
    pytest.importorskip("numpy")
    seen = observe("TL201", TABLE.format(read=read), "")
    assert seen.outcome == SHOWN, seen
    assert "`train.csv` is made up" in seen.evidence
    cleared = TABLE.format(read=read).replace("    loss =", "    optimizer.zero_grad()\n    loss =")
    assert observe("TL201", cleared, "").outcome == ABSENT


def test_made_up_numbers_prove_nothing_where_they_matter(observe: Observe) -> None:
    pytest.importorskip("numpy")
    text = TABLE.format(read=ROWS).replace("x, y", "table *= -1\nx, y").replace("  # here", "")
    text = text.replace("    loss =", "    print(x.log())  # here\n    loss =")
    seen = observe("TL308", text.replace("x.log()", "1 / (x * 0)"), "")
    assert seen.outcome == OPEN, seen
    assert "made up" in seen.reason


def test_a_text_that_is_not_there_is_made_up(observe: Observe) -> None:
    text = """
import torch
from torch import nn

text = open("input.txt", "r").read()
chars = sorted(set(text))
codes = torch.tensor([chars.index(letter) for letter in text[:256]])
model = nn.Sequential(nn.Embedding(len(chars), 8), nn.Linear(8, len(chars)))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    loss = nn.functional.cross_entropy(model(codes[:-1]), codes[1:])
    loss.backward()  # here
    optimizer.step()
"""
    seen = observe("TL201", text, "")
    assert seen.outcome == SHOWN, seen
    assert "`input.txt` is made up" in seen.evidence
    assert observe("TL201", text.replace("input.txt", "input.bin"), "").outcome == OPEN


SETS = """
import torch
from torch import nn
from torchvision import datasets, transforms

form = transforms.Compose([transforms.Resize((28, 28)), transforms.ToTensor()])
train_set = datasets.{made}
loader = torch.utils.data.DataLoader(train_set, batch_size=16, shuffle=True)
model = nn.Sequential(nn.Flatten(), nn.LazyLinear(100))
model(next(iter(loader))[0])
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for images, labels in loader:
    loss = nn.functional.cross_entropy(model(images), labels)
    loss.backward()  # here
    optimizer.step()
"""


@pytest.mark.parametrize(
    "made",
    [
        'FashionMNIST("data", download=True, transform=form)',
        'CIFAR100("data", train=True, transform=form)',
        'SVHN("data", "train", transform=form, download=True)',
        'STL10("data", "train", transform=form)',
        'USPS("data", transform=form)',
        'ImageFolder("data/train", form)',
    ],
)
def test_a_known_data_set_that_is_not_there_is_made_up(made: str, observe: Observe) -> None:
    pytest.importorskip("torchvision")
    seen = observe("TL201", SETS.format(made=made), "")
    assert seen.outcome == SHOWN, seen
    assert f"`{made.partition('(')[0]}` is made up" in seen.evidence
