"""The tables of torch's API agree with the torch at hand, and are found under every name."""

from __future__ import annotations

import json
import operator
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from torchlint.torch_api import generated
from torchlint.torch_api.generated import Saved, Signature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[1]


# --- against torch -------------------------------------------------------------------------------


@pytest.fixture
def torch() -> Any:
    """The torch that the tables describe."""
    torch = pytest.importorskip("torch")
    version = torch.__version__.split("+")[0]
    if version != generated.torch_version():
        pytest.skip(f"the tables are of torch {generated.torch_version()}, this is torch {version}")
    return torch


def check_tables(*names: str) -> None:
    pytest.importorskip("expecttest", reason="torch's sample inputs need expecttest")
    command = [sys.executable, ROOT / "tools" / "generate_tables.py", "--check", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_names_and_parameters_are_what_torch_says() -> None:
    check_tables("signatures", "factories", "modules", "optimizers", "exports")


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.usefixtures("torch")
def test_what_is_kept_is_what_torch_keeps() -> None:
    check_tables("saved", "views", "inplace")


FUNCTIONS = {
    "Tensor.__add__": "input + other",
    "Tensor.__iadd__": "operator.iadd(input, other)",
    "Tensor.__imul__": "operator.imul(input, other)",
    "Tensor.__mul__": "input * other",
    "Tensor.__pow__": "input ** 2",
    "Tensor.__rpow__": "2 ** input",
    "Tensor.__rsub__": "2 - input",
    "Tensor.__rtruediv__": "2 / input",
    "Tensor.__sub__": "input - other",
    "Tensor.__truediv__": "input / other",
    "Tensor.add_": "input.add_(other)",
    "Tensor.clamp_": "input.clamp_(0.6)",
    "Tensor.contiguous": "input.contiguous()",
    "Tensor.div_": "input.div_(other)",
    "Tensor.exp_": "input.exp_()",
    "Tensor.mul_": "input.mul_(other)",
    "Tensor.relu_": "input.relu_()",
    "Tensor.sigmoid_": "input.sigmoid_()",
    "Tensor.sqrt_": "input.sqrt_()",
    "Tensor.sub_": "input.sub_(other)",
    "Tensor.tanh_": "input.tanh_()",
    "Tensor.view": "input.view(9)",
    "Tensor.zero_": "input.zero_()",
    "abs": "input.abs()",
    "addmm": "torch.addmm(input, mat1, mat2)",
    "atan2": "torch.atan2(input, other)",
    "bmm": "torch.bmm(input[None], mat2[None])",
    "cat": "torch.cat([tensors, tensors])",
    "cos": "input.cos()",
    "cumsum": "input.cumsum(0)",
    "div": "torch.div(input, other)",
    "exp": "input.exp()",
    "log": "input.log()",
    "log_softmax": "input.log_softmax(1)",
    "logsumexp": "torch.logsumexp(input, 1)",
    "masked_fill": "input.masked_fill(torch.ones(3, 3) > 0, 0)",
    "matmul(alike)": "torch.matmul(input, other)",
    "max(dim)": "input.max(1)",
    "max(whole)": "input.max()",
    "maximum": "torch.maximum(input, other)",
    "mean": "input.mean()",
    "mm": "torch.mm(input, mat2)",
    "mul": "torch.mul(input, other)",
    "neg": "-input",
    "nn.functional.batch_norm": "F.batch_norm(input, None, None, weight, bias, training=True)",
    "nn.functional.binary_cross_entropy": "F.binary_cross_entropy(input, target)",
    "nn.functional.conv2d": "F.conv2d(input[None, None], weight[None, None])",
    "nn.functional.dropout": "F.dropout(input)",
    "nn.functional.dropout(inplace)": "F.dropout(input, inplace=True)",
    "nn.functional.elu": "F.elu(input)",
    "nn.functional.elu(inplace)": "F.elu(input, inplace=True)",
    "nn.functional.gelu": "F.gelu(input)",
    "nn.functional.hardtanh(inplace)": "F.hardtanh(input, inplace=True)",
    "nn.functional.layer_norm": "F.layer_norm(input, (3,), weight, bias)",
    "nn.functional.leaky_relu": "F.leaky_relu(input)",
    "nn.functional.leaky_relu(inplace)": "F.leaky_relu(input, inplace=True)",
    "nn.functional.linear": "F.linear(input, weight, bias)",
    "nn.functional.max_pool2d": "F.max_pool2d(input[None, None], 2)",
    "nn.functional.mse_loss": "F.mse_loss(input, target)",
    "nn.functional.relu": "F.relu(input)",
    "nn.functional.relu(inplace)": "F.relu(input, inplace=True)",
    "nn.functional.silu": "F.silu(input)",
    "nn.functional.silu(inplace)": "F.silu(input, inplace=True)",
    "nn.functional.softplus": "F.softplus(input)",
    "nn.functional.unfold": "F.unfold(input[None, None], 2)",
    "prod": "input.prod()",
    "reciprocal": "input.reciprocal()",
    "relu": "torch.relu(input)",
    "reshape": "input.reshape(9)",
    "rsqrt": "input.rsqrt()",
    "sigmoid": "torch.sigmoid(input)",
    "sin": "input.sin()",
    "softmax": "input.softmax(1)",
    "sqrt": "input.sqrt()",
    "stack": "torch.stack([tensors, tensors])",
    "sum": "input.sum()",
    "tanh": "torch.tanh(input)",
    "transpose": "input.transpose(0, 1)",
    "var": "input.var()",
    "where": "torch.where(torch.ones(3, 3) > 0, input, other)",
    "xlogy": "torch.xlogy(input, other)",
}
"""Operations as a program writes them; each variable is the parameter of its name."""

VARIABLES = {"input", "other", "weight", "bias", "target", "tensors", "mat1", "mat2"}
"""The names in these texts that stand for tensors."""

ROWS = {
    ("nn.functional.batch_norm", "weight"),
    ("nn.functional.batch_norm", "bias"),
    ("nn.functional.layer_norm", "weight"),
    ("nn.functional.layer_norm", "bias"),
    ("nn.functional.linear", "bias"),
}
"""The parameters that are a row; all others are square."""


@pytest.mark.torch
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_write_raises_where_the_table_says_that_a_function_keeps(torch: Any, name: str) -> None:
    saved = generated.saved_function(name)
    assert saved is not None
    code = compile(FUNCTIONS[name], name, "eval")
    scope = {"torch": torch, "F": torch.nn.functional, "operator": operator}
    sizes = {
        variable: (3,) if (name, variable) in ROWS else (3, 3)
        for variable in code.co_names
        if variable in VARIABLES
    }
    check_claims(torch, saved, sizes, lambda tensors: eval(code, {**scope, **tensors}))


LAYERS = {
    "BatchNorm1d": ("BatchNorm1d(3)", (3, 3)),
    "Conv2d": ("Conv2d(1, 1, 2)", (1, 1, 3, 3)),
    "Dropout": ("Dropout()", (3, 3)),
    "GELU": ("GELU()", (3, 3)),
    "GroupNorm": ("GroupNorm(1, 3)", (3, 3)),
    "LayerNorm": ("LayerNorm(3)", (3, 3)),
    "Linear": ("Linear(3, 3)", (3, 3)),
    "MaxPool2d": ("MaxPool2d(2)", (1, 3, 3)),
    "PReLU": ("PReLU()", (3, 3)),
    "ReLU": ("ReLU()", (3, 3)),
    "ReLU(inplace)": ("ReLU(inplace=True)", (3, 3)),
    "Sigmoid": ("Sigmoid()", (3, 3)),
    "SiLU": ("SiLU()", (3, 3)),
    "SiLU(inplace)": ("SiLU(inplace=True)", (3, 3)),
    "Softmax": ("Softmax(1)", (3, 3)),
    "Tanh": ("Tanh()", (3, 3)),
}


@pytest.mark.torch
@pytest.mark.parametrize("name", LAYERS)
def test_a_write_raises_where_the_table_says_that_a_layer_keeps(torch: Any, name: str) -> None:
    text, size = LAYERS[name]
    short, _, inplace = name.partition("(")
    saved = generated.saved_module(short, inplace=bool(inplace))
    assert saved is not None
    layer = eval(f"torch.nn.{text}", {"torch": torch}).requires_grad_(False)
    check_claims(torch, saved, {"input": size}, lambda tensors: layer(tensors["input"]))


def check_claims(
    torch: Any,
    saved: Saved,
    sizes: Mapping[str, tuple[int, ...]],
    call: Callable[[Mapping[str, Any]], Any],
) -> None:
    """Write to each tensor after a call, for each tensor that can require grad."""
    for cause, written in product(sizes, [*sizes, "return"]):
        leaves = {name: torch.rand(size) * 0.8 + 0.1 for name, size in sizes.items()}
        tensors = {n: (t.requires_grad_(n == cause) * 1).detach() for n, t in leaves.items()}
        tensors[cause] = leaves[cause].clone()
        result = call(tensors)
        result = result[0] if isinstance(result, tuple) else result
        if not result.requires_grad or (written != "return" and tensors[written] is result):
            continue
        with torch.no_grad():
            (result if written == "return" else tensors[written]).mul_(1)
        raises = backward_raises(torch, result)
        kept = saved.output if written == "return" else saved.inputs.get(written, frozenset())
        assert raises == (cause in kept), f"{written} is written to, {cause} requires grad"


def backward_raises(torch: Any, result: Any) -> bool:
    """Whether backward finds that a tensor which it needs was changed."""
    try:
        result.backward(torch.ones_like(result))
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error)  # noqa: PT017 - no raise is fine too
        return True
    return False


# --- the accessors -------------------------------------------------------------------------------


def test_reading_the_tables_does_not_load_torch() -> None:
    code = (
        "import sys; from torchlint.torch_api import generated;"
        "generated.saved_function('relu'); generated.canonical('torch.optim.adam.Adam');"
        "sys.exit('torch' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


_OF_MANY = frozenset({"history_torch", "removed", "torchvision"})


def test_the_tables_are_small_and_of_one_version() -> None:
    files = list(generated.TABLES.glob("*.json"))
    assert sum(file.stat().st_size for file in files) < 300_000
    # What has become of names is told of all releases at once.
    measured = [file for file in files if file.stem not in _OF_MANY]
    versions = {json.loads(file.read_text())["torch"] for file in measured}
    assert versions == {generated.torch_version()}


@pytest.mark.parametrize("name", ["relu", "torch.relu", "torch.nn.functional.relu", "Tensor.relu"])
def test_an_operation_is_found_under_each_of_its_names(name: str) -> None:
    assert generated.saved_function(name) == Saved(output=frozenset({"input"}))
    assert generated.is_operation(name)


def test_an_operation_that_was_not_measured_is_unknown_rather_than_harmless() -> None:
    assert generated.saved_function("torch.no_such_function") is None
    assert generated.saved_module("NoSuchLayer") is None
    assert not generated.is_operation("torch.save")


def test_what_only_some_arguments_keep_is_told_apart() -> None:
    plain, alike = map(generated.saved_function, ("matmul", "matmul(alike)"))
    assert plain is not None
    assert alike is not None
    assert plain.inputs == {}
    assert (
        plain.maybe_inputs
        == alike.inputs
        == {
            "input": frozenset({"other"}),
            "other": frozenset({"input"}),
        }
    )


@pytest.mark.parametrize(
    ("name", "count", "names"),
    [
        ("torch.nn.functional.cross_entropy", 2, ("input", "target")),
        ("torch.where", 3, ("condition", "input", "other")),
        ("torch.cat", 2, ("tensors", "dim")),
        ("Tensor.softmax", 2, ("input", "dim")),
        ("Tensor.permute", 4, ("input", "dims", "dims", "dims")),
        ("torch.max", 3, ("input", "dim", "keepdim")),
        ("torch.nn.utils.clip_grad_norm_", 2, ("parameters", "max_norm")),
        ("torch.relu", 2, None),
        ("torch.no_such_function", 1, None),
    ],
)
def test_positional_arguments_are_named(
    name: str, count: int, names: tuple[str, ...] | None
) -> None:
    assert generated.parameter_names(name, count) == names


def test_a_signature_knows_keywords_and_the_first_tensor() -> None:
    assert generated.signatures("torch.polygamma") == (
        Signature(("n", "input"), ("out",), None, 1),
    )
    (sized, spread) = generated.signatures("torch.zeros")
    assert (sized.first_tensor, spread.variadic) == (None, "size")


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("torch.reshape", "contiguous"),
        ("Tensor.view", "always"),
        ("Tensor.to", "sometimes"),
        ("nn.Flatten", "contiguous"),
        ("torch.clone", None),
    ],
)
def test_views_are_told_from_copies(name: str, view: str | None) -> None:
    assert generated.view(name) == view


def test_operations_in_place_have_twins() -> None:
    assert generated.out_of_place("torch.nn.functional.relu_") == "nn.functional.relu"
    assert generated.out_of_place("Tensor.zero_") is None
    assert generated.writes_in_place("Tensor.zero_")
    assert not generated.writes_in_place("Tensor.requires_grad_")
    assert generated.takes_out("torch.add")
    assert generated.takes_inplace("torch.nn.functional.dropout")
    assert not generated.takes_inplace("torch.nn.functional.gelu")


def test_factories_are_told_from_those_that_follow_a_tensor() -> None:
    assert {"zeros", "arange", "tensor", "hann_window"} <= {*generated.factory_names()}
    assert "zeros_like" in generated.like_names()
    assert not {*generated.factory_names()} & {*generated.like_names()}
    assert "fill_value" in generated.factory_parameters("torch.full")


def test_layers_and_optimizers_are_known() -> None:
    assert generated.is_module("torch.nn.Linear")
    assert not generated.is_module("torch.nn.Parameter")
    assert generated.has_parameters("torch.nn.Linear")
    assert not generated.has_parameters("torch.nn.ReLU")
    assert generated.constructor_names("Linear")[:2] == ("in_features", "out_features")
    assert generated.constructor_defaults("ReLU") == {"inplace": False}
    assert generated.forward_names("CrossEntropyLoss") == ("input", "target")
    assert generated.functional("Conv2d") == "nn.functional.conv2d"
    assert generated.is_optimizer("torch.optim.AdamW")
    assert generated.constructor_names("SGD")[0] == "params"
    assert generated.is_scheduler("torch.optim.lr_scheduler.StepLR")


def test_losses_are_known_as_layer_and_as_function() -> None:
    assert generated.loss_functional("torch.nn.CrossEntropyLoss") == "cross_entropy"
    assert generated.loss_functional("torch.nn.Linear") is None
    assert generated.loss_function("torch.nn.functional.nll_loss") == "nll_loss"
    assert generated.loss_function("torch.nn.functional.softmax") is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("torch.nn.modules.loss.CrossEntropyLoss", "torch.nn.CrossEntropyLoss"),
        ("torch.optim.adam.Adam", "torch.optim.Adam"),
        ("torch.utils.data.dataset.Dataset", "torch.utils.data.Dataset"),
        ("torch.autograd.grad_mode.no_grad", "torch.no_grad"),
        ("torch.nn.modules.linear.Linear.forward", "torch.nn.Linear.forward"),
        ("torch.nn.functional.conv2d", "torch.nn.functional.conv2d"),
        ("torch.nn.functional.softmax", "torch.nn.functional.softmax"),
        ("torch.Tensor", "torch.Tensor"),
    ],
)
def test_a_long_path_leads_to_the_public_name(path: str, name: str) -> None:
    assert generated.canonical(path) == name


def test_public_names_and_namespaces() -> None:
    assert generated.is_public("torch.nn")
    assert generated.is_public("torch.nn.functional.relu")
    assert generated.is_public("torch.float32")
    assert not generated.is_public("torch.no_such_name")
