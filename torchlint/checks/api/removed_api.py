"""TL901: names that torch no longer has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import classes, data, frameworks, names
from torchlint.interpreter.trace import Claim
from torchlint.project.datawords import OLD_NEXT
from torchlint.registry import ALONE, check
from torchlint.torch_api import history, removed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace


@check(
    code="TL901",
    name="removed-api",
    level=Level.CORRECTNESS,
    names=lambda: {
        *history.removed_names(),
        *removed.arguments("torch", "pytorch_lightning", "accelerate"),
        "torch.stft",
        *removed.METHODS,
    },
    words={"symeig()", "lstsq()", "eig()", "align_to()", "refine_names()", OLD_NEXT},
    callers=ALONE,
    supersedes={"TL904"},
    classes=True,
    inside={"TransformerEncoder", "TransformerDecoder", "custom_encoder", "custom_decoder"},
)
def removed_api(trace: Trace) -> Iterator[Claim]:
    """A name or argument that torch, Lightning or Accelerate no longer has."""
    for named, fate in names.gone(trace):
        does = "only raises" if fate.refuses else "is gone"
        new = names.instead(trace, named.name)
        hint = f": use {new}" if new else ""
        message = f"`{named.name}` {does} in {fate.package} {fate.removed} and later{hint}"
        repair = fixing.renewed(named.spot, named.name) if new else None
        yield Claim(named.spot, message, repair=repair)
    for named, argument, release in names.refused(trace):
        new = removed.INSTEAD.get(argument, "")
        hint = f": {new}" if new else ""
        package = removed.package(named.name)
        message = f"`{argument}` is no argument since {package} {release}: the call raises{hint}"
        repair = fixing.without(named.spot, (argument,)) if argument in removed.IDLE else None
        yield Claim(named.spot, message, repair=repair)
    for call in names.unsaid(trace):
        message = (
            "`stft` of real numbers raises since torch 2.0 unless `return_complex` is given: with "
            "True the result is complex, whose `abs()` is the magnitude"
        )
        yield Claim(call.spot, message, level=Level.SUSPICIOUS)
    for asked in data.old_nexts(trace):
        message = "`next` is no method of a loader's iterator since torch 1.13: use `next(…)`"
        level = None if asked.sure else Level.SUSPICIOUS
        yield Claim(asked.spot, message, level=level, repair=fixing.by_next(asked.spot))
    for named, argument, release in names.refused_by_tensors(trace):
        new = removed.METHODS[named.name][1]
        message = f"`{argument}` is no argument since torch {release}: the call raises: use `{new}`"
        yield Claim(named.spot, message, repair=fixing.argument_renamed(named.spot, argument, new))
    yield from _of_classes(trace)


def _of_classes(trace: Trace) -> Iterator[Claim]:
    """Methods and attributes of classes that frameworks call, or set, in another way now."""
    for method, release in classes.uncalled_hooks(trace):
        refused = method.name in removed.REFUSED
        does = "refuses a module that has" if refused else "does not call"
        message = f"Lightning {does} `{method.name}` since pytorch_lightning {release}"
        yield Claim(classes.heading(method), message)
    for method, argument, release in frameworks.untold(trace):
        message = (
            f"Lightning hands `{method.name}` no `{argument}` since pytorch_lightning {release}: "
            f"{removed.INSTEAD[argument]}"
        )
        yield Claim(classes.heading(method), message)
    for write, release in frameworks.refused_writes(trace):
        new = removed.READ_ONLY[write.name][1]
        message = f"`{write.name}` is read-only since pytorch_lightning {release}: use `{new}`"
        yield Claim(write.spot, message)
    for spot in frameworks.sources_handed_up(trace):
        message = (
            "`Sampler` takes no data since torch 2.10: this call raises: hand it nothing, and keep "
            "what is sampled from"
        )
        yield Claim(spot, message)
    for part in frameworks.unexpected(trace):
        handed = "`, `".join(part.keywords)
        message = (
            f"torch hands this part `{handed}` since {part.since}, which its `forward` does not "
            "take: every call raises"
        )
        yield Claim(part.spot, message, ((part.forward, "this is the forward"),))
