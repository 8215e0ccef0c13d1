"""Gradients: they come with a backward, are clipped, and something unseen may clear them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torchlint.frozen import dataclass, replace
from torchlint.interpreter import holdings, multiples, optimizers, reach, unknowns
from torchlint.interpreter.events.graph import Backward, Differentiation, GradientRead
from torchlint.interpreter.events.training import Clip, Summed
from torchlint.interpreter.optimisation import HIDDEN, Gradients, Phase
from torchlint.interpreter.values import Certainty, Node, Parameters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torchlint.interpreter.events.graph import Walk
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.optimisation import Optimizer
    from torchlint.interpreter.values import Spot, Tensor, Value


@dataclass(frozen=True, slots=True)
class Asked:
    """What a walk back through a graph is asked for, as far as that is known.

    ``retained`` and ``creates`` hold where they may be meant, ``literally`` where the graph is to
    be retained by ``retain_graph=True``; ``partly`` says that not all leaves are walked to.
    """

    retained: bool = False
    literally: bool = False
    creates: bool = False
    seeded: bool = False
    partly: bool = False


PLAINLY = Asked()
"""A walk of which nothing is asked."""

UNSURE = Asked(retained=True, seeded=True)
"""A walk that something unseen makes, as it likes."""


def backward(machine: Machine, roots: list[Tensor], spot: Spot, asked: Asked = PLAINLY) -> None:
    """Gradients flow from tensors to the parameters in their graphs."""
    node = _root(roots)
    if node is not None:
        unknowns.walked_back(machine, node)
    made = Gradients(Phase.FRESH, backward=spot, scaled=multiples.is_scaled(node))
    known = list(optimizers.known(machine))
    facts = {
        "held": _held([optimizer for _, optimizer in known], machine),
        "escaped": frozenset(machine.trace.escaped),
    }
    _walk(machine, Backward, roots, spot, asked, frees=not asked.partly, **facts)
    owners, whole = holdings.owners_of(node)
    for address, optimizer in known:
        if holdings.are_none(optimizer.parameters):
            continue
        others = (other for _, other in known if other is not optimizer)
        sure = _reaches(machine, optimizer, owners, others) or (not whole and len(known) == 1)
        if (sure or not whole) and not _passes_by(machine, optimizer, node):
            if optimizer.parameters is not None or len(known) == 1:
                _note_sum(machine, address, optimizer, node, spot)
            cleared = optimizer.may_have_been_cleared
            fresh = replace(made, sure=sure)
            after = {_after_backward(g, fresh, cleared) for g in optimizer.gradients}
            optimizers.update(machine, address, replace(optimizer, gradients=frozenset(after)))


def _held(known: list[Optimizer], machine: Machine) -> frozenset[int] | None:
    """The modules that optimizers hold; None where that is not known of each."""
    if not known or any(one.parameters is None or not one.parameters.whole for one in known):
        return None
    return frozenset().union(*(optimizers.held_by(machine, one) for one in known))


def differentiate(
    machine: Machine,
    roots: list[Tensor],
    inputs: list[Tensor],
    spot: Spot,
    asked: Asked,
    *,
    whole: bool,
) -> None:
    """Gradients are computed and given to whoever asks; those that are stored are as they were.

    Those of parameters may be stored in the place of others, those of data are not. ``whole`` says
    that there are no inputs but these.
    """
    _walk(machine, Differentiation, roots, spot, asked, inputs=tuple(inputs))
    machine.emit(GradientRead, spot)
    if not whole or not all(map(_is_data, inputs)):
        maybe_cleared(machine)


def _is_data(tensor: Tensor) -> bool:
    """Whether a tensor is surely no parameter: it was computed, or made for this."""
    node = tensor.node
    return node is None or not (node.opaque or node.op == "parameter" or node.owner is not None)


def _walk(
    machine: Machine,
    kind: type[Walk],
    roots: list[Tensor],
    spot: Spot,
    asked: Asked,
    *,
    frees: bool = True,
    **facts: object,
) -> None:
    """Write down a walk, and that it has freed what it walked through."""
    made = machine.emit(
        kind,
        spot,
        node=_root(roots),
        tensors=tuple(roots),
        one_of=machine.choices > 0,
        retained=asked.retained,
        literally=asked.literally,
        within=machine.passing or machine.trace.forward,
        seeded=asked.seeded,
        before=machine.live.walked,
        stepped=machine.live.stepped,
        doubtful=_is_doubtful(machine),
        chosen=is_chosen(machine),
        **facts,
    )
    if frees and not asked.retained:
        machine.live.walked = (*machine.live.walked, made)


def _is_doubtful(machine: Machine) -> bool:
    """Whether a call from where the grad mode is off has gone on undecided.

    What its function asks, such as whether this is training, may go with the way it was called.
    """
    switched = machine.live.switched
    if machine.live.grad is not False or switched is None:
        return False
    for call in reversed(machine.activations):
        if call.function is None or call.function.region is switched.region:
            return False
        if call.undecided:
            return True
    return False


def is_chosen(machine: Machine) -> bool:
    """Whether something is done to one of several values, where a test may tell which it is."""
    here = machine.activation
    return machine.choices > 0 and bool(here.tests or here.left)


def _root(roots: list[Tensor]) -> Node | None:
    """The node that a walk from several tensors starts at."""
    nodes = tuple(tensor.node for tensor in roots if tensor.node is not None)
    if len(nodes) <= 1:
        return nodes[0] if nodes else None
    return Node("roots", None, nodes, Certainty.SURE)


def _after_backward(gradients: Gradients, made: Gradients, cleared: bool) -> Gradients:
    """The phase after a backward; where some path has cleared, all are taken to have."""
    match gradients.phase:
        case Phase.CLEAR | Phase.UNSEEN:
            return made
        case Phase.USED | Phase.STALE if cleared:
            return made
        case Phase.USED:
            return replace(made, phase=Phase.STALE, step=gradients.step)
    scaled = made.scaled if gradients.scaled is made.scaled else None
    if made.sure and not gradients.sure:
        return replace(gradients, backward=made.backward, sure=True, scaled=scaled)
    return replace(gradients, scaled=scaled)


def _note_sum(
    machine: Machine, address: int, optimizer: Optimizer, node: Node | None, spot: Spot
) -> None:
    """A backward that adds to its own gradients of an earlier round is an event."""
    if any(g.phase is Phase.FRESH and g.sure and g.backward == spot for g in optimizer.gradients):
        machine.emit(
            Summed, spot, address=address, node=node, scaled_down=multiples.is_multiple(node)
        )


def _reaches(
    machine: Machine, optimizer: Optimizer, owners: frozenset[int], others: Iterable[Optimizer]
) -> bool:
    """Whether gradients of these modules' parameters are the optimizer's, as far as is known.

    Of a model that is not in sight they are not where all of them are of other optimizers.
    """
    if optimizer.parameters is None:
        return True
    if optimizer.parameters.whole:
        return not owners.isdisjoint(holdings.modules_under(machine, optimizer.parameters.owners))
    theirs = (other.parameters.owners for other in others if other.parameters is not None)
    left = owners.difference(*theirs) if owners else optimizer.parameters.owners
    return bool(left) or not owners.isdisjoint(optimizer.parameters.owners)


def _passes_by(machine: Machine, optimizer: Optimizer, node: Node | None) -> bool:
    """Whether a graph surely leads to nothing of what an optimizer holds."""
    held = optimizer.parameters
    if node is None or held is None or not held.whole or optimizer.altered:
        return False
    inside = holdings.modules_under(machine, held.owners)
    return reach.passes_by(machine.trace, node, inside, machine.trace.escaped)


def clip(machine: Machine, given: Value | None, spot: Spot) -> None:
    """Gradients of parameters are clipped."""
    parameters = holdings.parameters_in(machine, given) if given is not None else None
    drained = None
    if isinstance(given, Parameters):
        drained = holdings.drain(machine, given, spot)
    known = dict(optimizers.known(machine))
    stood_for = {address for optimizer in known.values() for address in optimizer.either_of}
    known = {address: known[address] for address in known if address not in stood_for}
    if parameters is None:
        holders = known if len(known) == 1 else {}
        machine.emit(Clip, spot, optimizers=holders)
        return
    inside = holdings.modules_under(machine, parameters.owners)
    holders, others = {}, set()
    for address, optimizer in known.items():
        if optimizer.parameters is None:
            if len(known) == 1:
                holders[address] = optimizer
        elif inside.isdisjoint(holdings.modules_under(machine, optimizer.parameters.owners)):
            others.add(address)
        else:
            holders[address] = optimizer
    sure = parameters.whole and len(holders) + len(others) == len(known)
    machine.emit(
        Clip,
        spot,
        optimizers=holders,
        others=frozenset(others) if sure else frozenset(),
        drained=drained,
    )


def maybe_cleared(machine: Machine) -> None:
    """Any gradients may have been cleared, or set, unseen."""
    for key, optimizer in list(optimizers.known(machine)):
        after = replace(optimizer, gradients=optimizer.gradients | {HIDDEN})
        optimizers.update(machine, key, after)


def unseen(machine: Machine, spot: Spot) -> None:
    """Gradients are computed back from something of which nothing is known."""
    machine.emit(Backward, spot, node=None)
    maybe_cleared(machine)


def gradient_read(machine: Machine, spot: Spot) -> None:
    """``p.grad`` is read, and may be changed in place."""
    machine.emit(GradientRead, spot)
    maybe_cleared(machine)
