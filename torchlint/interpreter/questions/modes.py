"""Training and evaluation: which passes of a model are which, and in what mode they are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.modes import Pass, Switch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.switches import Mode
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Round, Spot


def trained(trace: Trace) -> Iterator[Pass]:
    """The passes that a later backward walks back through."""
    for each in trace.of(Pass):
        if any(
            backward.index > each.index
            and backward.node is not None
            and not trace.reach(backward.node).isdisjoint(each.nodes)
            for backward in trace.of(Backward)
        ):
            yield each


def left_in_eval(trace: Trace) -> Iterator[tuple[Mode, Spot, Pass]]:
    """Models that train in the mode in which an earlier round of the loop has evaluated them.

    Gives the switch, its place, and the pass that trains in spite of it. Before, the same pass was
    made in training mode; a switch back on any way between the two counts.
    """
    before: dict[tuple[int, Spot], Pass] = {}
    seen: set[Spot] = set()
    for each in trained(trace):
        first = before.setdefault((each.model, each.spot), each)
        if any(not mode.training for mode in first.modes) or not first.modes:
            continue
        for mode in each.modes:
            if mode.training or mode.spot is None or mode.spot in seen:
                continue
            if _earlier(mode.rounds, each.rounds) and not _switched_back(trace, mode, each):
                seen.add(mode.spot)
                yield mode, mode.spot, each


def _earlier(rounds: tuple[Round, ...], others: tuple[Round, ...]) -> bool:
    """Whether something happened in an earlier round of a loop that both are in."""
    numbers = {round_.loop: round_.number for round_ in rounds}
    return any(numbers.get(round_.loop, round_.number) < round_.number for round_ in others)


def _switched_back(trace: Trace, mode: Mode, until: Pass) -> bool:
    return any(
        switch.training is not False and mode.index < switch.index < until.index
        for switch in trace.of(Switch)
    )
