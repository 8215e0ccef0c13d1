"""Programs for a device that is not there ask much of it, whatever torch was built with."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

torch = pytest.importorskip("torch")

from torchlint.confirm.runner.accelerator import Accelerator  # noqa: E402

pytestmark = pytest.mark.torch

ASKED = {
    "a step": "net(x).sum().backward(); torch.optim.Adam(net.parameters()).step()",
    "random numbers": "torch.random.fork_rng().__enter__(); torch.cuda.get_rng_state()",
    "an event": "e = torch.cuda.Event(enable_timing=True); e.record(); e.elapsed_time(e)",
    "a stream": """
with torch.cuda.stream(torch.cuda.Stream()):
    torch.cuda.current_stream().synchronize()
""",
    "a device": """
with torch.cuda.device(0):
    assert net(x).is_cuda
""",
    "all devices": "assert torch.nn.DataParallel(net)(x).shape == (2, 3)",
    "weights in one piece": "torch.nn.LSTM(4, 3).to('cuda')(torch.ones(2, 1, 4).to('cuda'))",
    "a generator": "torch.randn(2, generator=torch.Generator('cuda'), device='cuda')",
    "memory": "assert torch.cuda.mem_get_info()[0] and not torch.cuda.max_memory_reserved()",
    "properties": "assert torch.cuda.get_device_properties(0).total_memory",
    "any accelerator": """
where = torch.accelerator.current_accelerator()
assert torch.accelerator.is_available() and where.type == "cuda"
torch.accelerator.synchronize(torch.accelerator.current_device_index())
""",
}


@pytest.mark.parametrize("text", ASKED.values(), ids=ASKED)
@pytest.mark.filterwarnings("ignore")
def test_what_is_asked_of_it_is_answered(text: str) -> None:
    project = cast("Any", SimpleNamespace(owns=lambda file: False))
    target = cast("Any", SimpleNamespace(file="nowhere.py", line=1, end_line=1))
    with Accelerator(project, target):
        net, x = torch.nn.Linear(4, 3).to("cuda"), torch.ones(2, 4, device="cuda")
        exec(text, {"torch": torch, "net": net, "x": x})
