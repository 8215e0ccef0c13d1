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
