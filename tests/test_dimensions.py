"""Dimensions behave as the numbers that they stand for do."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from torchlint.interpreter import dimensions as dims
from torchlint.interpreter.dimensions import Dim, Floor

NAMES = ("a", "b", "c")
VALUES = st.fixed_dictionaries({name: st.integers(1, 40) for name in NAMES})


def dimensions() -> st.SearchStrategy[Dim]:
    def larger(inner: st.SearchStrategy[Dim]) -> st.SearchStrategy[Dim]:
        pairs = st.tuples(inner, inner)
        by = st.integers(1, 9)
        return st.one_of(
            pairs.map(lambda pair: dims.add(*pair)),
            pairs.map(lambda pair: dims.subtract(*pair)),
            pairs.map(lambda pair: dims.multiply(*pair)),
            st.tuples(inner, by).map(lambda pair: dims.floor_divide(*pair)),
            st.tuples(inner, by).map(lambda pair: dims.modulo(*pair)),
            st.tuples(inner, st.sampled_from(NAMES)).map(lambda pair: dims.floor_divide(*pair)),
        )

    leaves = st.one_of(st.integers(-9, 40), st.sampled_from(NAMES))
    return st.recursive(leaves, larger, max_leaves=6)


OPERATIONS = {
    dims.add: lambda one, other: one + other,
    dims.subtract: lambda one, other: one - other,
    dims.multiply: lambda one, other: one * other,
    dims.floor_divide: lambda one, other: one // other,
    dims.modulo: lambda one, other: one % other,
    dims.ceil_divide: lambda one, other: -(-one // other),
}


@given(dimensions(), dimensions(), VALUES, st.sampled_from(sorted(OPERATIONS, key=str)))
def test_arithmetic_is_that_of_numbers(one, other, values, operation) -> None:
    left, right = dims.value(one, values), dims.value(other, values)
    assume(left is not None and right is not None)
    if operation in {dims.floor_divide, dims.modulo, dims.ceil_divide}:
        assume(dims.at_least(other, 1))
    result = operation(one, other)
    assume(result is not None)
    assert dims.value(result, values) == OPERATIONS[operation](left, right)


@given(dimensions(), dimensions(), VALUES)
def test_what_is_decided_holds_for_all_values(one, other, values) -> None:
    left, right = dims.value(one, values), dims.value(other, values)
    assume(left is not None and right is not None)
    if dims.same(one, other):
        assert left == right
    if dims.differ(one, other):
        assert left != right
    if dims.at_least(one, other):
        assert left >= right
    if dims.indivisible([one], [other]) and right > 0:
        assert left % right


@given(dimensions(), dimensions(), dimensions())
def test_equal_polynomials_are_written_alike(one, other, third) -> None:
    whole = dims.multiply(one, dims.add(other, third))
    parts = dims.add(dims.multiply(third, one), dims.multiply(one, other))
    assume(whole is not None and parts is not None)
    assert whole == parts
    assert hash(whole) == hash(parts)
    assert dims.written(whole) == dims.written(parts)


@given(dimensions(), dimensions())
def test_what_was_multiplied_is_divided_again(one, other) -> None:
    whole = dims.multiply(one, other)
    assume(whole is not None and other is not None and other != 0 and one is not None)
    assert dims.divided(whole, other) == one
    assert dims.quotient([one, 3, other], [other]) == dims.multiply(3, one)


@given(dimensions(), VALUES)
def test_what_is_written_is_code_that_gives_the_number(dim, values) -> None:
    assume(dim is not None)
    assert eval(dims.written(dim), dict(values)) == dims.value(dim, values)


@pytest.mark.parametrize(
    ("dim", "text"),
    [
        (28, "28"),
        ("B", "B"),
        (None, "?"),
        (dims.floor_divide("H", 2), "H // 2"),
        (dims.floor_divide(dims.floor_divide("H", 2), 2), "H // 4"),
        (dims.add(dims.floor_divide(dims.subtract("H", 3), 2), 1), "(H - 1) // 2"),
        (dims.product([64, "B", dims.floor_divide("H", 2)]), "64 * B * (H // 2)"),
        (dims.subtract(dims.multiply(4, "C"), 1), "4 * C - 1"),
        (dims.floor_divide(dims.multiply(3, "C"), "heads"), "(3 * C) // heads"),
        (dims.quotient(["B", "N", "C"], ["B", "N", 8]), "C // 8"),
        (dims.quotient(["B", 64, 30, 30], ["B"]), "57600"),
    ],
)
def test_dimensions_are_written_in_the_terms_of_the_code(dim, text) -> None:
    assert dims.written(dim) == text


@pytest.mark.parametrize(
    ("one", "other", "decided"),
    [
        ("H", dims.multiply(2, "H"), True),
        ("H", dims.floor_divide("H", 2), True),
        (dims.add("H", 1), dims.floor_divide("H", 2), True),
        (dims.multiply(2, "H"), 3, True),
        (dims.multiply(2, dims.floor_divide("H", 2)), "H", False),
        ("H", "W", False),
        (dims.product(["H", "W"]), dims.add("H", "W"), False),
        (dims.product(["H", "W", 4]), dims.add("H", "W"), True),
        (64, "H", False),
        (0, "H", True),
        (None, 3, False),
    ],
)
def test_dimensions_differ_where_they_do_for_all_values(one, other, decided) -> None:
    assert dims.differ(one, other) is decided
    assert dims.differ(other, one) is decided


def test_names_are_told_apart_and_read_alike() -> None:
    one, other = dims.new_name("H"), dims.new_name("H")
    assert one != other
    assert dims.written(one) == dims.written(other) == "H"
    assert not dims.same(one, other)
    half = dims.floor_divide(dims.add(one, other), 2)
    assert dims.names_in(half) == {one, other}


def test_what_grows_too_long_is_not_known() -> None:
    dim: Dim = 1
    for number in range(12):
        dim = dims.multiply(dim, dims.add(f"n{number}", 1))
    assert dim is None
    assert Floor("a", 2) != Floor("a", 3)


@settings(max_examples=50, deadline=None)
@given(dimensions(), st.sampled_from(NAMES), dimensions(), VALUES)
def test_a_name_that_is_replaced_has_the_value_of_what_replaces_it(dim, name, by, values) -> None:
    number = dims.value(by, values)
    assume(number is not None and number >= 1)
    result = dims.replaced(dim, name, by)
    expected = dims.value(dim, {**values, name: number})
    assume(result is not None and expected is not None)
    assert dims.value(result, values) == expected
