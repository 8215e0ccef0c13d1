"""The generic experiments, each both ways: shown, refuted, and open where it must be."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flagged import Observe, job, write

pytestmark = pytest.mark.torch

torch = pytest.importorskip("torch")

from torchlint.confirm.runner.claims import (  # noqa: E402
    BACKWARD,
    MODEL,
    NOTHING,
    UNDER,
    UNTYPED,
    Claim,
    Raises,
    Sees,
    Sighting,
    Training,
    Warns,
    Watches,
)
from torchlint.confirm.runner.experiments import observe  # noqa: E402
from torchlint.confirm.runner.families.autograd import requires_grad_typo  # noqa: E402
from torchlint.confirm.runner.families.devices import hard_coded_cuda  # noqa: E402
from torchlint.confirm.runner.protocol import ABSENT, OPEN, SHOWN, Observation  # noqa: E402
from torchlint.confirm.runner.tally import Answer  # noqa: E402

Try = Callable[..., Observation]


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Try:
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    before = torch.random.get_rng_state()

    def run(claim: Claim, text: str, scope: str = "") -> Observation:
        return claim(job("TL101", write(tmp_path, HEAD + text, "program.py"), scope))

    yield run
    torch.random.set_rng_state(before)


HEAD = """
import torch
from torch import nn
from torch.nn import functional as F

model = nn.Sequential(nn.Linear(4, 3), nn.Dropout(0.5))
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
"""

LEAF = Raises("leaf Variable that requires grad is being used in an in-place")
INSIDE = Raises("leaf Variable that requires grad is being used in an in-place", at=UNDER)
CUT = Raises("does not require grad", at=BACKWARD)

RAISES = {
    "at the line": (LEAF, "model[0].weight.mul_(2)  # here", SHOWN),
    "caught": (
        LEAF,
        "try:\n    model[0].weight.mul_(2)  # here\nexcept RuntimeError:\n    pass",
        SHOWN,
    ),
    "repaired": (LEAF, "model[0].weight.data.mul_(2)  # here", ABSENT),
    "another exception there": (LEAF, "model[0].weight.view(7)  # here", OPEN),
    "the same one elsewhere": (LEAF, "z = x + 1  # here\nmodel[0].weight.mul_(2)", OPEN),
    "in what the line calls": (LEAF, "def f(w):\n    w.mul_(2)\nf(model[0].weight)  # here", OPEN),
    "and that is asked for": (
        INSIDE,
        "def f(w):\n    w.mul_(2)\nf(model[0].weight)  # here",
        SHOWN,
    ),
    "never reached": (LEAF, "if x is None:\n    model[0].weight.mul_(2)  # here", OPEN),
    "another call on the line": (LEAF, "z = x.add(1); model[0].weight.mul_(2)  # here", OPEN),
    "at backward": (
        CUT,
        "z = model(x).detach()  # here\nF.mse_loss(z, x[:, :3]).backward()",
        SHOWN,
    ),
    "at another's backward": (
        CUT,
        "z = model(x).detach()  # here\nF.mse_loss(x, x + 1).backward()",
        OPEN,
    ),
    "backward of the repaired": (CUT, "z = model(x) * 2  # here\nz.sum().backward()", ABSENT),
    "a batch that was made up": (
        Raises("."),
        "def train(model, loader):\n    for a, b in loader:\n        a.view(7)  # here",
        OPEN,
    ),
    "something that is not installed": (
        LEAF,
        "import nowhere\nmodel[0].weight.mul_(nowhere.factor())  # here",
        OPEN,
    ),
    "a model that was made up": (
        LEAF,
        "def scale(model):\n    for p in model.parameters():\n        p.mul_(2)  # here",
        OPEN,
    ),
    "which does not matter": (
        Raises(LEAF.message, matters=NOTHING),
        "def scale(model):\n    for p in model.parameters():\n        p.mul_(2)  # here",
        SHOWN,
    ),
    "under a mode of a caller that was not run": (
        Raises(LEAF.message, matters=NOTHING, outside=frozenset({"no_grad"})),
        """
def scale(model):
    for p in model.parameters():
        p.mul_(2)  # here

class Job:
    def go(self, missing):
        with torch.no_grad():
            scale(missing.nothing)
        scale(1 / 0)
""",
        OPEN,
    ),
}


@pytest.mark.parametrize(("claim", "text", "outcome"), RAISES.values(), ids=RAISES)
def test_predicted_exceptions(claim: Claim, text: str, outcome: str, put: Try) -> None:
    scope = next((name for name in ("train", "scale") if f"def {name}(" in text), "")
    seen = put(claim, text, scope)
    assert seen.outcome == outcome, seen
    if outcome == SHOWN:
        assert "raised RuntimeError: " in seen.evidence


AFTER = {
    "a flag by another name": ("x.requiresGrad = True  # here", SHOWN),
    "one that was so before": ("model[0].weight.requiresGrad = True  # here", OPEN),
    "a property that sets the flag": (
        "class Own(torch.Tensor):\n    requiresGrad = torch.Tensor.requires_grad\n"
        "x = x.as_subclass(Own)\nx.requiresGrad = True  # here",
        ABSENT,
    ),
}


@pytest.mark.parametrize(("text", "outcome"), AFTER.values(), ids=AFTER)
def test_what_is_true_after_a_statement(text: str, outcome: str, put: Try) -> None:
    assert put(requires_grad_typo, text).outcome == outcome


SIZES = Warns("Using a target size")

WARNS = {
    "at the line": ("F.mse_loss(x[:, :1], x[:, 0])  # here", SHOWN),
    "silenced": (
        "import warnings\nwarnings.filterwarnings('ignore')\nF.mse_loss(x[:, :1], x[:, 0])  # here",
        SHOWN,
    ),
    "repaired": ("F.mse_loss(x[:, 0], x[:, 0])  # here", ABSENT),
    "elsewhere": ("F.mse_loss(x[:, :1], x[:, 0])\nF.mse_loss(x, x)  # here", ABSENT),
    "by another call on the line": (
        "F.mse_loss(x, x); F.mse_loss(x[:, :1], x[:, 0])  # here",
        ABSENT,
    ),
}


@pytest.mark.parametrize(("text", "outcome"), WARNS.values(), ids=WARNS)
def test_predicted_warnings(text: str, outcome: str, put: Try) -> None:
    seen = put(SIZES, text)
    assert seen.outcome == outcome, seen
    if outcome == SHOWN:
        assert "warned UserWarning: Using a target size" in seen.evidence


def no_graph(call: Sighting) -> Answer:
    return "nothing flows back" if call.result.grad_fn is None else False


def unchanged(call: Sighting) -> Answer:
    return "it is as it was" if torch.equal(call.before[0], call.receiver) else False


def in_training(call: Sighting) -> Answer:
    return "it drops" if call.receiver.training else False


def positive(call: Sighting) -> Answer:
    return "never negative" if bool((call.args[0] >= 0).all()) else False


def unlimited(call: Sighting) -> Answer:
    return "no limit" if call.given(1, "max_norm") == float("inf") else False


def fast(call: Sighting) -> Answer:
    return "fast" if call.receiver.param_groups[0]["lr"] > 1 else False


SEES = {
    "a function": (Sees("torch.tensor", no_graph), "torch.tensor(x.tolist())  # here", SHOWN),
    "one that it is not": (
        Sees("torch.stack", no_graph),
        "torch.stack([model(x)])  # here",
        ABSENT,
    ),
    "a method": (Sees("torch.Tensor.add", unchanged), "x + 1  # here", SHOWN),
    "one in place": (Sees("torch.Tensor.add_", unchanged), "x += 1  # here", ABSENT),
    "a module": (Sees("torch.nn.Dropout", in_training), "model[1](x)  # here", SHOWN),
    "in another mode": (
        Sees("torch.nn.Dropout", in_training),
        "model.eval()[1](x)  # here",
        ABSENT,
    ),
    "one within the user's": (
        Sees("torch.nn.Sequential", in_training),
        "model.eval(); model(x)\nmodel.train()\nmodel(x)  # here",
        SHOWN,
    ),
    "a utility": (
        Sees("torch.nn.utils.clip_grad_norm_", unlimited),
        "model(x).sum().backward()\n"
        "nn.utils.clip_grad_norm_(model.parameters(), float('inf'))  # here",
        SHOWN,
    ),
    "an object that is built": (
        Sees("torch.optim.SGD", fast),
        "torch.optim.SGD(model.parameters(), lr=10.0)  # here",
        SHOWN,
    ),
    "no such call": (Sees("torch.stack", no_graph), "torch.cat([x, x])  # here", OPEN),
    "elsewhere only": (Sees("torch.stack", no_graph), "torch.stack([x])\nx + 1  # here", OPEN),
    "calls that differ": (
        Sees("torch.Tensor.add", no_graph),
        "for z in (x, model(x)):\n    z + 1  # here",
        OPEN,
    ),
    "too few": (Sees("torch.Tensor.add", no_graph, times=3), "x + 1  # here", OPEN),
    "what is so by chance": (
        Sees("torch.nn.functional.l1_loss", positive, vary=True),
        "with torch.no_grad():\n    model[0].weight.zero_(); model[0].bias.fill_(1)\n"
        "F.l1_loss(model(x), x[:, :3])  # here",
        OPEN,
    ),
    "what is so by construction": (
        Sees("torch.nn.functional.l1_loss", positive, vary=True),
        "F.l1_loss(model(x).abs(), x[:, :3])  # here",
        SHOWN,
    ),
    "what never changes": (
        Sees("torch.nn.functional.l1_loss", positive, vary=True),
        "F.l1_loss(torch.ones(2), torch.ones(2))  # here",
        OPEN,
    ),
    "a batch that was made up": (
        Sees("torch.nn.functional.l1_loss", no_graph),
        "def train(loader):\n    for a in loader:\n        F.l1_loss(a, a)  # here",
        OPEN,
    ),
    "which does not matter": (
        Sees("torch.nn.functional.l1_loss", no_graph, matters=MODEL),
        "def train(loader):\n    for a in loader:\n        F.l1_loss(a, a)  # here",
        SHOWN,
    ),
}


@pytest.mark.parametrize(("claim", "text", "outcome"), SEES.values(), ids=SEES)
def test_properties_of_calls(claim: Claim, text: str, outcome: str, put: Try) -> None:
    seen = put(claim, text, "train" if "def train" in text else "")
    assert seen.outcome == outcome, seen


@pytest.mark.parametrize(
    ("annotation", "outcome"),
    [("torch.Tensor", SHOWN), ("'torch.Tensor'", SHOWN), ("object", OPEN)],
)
def test_what_the_code_says_is_a_tensor(put: Try, annotation: str, outcome: str) -> None:
    claim = Warns("To copy construct from a tensor", matters=UNTYPED)
    text = f"def copied(a: {annotation}):\n    return torch.tensor(a)  # here\n"
    assert put(claim, text, "copied").outcome == outcome


TRAINING = """
def train(model, optimizer, batches):
    for a, b in batches:
        optimizer.zero_grad()
        F.cross_entropy(model(a), b).backward()
        optimizer.step()  # here
"""
RUN = "train(model, torch.optim.SGD({}, lr=0.1), [(x, y)] * 5)"


def unheld(training: Training) -> Answer:
    names = [name for name, one in training.parameters() if not training.is_held(one)]
    return f"{names} are no optimizer's" if names else False


def falling(training: Training) -> Answer:
    rates, before = training.rates(), training.memory.get("rates")
    training.memory["rates"] = rates
    return None if before is None else False if rates == before else "rates change"


def evaluating(training: Training) -> Answer:
    return False if training.called is None or training.called.training else "in eval mode"


WATCHES = {
    "parameters that nobody holds": (
        Watches("step", unheld),
        TRAINING + RUN.format("[model[0].weight]"),
        SHOWN,
    ),
    "all are held": (Watches("step", unheld), TRAINING + RUN.format("model.parameters()"), ABSENT),
    "too few steps": (
        Watches("step", unheld, times=9),
        TRAINING + RUN.format("[model[0].weight]"),
        OPEN,
    ),
    "a loop that was not run": (Watches("step", falling), TRAINING, OPEN),
    "whose arguments do not matter": (Watches("step", falling, matters=NOTHING), TRAINING, ABSENT),
    "modes": (
        Watches("model", evaluating),
        TRAINING + "model.eval()\n" + RUN.format("model.parameters()"),
        SHOWN,
    ),
    "at the end": (
        Watches("end", unheld, times=1),
        TRAINING + RUN.format("[model[0].weight]"),
        SHOWN,
    ),
}


@pytest.mark.parametrize(("claim", "text", "outcome"), WATCHES.values(), ids=WATCHES)
def test_objects_of_a_training(claim: Claim, text: str, outcome: str, put: Try) -> None:
    seen = put(claim, text, "train")
    assert seen.outcome == outcome, seen


REMOVED = {
    "the name that is told of": ("x.solve_all()", "`torch.Tensor.solve_all` is gone", SHOWN),
    "another that is made up": ("torch.relu(x.made_up)", "`torch.relu` is gone", OPEN),
    "a module's": ("torch.set_all(True)", "`torch.set_all` is gone", SHOWN),
}


@pytest.mark.parametrize("name", REMOVED)
def test_what_is_missing_is_what_the_finding_names(name: str, tmp_path: Path) -> None:
    code, message, outcome = REMOVED[name]
    flagged = job("TL901", write(tmp_path, f"{HEAD}{code}  # here\n", "program.py"), "")
    told = replace(flagged, target=replace(flagged.target, message=message))
    assert observe(told).outcome == outcome


GUESSED = """
class Layer(nn.Module):
    def __init__(self, kind, depth):
        super().__init__()
        self.deep = {"shallow": False, "deep": True}[kind]
        self.scale = nn.Parameter(torch.ones(depth))
        if self.deep:
            torch.relu(self.scale)

    def forward(self, x):
        return torch.tanh(x)  # here
"""


def test_a_guess_matters_only_to_what_is_not_shown(put: Try) -> None:
    def seen(answer: Answer) -> Observation:
        names = "torch.tanh"
        claim = Sees(names, lambda call: answer, matters=NOTHING, anywhere=True)
        return put(claim, GUESSED, "Layer.forward")

    assert seen("so it is").outcome == SHOWN
    assert seen(False).outcome == OPEN


SWITCHED = """
class Layer(nn.Module):
    def __init__(self, size, bias=True, squash=False):
        super().__init__()
        self.squash = squash

    def forward(self, x):
        if self.squash:
            x = torch.tanh(x)  # here
        return x
"""


def test_what_waits_for_an_option_is_run_with_it(put: Try) -> None:
    def seen(answer: Answer) -> Observation:
        claim = Sees("torch.tanh", lambda call: answer, matters=NOTHING, anywhere=True)
        return put(claim, SWITCHED, "Layer.forward")

    assert seen("so it is").outcome == SHOWN
    assert seen(False).outcome == OPEN
    elsewhere = Sees("torch.tanh", lambda call: "so it is", matters=NOTHING)
    assert put(elsewhere, SWITCHED, "Layer.forward").outcome == OPEN


GROUPS = """
    import torch
    from surely_not_installed import Configuration


    class Trainer:
        def __init__(self, cfg: Configuration, points: "Points"):
            self.cfg = cfg
            self.seed = cfg.common.seed
            self.points = points.view(-1)
            scale = self.cfg.common.fp16_init_scale
            self.scaler = torch.cuda.amp.GradScaler(init_scale=scale)  # here
"""


def test_options_in_groups_of_a_class_that_is_not_there(observe: Observe) -> None:
    seen = observe("TL902", GROUPS, "Trainer.__init__")
    assert (seen.outcome, seen.reason) == (SHOWN, "")


@pytest.mark.parametrize(
    ("line", "evidence"),
    [
        ("from torch._six import inf", "ModuleNotFoundError: No module named 'torch._six'"),
        ("import torch._six as six", "ModuleNotFoundError: No module named 'torch._six'"),
        ("from torch import _six", "ImportError: cannot import name '_six' from 'torch'"),
    ],
)
def test_what_an_installed_package_lacks_is_not_there(
    observe: Observe, line: str, evidence: str
) -> None:
    seen = observe("TL901", f"\n    {line}  # here\n", "")
    assert seen.outcome == SHOWN
    assert evidence in seen.evidence


def test_what_is_not_installed_says_nothing_of_its_names(observe: Observe) -> None:
    line = "from surely_not_installed.metrics import Accuracy  # here"
    seen = observe("TL901", f"\n    {line}\n    print(1)\n", "")
    assert seen.outcome == OPEN
    assert "`surely_not_installed.metrics` is not installed and was stood in for" in seen.reason


@pytest.mark.parametrize(
    "said",
    [
        "No CUDA GPUs are available",
        # With a driver whose files are out of reach, as they are for what runs on the CPU.
        "Unexpected error from cudaGetDeviceCount(). Did you run some cuda functions before "
        "calling NumCudaDevices() that might have already set an error? Error 304: OS call failed",
    ],
)
def test_cuda_is_missed_whatever_a_build_with_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    def begin() -> None:
        raise RuntimeError(said)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.cuda, "_lazy_init", begin)
    program = write(
        tmp_path, "import torch\n\nx = torch.ones(2).to('cuda')  # here\n", "program.py"
    )
    seen = hard_coded_cuda(job("TL502", program, ""))
    assert seen.outcome == SHOWN
    assert said[:40] in seen.evidence
