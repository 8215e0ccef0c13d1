"""The trace: what would happen if the code ran, event by event, and questions to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from torchlint.interpreter.values import Certainty, Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torchlint.findings import Level
    from torchlint.interpreter.repairs import Repair
    from torchlint.interpreter.values import (
        Device,
        Gradients,
        Node,
        Optimizer,
        Round,
        Spot,
        Tensor,
    )


if TYPE_CHECKING:
    Chain = tuple[tuple[Spot, str], ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """A mistake that a check sees: at a spot, with the spots that make it true.

    ``level`` is given where it differs from the rule's; ``repair`` is what would mend it.
    """

    spot: Spot
    message: str
    because: Chain = ()
    level: Level | None = None
    repair: Repair | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Event:
    """Something that happens at a spot, within rounds of loops."""

    spot: Spot
    rounds: tuple[Round, ...] = ()
    index: int = 0


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LossCall(Event):
    """A loss is computed from ``input``; ``kind`` is the functional's name."""

    kind: str
    input: Tensor
    built: Spot | None = None

    @property
    def chain(self) -> Chain:
        """Where the input was brought into its range, and where the loss was built."""
        steps = []
        if self.input.range is not None:
            steps.append((self.input.range.by, f"{self.input.range.op} applied here"))
        if self.built is not None:
            steps.append((self.built, "the loss is built here"))
        return tuple(steps)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Backward(Event):
    """Gradients are computed back from ``node``, whose graph is freed unless it is ``retained``."""

    node: Node | None
    retained: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Step(Event):
    """An optimizer steps; ``gradients`` says in which phases its gradients were.

    ``address`` is None for a step of something that may be an optimizer.
    """

    address: int | None
    optimizer: Optimizer | None = None
    gradients: frozenset[Gradients] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Clear(Event):
    """Gradients of an optimizer are cleared; ``gradients`` says in which phases they were."""

    address: int
    optimizer: Optimizer
    gradients: frozenset[Gradients] = frozenset()


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class GradientRead(Event):
    """Gradients are read by something other than an optimizer."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Mutation(Event):
    """``tensor`` is changed in place, as ``how`` writes it.

    ``keepers`` are the operations that keep the version that is lost, empty unless that holds for
    all the memory that the tensor may mean; ``opaque`` says that something unseen gave the tensor,
    ``optional`` that the change is made only if asked for by the name of ``inplace``, ``sure`` that
    it is made whatever the settings are.
    """

    tensor: Tensor
    how: str
    keepers: tuple[Node, ...] = ()
    opaque: bool = False
    optional: bool = False
    sure: bool = True

    @property
    def written(self) -> str:
        """How the change is written, for a sentence."""
        return self.how if " " in self.how else f"`{self.how}`"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Keep(Event):
    """A tensor is stored in a container that holds one from an earlier round of the loop."""

    container: int
    node: Node
    tensor: Tensor


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Accumulate(Event):
    """A tensor is added to a total that lives across the rounds of a loop."""

    total: Node
    address: int
    added: Tensor
    what: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Meeting(Event):
    """A tensor made without a device meets one that lives elsewhere."""

    factory: Spot
    other: Device
    moves: bool = True


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DatasetModule(Event):
    """A Dataset stores, builds or calls a module that has parameters."""

    dataset: str
    module: str
    how: str
    frozen: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Loading(Event):
    """A loader is built for a dataset; ``in_process`` says that it names no workers expressly."""

    dataset: str
    in_process: bool


E = TypeVar("E", bound=Event)


@dataclass(slots=True)
class Trace:
    """All events of one run from an entry point, in order.

    ``results`` are graph nodes that the entry point hands to whoever called it; ``optimizers`` the
    last record of each optimizer.
    """

    events: list[Event] = field(default_factory=list)
    results: list[Node] = field(default_factory=list)
    forward: bool = False
    escaped: set[int] = field(default_factory=set)
    optimizers: dict[int, Optimizer] = field(default_factory=dict)
    _reach: dict[int, frozenset[Node]] = field(default_factory=dict)

    def of(self, kind: type[E]) -> Iterator[E]:
        """The events of a kind."""
        return (event for event in self.events if isinstance(event, kind))

    def losses(self, kind: str) -> Iterator[LossCall]:
        """The computations of a loss, by the name of its functional."""
        return (loss for loss in self.of(LossCall) if loss.kind == kind)

    def reach(self, node: Node) -> frozenset[Node]:
        """The node and all that it was computed from."""
        known = self._reach.get(id(node))
        if known is None:
            seen = {node}
            pending = [node]
            while pending:
                fresh = [parent for parent in pending.pop().parents if parent not in seen]
                seen.update(fresh)
                pending.extend(fresh)
            known = self._reach[id(node)] = frozenset(seen)
        return known

    def walked_back(self, node: Node, after: int) -> bool:
        """Whether a backward after an event, or the caller's, goes through a node."""
        if any(node in self.reach(result) for result in self.results):
            return True
        return any(
            backward.node is not None
            and backward.index > after
            and node in self.reach(backward.node)
            for backward in self.of(Backward)
        )

    def freed_by(self, node: Node, *, unless: Node | None = None) -> Backward | None:
        """The backward that frees a node's graph without having come through ``unless``."""
        same = _same(node)
        for backward in self.of(Backward):
            if backward.node is None or backward.retained:
                continue
            reached = self.reach(backward.node)
            if not same.isdisjoint(reached) and (unless is None or unless not in reached):
                return backward
        return None

    def in_graph(self, node: Node) -> bool:
        """Whether a value surely has a graph: by its parts, or because it is walked back."""
        if node.certainty is Certainty.SURE:
            return True
        same = _same(node)
        return any(
            backward.node is not None and not same.isdisjoint(_same(backward.node))
            for backward in self.of(Backward)
        )

    def steps_of(self, address: int) -> list[Step]:
        """The steps that an optimizer takes, or may take unseen."""
        return [step for step in self.of(Step) if step.address in {address, None}]

    def stale_steps(self) -> Iterator[tuple[Step, Gradients]]:
        """Steps whose gradients still hold those of an earlier step, on every path that steps."""
        for step in self.of(Step):
            if any(gradients.phase is Phase.CLEAR for gradients in step.gradients):
                continue
            for gradients in step.gradients:
                if gradients.phase is Phase.STALE and gradients.sure:
                    yield step, gradients

    def never_stepped(self) -> Iterator[tuple[Optimizer, Spot, Spot | None]]:
        """Optimizers that never step though gradients reach them round after round.

        Gives the optimizer, the backward, and where its gradients are cleared unused. An optimizer
        that the caller has too counts only if its gradients are cleared before it can step.
        """
        if any(True for _ in self.of(GradientRead)):
            return
        for address, optimizer in self.optimizers.items():
            if optimizer.escaped or address in self.escaped or self.steps_of(address):
                continue
            wasted = self._wasted(address)
            if wasted is not None:
                yield optimizer, *wasted
            elif optimizer.local:
                for gradients in optimizer.gradients:
                    backward = gradients.backward if gradients.sure else None
                    if backward is not None and self._repeated(backward):
                        yield optimizer, backward, None

    def _wasted(self, address: int) -> tuple[Spot, Spot] | None:
        for clear in self.of(Clear):
            if clear.address == address and clear.rounds:
                for gradients in clear.gradients:
                    fresh = gradients.phase is Phase.FRESH and gradients.sure
                    if fresh and gradients.backward is not None:
                        return gradients.backward, clear.spot
        return None

    def _repeated(self, spot: Spot) -> bool:
        return any(backward.spot == spot and backward.rounds for backward in self.of(Backward))

    def kept(self) -> Iterator[tuple[Keep, Chain]]:
        """Tensors stored with graphs that no backward comes back for, round after round."""
        for keep in self.of(Keep):
            chain = self._needless(keep.tensor.node, keep.node, keep.container)
            if chain is not None:
                yield keep, chain

    def totals(self) -> Iterator[tuple[Accumulate, Chain]]:
        """Totals of tensors with graphs that no backward comes back for, as in :meth:`kept`."""
        for accumulate in self.of(Accumulate):
            chain = self._needless(accumulate.added.node, accumulate.total, accumulate.address)
            if chain is not None:
                yield accumulate, chain

    def _needless(self, node: Node | None, stored: Node, holder: int) -> Chain | None:
        """What shows that a stored graph is of no use; None where nothing does.

        Either a backward has freed it without having come through what is stored, or nothing
        unseen gets at what is stored, and no backward comes through it.
        """
        if node is None or self._comes_through(stored):
            return None
        built = ((node.spot, "the graph is built here"),) if node.spot is not None else ()
        freed = self.freed_by(node, unless=stored)
        if freed is not None:
            used = (freed.spot, "the only backward that needs the graph is here")
            return (*built, used) if self.in_graph(node) else None
        if holder in self.escaped or node.certainty is not Certainty.SURE:
            return None
        return built

    def _comes_through(self, stored: Node) -> bool:
        """Whether some backward comes through what a statement stores, in whatever round.

        What a forward returns is its caller's, who may walk it back.
        """
        walked = [*self.results, *(backward.node for backward in self.of(Backward))]
        return any(
            root is None
            or any(node.op == stored.op and node.spot == stored.spot for node in self.reach(root))
            for root in walked
        )

    def broken(self) -> Iterator[tuple[Mutation, Node]]:
        """Changes in place of what an operation keeps whose backward is still to come."""
        for mutation in self.of(Mutation):
            for keeper in mutation.keepers:
                if keeper.certainty is not Certainty.UNSEEN and self.walked_back(
                    keeper, mutation.index
                ):
                    yield mutation, keeper
                    break

    def foreign(self) -> Iterator[Mutation]:
        """Changes in place of forward's own argument, or of what something unseen gave it."""
        if not self.forward:
            return
        for mutation in self.of(Mutation):
            if mutation.tensor.argument or mutation.opaque:
                yield mutation

    def dataset_modules(self) -> Iterator[DatasetModule]:
        """Modules in Datasets: where they are stored or built, else where they are called.

        Frozen ones that are only loaded in the process itself do no harm.
        """
        events = list(self.of(DatasetModule))
        stored = {event.dataset for event in events if event.how == "stores"}
        seen = set()
        for event in events:
            loaders = [each for each in self.of(Loading) if each.dataset == event.dataset]
            if event.frozen and loaders and all(loader.in_process for loader in loaders):
                continue
            if event.spot not in seen and not (event.how == "calls" and event.dataset in stored):
                seen.add(event.spot)
                yield event

    def meetings(self) -> Iterator[Meeting]:
        """Where tensors made on the default device meet others."""
        return self.of(Meeting)


def _same(node: Node) -> set[Node]:
    """The node and those that differ from it by arithmetic alone, such as ``loss / steps``."""
    seen = {node}
    while len(node.parents) == 1 and node.op.rpartition(".")[2].strip("_") in _ARITHMETIC:
        node = node.parents[0]
        seen.add(node)
    return seen


_ARITHMETIC = frozenset(
    # The last part of the name, without underscores.
    {"add", "mul", "div", "truediv", "sub", "rmul", "radd", "neg", "join", "kept", "accumulate"}
    | {"to", "itruediv", "imul"}
)
