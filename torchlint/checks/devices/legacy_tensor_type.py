"""TL509: tensors as they were made, and told apart, in the first releases of torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import cuts, names, variables
from torchlint.interpreter.trace import Claim
from torchlint.interpreter.values import NONE, Const
from torchlint.registry import check
from torchlint.torch_api import legacy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_THEIRS = {NONE, Const("cpu")}
"""Where the types of the CPU can be told to make their tensors."""

_ONE_SINCE = "0.4"
"""Before this release variables and tensors were two, and types said what dtypes and devices do."""


@check(
    code="TL509",
    name="legacy-tensor-type",
    level=Level.SUSPICIOUS,
    names=legacy.names,
    words={"Variable()"},
    callers={"Variable()"},
)
def legacy_tensor_type(trace: Trace) -> Iterator[Claim]:
    """`Variable`, or a type like `torch.cuda.FloatTensor` in place of a dtype and a device."""
    if trace.releases.reach(_ONE_SINCE):
        yield from _variables(trace)
        yield from _types(trace)


def _variables(trace: Trace) -> Iterator[Claim]:
    for named in names.variables(trace):
        if variables.is_volatile(named):
            message = (
                "`volatile` has had no effect since torch 0.4: the graph is recorded all the "
                "same, which `torch.no_grad()` prevents"
            )
            yield Claim(named.spot, message)
        else:
            message = (
                "`Variable` has been of no use since torch 0.4: what is in no graph stays as it "
                "is, and the rest leaves its graph, as by `detach()`"
            )
            repair = fixing.detached_variable(named.spot)
            yield Claim(named.spot, message, level=Level.PEDANTIC, repair=repair)
    for made in cuts.wrapped(trace):
        asked = "x, requires_grad=True" if made.leaf else "x"
        message = (
            f"`Variable({asked})` takes x out of the graph that it has, as `detach()` does: "
            "nothing before this gets a gradient"
        )
        spot = made.tensor.node.spot if made.tensor.node is not None else None
        because = ((spot, "it is computed here"),) if spot is not None else ()
        yield Claim(made.spot, message, because)


def _types(trace: Trace) -> Iterator[Claim]:
    for named, dtype in names.tensor_types(trace):
        short = named.name.removeprefix("torch.")
        if legacy.is_on_gpu(named.name):
            message = f"`{short}` is there with CUDA only: say `dtype=torch.{dtype}` and a device"
            level = Level.PEDANTIC if named.guarded or named.on_cuda else None
            yield Claim(named.spot, message, level=level)
        elif named.arguments.keywords.get("device", NONE) not in _THEIRS:
            message = (
                f"`{short}` is always on the CPU, and raises where `device=` is another: say "
                f"`torch.tensor(…, dtype=torch.{dtype}, device=…)`"
            )
            yield Claim(named.spot, message)
        else:
            message = (
                f"`{short}` is always on the CPU, and a single number is a size for it: say "
                f"`dtype=torch.{dtype}`"
            )
            repair = fixing.with_dtype(named.spot, dtype)
            yield Claim(named.spot, message, level=Level.PEDANTIC, repair=repair)
