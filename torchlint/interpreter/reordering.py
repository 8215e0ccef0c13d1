"""Reordering: views that ask for dimensions in another order than that in which they lie.

A view moves no element. Where a dimension keeps its size, but another product of sizes stands
before it than did, its elements come from all over the tensor.
"""

from __future__ import annotations

import ast
import itertools
from typing import TYPE_CHECKING

from torchlint.interpreter import dimensions, shapes, syntax
from torchlint.interpreter.dimensions import divided, floor_divide, names_in, product, written
from torchlint.interpreter.dimensions.algebra import Expression, Floor, made
from torchlint.interpreter.events.shapes import Reordered, Reread
from torchlint.interpreter.values import NONE, Ref, Storage, Tensor
from torchlint.sources.patterns import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from torchlint.interpreter.dimensions import Dim, Shape
    from torchlint.interpreter.dimensions.algebra import Monomial
    from torchlint.interpreter.machine import Machine
    from torchlint.interpreter.ranges import Operation
    from torchlint.interpreter.values import Node, Spot

_VIEWS = frozenset({"view", "reshape", "view_as", "reshape_as"})
_HANDED_ON = frozenset(
    "contiguous clone to float half double type detach rows select narrow masked_fill unsqueeze "
    "squeeze transpose swapaxes swapdims t T mT permute movedim moveaxis".split()
)

_UNUSED = "_"
"""The label of a size that the program has no use for, as it has for one that may not be one."""

_TURNED = frozenset("transpose swapaxes swapdims permute movedim moveaxis".split())
"""What puts dimensions into another order."""

_ON_REQUEST = Pattern(r"(?:\b|_)(?:mix|shuffle|scramble|interleave)(?:d|ed|ing)?(?:_|\b)")
"""What options are called that ask for elements to be mixed up."""

_SKEWED = frozenset("pad cat concat concatenate hstack".split())
"""What makes rows longer so that a view moves each of them on, as relative positions ask for."""

NAMES = _VIEWS | _HANDED_ON | _SKEWED
"""The operations that have a part in it."""

_ALIKE = frozenset(
    "conv1d conv2d conv3d softmax log_softmax relu gelu sigmoid tanh dropout pad linear layernorm "
    "layer_norm add sub mul div truediv contiguous to float".split()
)
"""What does the same to all rows, in whatever order they are."""

_RECURRENT = frozenset({"RNN", "GRU", "LSTM"})

_OF_ONE_KIND = frozenset(
    "randn rand randint randn_like rand_like zeros ones full empty zeros_like ones_like full_like "
    "empty_like arange linspace eye randperm normal".split()
)
"""What makes numbers that are the same, or drawn alike, wherever they stand, or just examples."""


def result(operation: Operation, shape: Shape | None) -> Spot | None:
    """The view by which the elements of a result are in another order, if they are.

    Who takes a view of that again knows what comes of it.
    """
    if operation.name in _SKEWED and "input" not in operation.inputs:
        return _joined(operation)
    value = operation.inputs.get("input")
    tensor = operation.machine.get(value) if value is not None else None
    if not isinstance(tensor, Tensor) or not isinstance(value, Ref):
        return None
    before = tensor.form.reordered if tensor.form is not None else None
    machine, spot = operation.machine, operation.spot
    if operation.name in _TURNED and machine.activation.is_tested(_ON_REQUEST.search):
        return spot
    if operation.name not in _VIEWS:
        return before
    first = before or _put_back(operation, value, shape)
    if first is not None:
        if before is None or not _is_pointless(operation, value, before, shape):
            machine.emit(Reread, spot, first=first)
        return None
    if tensor.shape is None or shape is None or tensor.leaf:
        return None
    source = _source(operation, value)
    if not is_moved(tensor.shape, shape) and not _are_mixed(tensor, tensor.shape, shape):
        # Rows that were made longer are as many in another length, if of sizes that divide.
        return spot if source in _SKEWED and len(shape) == len(tensor.shape) else None
    if machine.activation.is_tested(_ONE.search):
        # A dimension of one may stand anywhere.
        return spot
    alike = source in _OF_ONE_KIND and not _is_written(machine, tensor)
    if source not in _SKEWED and not alike and not machine.choices:
        # Where a call went on undecided, what was handed over may have decided on that.
        sure = tensor.since > machine.decided_since
        facts = {"op": operation.label, "before": tensor.shape, "after": shape, "sure": sure}
        machine.emit(Reordered, spot, **facts)
    return spot


def _is_written(machine: Machine, tensor: Tensor) -> bool:
    """Whether something has been put into a tensor since it was made."""
    memories = map(machine.live.heap.get, tensor.storages)
    return any(isinstance(memory, Storage) and memory.version for memory in memories)


def _joined(operation: Operation) -> Spot | None:
    """The view that one of the joined has been through: with more to each row, it is skewed."""
    from torchlint.interpreter import tensors

    machine = operation.machine
    first = next(iter(operation.inputs.values()), NONE)
    records = map(machine.get, tensors.flatten(machine, first))
    forms = (record.form for record in records if isinstance(record, Tensor))
    return next((form.reordered for form in forms if form is not None and form.reordered), None)


_ONE = Pattern(r"\b(?:size\(|shape\[)[^=\n]*==\s*1\b")


def _put_back(operation: Operation, value: Ref, shape: Shape | None) -> Spot | None:
    """The view that this one takes back, if what was done in between treats all rows alike."""
    trace = operation.machine.trace
    views = {
        event.spot: shapes.ends(event.before)[0]
        for event in trace.of(Reordered)
        if event.spot != operation.spot
    }
    made = trace.made.get(value.address) if views else None
    while made is not None and made.spot not in views:
        alike = _name(made.op).lower() in _ALIKE and made.given is not None
        made = trace.made.get(made.given) if alike and made.given is not None else None
    if made is not None:
        return made.spot if views[made.spot] == shape else None
    tensor = operation.machine.get(value) if views else None
    node = tensor.node if isinstance(tensor, Tensor) else None
    return next((spot for spot in _before(node, views) if views[spot] == shape), None)


def _is_pointless(operation: Operation, value: Ref, first: Spot, shape: Shape | None) -> bool:
    """Whether a view of the same sizes in another order is viewed again before anything is done.

    Without the first one it would be the same: it was meant to turn the dimensions.
    """
    trace = operation.machine.trace
    made = trace.made.get(value.address)
    events = (event for event in trace.of(Reordered) if event.spot == first)
    event = next(events, None) if made is not None and made.spot == first else None
    if event is None or shape is None or event.before == shape:
        return False
    sizes = event.before
    apart = shapes.is_known(sizes) and len(set(sizes)) == len(sizes)
    return apart and set(sizes) == set(event.after)


_FARTHEST = 24
"""So many operations back is a view looked for, at most."""


def _before(node: Node | None, views: Mapping[Spot, Shape]) -> Iterator[Spot]:
    """The views that something goes back to by way of what treats all rows alike, or of either."""
    pending, seen = [node] if node is not None else [], set[int]()
    while pending and len(seen) < _FARTHEST:
        node = pending.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if node.spot is not None and node.spot in views:
            yield node.spot
        elif node.op == "join" or _name(node.op).lower() in _ALIKE:
            pending.extend(node.parents)


def _source(operation: Operation, value: Ref) -> str:
    """What made a tensor, or what it is a view of."""
    made = operation.machine.trace.made
    found = made.get(value.address)
    while found is not None and found.given is not None and _name(found.op) in _VIEWS:
        found = made.get(found.given)
    return "" if found is None or _is_of_samples(found.spot.node) else _name(found.op)


def _is_of_samples(node: object) -> bool:
    """Whether tensors are joined one after the other, which makes no row longer."""
    if not isinstance(node, ast.Call) or not ast.unparse(node.func).endswith("cat"):
        return False
    along = syntax.named(node, "dim") or next(iter(node.args[1:]), None)
    return along is None or (isinstance(along, ast.Constant) and along.value == 0)


def _name(op: str) -> str:
    return op.rpartition(".")[2].strip("_")


def is_moved(before: Shape, after: Shape) -> bool:
    """Whether a dimension is asked for in a place in which it cannot be.

    Unless all dimensions are known, what it has passed is asked for elsewhere too.
    """
    after = tuple(map(_evenly, after))
    whole = shapes.is_known(before)
    head = shapes.ends(before)[0]
    asked = _names(head) & _names(after)
    for at, dim in enumerate(head):
        if dim in {None, 1} or before.count(dim) > 1 or after.count(dim) != 1:
            continue
        to = after.index(dim)
        passed = _ratio(product(head[:at]), product(after[:to]))
        if passed is None or not names_in(passed).isdisjoint(names_in(dim)):
            continue
        if not whole and not (names_in(passed) and names_in(passed) <= asked):
            continue
        if _UNUSED in map(written, names_in(passed)):
            continue
        if whole and product(before[at + 1 :]) == product(after[to + 1 :]):
            continue
        if not _divides(passed, dim) and not _is_parted(passed, after):
            return True
    return False


def _are_mixed(tensor: Tensor, before: Shape, after: Shape) -> bool:
    """Whether states that lie one layer, or direction, after the other are put side by side.

    What lies side by side is of one layer and several samples, however many there are.
    """
    node = tensor.node
    made = node.parents[0].op if node is not None and node.parents else ""
    if made.rpartition(".")[2] not in _RECURRENT or shapes.rank(before) != 3:
        return False
    layers, samples, width = before
    rows = [dim for dim in after if dim != 1]
    if not isinstance(layers, int) or layers == 1 or samples == 1 or len(rows) != 2:
        return False
    count = divided(rows[1], width)
    return isinstance(count, int) and count > 1 and rows[0] != layers


def _names(dims: Shape) -> frozenset[str]:
    return frozenset().union(*map(names_in, dims))


def _ratio(one: Dim, other: Dim) -> Dim:
    """The quotient of two different products, whichever is the larger one."""
    if one is None or other is None or one == other:
        return None
    return divided(one, other) or divided(other, one)


def _divides(one: Dim, other: Dim) -> bool:
    """Whether one of two numbers is a part of the other, so that it may be taken apart for it."""
    if not isinstance(one, int) or not isinstance(other, int):
        return False
    return one % other == 0 or other % one == 0


def _is_parted(passed: Dim, after: Shape) -> bool:
    """Whether a size that is asked for elsewhere is there by parts, of which there may be as many.

    Of ``(n, c)``, a ``(c, q, n // q)`` may well be in order: ``n`` may be ``c * q``.
    """
    return isinstance(passed, str) and any(
        isinstance(atom, Floor) and passed in names_in(atom.numerator)
        for dim in after
        if isinstance(dim, Expression)
        for term, _ in dim.terms
        for atom in term
    )


def _evenly(dim: Dim) -> Dim:
    """A quotient in which a part and the number of parts are taken to make up the whole."""
    if isinstance(dim, Expression) and len(dim.terms) == 1:
        (((*others, atom), count),) = dim.terms
        if not others and count == 1 and isinstance(atom, Floor):
            return floor_divide(_made_up(atom.numerator), _made_up(atom.divisor))
    return dim


def _made_up(dim: Dim) -> Dim:
    """A product in which ``c // h`` and ``h`` are ``c``."""
    if not isinstance(dim, Expression) or len(dim.terms) > 1:
        return dim
    ((monomial, count),) = dim.terms
    for floor in monomial:
        if isinstance(floor, Floor):
            rest = _without(monomial, floor)
            by = divided(made({rest: count}), floor.divisor) if rest else None
            if by is not None:
                return dimensions.multiply(by, floor.numerator)
    return dim


def _without(monomial: Monomial, atom: str | Floor) -> Monomial:
    at = monomial.index(atom)
    return (*monomial[:at], *monomial[at + 1 :])


def orders(before: Shape, after: Shape) -> list[list[int]] | None:
    """For each dimension that was asked for, which ones of a tensor it is meant to be made of.

    None where it is not made of whole dimensions, or not of all of them.
    """
    free = list(range(len(before)))
    groups: list[list[int]] = []
    for dim in after:
        group = next((found for found in _groups(free) if _is_made(dim, before, found)), None)
        if group is None:
            return None
        groups.append(group)
        free = [at for at in free if at not in group]
    return groups if not free else None


def _groups(free: Sequence[int]) -> Iterator[list[int]]:
    """Dimensions that may become one: one of them, or several in their order."""
    for count in range(1, len(free) + 1):
        yield from map(list, itertools.combinations(free, count))


def _is_made(dim: Dim, before: Shape, group: list[int]) -> bool:
    return dim is not None and _made_up(product(before[at] for at in group)) == dim
