"""Steps, gradients and parameters in training loops of many styles (TL201, TL202)."""

from __future__ import annotations

import re

import pytest
from flagged import Observe

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN

pytestmark = pytest.mark.torch

HEAD = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
loader = DataLoader(TensorDataset(torch.randn(40, 4), torch.randint(0, 3, (40,))), batch_size=4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""

UNCLEARED = {
    "module level": (
        HEAD
        + """
for x, y in loader:
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # here
    optimizer.step()
""",
        "",
    ),
    "main guard": (
        HEAD
        + """
def main():
    for epoch in range(100):
        for x, y in loader:
            loss = F.cross_entropy(model(x), y)
            loss.backward()  # here
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            optimizer.step()

if __name__ == "__main__":
    main()
""",
        "main",
    ),
    "function alone": (
        """
def train(net, train_loader, criterion, optimizer, device, epochs):
    net.train()
    for epoch in range(epochs):
        for i, (images, labels) in enumerate(train_loader):
            images, labels = images.to(device), labels.to(device)
            loss = criterion(net(images), labels)
            loss.backward()  # here
            optimizer.step()
""",
        "train",
    ),
    "trainer class": (
        """
import torch

class Trainer:
    def __init__(self, model, loader, config):
        self.model = model
        self.loader = loader
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.lr)

    def step(self, batch):
        loss = torch.nn.functional.cross_entropy(self.model(batch["x"]), batch["label"])
        loss.backward()  # here
        self.optimizer.step()

    def fit(self):
        for batch in self.loader:
            self.step(batch)
""",
        "Trainer.step",
    ),
    "cleared once an epoch": (
        HEAD
        + """
for epoch in range(3):
    optimizer.zero_grad()
    for x, y in loader:
        F.cross_entropy(model(x), y).backward()  # here
        optimizer.step()
""",
        "",
    ),
    "closure": (
        HEAD
        + """
x, y = next(iter(loader))
def closure():
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # here
    return loss
for _ in range(5):
    optimizer.step(closure)
""",
        "closure",
    ),
    "accumulated and never cleared": (
        HEAD
        + """
for i, (x, y) in enumerate(loader):
    (F.cross_entropy(model(x), y) / 2).backward()  # here
    if i % 2:
        optimizer.step()
""",
        "",
    ),
    "disabled scaler": (
        HEAD
        + """
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
for x, y in loader:
    scaler.scale(F.cross_entropy(model(x), y)).backward()  # here
    scaler.step(optimizer)
    scaler.update()
""",
        "",
    ),
}

CLEARED = {
    "at the start": """
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
    optimizer.step()
""",
    "by hand": """
for x, y in loader:
    for p in model.parameters():
        p.grad = None
    F.cross_entropy(model(x), y).backward()  # here
    optimizer.step()
""",
    "accumulation": """
for i, (x, y) in enumerate(loader):
    (F.cross_entropy(model(x), y) / 2).backward()  # here
    if i % 2:
        optimizer.step()
        optimizer.zero_grad()
""",
    "two backwards a step": """
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()
    F.cross_entropy(model(-x), y).backward()  # here
    optimizer.step()
""",
    "scaler": """
scaler = torch.amp.GradScaler("cpu", init_scale=256.0)
for x, y in loader:
    optimizer.zero_grad(set_to_none=False)
    scaler.scale(F.cross_entropy(model(x), y)).backward()  # here
    scaler.step(optimizer)
    scaler.update()
""",
    "LBFGS": """
x, y = next(iter(loader))
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=3)
def closure():
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # here
    return loss
for _ in range(3):
    optimizer.step(closure)
""",
    "two optimizers of a GAN": """
critic = nn.Linear(3, 1)
other = torch.optim.Adam(critic.parameters())
for x, y in loader:
    other.zero_grad()
    critic(model(x)).mean().backward()  # here
    other.step()
    optimizer.zero_grad()
    (-critic(model(x)).mean()).backward()
    optimizer.step()
""",
    "sparse": """
table = nn.Embedding(3, 2, sparse=True)
optimizer = torch.optim.SparseAdam(table.parameters())
for x, y in loader:
    optimizer.zero_grad()
    table(y).pow(2).sum().backward()  # here
    optimizer.step()
""",
}


ALONE = {
    "batches by key": """
def train(model, dataloader, optimizer, device):
    for batch in dataloader:
        images, labels = batch["image"].to(device), batch["label"].to(device)
        loss = F.cross_entropy(model(images), labels)
        loss.backward()  # here
        optimizer.step()
""",
    "batches as keyword arguments": """
def train(model, train_dataloader, optimizer, lr_scheduler, num_epochs, progress_bar):
    model.train()
    for epoch in range(num_epochs):
        for batch in train_dataloader:
            batch = {k: v.to("cpu") for k, v in batch.items()}
            outputs = model(**batch)
            loss = outputs.loss
            loss.backward()  # here
            lr_scheduler.step()
            optimizer.step()
            progress_bar.update(1)
""",
    "options": """
def run(net, batches, cfg, logger=None):
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"], weight_decay=cfg.get("decay", 0.0))
    for step, (x, y) in enumerate(batches, 1):
        pred = net(x)
        loss = F.mse_loss(pred, y)
        loss.backward()  # here
        nn.utils.clip_grad_norm_(net.parameters(), cfg.clip_norm)
        opt.step()
        if logger is not None and step % cfg.log_every == 0:
            logger.info("loss %f", loss.item())
""",
    "annotated": """
def fit(m: nn.Module, data: DataLoader, o: torch.optim.Optimizer, rounds: int, d: torch.device):
    for _ in range(rounds):
        for x, y in data:
            loss = F.cross_entropy(m(x.to(d)), y.to(d))
            loss.backward()  # here
            o.step()
""",
    "two models": """
def train_gan(generator, discriminator, g_optimizer, d_optimizer, loader, adversarial_loss):
    for real, _ in loader:
        d_optimizer.zero_grad()
        d_loss = discriminator(real).mean() - discriminator(generator(real).detach()).mean()
        d_loss.backward()
        d_optimizer.step()
        g_loss = -discriminator(generator(real)).mean()
        g_loss.backward()  # here
        g_optimizer.step()
""",
    "a scaler": """
def train(model, loader, optimizer, criterion, scaler):
    for data, target in loader:
        with torch.autocast("cpu", enabled=False):
            loss = criterion(model(data), target)
        scaler.scale(loss).backward()  # here
        scaler.step(optimizer)
        scaler.update()
""",
}

IMPORTS = """
import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader
"""


@pytest.mark.parametrize("name", ALONE)
def test_a_function_alone_gets_stand_ins_that_fit(name: str, observe: Observe) -> None:
    scope = ALONE[name].split("def ")[1].split("(")[0]
    seen = observe("TL201", IMPORTS + ALONE[name], scope)
    assert seen.outcome == SHOWN, seen
    lines = ALONE[name].splitlines()
    at = next(number for number, line in enumerate(lines) if "# here" in line)
    indent = " " * (len(lines[at]) - len(lines[at].lstrip()))
    optimizer = re.findall(r"(\w+)\.step\(\)|scaler\.step\((\w+)\)", ALONE[name])[-1]
    lines.insert(at, f"{indent}{''.join(optimizer)}.zero_grad()")
    cleared = "\n".join(lines)
    assert observe("TL201", IMPORTS + cleared, scope).outcome == ABSENT


@pytest.mark.parametrize("name", UNCLEARED)
def test_a_step_on_the_last_steps_gradient_is_shown(name: str, observe: Observe) -> None:
    text, scope = UNCLEARED[name]
    seen = observe("TL201", text, scope)
    assert seen.outcome == SHOWN, seen
    assert "plus the fresh one" in seen.evidence
    assert "|left over| =" in seen.evidence


@pytest.mark.parametrize("name", CLEARED)
def test_cleared_gradients_are_told(name: str, observe: Observe) -> None:
    seen = observe("TL201", HEAD + CLEARED[name], "")
    assert seen.outcome == ABSENT, seen


def test_gradients_that_a_caller_clears_leave_it_open(observe: Observe) -> None:
    text = """
import missing_data

def train_epoch(model, batches, optimizer, criterion):
    for x, y in batches:
        loss = criterion(model(x), y)
        loss.backward()  # here
        optimizer.step()

def main():
    model, batches, optimizer, criterion = missing_data.everything()
    for epoch in range(3):
        optimizer.register_step_post_hook(lambda *_: optimizer.zero_grad())
        train_epoch(model, batches, optimizer, criterion)

main()
"""
    seen = observe("TL201", text, "train_epoch")
    assert seen.outcome == OPEN
    assert "caller" in seen.reason


def test_an_absent_library_on_the_way_leaves_it_open(observe: Observe) -> None:
    text = """
import nowhere

model, optimizer = nowhere.build()
for x, y in nowhere.batches():
    model(x, y).backward()  # here
    optimizer.step()
"""
    seen = observe("TL201", text, "")
    assert seen.outcome == OPEN
    assert "nowhere" in seen.reason


UNSTEPPED = {
    "module level": """
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
""",
    "only one of two": """
critic = nn.Linear(3, 1)
other = torch.optim.Adam(critic.parameters())
for x, y in loader:
    optimizer.zero_grad()
    critic(model(x).detach()).mean().backward()
    other.step()
    F.cross_entropy(model(x), y).backward()  # here
""",
    "scheduler instead": """
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 3)
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
    scheduler.step()
""",
    "step that cannot be reached": """
def learn(x, y):
    loss = F.cross_entropy(model(x), y)
    loss.backward()  # here
    return loss.item()
    optimizer.step()
for x, y in loader:
    optimizer.zero_grad()
    learn(x, y)
""",
}

STEPPED = {
    "every round": """
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
    optimizer.step()
""",
    "by hand": """
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
""",
    "every fourth round": """
for epoch in range(4):
    for i, (x, y) in enumerate(loader):
        F.cross_entropy(model(x), y).backward()  # here
        if (i + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
    "scaler": """
scaler = torch.amp.GradScaler("cpu", init_scale=16.0)
for x, y in loader:
    optimizer.zero_grad()
    scaler.scale(F.cross_entropy(model(x), y)).backward()  # here
    scaler.step(optimizer)
    scaler.update()
""",
}

UNTOLD = {
    "learning rate of zero": """
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
for x, y in loader:
    optimizer.zero_grad()
    F.cross_entropy(model(x), y).backward()  # here
    optimizer.step()
""",
    "frozen": """
for p in model.parameters():
    p.requires_grad_(False)
for x, y in loader:
    x.requires_grad_(True)
    F.cross_entropy(model(x), y).backward()  # here
""",
    "step that did not come yet": """
for i, (x, y) in enumerate(loader):
    F.cross_entropy(model(x), y).backward()  # here
    if (i + 1) % 1000 == 0:
        optimizer.step()
""",
    "scaler that skips": """
scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127, growth_interval=1)
for x, y in loader:
    optimizer.zero_grad()
    scaler.scale(1e30 * F.cross_entropy(model(x), y)).backward()  # here
    scaler.step(optimizer)
""",
}


@pytest.mark.parametrize("name", UNSTEPPED)
def test_parameters_that_stay_as_they_are_are_shown(name: str, observe: Observe) -> None:
    seen = observe("TL202", HEAD + UNSTEPPED[name], "learn" if "def learn" in name else "")
    assert seen.outcome == SHOWN, seen
    assert "bit-identical" in seen.evidence


@pytest.mark.parametrize("name", STEPPED)
def test_parameters_that_change_are_told(name: str, observe: Observe) -> None:
    seen = observe("TL202", HEAD + STEPPED[name], "")
    assert seen.outcome == ABSENT, seen


@pytest.mark.parametrize("name", UNTOLD)
def test_what_does_not_show_a_missing_step_is_open(name: str, observe: Observe) -> None:
    seen = observe("TL202", HEAD + UNTOLD[name], "")
    assert seen.outcome == OPEN, seen
