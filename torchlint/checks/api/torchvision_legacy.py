"""TL905: names and arguments that torchvision has left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.names import Named
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.registry import check
from torchlint.torch_api import torchvision

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_WEIGHTS_SINCE = "1.12"


@check(
    code="TL905",
    name="torchvision-legacy",
    level=Level.SUSPICIOUS,
    names=torchvision.names,
)
def torchvision_legacy(trace: Trace) -> Iterator[Claim]:
    """An argument or a name that torchvision has deprecated or removed."""
    for call, given in names.legacy_arguments(trace):
        old, new = (
            "`, `".join(part) for part in (given, [torchvision.LEGACY[name] for name in given])
        )
        are = "is" if len(given) == 1 else "are"
        message = f"`{old}` {are} deprecated since torchvision 0.13, and warns: use `{new}`"
        too_early = names.releases(trace, call).reach_below(_WEIGHTS_SINCE)
        level = Level.PEDANTIC if too_early else None
        repair = None if too_early else fixing.weights(call.spot, call.name)
        yield Claim(call.spot, message, level=level, repair=repair)
    for named in trace.of(Named):
        if named.guarded or names.releases(trace, named).reach_below(_WEIGHTS_SINCE):
            continue
        if named.name in torchvision.URLS:
            yield Claim(named.spot, "torchvision has no `model_urls` since 0.13: use `weights`")
        elif named.name in torchvision.TRANSFORMS:
            new = torchvision.TRANSFORMS[named.name]
            message = f"torchvision has no `{named.name.removeprefix('torchvision.')}`: use `{new}`"
            yield Claim(named.spot, message, repair=fixing.last_part(named.spot, new))
    for named, release, use in names.about_to_go(trace):
        message = f"`{named.name}` is deprecated since torchvision {release}, and warns: use {use}"
        yield Claim(named.spot, message)
    for named, argument, release in names.left_behind(trace):
        if named.name in torchvision.URLS | torchvision.TRANSFORMS.keys():
            continue
        home = torchvision.RENAMED.get(argument) or torchvision.INSTEAD.get(named.name)
        hint = f": use `{home}`" if home else ""
        has = f"`{named.name}` takes no `{argument}`" if argument else f"`{named.name}` is gone"
        yield Claim(named.spot, f"{has} since torchvision {release}{hint}")
