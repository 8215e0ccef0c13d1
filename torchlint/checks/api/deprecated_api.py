"""TL902: names that torch is about to give up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint import fixing
from torchlint.findings import Level
from torchlint.interpreter.events.training import EpochTold, RatesComputed
from torchlint.interpreter.questions import names
from torchlint.interpreter.trace import Claim
from torchlint.registry import ALONE, check
from torchlint.torch_api import history, overloads, reductions, required

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.trace import Trace

_COUNTING = "1.4"
"""The release since which schedulers warn of being told an epoch, and tell the rates in use."""


@check(
    code="TL902",
    name="deprecated-api",
    level=Level.SUSPICIOUS,
    names=lambda: {
        *history.deprecated_names(),
        *reductions.names(),
        *overloads.names(),
        *required.REQUIRED,
    },
    words={"qr()", "cholesky()", "lu_solve()", "triangular_solve()", "get_lr()"},
    callers=ALONE,
)
def deprecated_api(trace: Trace) -> Iterator[Claim]:
    """A name that torch has deprecated and will remove."""
    for named, fate in names.deprecated(trace):
        new = names.instead(trace, named.name)
        hint = f": use {new}" if new else ""
        message = f"`{named.name}` is deprecated since torch {fate.deprecated}, and warns{hint}"
        # What has no successor yet in a release that the project supports has to wait, and what is
        # only handed on may never be called.
        can_wait = new == "" or not names.is_called(named)
        repair = fixing.renewed(named.spot, named.name) if new else None
        yield Claim(named.spot, message, level=Level.PEDANTIC if can_wait else None, repair=repair)
    yield from _of_schedulers(trace)
    for named, argument, meant in names.old_reductions(trace):
        message = (
            f'`{argument}` is deprecated since torch 1.0, and warns: use `reduction="{meant}"`'
        )
        can_wait = names.releases(trace, named).reach_below(reductions.SINCE)
        repair = None if can_wait else fixing.reduced(named.spot, meant)
        yield Claim(named.spot, message, level=Level.PEDANTIC if can_wait else None, repair=repair)
    for named, method, factors in names.numbers_first(trace):
        given = "a number" if len(factors) == 1 else "numbers"
        message = (
            f"`{method}` with {given} before the tensors is deprecated since torch "
            f"{overloads.SINCE}, and warns: use {' and '.join(f'`{one}=`' for one in factors)}"
        )
        yield Claim(named.spot, message, repair=fixing.factors_last(named.spot, factors))
    for named, missing in names.left_out(trace):
        message = (
            f"`{named.name}` is not told `{missing.argument}`: torch warns since {missing.since}, "
            f"{missing.why}; {missing.value} is what it does now"
        )
        can_wait = not trace.releases.all_have(missing.since)
        said = f"{missing.argument}={missing.value}"
        repair = None if can_wait else fixing.said(named.spot, said)
        yield Claim(named.spot, message, level=Level.PEDANTIC if can_wait else None, repair=repair)


def _of_schedulers(trace: Trace) -> Iterator[Claim]:
    """What is asked of schedulers, and told to them, since they count by themselves."""
    if not trace.releases.reach(_COUNTING):
        return
    for asked in trace.of(RatesComputed):
        message = (
            "`get_lr()` is for a scheduler's own step, warns elsewhere, and may give other rates "
            "than those in use: `get_last_lr()` gives these"
        )
        can_wait = not trace.releases.all_have(_COUNTING)
        repair = None if can_wait else fixing.last_rates(asked.spot)
        yield Claim(asked.spot, message, level=Level.PEDANTIC if can_wait else None, repair=repair)
    for told in trace.of(EpochTold):
        message = (
            f"the `epoch` of a scheduler's step is deprecated since torch {_COUNTING}, and warns: "
            "schedulers count their steps, `step()` is enough"
        )
        if told.measured:
            message = (
                "a scheduler's step takes this metric for the number of an epoch, and sets the "
                "rate of that one: `ReduceLROnPlateau` alone takes a metric"
            )
        yield Claim(told.spot, message)
