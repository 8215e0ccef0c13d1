"""What the analysis says of shapes, held against torch: one operation at a time, drawn at random.

Each program is interpreted twice, once with all sizes written out and once with names for them,
and run on meta tensors. Where torch raises, no shape may be claimed; where a mismatch is claimed,
torch has to raise; and what is said of a dimension has to be so.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest
import shape_further as further
import shape_operations as operations
import shape_programs as layers
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shape_programs import Program

from torchlint.interpreter import dimensions, roots
from torchlint.interpreter.events.shapes import Refused
from torchlint.interpreter.shapes import MORE
from torchlint.interpreter.values import Frame, Tensor, Tuple
from torchlint.project.index import Index
from torchlint.sources.source import Source

FAMILIES = {
    "convolutions": layers.convolutions(),
    "poolings": layers.poolings(),
    "dense": layers.dense(),
    "norms": layers.norms(),
    "recurrences": layers.recurrences(),
    "attentions": layers.attentions(),
    "views": operations.views(),
    "orders": operations.orders(),
    "ranks": operations.ranks(),
    "repetitions": operations.repetitions(),
    "arithmetic": operations.arithmetic(),
    "reductions": operations.reductions(),
    "joins": operations.joins(),
    "pieces": operations.pieces(),
    "indices": operations.indices(),
    "taken": operations.taken(),
    "products": operations.products(),
    "patterns": operations.patterns(),
    "arrangements": operations.arrangements(),
    "sizes": operations.sizes(),
    "losses": operations.losses(),
    "chains": operations.chains(),
    "matrices": further.matrices(),
    "scatterings": further.scatterings(),
    "writes": further.writes(),
    "grids": further.grids(),
    "further pools": further.further_pools(),
    "made": further.made(),
    "masked": further.masked(),
    "weighted": further.weighted(),
    "further losses": further.further_losses(),
}
Shape = tuple[Any, ...]


class Said:
    """What the analysis says of a program: the shapes of its variables, and what is refused."""

    def __init__(self, text: str) -> None:
        source = Source("program.py", Path("program.py"), text)
        index = Index([source])
        machine = roots.interpreted(index, roots.Root(index.outline(source)))
        frame = machine.live.heap[machine.frame]
        assert isinstance(frame, Frame)
        self._machine = machine
        self._names = frame.names
        self.refused = machine.trace.of(Refused)

    def shapes(self, name: str) -> list[Shape | None]:
        """The shapes of the tensors that a variable is or holds, as far as they are known."""
        return self._shapes(self._names[name])

    def _shapes(self, value: Any) -> list[Shape | None]:
        if isinstance(value, Tuple):
            return [shape for item in value.items for shape in self._shapes(item)]
        record = self._machine.get(value)
        return [record.shape if isinstance(record, Tensor) else None]


def happens(program: Program, device: str) -> list[tuple[int, ...]] | None:
    """The shapes that torch gives; None where it raises."""
    torch = pytest.importorskip("torch")
    scope: dict[str, Any] = {}
    with torch.device(device), warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            exec(program.known, scope)
        except Exception:
            return None
    return _flat(scope["y"])


def _flat(value: Any) -> list[tuple[int, ...]]:
    if isinstance(value, (tuple, list)):
        return [shape for item in value for shape in _flat(item)]
    return [tuple(value.shape)]


def agrees(said: Shape | None, shape: tuple[int, ...], names: dict[str, int]) -> bool:
    """Whether what is said of a shape is so."""
    if said is None:
        return True
    if MORE in said:
        at = said.index(MORE)
        head, tail = said[:at], said[at + 1 :]
        if len(head) + len(tail) > len(shape):
            return False
        there = (*shape[: len(head)], *shape[len(shape) - len(tail) :])
        return agrees((*head, *tail), there, names)
    if len(said) != len(shape):
        return False
    known = [dimensions.value(dim, names) for dim in said]
    return all(dim is None or dim == size for dim, size in zip(known, shape, strict=True))


def is_known(shape: Shape | None) -> bool:
    return shape is not None and all(isinstance(dim, int) for dim in shape)


def hold(program: Program) -> bool:
    """Hold a program against torch; gives whether all was said that there is to say."""
    known, named = Said(program.known), Said(program.named)
    try:
        return _hold(program, known, named, happens(program, "meta"))
    except AssertionError:
        # Not every kernel for meta tensors looks at all that the real ones do.
        return _hold(program, known, named, happens(program, "cpu"))


def _hold(program: Program, known: Said, named: Said, there: list[tuple[int, ...]] | None) -> bool:
    names = _names(program, named)
    if there is None:
        claims = known.shapes("y")
        assert program.changes or not all(map(is_known, claims)), ("claims", claims)
        return bool(known.refused)
    assert not known.refused, known.refused[0].mismatch
    assert not named.refused, named.refused[0].mismatch
    for said, values in ((known, {}), (named, names)):
        claims = said.shapes("y")
        if len(claims) == len(there):
            for claim, shape in zip(claims, there, strict=True):
                assert agrees(claim, shape, values), (claim, shape, values)
    return len(there) == len(known.shapes("y")) and all(map(is_known, known.shapes("y")))


def _names(program: Program, named: Said) -> dict[str, int]:
    """The values of the names that the analysis has given to the sizes of the operands."""
    return {
        dim: size
        for name, shape in program.given.items()
        for claim in named.shapes(name)
        for dim, size in zip(claim or (), shape, strict=False)
        if isinstance(dim, str)
    }


quick = settings(
    max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.torch
@pytest.mark.parametrize("family", FAMILIES)
def test_a_few(family: str) -> None:
    _run(family, quick)


@pytest.mark.slow
@pytest.mark.torch
@pytest.mark.parametrize("family", FAMILIES)
def test_thousands(family: str) -> None:
    said = _run(family, settings(quick, max_examples=1_000))
    assert sum(said) >= 0.6 * len(said), f"{sum(said)} of {len(said)} are decided"


def _run(family: str, how: settings) -> list[bool]:
    said: list[bool] = []

    @how
    @given(FAMILIES[family])
    def check(program: Program) -> None:
        said.append(hold(program))

    check()
    return said


@given(st.data())
def test_programs_are_drawn_from_every_family(data: st.DataObject) -> None:
    program = data.draw(FAMILIES[data.draw(st.sampled_from(sorted(FAMILIES)))])
    compile(program.known, "known", "exec")
    compile(program.named, "named", "exec")
