"""Each experiment on modules, both ways: the mistake is shown, what only looks like it is not."""

from __future__ import annotations

import pytest
from flagged import Observe

from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN

pytestmark = pytest.mark.torch

MODULE = """
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import Dataset


class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.inner = nn.Linear(width, width)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
"""


def forward(*lines: str) -> str:
    """A module with a linear layer and an activation in place, whose forward is these lines."""
    return MODULE + "".join(f"        {line}\n" for line in lines)


IN_PLACE = {
    "output of an operation that keeps it": ("h = torch.sigmoid(self.inner(x))", "h += 1  # here"),
    "a view of it": ("h = torch.tanh(self.inner(x))", "h.view(-1)[0] = 0.0  # here"),
    "a method": ("h = self.inner(x).exp()", "h.mul_(2)  # here"),
    "a module in place": (
        "h = torch.sigmoid(self.inner(x))",
        "z = h * h",
        "h = self.act(h)  # here",
        "h = h + z",
    ),
    "out=": (
        "h = self.inner(x).exp()",
        "with torch.no_grad():",
        "    torch.add(h, 1, out=h)  # here",
    ),
}


@pytest.mark.parametrize("lines", IN_PLACE.values(), ids=IN_PLACE)
def test_a_kept_tensor_that_is_changed(observe: Observe, lines: tuple[str, ...]) -> None:
    seen = observe("TL101", forward(*lines, "return h"), "Net.forward")
    assert seen.outcome == SHOWN, seen.reason
    assert "modified by an inplace operation" in seen.evidence
    assert "expected version 0" in seen.evidence
    assert f"on line {15 + len(lines[: index_of_mark(lines)])} changed it" in seen.evidence


def index_of_mark(lines: tuple[str, ...]) -> int:
    return next(number for number, line in enumerate(lines) if "# here" in line)


HARMLESS = {
    "nothing keeps it": ("h = self.inner(x)", "h += 1  # here"),
    "out of place": ("h = torch.sigmoid(self.inner(x))", "h = h + 1  # here"),
    "activation after a layer": ("h = self.act(self.inner(x))  # here",),
    "a copy": ("h = torch.sigmoid(self.inner(x)).clone()", "h += 1  # here"),
}


@pytest.mark.parametrize("lines", HARMLESS.values(), ids=HARMLESS)
def test_a_change_that_backward_does_not_need(observe: Observe, lines: tuple[str, ...]) -> None:
    seen = observe("TL101", forward(*lines, "return h"), "Net.forward")
    assert seen.outcome == ABSENT, seen.reason


def test_another_line_is_to_blame(observe: Observe) -> None:
    lines = ("h = self.inner(x)", "h.mul_(2)  # here", "h = torch.tanh(h)", "h.add_(1)", "return h")
    assert observe("TL101", forward(*lines), "Net.forward").outcome == ABSENT


def test_two_lines_are_to_blame(observe: Observe) -> None:
    lines = ("h = self.inner(x).exp()", "h += 1", "z = h.exp()", "z += 1  # here", "return h * z")
    assert observe("TL101", forward(*lines), "Net.forward").outcome == SHOWN


UNDECIDED = {
    "did not run": (
        "h = self.inner(x).exp()",
        "if x.dim() == 77:",
        "    h += 1  # here",
        "return h",
    ),
    "requires grad": ("h = torch.sigmoid(x).detach()", "h += 1  # here", "return h"),
    "the run failed otherwise": (
        "h = self.inner(x)",
        "h += 1  # here",
        "torch._assert(not h.requires_grad, 'no')",
        "return h",
    ),
}


@pytest.mark.parametrize("reason", UNDECIDED)
def test_what_cannot_be_told_stays_open(observe: Observe, reason: str) -> None:
    seen = observe("TL101", forward(*UNDECIDED[reason]), "Net.forward")
    assert seen.outcome == OPEN
    assert reason in seen.reason or "no inputs found" in seen.reason


def test_what_stands_on_a_missing_package_stays_open(observe: Observe) -> None:
    text = "import not_installed_here\n" + forward(
        "h = torch.sigmoid(self.inner(x))",
        "not_installed_here.log(h)",
        "h += 1  # here",
        "return h",
    )
    seen = observe("TL101", text, "Net.forward")
    assert seen.outcome == OPEN
    assert "not installed" in seen.reason


def test_a_guessed_layer_decides_nothing(observe: Observe) -> None:
    text = """
        from torch import nn

        class Wrapper(nn.Module):
            def __init__(self, body):
                super().__init__()
                self.body, self.head = body, nn.Linear(16, 16)

            def forward(self, x):
                h = self.body(self.head(x))
                h *= 2  # here
                return h
    """
    seen = observe("TL101", text, "Wrapper.forward")
    assert seen.outcome == OPEN
    assert "`body` had to be guessed" in seen.reason


def test_a_function_is_run_by_its_caller(observe: Observe) -> None:
    text = """
        import torch
        from torch import nn

        def lift_(weights):
            return weights.clamp_(min=0.1)  # here

        class Gate(nn.Module):
            def __init__(self):
                super().__init__()
                self.inner = nn.Linear(4, 4)

            def forward(self, x):
                return lift_(torch.softmax(self.inner(x), -1)) * 2
    """
    assert observe("TL101", text, "lift_").outcome == SHOWN


def test_a_training_script_is_watched(observe: Observe) -> None:
    text = """
        import torch
        from torch import nn

        net = nn.Linear(4, 4)
        for step in range(3):
            out = net(torch.randn(2, 4)).sigmoid()
            out += 1  # here
            out.sum().backward()
    """
    seen = observe("TL101", text, "")
    assert seen.outcome == SHOWN, seen.reason
    assert observe("TL101", text.replace("out += 1", "out = out + 1"), "").outcome != SHOWN


def test_the_callers_tensor_is_changed(observe: Observe) -> None:
    seen = observe("TL102", forward("x += 0.5  # here", "return self.inner(x)"), "Net.forward")
    assert seen.outcome == SHOWN
    assert "the caller's `x` differs by up to 0.5 in 100% of its values" in seen.evidence


@pytest.mark.parametrize("line", ["x = x + 0.5  # here", "x = x.clone().add_(0.5)  # here"])
def test_the_callers_tensor_is_not_changed(observe: Observe, line: str) -> None:
    seen = observe("TL102", forward(line, "return self.inner(x)"), "Net.forward")
    assert seen.outcome == ABSENT


ON_THE_CPU = {
    "added": ("n = torch.zeros(x.shape[-1])  # here", "return self.inner(x) + n"),
    "through others": (
        "n = torch.ones(8)  # here",
        "n = (n * 2).view(1, -1)",
        "return self.inner(x) * n",
    ),
    "torch.tensor": ("n = torch.tensor([2.0] * 8)  # here", "return self.inner(x) * n"),
    "matrix product": ("n = torch.eye(8)  # here", "return self.inner(x) @ n"),
    "a scalar in cat": (
        "n = torch.zeros(x.shape[0], 1)  # here",
        "return torch.cat([self.inner(x), n], 1)",
    ),
}


@pytest.mark.parametrize("lines", ON_THE_CPU.values(), ids=ON_THE_CPU)
def test_a_tensor_that_stays_on_the_cpu(observe: Observe, lines: tuple[str, ...]) -> None:
    seen = observe("TL501", forward(*lines), "Net.forward")
    assert seen.outcome == SHOWN, seen.reason
    assert "found at least two devices, cuda:0 and cpu" in seen.evidence


LAWFUL = {
    "device given": ("n = torch.zeros(8, device=x.device)  # here", "return self.inner(x) + n"),
    "moved": ("n = torch.zeros(8).to(x)  # here", "return self.inner(x) + n"),
    "as another": ("n = torch.zeros(8).type_as(x)  # here", "return self.inner(x) + n"),
    "a number": ("n = torch.tensor(2.0)  # here", "return self.inner(x) * n"),
    "an index": ("n = torch.arange(4)  # here", "return self.inner(x)[:, n]"),
    "under a device": (
        "with torch.device(x.device):",
        "    n = torch.zeros(8)  # here",
        "return self.inner(x) + n",
    ),
}


@pytest.mark.parametrize("lines", LAWFUL.values(), ids=LAWFUL)
def test_a_tensor_that_is_where_it_should_be(observe: Observe, lines: tuple[str, ...]) -> None:
    seen = observe("TL501", forward(*lines), "Net.forward")
    assert seen.outcome == ABSENT, seen.reason


def test_another_tensor_is_on_the_cpu(observe: Observe) -> None:
    lines = (
        "n = torch.zeros(8)",
        "m = torch.ones(3)  # here",
        "return self.inner(x) + n + m.numel()",
    )
    assert observe("TL501", forward(*lines), "Net.forward").outcome == OPEN


def test_a_tensor_that_meets_nothing(observe: Observe) -> None:
    lines = ("n = torch.zeros(8).sum().item()  # here", "return self.inner(x) + n")
    assert observe("TL501", forward(*lines), "Net.forward").outcome == OPEN


def test_attention_of_torch_itself_is_at_home_on_the_device(observe: Observe) -> None:
    text = """
        import torch
        from torch import nn

        class Block(nn.Module):
            def __init__(self):
                super().__init__()
                self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
                self.recur = nn.LSTM(8, 8, batch_first=True)

            def forward(self, x):
                bias = torch.zeros(8, device=x.device)  # here
                y, _ = self.recur(x + bias)
                return self.attention(y, y, y)[0]
    """
    assert observe("TL501", text, "Block.forward").outcome == ABSENT


def test_a_training_step_meets_the_cpu(observe: Observe) -> None:
    text = """
        import torch
        import torch.nn.functional as F

        def train_step(model, optimizer, images, device):
            images = images.to(device)
            noise = torch.randn(images.shape)  # here
            loss = F.mse_loss(model(images + noise), images)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    """
    assert observe("TL501", text, "train_step").outcome == SHOWN
    moved = text.replace("images.shape)", "images.shape, device=device)")
    assert observe("TL501", moved, "train_step").outcome != SHOWN


DATASET = """
import torch
from torch import nn
from torch.utils.data import Dataset


class Rows(Dataset):
    def __init__(self, rows):
        self.rows = rows
        {init}

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        {item}
"""


def test_a_dataset_that_stores_a_module(observe: Observe) -> None:
    init, item = "self.net = nn.Linear(16, 4)  # here", "return self.net(self.rows[index])"
    seen = observe("TL601", DATASET.format(init=init, item=item), "Rows.__init__")
    assert seen.outcome == SHOWN, seen.reason
    assert "68 parameters (272 bytes)" in seen.evidence


def test_a_dataset_whose_items_carry_a_graph(observe: Observe) -> None:
    item = "return nn.Linear(16, 2)(self.rows[index])  # here"
    seen = observe("TL601", DATASET.format(init="", item=item), "Rows.__getitem__")
    assert seen.outcome == SHOWN, seen.reason
    assert "a worker cannot send it: RuntimeError: Cowardly refusing" in seen.evidence


@pytest.mark.parametrize(
    "init", ["self.net = nn.Sequential(nn.ReLU())  # here", "self.net = torch.relu  # here"]
)
def test_a_dataset_without_parameters(observe: Observe, init: str) -> None:
    text = DATASET.format(init=init, item="return self.net(self.rows[index])")
    assert observe("TL601", text, "Rows.__init__").outcome == ABSENT


def test_a_dataset_that_is_given_an_unknown_module(observe: Observe) -> None:
    text = DATASET.replace("rows):", "rows, net):").format(
        init="self.net = net", item="return self.net(self.rows[index])  # here"
    )
    seen = observe("TL601", text, "Rows.__getitem__")
    assert seen.outcome == OPEN
    assert "guessed" in seen.reason


GUARDED = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width=4, use_gate=False, drop=0.0, fast=True):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.gated = use_gate
        self.drop = drop
        self.fast = fast

    def forward(self, x, scaled: bool = False):
        h = torch.sigmoid(self.fc(x))
{lines}
        return h
"""


@pytest.mark.parametrize(
    ("lines", "flags"),
    [
        (["if self.gated:", "    h += 1  # here"], "use_gate=True"),
        (["if self.training and self.drop > 0:", "    h += 1  # here"], "drop=0.5"),
        (["if self.fast:", "    return h", "h += 1  # here"], "fast=False"),
        (["if not scaled:", "    return h", "h += 1  # here"], "scaled=True"),
        (["if scaled and not self.fast:", "    h += 1  # here"], "fast=False, scaled=True"),
    ],
)
def test_flags_that_guard_the_line_are_turned(
    lines: list[str], flags: str, observe: Observe
) -> None:
    text = GUARDED.format(lines="\n".join(f"        {line}" for line in lines))
    seen = observe("TL101", text, "Block.forward")
    assert seen.outcome == SHOWN, seen
    assert seen.evidence.startswith(f"with `{flags}`, ")
    harmless = observe("TL101", text.replace("h += 1", "h = h + 1"), "Block.forward")
    assert harmless.outcome == ABSENT, harmless


MASKED = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self, width=4):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x, mask=None, **others):
        h = {op}
        {guard}:
            h[~mask] = 0  # here
        return h
"""


@pytest.mark.parametrize(
    "guard", ["if mask is not None", "if mask is None:\n            pass\n        else"]
)
def test_what_may_be_left_out_is_made_where_it_guards_the_line(
    guard: str, observe: Observe
) -> None:
    seen = observe(
        "TL101", MASKED.format(guard=guard, op="torch.sigmoid(self.fc(x))"), "Block.forward"
    )
    assert seen.outcome == SHOWN, seen
    assert seen.evidence.startswith("with `mask=...`, ")
    harmless = observe("TL101", MASKED.format(guard=guard, op="self.fc(x)"), "Block.forward")
    assert harmless.outcome == OPEN, harmless


def test_the_tensor_of_who_calls_is_changed_where_a_mask_is_given(observe: Observe) -> None:
    text = MASKED.format(guard="if mask is not None", op="x").replace(
        "return h", "return self.fc(h)"
    )
    seen = observe("TL102", text, "Block.forward")
    assert seen.outcome == SHOWN, seen
    assert "the caller's `x` differs" in seen.evidence


def test_a_line_that_no_flag_reaches_stays_open(observe: Observe) -> None:
    lines = ["if self.training and x.sum() > 1e9:", "    h += 1  # here"]
    text = GUARDED.format(lines="\n".join(f"        {line}" for line in lines))
    assert observe("TL101", text, "Block.forward").outcome == OPEN
