"""Frozen data equal, hash, copy and show as those of ``dataclasses``."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from torchlint import frozen


@frozen.dataclass(frozen=True, slots=True)
class Pair:
    one: int
    other: str = "other"


@frozen.dataclass(frozen=True, slots=True)
class Single:
    one: int


@frozen.dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Named:
    one: int
    other: int = 2


@frozen.dataclass(slots=True)
class Gathering:
    one: int
    found: list[int] = dataclasses.field(default_factory=list)
    hidden: float = dataclasses.field(default=0.0, compare=False, repr=False)


@frozen.dataclass(frozen=True, slots=True, order=True)
class Ordered:
    one: int
    other: int = 0


@frozen.dataclass(frozen=True, slots=True)
class Nothing:
    """No field."""


@frozen.dataclass
class Own:
    one: int

    def __repr__(self) -> str:
        return "own"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int)

    __hash__ = None  # type: ignore[assignment]


@dataclasses.dataclass(frozen=True)
class Strict:
    one: int
    other: int = 2


def test_equal_ones_are_one_key() -> None:
    assert Pair(1) == Pair(1, "other") != Pair(2)
    assert len({Pair(1), Pair(1, "other"), Pair(2)}) == 2
    assert repr(Pair(1)) == "Pair(one=1, other='other')"


def test_identity_is_kept_where_it_is_all_there_is() -> None:
    assert Named(one=1) != Named(one=1)
    assert len({Named(one=1), Named(one=1)}) == 2


@pytest.mark.parametrize("record", [Pair(1), Single(1), Named(one=1), Strict(1)])
def test_a_copy_has_what_is_changed_and_the_original_has_not(record: Pair) -> None:
    changed = frozen.replace(record, one=5)
    assert type(changed) is type(record)
    assert (changed.one, record.one) == (5, 1)
    assert dataclasses.asdict(changed) == {**dataclasses.asdict(record), "one": 5}
    assert dataclasses.asdict(frozen.replace(record)) == dataclasses.asdict(record)


def test_what_is_no_field_is_refused() -> None:
    with pytest.raises(AttributeError):
        frozen.replace(Pair(1), third=1)  # type: ignore[call-arg]


def test_they_travel_between_processes() -> None:
    assert pickle.loads(pickle.dumps(Pair(1))) == Pair(1) == copy.copy(Pair(1))


def test_each_is_built_with_defaults_of_its_own() -> None:
    for _ in range(2):
        first, second = Gathering(1), Gathering(1, hidden=2.0)
        first.found.append(3)
        assert (second.found, second.hidden) == ([], 2.0)
        assert first != second == Gathering(1, [])
        assert repr(first) == "Gathering(one=1, found=[3])"
        assert Gathering(1, second.found).found is second.found


def test_what_changes_has_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Gathering(1))


def test_what_is_missing_or_too_much_is_refused_from_the_first_object_on() -> None:
    @frozen.dataclass(frozen=True, slots=True)
    class Fresh:
        one: int

    for _ in range(2):
        with pytest.raises(TypeError, match=r"Fresh.__init__\(\) missing 1 required"):
            Fresh()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="unexpected keyword argument 'two'"):
            Fresh(one=1, two=2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="positional"):
        Named(1)  # type: ignore[misc]


def test_a_number_that_is_not_equal_to_itself_makes_equal_records() -> None:
    nan = float("nan")
    assert Single(nan) == Single(nan)  # type: ignore[arg-type]
    assert Single(nan) != Single(float("nan"))  # type: ignore[arg-type]


def test_classes_are_told_apart() -> None:
    assert Single(1) != Strict(1)
    assert Nothing() == Nothing() != Single(1)
    assert len({Nothing(), Nothing()}) == 1


def test_the_ordered_ones_have_an_order() -> None:
    assert sorted([Ordered(2), Ordered(1, 3), Ordered(1)]) == [
        Ordered(1),
        Ordered(1, 3),
        Ordered(2),
    ]
    assert len({Ordered(1), Ordered(1, 0)}) == 1


def test_methods_that_are_written_are_kept() -> None:
    assert repr(Own(1)) == "own"
    assert Own(1) == 5
