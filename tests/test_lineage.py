"""Classes are looked through in Python's own order."""

import random

import pytest

from torchlint.project.lineage import merged


@pytest.mark.parametrize("seed", range(200))
def test_the_order_is_that_of_python(seed: int) -> None:
    drawn = random.Random(seed)
    classes: list[type] = []
    lineages: dict[type, tuple[type, ...]] = {}
    for number in range(8):
        bases = drawn.sample(classes, min(len(classes), drawn.randint(0, 3)))
        try:
            made = type(f"C{number}", tuple(bases), {})
        except TypeError:
            # Python refuses this order; what is said of it does not matter, but has to end.
            assert merged(int, [lineages[base] for base in bases])[0] is int
            continue
        classes.append(made)
        lineages[made] = merged(made, [lineages[base] for base in bases])
        assert lineages[made] == made.__mro__[:-1]
