"""TL903: files that may run code when they are loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.interpreter.values import FALSE, TRUE
from torchlint.project import ownfiles
from torchlint.project.index import External
from torchlint.registry import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_SAFE_SINCE = "2.6"


@check(
    code="TL903",
    name="unsafe-load",
    level=Level.SUSPICIOUS,
    names=lambda: ("torch.load", "torch.hub.load", *names.PICKLES, "numpy.load"),
)
def unsafe_load(trace: Trace) -> Iterator[Claim]:
    """What is loaded may hold code, which runs when it is loaded."""
    for call in names.loads(trace):
        if names.is_restricted(call):
            continue
        told = call.arguments.keywords.get("weights_only")
        module = call.arguments.keywords.get("pickle_module")
        other = isinstance(module, External)
        if told == FALSE:
            message = "`torch.load` with `weights_only=False` runs whatever code the file holds"
        elif told is None and other:
            message = (
                "`torch.load` with a `pickle_module` runs whatever code the file holds, in all "
                "releases"
            )
        elif told is None and not call.arguments.open and trace.releases.reach_below(_SAFE_SINCE):
            message = (
                "`torch.load` runs whatever code the file holds: in releases before torch "
                f"{_SAFE_SINCE}, which this project supports, `weights_only` is False if not given"
            )
        else:
            continue
        more = names.more_than_weights(call)
        level = Level.PEDANTIC if ownfiles.is_of_test(call.spot) else None
        if more:
            message += f"; `{more}` shows that it holds more than weights"
            if names.is_without_help(trace, call):
                level = Level.PEDANTIC
            else:
                can_allow = names.can_allow_classes(trace, call)
                message += ", whose classes to allow" if can_allow else ": keep that elsewhere"
        # Weights alone are not loaded by another pickle.
        can_be_told = not (module or more) and names.could_be_told(trace, call)
        repair = fixing.weights_only(call.spot) if can_be_told else None
        yield Claim(call.spot, message, level=level, repair=repair)
    for call in names.loading_calls(trace, "torch.hub.load"):
        if call.arguments.keywords.get("trust_repo") == TRUE:
            message = "`trust_repo=True` downloads code of that repository and runs it unasked"
            yield Claim(call.spot, message)
    for call in names.pickle_loads(trace):
        message = f"`{call.name}` runs whatever code the file holds: use `torch.load` for weights"
        is_worse = names.is_of_weights(call) and names.can_load_weights_alone(trace)
        level = None if is_worse else Level.PEDANTIC
        yield Claim(call.spot, message, level=level)
