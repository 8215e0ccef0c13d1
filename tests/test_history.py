"""The history of torch's names agrees with the torch at hand, and replacements do the same."""

from __future__ import annotations

import importlib
import inspect
import warnings
from pathlib import Path
from typing import Any

import pytest

from torchlint.api import check
from torchlint.applying.changes import apply
from torchlint.findings import Finding, Level
from torchlint.settings import Settings
from torchlint.torch_api import generated, history, removed
from torchlint.torch_api.replacements import PUBLIC, REPLACEMENTS


@pytest.fixture
def torch() -> Any:
    """The torch that the tables describe."""
    torch = pytest.importorskip("torch")
    if torch.__version__.split("+")[0] != generated.torch_version():
        pytest.skip("the tables are of another torch")
    return torch


def found(name: str) -> bool:
    return named(name) is not None


def named(name: str) -> Any:
    """What a dotted name stands for; None where there is nothing."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            owner = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            if not hasattr(owner, part):
                return None
            owner = getattr(owner, part)
        return owner
    return None


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_what_is_removed_is_not_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gone = [name for name in history.removed_names() if not _fate(name).refuses]
        assert not [name for name in gone if found(name)]


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_what_is_deprecated_or_refuses_is_still_there() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names = history.deprecated_names() | history.removed_names()
        there = [name for name in names if _fate(name).refuses or not _fate(name).removed]
        assert not [name for name in there if not found(name)]


def _fate(name: str) -> history.Fate:
    fate = history.fate(name)
    assert fate is not None
    return fate


def test_the_names_of_methods_share_the_fate_of_functions() -> None:
    assert _fate("torch.Tensor.symeig").removed == "2.0"
    assert history.fate("torch.Tensor.matmul") is None


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_replacements_are_there() -> None:
    assert not [new.use for new in REPLACEMENTS.values() if not found(new.use)]
    assert not [name for name in REPLACEMENTS if history.fate(name) is None]


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_what_is_public_now_is_the_same(name: str) -> None:
    old, new = named(name), named(PUBLIC[name].use)
    assert old is new or issubclass(old, new)


CALLS = [
    "torch.qr(a)",
    "torch.qr(a, False)",
    "torch.qr(input=a, some=True)",
    "a.qr()",
    "a.qr(some=False)",
    "torch.cholesky(s)",
    "torch.cholesky(s, True)",
    "torch.cholesky(s, upper=flag)",
    "s.cholesky(upper=True)",
    "torch.chain_matmul(a, s, a.t())",
    "torch.lu_solve(a.t(), lu, pivots)",
    "torch.lu_solve(LU_pivots=pivots, LU_data=lu, input=a.t())",
    "nn.functional.upsample(image, None, 2)",
    "nn.functional.upsample(image, scale_factor=2, mode='bilinear', align_corners=True)",
    "nn.NLLLoss2d(reduction='sum')(a.log_softmax(1), torch.tensor([0, 1, 2, 0, 1]))",
    "torch.nn.utils.clip_grad_norm([p], 0.5)",
    "torch.nn.utils.clip_grad_norm([p], max_norm=0.5, norm_type=1)",
    "torch.nn.utils.stateless.functional_call(layer, {'bias': v[:2]}, (a,))",
    "torch.sparse.FloatTensor(torch.tensor([[0, 1]]), v[:2], torch.Size([3])).to_dense()",
    "torch.sparse.DoubleTensor(torch.tensor([[0, 2]]), v[:2].double()).to_dense()",
    "torch.cuda.amp.GradScaler(2.0, enabled=False).state_dict()",
    "torch.cuda.amp.GradScaler(*[2.0, 2.0, 0.5, 10, False]).state_dict()",
    "vars(torch.cpu.amp.autocast(False))",
    "vars(torch.cpu.amp.autocast(True, torch.bfloat16, False))",
    "vars(torch.cpu.amp.autocast(dtype=torch.float16, enabled=flag))",
    "vars(torch.cuda.amp.autocast(False, torch.bfloat16))",
]
"""Calls whose replacement has to give what they give."""

LEFT = [
    "torch.qr(a, some=flag)",
    "torch.qr(*[a])",
    "torch.qr(a, **{'some': False})",
    "torch.cholesky(*[s], upper=flag)",
    "torch.chain_matmul(*[a, s])",
    "torch.range(0, 3)",
    "torch.range(*[0, 3])",
    "torch.symeig(s)",
    "torch.symeig(s, flag)",
    "torch.lu_solve(a, lu)",
    "torch.cuda.amp.autocast(**{'enabled': False})",
    "partial(torch.qr, some=False)",
]
"""Calls for which no replacement is right, or not known to be."""

BEFORE = """\
import torch
from torch import nn
from functools import partial

torch.manual_seed(0)
a, v, w = torch.randn(5, 3), torch.randn(3), torch.randn(5)
s = torch.cov(torch.randn(3, 9)) + torch.eye(3)
lu, pivots = torch.linalg.lu_factor(s)
image, layer, flag = torch.randn(1, 2, 3, 3), nn.Linear(3, 2), not v.isnan().any()
p = nn.Parameter(torch.ones(3))
p.grad = torch.randn(3)
"""


def repaired(call: str, folder: Path) -> str | None:
    """The line with the fix of its finding; None where none is offered."""
    path = folder / "sample.py"
    (folder / "requirements.txt").write_text("torch>=2.13\n")
    text = f"{BEFORE}result = {call}\n"
    path.write_text(text)
    settings = Settings(select=("TL901", "TL902"), level=Level.PEDANTIC)
    findings = [item for item in check([str(path)], settings).findings if item.place.line == 12]
    assert len(findings) == 1
    fix = findings[0].fix
    return apply(text, list(fix.edits)) if fix else None


def outcome(text: str) -> Any:
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(text, names)
    return names["result"], names["a"], names["p"].grad


def same(torch: Any, one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return bool(torch.equal(one, other))
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(
            same(torch, x, y) for x, y in zip(one, other, strict=True)
        )
    return bool(one == other)


@pytest.mark.torch
@pytest.mark.parametrize("call", CALLS)
def test_the_replacement_gives_the_same(torch: Any, call: str, tmp_path: Path) -> None:
    new = repaired(call, tmp_path)
    assert new is not None
    assert same(torch, outcome(f"{BEFORE}result = {call}\n"), outcome(new)), new


@pytest.mark.parametrize("call", LEFT)
def test_no_replacement_is_better_than_a_wrong_one(call: str, tmp_path: Path) -> None:
    assert repaired(call, tmp_path) is None


WAITING = [
    ("torch>=1.8", "nn.utils.weight_norm(nn.Conv1d(4, 4, 3))"),
    ("torch>=1.11", "torch.cuda.amp.autocast()"),
    ("torch>=1.8", "torch.chain_matmul(x, x)"),
    ("torch>=2.9", "torch.distributed.all_gather_into_tensor(x, x)"),
    ("", "torch.distributed.all_gather_into_tensor(x, x)"),
]
"""What a project supports, and a call whose successor came later."""

DUE = [
    ("torch>=2.1", "nn.utils.weight_norm(nn.Conv1d(4, 4, 3))", False),
    ("torch>=1.12", "torch.cuda.amp.autocast()", True),
    ("torch>=1.9", "torch.chain_matmul(x, x)", True),
    ("torch>=2.13", "torch.distributed.all_gather_into_tensor(x, x)", True),
    ("", "torch.cuda.amp.autocast()", True),
]
"""The same where it is there already, and whether it does the same."""


def deprecation(declared: str, call: str, folder: Path) -> Finding:
    (folder / "requirements.txt").write_text(f"{declared}\n")
    (folder / "sample.py").write_text(f"import torch\nfrom torch import nn\n\n{call}\n")
    settings = Settings(select=("TL902",), level=Level.PEDANTIC)
    (found,) = check([str(folder / "sample.py")], settings).findings
    return found


@pytest.mark.parametrize(("declared", "call"), WAITING)
def test_what_a_supported_release_lacks_can_wait(declared: str, call: str, tmp_path: Path) -> None:
    found = deprecation(declared, call, tmp_path)
    assert (found.level, found.fix) == (Level.PEDANTIC, None)


@pytest.mark.parametrize(("declared", "call", "alike"), DUE)
def test_what_all_supported_releases_have_is_due(
    declared: str, call: str, alike: bool, tmp_path: Path
) -> None:
    found = deprecation(declared, call, tmp_path)
    assert (found.level, found.fix is not None) == (Level.SUSPICIOUS, alike)
    assert "use `" in found.message


def test_a_type_is_one_of_numbers_and_of_a_device(tmp_path: Path) -> None:
    call = "torch.set_default_tensor_type(torch.DoubleTensor)"
    found = deprecation("torch>=2.2", call, tmp_path)
    assert found.message.endswith(": use `torch.set_default_dtype` and `torch.set_default_device`")


IMPORTS = {
    "from torch.utils.data._utils.collate import default_collate": (
        "from torch.utils.data import default_collate"
    ),
    "from torch.utils.data._utils.collate import default_collate as c": (
        "from torch.utils.data import default_collate as c"
    ),
    "from torch.optim.lr_scheduler import StepLR, _LRScheduler": (
        "from torch.optim.lr_scheduler import StepLR, LRScheduler as _LRScheduler"
    ),
    "from torch.optim.lr_scheduler import (\n    _LRScheduler as Base,  # ours\n)": (
        "from torch.optim.lr_scheduler import (\n    LRScheduler as Base,  # ours\n)"
    ),
    "import torch; x = torch.utils.data._utils.collate.default_collate([1])": (
        "import torch; x = torch.utils.data.default_collate([1])"
    ),
    "from torch.utils.data._utils.collate import default_collate, default_convert": None,
    "import torch._utils": None,
}
"""Private names, and what they are repaired to."""


@pytest.mark.parametrize("before", IMPORTS)
def test_a_private_name_is_imported_by_its_public_one(before: str, tmp_path: Path) -> None:
    path = tmp_path / "sample.py"
    path.write_text(f"{before}\n")
    found = check([str(path)], Settings(select=("TL904",), level=Level.PEDANTIC)).findings
    assert {item.code for item in found} == {"TL904"}
    fixes = [apply(f"{before}\n", list(item.fix.edits)) for item in found if item.fix]
    after = IMPORTS[before]
    assert fixes == ([f"{after}\n"] if after else [])


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_an_eigenvalue_decomposition_is_one_of_the_upper_triangle(tmp_path: Path) -> None:
    """What is replaced no longer runs: its definition has to tell."""
    matrix = "torch.tensor([[2.0, 1.0], [5.0, 3.0]])"
    new = repaired(f"torch.symeig({matrix}, eigenvectors=True)", tmp_path)
    assert new is not None
    (values, vectors), _, _ = outcome(new)
    assert (vectors @ values.diag() @ vectors.t()).round(decimals=3).tolist() == [[2, 1], [1, 3]]


@pytest.mark.torch
@pytest.mark.usefixtures("torch")
def test_arguments_that_are_gone_are_not_taken() -> None:
    taken = {
        (name, argument)
        for name, gone in removed.arguments("torch").items()
        for argument in gone
        if argument in inspect.signature(named(name)).parameters
    }
    assert not taken


def test_names_of_lightning_are_known_by_either_package() -> None:
    for package in ("pytorch_lightning", "lightning", "lightning.pytorch"):
        assert removed.arguments("pytorch_lightning")[f"{package}.Trainer"]["gpus"] == "2.0"
    assert _fate("lightning.pytorch.plugins.DDPPlugin").package == "pytorch_lightning"
