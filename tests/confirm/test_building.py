"""Arguments and inputs: where they come from, and how failures repair them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flagged import write

from torchlint.confirm.runner.loading import Program, load
from torchlint.confirm.runner.protocol import Job, Target

pytestmark = pytest.mark.torch

Open = Callable[[str], Program]
IMPORTS = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\n"


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Open]:
    opened: list[Program] = []

    def start(text: str) -> Program:
        file = write(tmp_path, IMPORTS + text, "built_under_test.py")
        opened.append(load(Job("TL101", Target(str(file), 1, 1, 1, 2), "Net", str(tmp_path))))
        return opened[-1]

    yield start
    for item in opened:
        item.close()


def recipe(program: Program) -> Any:
    from torchlint.confirm.runner.building import recipe

    return recipe(program.scope_object("Net"), program)


def with_init(parameters: str, body: str, rest: str = "") -> str:
    head = f"class Net(nn.Module):\n    def __init__(self, {parameters}):\n"
    return f"{head}        super().__init__()\n        {body}\n{rest}"


def test_arguments_of_a_call_site(program: Open) -> None:
    rest = "\nHEADS = 3\n\ndef main():\n    width = 4 * HEADS\n    return Net(width, act=nn.Tanh)\n"
    how = recipe(program(with_init("width, act", "self.l = nn.Linear(width, 2)", rest)))
    assert how.arguments["width"] == 12
    assert how.arguments["act"].__name__ == "Tanh"
    assert how.guessed == ()


def test_defaults_are_enough(program: Open) -> None:
    how = recipe(program(with_init("width=5", "self.l = nn.Linear(width, 2)")))
    assert (how.arguments, how.make().l.in_features) == ({}, 5)


def test_sizes_are_guessed_without_doubt(program: Open) -> None:
    how = recipe(
        program(with_init("in_channels, num_classes: int", "nn.Linear(in_channels, num_classes)"))
    )
    assert how.arguments["num_classes"] == 10
    assert how.guessed == ()


def test_a_guessed_mode_is_remembered(program: Open) -> None:
    body = "assert mode == 'sum'"
    how = recipe(program(with_init("mode", body)))
    assert (how.arguments, how.guessed) == ({"mode": "sum"}, ("mode",))


def test_a_mode_that_the_module_has_a_name_for(program: Open) -> None:
    body = "assert mode in {SUM, MEAN}\n        self.l = mode"
    how = recipe(program(with_init("mode: str", body, "\nSUM, MEAN = 'sum', 'mean'\n")))
    assert (how.make().l, how.guessed) == ("sum", ("mode",))


def test_instances_are_the_same_for_a_seed(program: Open) -> None:
    how = recipe(program(with_init("n=3", "self.l = nn.Linear(n, n)")))
    one, other, third = how.make(1), how.make(1), how.make(2)
    assert one.l.weight.equal(other.l.weight)
    assert not one.l.weight.equal(third.l.weight)


def test_what_can_be_built_once_says_so(program: Open) -> None:
    from torchlint.confirm.runner.building import CannotBuildError

    how = recipe(program("left = [0]\n\n\n" + with_init("width=5", "left.pop()")))
    with pytest.raises(CannotBuildError, match="could build Net once, and not again: IndexError"):
        how.again(0)


def test_what_cannot_be_built_says_why(program: Open) -> None:
    from torchlint.confirm.runner.building import CannotBuildError

    with pytest.raises(CannotBuildError, match="could not build Net: ValueError: never"):
        recipe(program(with_init("n", "raise ValueError('never')")))


FORWARDS = {
    "convolution": ("self.l = nn.Conv2d(5, 2, 3)", "x", "return self.l(x)"),
    "sequence": ("self.l = nn.Linear(6, 2)", "x", "b, t, c = x.shape\n        return self.l(x)"),
    "embedding": ("self.l = nn.Embedding(9, 4)", "ids", "return self.l(ids).mean(1)"),
    "recurrent": ("self.l = nn.GRU(5, 7)", "x", "return self.l(x)[0]"),
    "hidden state": ("self.l = nn.LSTM(5, 7, batch_first=True)", "x, h", "return self.l(x, h)[0]"),
    "one dimension": (
        "self.l = nn.Sequential(nn.Conv1d(3, 4, 3), nn.BatchNorm1d(4))",
        "x",
        "return self.l(x)",
    ),
    "normalisation": ("self.l = nn.LayerNorm(12)", "x", "return self.l(x)"),
    "attention": ("self.l = nn.MultiheadAttention(8, 2)", "q, k, v", "return self.l(q, k, v)[0]"),
    "two widths": (
        "self.a, self.l = nn.Linear(4, 3), nn.Linear(7, 3)",
        "x, y",
        "return self.l(torch.cat([self.a(x), y], -1))",
    ),
    "flattened image": (
        "self.c, self.l = nn.Conv2d(1, 4, 3), nn.Linear(4 * 26 * 26, 3)",
        "img",
        "return self.l(self.c(img).flatten(1))",
    ),
    "targets": (
        "self.l = nn.Linear(4, 3)",
        "x, labels",
        "return F.cross_entropy(self.l(x), labels)",
    ),
    "mask": (
        "self.l = nn.Linear(4, 4)",
        "x, mask",
        "return self.l(x).masked_fill(mask.unsqueeze(-1), 0.0)",
    ),
    "dictionary": (
        "self.l = nn.Linear(4, 3)",
        "batch",
        "return self.l(batch['x']) + batch['bias']",
    ),
    "moved layers": (
        "self.l = nn.ModuleList([nn.Linear(5, 5) for _ in range(2)])",
        "x",
        "for layer in self.l:\n            x = layer(x)\n        return x",
    ),
    "a count": ("self.l = nn.Linear(4, 3)", "x, steps: int", "return self.l(x)[:, :steps]"),
}


@pytest.mark.parametrize(("body", "arguments", "lines"), FORWARDS.values(), ids=FORWARDS)
def test_inputs_are_found(program: Open, body: str, arguments: str, lines: str) -> None:
    from torchlint.confirm.runner.inputs import subject_of_module
    from torchlint.confirm.runner.trials import find_inputs, values

    rest = f"\n    def forward(self, {arguments}):\n        {lines}\n"
    opened = program(with_init("n=1", body, rest))
    subject = subject_of_module(recipe(opened).make(), opened)
    specs = find_inputs(subject, seconds=8)
    assert subject.run(values(specs, seed=3)) is not None


def test_inputs_that_do_not_exist_are_not_found(program: Open) -> None:
    from torchlint.confirm.runner.inputs import subject_of_module
    from torchlint.confirm.runner.trials import NoInputsError, find_inputs

    rest = "\n    def forward(self, x):\n        raise OSError('no such weights')\n"
    opened = program(with_init("n=1", "self.l = nn.Linear(n, n)", rest))
    subject = subject_of_module(recipe(opened).make(), opened)
    with pytest.raises(NoInputsError, match="OSError: no such weights"):
        find_inputs(subject, seconds=3)


BUILT = {
    "a longer list": ("dims, depth: int", "self.l = [dims[index] for index in range(4)]"),
    "a table": ("act", "self.l = {'relu': nn.ReLU, 'gelu': nn.GELU}[act]()"),
    "a divisor": ("dim", "self.l = nn.GroupNorm(32, dim)"),
    "a layer class": ("dim, norm_layer", "self.l = norm_layer(dim)"),
    "settings": ("config", "self.l = nn.Linear(config.hidden_size, config.num_labels)"),
    "settings by key": ("cfg", "self.l = [nn.Linear(w, w) for w in cfg['widths']]"),
    "an index": ("layers, index", "self.l = nn.Linear(layers[index], 2)"),
    "all that a base lacks": ("**kwargs", "(lambda a, b, c: None)(**kwargs)\n        self.l = 1"),
    "what a message asks for": (
        "**kwargs",
        "assert 'depth' in kwargs, '`depth` must be passed in'\n        self.l = 1",
    ),
    "a key of what is passed on": ("**kwargs", "self.l = nn.Linear(kwargs['width'], 2)"),
    "a factor": ("sharpness_factor", "self.l = nn.Linear(4 * sharpness_factor, 2)"),
    "weights that are elsewhere": (
        "dim=4, encoder_weights='imagenet'",
        "self.l = nn.Linear(dim, 2)\n        open(encoder_weights) if encoder_weights else None",
    ),
}


@pytest.mark.parametrize(("parameters", "body"), BUILT.values(), ids=BUILT)
def test_arguments_are_corrected(program: Open, parameters: str, body: str) -> None:
    assert hasattr(recipe(program(with_init(parameters, body))).make(), "l")


def test_settings_that_are_no_sizes_are_guesses(program: Open) -> None:
    body = "self.l = nn.Linear(config.hidden_size, 2, bias=config.attention == 'full')"
    how = recipe(program(with_init("config", body)))
    assert (how.way, how.guessed) == ("config", ("config.attention",))


def test_settings_with_defaults_are_the_projects(program: Open) -> None:
    text = "import dataclasses\n\n\n@dataclasses.dataclass\nclass NetConfig:\n    width: int = 12\n"
    rest = with_init("config: NetConfig", "self.l = nn.Linear(config.width, 2)")
    how = recipe(program(f"{text}\n\n{rest}"))
    assert how.make().l.in_features == 12
    assert (how.guessed, how.supposed) == ((), ("config",))


SETTINGS = """import dataclasses
from torch import nn


@dataclasses.dataclass
class NetConfig:
    width: int = 12


@dataclasses.dataclass
class OtherConfig:
    width: int = 24
    kind: str = "x"


class Base(nn.Module):
    {said}


class Net(Base):
    def __init__(self, config{annotation}):
        super().__init__()
        self.l = nn.Linear(config.width, 2)
"""


@pytest.mark.parametrize(
    ("said", "annotation", "supposed"),
    [
        ("config: OtherConfig", "", True),
        ("config: 'OtherConfig'", "", True),
        ("other: OtherConfig", ": OtherConfig", True),
        ("other: OtherConfig", "", False),
        ("config: int", ": object", False),
    ],
)
def test_settings_by_default_are_of_the_class_that_is_meant(
    program: Open, said: str, annotation: str, supposed: bool
) -> None:
    how = recipe(program(SETTINGS.format(said=said, annotation=annotation)))
    assert how.supposed == (("config",) if supposed else ())
    assert how.guessed == (() if supposed else ("config",))
    if supposed:
        assert type(how.arguments["config"]).__name__ == "OtherConfig"


def test_a_call_tells_what_it_can(program: Open) -> None:
    rest = "\ndef build(width):\n    return Net(width, act=nn.Tanh)\n"
    how = recipe(program(with_init("width, act", "self.l = nn.Linear(width, 2)", rest)))
    assert how.arguments["act"].__name__ == "Tanh"
    assert how.guessed == ()


def test_only_what_is_guessed_is_shared(program: Open) -> None:
    rest = "\ndef build():\n    return Net(nn.Linear(2, 2))\n"
    how = recipe(program(with_init("inner", "self.inner = inner", rest)))
    assert how.make().inner is not how.make().inner


MORE_FORWARDS = {
    "axes of a pattern": (
        "self.l = nn.Linear(6, 2)",
        "x",
        "b, h, w, c = x.shape\n        return self.l(x)",
    ),
    "a written shape": (
        "self.l = nn.Linear(1, 1)",
        "x",
        "if x.dim() != 4 or x.shape[1] != 1:\n            raise ValueError('need (*, 1, H, W)')\n"
        "        return self.l(x.mean((2, 3)))",
    ),
    "probabilities": (
        "self.l = nn.Linear(4, 4)",
        "scores, labels",
        "return F.binary_cross_entropy(scores, scores.detach())",
    ),
    "maps by name": (
        "self.l = nn.Linear(4, 4)",
        "features",
        "return sum(v.mean() for v in features.values())",
    ),
    "a graph": (
        "self.l = nn.Linear(5, 3)",
        "x, edge_index",
        "return self.l(x).index_add(0, edge_index[1], self.l(x)[edge_index[0]])",
    ),
    "what cannot be left out": (
        "self.l = nn.Linear(5, 3)",
        "x, context=None",
        "return self.l(x + context.mean())",
    ),
    "two of one rank": (
        "self.l = nn.Linear(4, 4)",
        "one, other",
        "assert one.shape == other.shape\n        return torch.einsum('bij,bij->b', one, other)",
    ),
    "a list to be stacked": (
        "self.l = nn.Linear(6, 6)",
        "x, hiddens",
        "return self.l(torch.einsum('lbtd->btd', torch.stack(list(hiddens))))",
    ),
    "parts of one size": (
        "self.l = nn.LayerNorm(12)",
        "one, other",
        "return self.l(torch.cat([one, other], -1)) * torch.cat([other, one], -1)",
    ),
    "chunks": (
        "self.l = nn.Conv2d(3, 2, 1)",
        "x",
        "return sum(self.l(part) for part in x.chunk(4, 1))",
    ),
    "a state beside what it is joined to": (
        "self.l = nn.Conv2d(7, 4, 1)",
        "h, x",
        "return self.l(torch.cat([h, x], 1)) * h",
    ),
    "positions of patches": (
        "self.l = nn.Conv2d(3, 8, 8, stride=8)\n        self.at = torch.randn(1, 50, 8)",
        "x",
        "x = self.l(x).flatten(2).transpose(1, 2)\n"
        "        return torch.cat([x.mean(1, True), x], 1) + self.at",
    ),
    "a kind that the message names": (
        "self.l = nn.Linear(4, 4)",
        "x",
        "assert x.dtype == torch.bool, 'Input must be boolean'\n        return self.l(x.float())",
    ),
    "a call of its own": (
        "self.l = nn.Linear(4, 4)",
        "input",
        "return self.l(input)\n\n    def __call__(self, x, **more):\n"
        "        return super().__call__(x, **more)",
    ),
    "by place only": ("self.l = nn.Linear(4, 4)", "x, /", "return self.l(x)"),
    "attributes": (
        "self.l = nn.Linear(4, 4)",
        "output",
        "return output.last_hidden_state[:, 0] * output.attentions.mean()",
    ),
    "sizes beside the tensor": (
        "self.l = nn.Linear(6, 6)",
        "x, H, W",
        "B, N, C = x.shape\n        return self.l(x).transpose(1, 2).view(B, C, H, W)",
    ),
}


@pytest.mark.parametrize(("body", "arguments", "lines"), MORE_FORWARDS.values(), ids=MORE_FORWARDS)
def test_inputs_are_corrected(program: Open, body: str, arguments: str, lines: str) -> None:
    test_inputs_are_found(program, body, arguments, lines)


def test_guessed_sizes_grow_where_they_suit_no_input(program: Open) -> None:
    from torchlint.confirm.runner.fitting import fitted

    rest = (
        "\n    def forward(self, x):\n        x = self.l(x)\n"
        "        return x.reshape(-1, x.shape[-1] // 32, 32).mean(1) / (x.shape[-1] // 32)\n"
    )
    opened = program(with_init("dim", "self.l = nn.Linear(dim, dim)", rest))
    how = recipe(opened)
    assert (how.arguments, how.sizes) == ({"dim": 16}, ("dim",))
    wider, specs = fitted(how, opened, "forward", seconds=8)
    assert (wider.arguments, specs["x"].shape[-1]) == ({"dim": 64}, 64)
