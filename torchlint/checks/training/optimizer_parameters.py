"""TL211: an optimizer that holds something else than what is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.findings import Level
from torchlint.interpreter.questions import holdings
from torchlint.interpreter.trace import Claim
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL211",
    name="optimizer-parameters",
    level=Level.CORRECTNESS,
    words={"backward()", "manual_backward()"},
    callers={"backward()", "manual_backward()"},
)
def optimizer_parameters(trace: Trace) -> Iterator[Claim]:
    """The optimizer does not hold the parameters that are trained."""
    for built, drained in holdings.built_of_nothing(trace):
        if drained is None:
            yield Claim(built.spot, "the optimizer is given no parameters at all")
        else:
            because = ((drained, "the generator of parameters is iterated here"),)
            message = "the optimizer gets nothing: this generator has been used up"
            yield Claim(built.spot, message, because)
    for built, node, moved in holdings.of_no_leaf(trace):
        how = "moved here" if moved else "computed here"
        raises = "raises wherever it is moved to an accelerator" if moved else "raises"
        message = (
            f"an optimizer takes leaves of the graph, and this is computed from one: it {raises}"
        )
        yield Claim(
            built.spot,
            message,
            ((node.spot, how),) if node.spot else (),
            level=Level.SUSPICIOUS if moved else None,
        )
    for spot, backward in holdings.of_another_model(trace):
        because = ((backward, "this backward goes to other parameters"),)
        message = "none of the parameters that this optimizer holds gets a gradient"
        yield Claim(spot, message, because)
    for optimizer, step in holdings.of_frozen(trace):
        if optimizer.spot is not None:
            because = ((step.spot, "the optimizer steps here, and changes nothing"),)
            message = "all parameters that this optimizer holds are frozen"
            yield Claim(optimizer.spot, message, because)
    for optimizer, stranger, step in holdings.built_too_early(trace):
        if optimizer.spot is not None and stranger.spot is not None:
            chain = (
                (stranger.spot, "this layer is built, and put into the model, only later"),
                (step.spot, "the optimizer steps here without it"),
            )
            message = "the optimizer is built before a layer that is trained is in the model"
            yield Claim(optimizer.spot, message, chain)
