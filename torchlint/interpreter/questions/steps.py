"""Steps that find nothing in the gradients, and why there is nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass
from torchlint.interpreter.events.graph import Backward, GradientRead
from torchlint.interpreter.events.losses import LossCall
from torchlint.interpreter.events.modes import Pass
from torchlint.interpreter.events.training import Clear, Step
from torchlint.interpreter.holdings import owners_of
from torchlint.interpreter.optimisation import CLEAR, Phase
from torchlint.interpreter.questions import some_rounds
from torchlint.interpreter.reach import passes_by
from torchlint.interpreter.values import Certainty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.findings import Level
    from torchlint.interpreter.cuts import Cut
    from torchlint.interpreter.optimisation import Gradients, Optimizer
    from torchlint.interpreter.trace import Chain, Event, Trace
    from torchlint.interpreter.values import Node, Round, Spot


@dataclass(frozen=True)
class Futile:
    """A step that finds no gradients, whichever way it is reached: ``steps`` are all its events."""

    trace: Trace
    steps: tuple[Step, ...]

    @property
    def last(self) -> Step:
        """The step as it is taken last."""
        return self.steps[-1]

    @property
    def address(self) -> int | None:
        """The address of the optimizer that takes it."""
        return self.last.address

    @property
    def optimizer(self) -> Optimizer:
        """The optimizer that takes it."""
        assert self.last.optimizer is not None
        return self.last.optimizer

    def discarded(self) -> tuple[Clear, Spot] | None:
        """Where the gradients were cleared that it was to use, and the backward that made them."""
        for step in self.steps:
            before = _before(self.trace, step)
            for clear in self.trace.of(Clear):
                if clear.address == step.address and before < clear.index < step.index:
                    spot = _made_here(self.trace, clear, step.rounds)
                    if spot is not None:
                        return clear, spot
        return None

    def late(self) -> Spot | None:
        """The backward whose gradients it was to use, if that comes after it."""
        if self.missed() is not None:
            return None
        for step in self.steps:
            if not step.rounds and not _cleared_before(self.trace, step):
                continue
            got = received(self.trace, self.last.address)
            for backward in self.trace.of(Backward):
                after = backward.index > step.index and backward.rounds == step.rounds
                if after and backward.spot in got:
                    return backward.spot
        return None

    def loss(self) -> LossCall | None:
        """The loss that was computed for it, and that nothing has walked back from."""
        if self._is_walked_for():
            return None
        for loss in reversed(self.trace.of(LossCall)):
            before = loss.index < self.last.index and loss.rounds == self.last.rounds
            if before and _is_in_graph(loss) and not _handed(self.trace, {loss.spot}):
                return loss
        return None

    def unused(self) -> Pass | None:
        """The pass of a model that records a graph for it, from which nothing has walked back.

        A backward of something that is no tensor is not seen as one, nor is a method that a
        subclass may have.
        """
        if self._is_walked_for():
            return None
        if "backward" in self.last.spot.region.text:
            return None
        for each in reversed(self.trace.of(Pass)):
            before = each.index < self.last.index and each.rounds == self.last.rounds
            recorded = each.grad is True and any(_is_sure(node) for node in each.nodes)
            spots = {node.spot for node in each.nodes}
            if before and recorded and not _handed(self.trace, spots):
                return each
        return None

    def _is_walked_for(self) -> bool:
        """Whether something walks back somewhere, or nobody has cleared the gradients for it."""
        walks, reads = self.trace.of(Backward), self.trace.of(GradientRead)
        if any(self._is_near(each) or self._may_be_for(each) for each in walks):
            return True
        if any(map(self._is_near, reads)):
            return True
        return not self.last.rounds and not _cleared_before(self.trace, self.last)

    def _is_near(self, event: Event) -> bool:
        """Whether something happens in a loop of the step, or in its function."""
        loops = {each.loop for each in self.last.rounds}
        inside = any(each.loop in loops for each in event.rounds)
        return inside or event.spot.region is self.last.spot.region

    def _may_be_for(self, backward: Backward) -> bool:
        """Whether a step may use what a backward elsewhere gives, which no clear has taken away."""
        if self._is_anothers(backward):
            return False
        return not all(
            _cleared_before(self.trace, step)
            and not _cleared_last(self.trace, step) < backward.index < step.index
            for step in self.steps
        )

    def _is_anothers(self, backward: Backward) -> bool:
        """Whether a backward goes to parameters that are known, and none of them this step's."""
        held = self.optimizer.parameters
        whole = held is not None and held.whole and not self.optimizer.altered
        return whole and backward.node is not None and self._is_known(backward)

    def missed(self) -> Backward | None:
        """The backward before it, if that is known to go to other parameters than its own.

        What it gets at other times, and clears, is no reason to take it for that backward's where
        no optimizer holds what that goes to.
        """
        held = self.optimizer.parameters
        if held is None or not held.whole:
            return None
        before, cleared = _before(self.trace, self.last), _cleared_last(self.trace, self.last)
        walks = [each for each in self.trace.of(Backward) if before < each.index < self.last.index]
        found = [backward for backward in walks if backward.index > cleared]
        if received(self.trace, self.address):
            found = [backward for backward in found if _is_of_nobody(backward)]
        else:
            found = found or walks
        if not found or not all(self._is_known(backward) for backward in found):
            return None
        return found[-1]

    def cut_off(self) -> Cut | None:
        """Where the graph of the backward before it was cut, which had led to its parameters.

        What the backward does reach is another optimizer's: this one holds what it is to hold.
        """
        backward = self.missed()
        if backward is None or backward.node is None:
            return None
        reached = owners_of(backward.node)[0]
        others = [step.optimizer for step in self.trace.of(Step) if step.address != self.address]
        if not any(other is not None and not reached.isdisjoint(other.held) for other in others):
            return None
        for node in self.trace.reach(backward.node):
            for cut in node.cuts:
                if any(each.owner in self.optimizer.held for each in self.trace.reach(cut.of)):
                    return cut
        return None

    def _is_known(self, backward: Backward) -> bool:
        """Whether all that a backward goes to is of some module, or came in as a batch does."""
        held, node = self.optimizer.held, backward.node
        if node is None or not passes_by(self.trace, node, held, backward.escaped):
            return False
        ends = [end for end in self.trace.reach(node) if not end.parents]
        owned = [end.owner is not None for end in ends if end not in self.trace.given]
        return bool(owned) and all(owned)


def futile(trace: Trace) -> Iterator[Futile]:
    """Steps of known optimizers that are to use gradients, and never find anything in them."""
    groups: dict[tuple[Spot, int], list[Step]] = {}
    for step in trace.of(Step):
        if step.address is None or step.address in trace.escaped:
            continue
        if step.optimizer is not None and not step.optimizer.blind:
            groups.setdefault((step.spot, step.address), []).append(step)
    for steps in groups.values():
        if all(step.gradients == {CLEAR} for step in steps):
            yield Futile(trace, tuple(steps))


def wasted(trace: Trace) -> Iterator[tuple[Clear, Step]]:
    """Where what several rounds are to add up is cleared in each, and the step of every so many."""
    stepped = [step for step in trace.of(Step) if step.address is not None]
    for clear in trace.of(Clear):
        fresh = {each.backward for each in clear.gradients if _is_unused(each)}
        if not fresh or clear.address in trace.escaped or not clear.rounds:
            continue
        own = [step for step in stepped if step.address == clear.address]
        tests = [some_rounds.decided(step, clear) for step in own]
        if own and all(any(some_rounds.counts(test, clear) for test in each) for each in tests):
            used = {each.backward for step in own for each in step.gradients}
            if fresh <= used:
                yield clear, own[-1]


def _is_unused(gradients: Gradients) -> bool:
    return gradients.phase is Phase.FRESH and gradients.sure


def received(trace: Trace, address: int | None) -> set[Spot]:
    """The backwards whose gradients an optimizer surely gets, at one time or another."""
    events: list[Step | Clear] = [*trace.of(Step), *trace.of(Clear)]
    sets: list[frozenset[Gradients]] = [
        event.gradients for event in events if event.address == address
    ]
    if address in trace.optimizers:
        sets.append(trace.optimizers[address].gradients)
    return {
        each.backward
        for gradients in sets
        for each in gradients
        if each.sure and each.backward is not None
    }


def _before(trace: Trace, step: Step) -> int:
    """The index of the step that the same optimizer took before, -1 for none."""
    earlier = (
        other.index
        for other in trace.of(Step)
        if other.address == step.address and other.index < step.index
    )
    return max(earlier, default=-1)


def _cleared_last(trace: Trace, step: Step) -> int:
    """The index of the last time that an optimizer cleared its gradients before a step, or -1."""
    cleared = (c.index for c in trace.of(Clear) if c.address == step.address)
    return max((index for index in cleared if index < step.index), default=-1)


def _is_of_nobody(backward: Backward) -> bool:
    """Whether a backward goes to parameters that no optimizer holds."""
    return backward.held is not None and not owners_of(backward.node)[0] <= backward.held


def _made_here(trace: Trace, clear: Clear, rounds: tuple[Round, ...]) -> Spot | None:
    """The backward of these rounds whose gradients are cleared, if there surely are any.

    Another optimizer that has stepped with them has them for its own where it is not known whose
    parameters either holds.
    """
    for gradients in clear.gradients:
        if gradients.phase is not Phase.FRESH or not gradients.sure:
            return None
        for backward in trace.of(Backward):
            within = backward.index < clear.index and backward.rounds[: len(rounds)] == rounds
            if within and backward.spot == gradients.backward:
                return None if _are_used(trace, backward, clear) else backward.spot
    return None


def _are_used(trace: Trace, backward: Backward, clear: Clear) -> bool:
    """Whether another optimizer steps between a backward and where gradients are cleared."""
    return clear.optimizer.parameters is None and any(
        backward.index < step.index < clear.index and step.address != clear.address
        for step in trace.of(Step)
    )


def _cleared_before(trace: Trace, step: Step) -> bool:
    before = _before(trace, step)
    return any(
        clear.address == step.address
        and before < clear.index < step.index
        and clear.rounds == step.rounds
        for clear in trace.of(Clear)
    )


def _is_in_graph(loss: LossCall) -> bool:
    """Whether a loss is of something computed, whichever of its two arguments that is."""
    given = (loss.input, loss.target)
    return any(each is not None and each.node is not None for each in given)


def _is_sure(node: Node) -> bool:
    return node.certainty is Certainty.SURE


def _handed(trace: Trace, spots: set[Spot | None]) -> bool:
    """Whether something unseen was given what is computed there, and may walk back from it."""
    return any(node.spot in spots for made in trace.handed for node in trace.reach(made))


def origin(optimizer: Optimizer) -> Chain:
    """Where an optimizer is built, if that is in sight."""
    return ((optimizer.spot, "the optimizer is built here"),) if optimizer.spot is not None else ()


def level_of(optimizer: Optimizer, hinted: Level) -> Level | None:
    """The level of a claim: a lower one where only a name says that there is an optimizer."""
    return hinted if optimizer.hinted else None
