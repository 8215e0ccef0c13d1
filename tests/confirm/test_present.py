"""A device that is there, where it is torch that refuses to mix it with the CPU.

The meta device stands for it where there is no other: it computes nothing, and refuses as much.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from flagged import standing_at

torch = pytest.importorskip("torch")

from torchlint.confirm.runner import present  # noqa: E402

pytestmark = pytest.mark.torch

FILE, LINE = "program.py", 2
REAL = pytest.param(
    "cuda:0", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="none")
)


@pytest.fixture(params=["meta", REAL])
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> present.Present:
    if request.param == "meta":
        monkeypatch.setattr(present, "DEVICE", "meta")
        monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: "stand-in")
    project = cast("Any", SimpleNamespace(is_at=standing_at(FILE)))
    return present.Present(project, cast("Any", SimpleNamespace(line=LINE)))


def run(device: present.Present, make: str, then: str = "x + mask", *, put: bool = False) -> str:
    """What is raised where this makes the mask, and that is done with it."""
    x = device.place(torch.ones(2, 2), present.DEVICE)
    other = torch.ones(2, 2)
    with device:
        device.watch(put)
        try:
            code = compile(f"\nmask = {make}\n{then}", FILE, "exec")
            exec(code, {"torch": torch, "x": x, "other": other})
        except RuntimeError as error:
            return str(error)
    return ""


@pytest.mark.parametrize(
    "make", ["torch.ones(2, 2)", "torch.tensor([1.0, 2.0])", "torch.ones(2, 2).tril() * 2"]
)
def test_the_flagged_tensor_is_what_torch_refuses(device: present.Present, make: str) -> None:
    assert "device" in run(device, make)
    assert device.created
    assert device.met
    assert device.refused is not None
    assert run(device, make, put=True) == ""
    assert device.settled


def test_another_tensor_on_the_cpu_is_not_the_flagged_one(device: present.Present) -> None:
    assert "device" in run(device, "torch.ones(2, 2)", "x + other")
    assert device.refused is not None
    assert not device.met


@pytest.mark.parametrize("make", ["torch.ones(2, 2, device=x.device)", "torch.ones(2, 2).to(x)"])
def test_what_is_put_on_the_device_is_lawful(device: present.Present, make: str) -> None:
    assert run(device, make) == ""
    assert device.created
    assert device.settled
    assert not device.met


def test_what_is_put_on_the_cpu_by_name_is_not_without_a_device(device: present.Present) -> None:
    assert "device" in run(device, "torch.ones(2, 2, device='cpu')")
    assert not device.met


def test_an_attribute_is_followed_and_put_there(device: present.Present) -> None:
    with device:
        for put in (False, True):
            device.watch(put)
            held = device.flag(torch.ones(2, 2))
            assert device.created
            assert (device.where(held) == present.DEVICE) is put


def test_what_is_made_up_goes_there_with_the_models(device: present.Present) -> None:
    made = {"net": torch.nn.Linear(2, 2), "batch": [torch.ones(2), {"y": torch.ones(1)}], "n": 3}
    placed = device.placed(made)
    assert placed["n"] == 3
    there = [placed["net"].weight, placed["batch"][0], placed["batch"][1]["y"]]
    assert {device.where(tensor) for tensor in there} == {present.DEVICE}
