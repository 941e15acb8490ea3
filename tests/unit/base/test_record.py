"""Records behave as frozen slotted dataclasses."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import weakref
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace
from typing import ClassVar

import pytest

from pitviper.base.record import annotations_of, names_of, record, struct
from pitviper.base.record import field as own_field
from pitviper.base.record import replace as own_replace


@record(kw_only=True)
class Base:
    place: int = field(default=0, compare=False, repr=False)


@record
class Pair(Base):
    """Two things."""

    left: int
    right: tuple[object, ...] = ()


@record
class Nothing(Base):
    pass


@record
class Single(Base):
    value: object
    arity: ClassVar[int] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StandardBase:
    place: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class StandardPair(StandardBase):
    left: int
    right: tuple[object, ...] = ()


def test_construction() -> None:
    pair = Pair(1, (2,), place=3)
    assert (pair.left, pair.right, pair.place) == (1, (2,), 3)
    assert Pair(1) == Pair(left=1, right=())
    with pytest.raises(TypeError):
        Pair()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Pair(1, (), 3)  # type: ignore[call-arg]


def test_equality_and_hash_ignore_what_is_not_compared() -> None:
    assert Pair(1, place=1) == Pair(1, place=2)
    assert hash(Pair(1, place=1)) == hash(Pair(1, place=2))
    assert Pair(1) != Pair(2)
    assert Nothing() == Nothing(place=4)
    assert Nothing() != Single(())
    assert Single((1, 2)) != (1, 2)
    assert len({Single(1), Single(1), Single(2), Nothing(), Pair(1)}) == 4


def test_frozen_and_slotted() -> None:
    pair = Pair(1)
    with pytest.raises(FrozenInstanceError):
        pair.left = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del pair.left
    with pytest.raises(FrozenInstanceError):
        pair.other = 2  # type: ignore[attr-defined]
    assert not hasattr(pair, "__dict__")


def test_the_same_as_the_standard_decorator() -> None:
    ours, theirs = Pair(1, (2,)), StandardPair(1, (2,))
    assert repr(ours) == repr(theirs).removeprefix("Standard")
    assert [f.name for f in fields(ours)] == [f.name for f in fields(theirs)]
    assert Pair.__match_args__ == StandardPair.__match_args__  # type: ignore[attr-defined]
    assert Pair.__doc__ == "Two things."
    assert is_dataclass(ours)
    assert [f.name for f in fields(Single(2))] == ["place", "value"]
    assert Single.arity == Single(2).arity == 1


def test_replace_copy_and_pickle() -> None:
    pair = Pair(1, (Single(2), Nothing()), place=7)
    assert replace(pair, left=5) == Pair(5, pair.right)
    assert replace(pair, left=5).place == 7
    for again in (pickle.loads(pickle.dumps(pair)), copy.deepcopy(pair)):
        assert again == pair
        assert again.place == 7


def test_match() -> None:
    match Pair(1, (2,)):
        case Pair(left, (right,)):
            assert (left, right) == (1, 2)
        case _:
            pytest.fail("no match")


@record
class Listed:
    name: str
    items: list[int] = field(default_factory=list)


def test_default_factories() -> None:
    first, second = Listed("a"), Listed("a")
    first.items.append(1)
    assert (first.items, second.items) == ([1], [])
    assert Listed("a", [1]) == first


def test_order_of_defaults() -> None:
    with pytest.raises(TypeError, match="without default follows"):

        @record
        class Wrong:
            first: int = 0
            second: int  # type: ignore[misc]


@struct
class Counter:
    label: str
    count: int = 0
    seen: list[str] = own_field(default_factory=list)


def test_struct_can_change() -> None:
    counter = Counter("a")
    counter.count += 2
    counter.seen.append("b")
    assert counter == Counter("a", 2, ["b"])
    assert own_replace(counter, count=0) == Counter("a", 0, ["b"])
    assert not hasattr(counter, "__dict__")
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)
    with pytest.raises(AttributeError):
        counter.other = 1  # type: ignore[attr-defined]


@record(eq=False, weakref_slot=True)
class Unique:
    name: str


def test_identity_and_weak_references() -> None:
    first = Unique("a")
    assert first != Unique("a")
    assert weakref.ref(first)() is first


def test_names_and_annotations() -> None:
    assert names_of(Pair) == names_of(Pair(1)) == ("place", "left", "right")
    assert annotations_of(Pair)["right"] == "tuple[object, ...]"
    with pytest.raises(TypeError, match="no record"):
        names_of(3)


def test_own_replace_is_the_standard_one() -> None:
    pair = Pair(1, (2,), place=7)
    changed = own_replace(pair, left=5)
    assert changed == replace(pair, left=5)
    assert changed.place == 7
    with pytest.raises(TypeError):
        own_replace(pair, middle=5)  # type: ignore[call-arg]


def test_the_standard_module_is_not_loaded_for_records() -> None:
    code = (
        "import sys\nfrom pitviper.base.record import field, record, replace\n"
        "@record\nclass A:\n    x: int\n    y: int = field(default=2, compare=False)\n"
        "assert repr(replace(A(1), y=3)) == 'A(x=1, y=3)' and A(1, 2) == A(1, 3)\n"
        "print('dataclasses' in sys.modules)\n"
        "import dataclasses\nprint([f.name for f in dataclasses.fields(A(1))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, timeout=300
    )
    assert done.stdout.decode().splitlines() == ["False", "['x', 'y']"]


def test_own_methods_stay() -> None:
    @record
    class Spoken:
        name: str

        def __repr__(self) -> str:
            return self.name

    assert repr(Spoken("hello")) == "hello"
