"""Clipping: what is clipped, and whether that is what a step uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.events.graph import Backward
from torchlint.interpreter.events.training import Clip, ScalerCall
from torchlint.interpreter.optimisation import CLEAR, Phase
from torchlint.interpreter.questions.steps import received

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.interpreter.optimisation import Gradients, Optimizer
    from torchlint.interpreter.trace import Trace
    from torchlint.interpreter.values import Spot


@dataclass(frozen=True)
class Clipping:
    """A call that clips, by all its events."""

    trace: Trace
    events: tuple[Clip, ...]

    @property
    def spot(self) -> Spot:
        """Where it stands."""
        return self.events[0].spot

    @property
    def optimizers(self) -> list[Optimizer]:
        """The optimizers whose gradients are clipped, as they were each time."""
        return [optimizer for event in self.events for optimizer in event.optimizers.values()]

    @property
    def gradients(self) -> list[Gradients]:
        """The phases in which what is clipped can be."""
        return [each for optimizer in self.optimizers for each in optimizer.gradients]

    @property
    def drained(self) -> Spot | None:
        """Where the generator of the parameters was iterated before, if it always was."""
        spots = [event.drained for event in self.events]
        return spots[-1] if all(spots[1:]) else None

    def used(self) -> Spot | None:
        """The step that has used the gradients already."""
        found = self.gradients
        if found and all(each.phase is Phase.USED for each in found):
            return found[-1].step
        return None

    def scaled(self) -> Spot | None:
        """The backward that made the gradients, if they are multiplied by a scale.

        Once that is seen, rounds in which nothing is known of the backward tell nothing else.
        """
        found = [each for each in self.gradients if each.phase is not Phase.UNSEEN]
        if not all(map(_is_scaled, found)) or not any(map(_are_scaled, self.events)):
            return None
        addresses = {address for event in self.events for address in event.optimizers}
        calls = [call for call in self.trace.of(ScalerCall) if call.optimizer in addresses]
        stepped = any(call.method == "step" for call in calls)
        return found[-1].backward if stepped else None

    def late(self) -> Spot | None:
        """The backward that makes the gradients, if that comes after."""
        if CLEAR not in self.gradients or not self._has_nothing_new():
            return None
        for event in self.events:
            for backward in self.trace.of(Backward):
                after = backward.index > event.index and backward.rounds == event.rounds
                if after and any(
                    backward.spot in received(self.trace, address) for address in event.optimizers
                ):
                    return backward.spot
        return None

    def others(self) -> Spot | None:
        """The backward that made gradients, if they are all of other optimizers' parameters."""
        if not self._has_nothing_new() or self.late() is not None:
            return None
        found: list[Spot | None] = [self._of_others(event) for event in self.events]
        return found[-1] if all(found) else None

    def _has_nothing_new(self) -> bool:
        """Whether there is nothing to clip that a step has not used already."""
        found = self.gradients
        return bool(found) and all(each == CLEAR or each.phase is Phase.USED for each in found)

    def _of_others(self, event: Clip) -> Spot | None:
        for backward in reversed(self.trace.of(Backward)):
            if backward.index < event.index and backward.rounds == event.rounds:
                got = any(backward.spot in received(self.trace, other) for other in event.others)
                return backward.spot if got else None
        return None


def clippings(trace: Trace) -> Iterator[Clipping]:
    """The calls that clip."""
    groups: dict[Spot, list[Clip]] = {}
    for event in trace.of(Clip):
        groups.setdefault(event.spot, []).append(event)
    for events in groups.values():
        yield Clipping(trace, tuple(events))


def _are_scaled(event: Clip) -> bool:
    """Whether all gradients are that are clipped in one round."""
    found = [each for optimizer in event.optimizers.values() for each in optimizer.gradients]
    return bool(found) and all(map(_is_scaled, found))


def _is_scaled(gradients: Gradients) -> bool:
    fresh = gradients.phase is Phase.FRESH and gradients.sure
    return fresh and gradients.scaled is True and not gradients.unscaled
