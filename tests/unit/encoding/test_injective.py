"""Domain functions that axioms make injective: which ones are found, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pitviper.driver.front.frontend import load_text
from pitviper.encoding.background import background, register_types
from pitviper.encoding.symbols import Symbols

PROGRAMS = Path(__file__).parents[2] / "programs"


def _found(text: str) -> set[tuple[str, tuple[int, ...]]]:
    program = load_text(text).program
    assert program is not None
    symbols = Symbols(program)
    register_types(symbols)
    return {(function.name, positions) for function, positions in symbols.inverses}


def _with_axiom(body: str, location: str = "loc(a, i)") -> str:
    return f"""
    field f: Int
    domain Array {{
      function loc(a: Array, i: Int): Ref
      function array(r: Ref): Array
      function index(r: Ref): Int
      axiom {{ {body} }}
    }}
    method m(a: Array, n: Int) {{ inhale forall i: Int :: 0 <= i && i < n ==> acc({location}.f) }}
    """


ENOUGH = [
    "forall a: Array, i: Int :: {loc(a, i)} array(loc(a, i)) == a && index(loc(a, i)) == i",
    "forall a: Array, i: Int :: {loc(a, i)} i == index(loc(a, i))",
    "forall a: Array :: forall i: Int :: {loc(a, i)} index(loc(a, i)) == i",
    "forall a: Array, i: Int, j: Int :: i != j ==> loc(a, i) != loc(a, j)",
    "forall a: Array, i: Int, j: Int :: !(i == j) ==> loc(a, i) != loc(a, j)",
    "forall a: Array, i: Int, j: Int :: loc(a, i) == loc(a, j) ==> j == i",
    "forall a: Array, i: Int, j: Int :: (loc(a, i) == loc(a, j)) == (i == j)",
    "forall a: Array, b: Array, i: Int, j: Int :: loc(a, i) == loc(b, j) ==> a == b && i == j",
    "forall a: Array, b: Array, i: Int, j: Int :: a != b || i != j ==> loc(a, i) != loc(b, j)",
    "forall a: Array, b: Array, i: Int, j: Int :: !(a == b && i == j) ==> loc(a, i) != loc(b, j)",
]

TOO_LITTLE = [
    "forall a: Array, i: Int :: {loc(a, i)} array(loc(a, i)) == a",
    "forall a: Array, i: Int :: {loc(a, i)} 0 <= i ==> index(loc(a, i)) == i",
    "forall a: Array :: {loc(a, 0)} index(loc(a, 0)) == 0",
    "forall a: Array, i: Int :: {loc(a, i)} index(loc(a, i)) == i + 0",
    "exists a: Array :: forall i: Int :: index(loc(a, i)) == i",
    "forall a: Array, i: Int, j: Int :: 0 <= i && i != j ==> loc(a, i) != loc(a, j)",
    "forall a: Array, i: Int, j: Int :: i < j ==> loc(a, i) != loc(a, j)",
    "forall a: Array, b: Array, i: Int, j: Int :: a != b && i != j ==> loc(a, i) != loc(b, j)",
    "forall a: Array, b: Array, i: Int, j: Int :: a != b ==> loc(a, i) != loc(b, j)",
    "forall a: Array, i: Int, j: Int :: loc(a, i) == loc(a, j) ==> i <= j",
    "forall a: Array, i: Int, j: Int :: loc(a, i) == loc(a, j) ==> i == j || i == 0",
    "forall a: Array, i: Int, j: Int :: i == j ==> loc(a, i) == loc(a, j)",
]


@pytest.mark.parametrize("body", ENOUGH)
def test_what_an_axiom_tells_apart(body: str) -> None:
    assert _found(_with_axiom(body)) == {("loc", (1,))}


@pytest.mark.parametrize("body", TOO_LITTLE)
def test_what_an_axiom_does_not_say(body: str) -> None:
    assert _found(_with_axiom(body)) == set()


@pytest.mark.parametrize("location", ["loc(a, i + 1)", "loc(a, 2 * i)", "array_of(loc(a, i))"])
def test_other_locations_have_functions_of_their_own(location: str) -> None:
    text = _with_axiom(ENOUGH[0], location).replace(
        "axiom", "function array_of(r: Ref): Ref\n axiom", 1
    )
    assert _found(text) == set()


def test_of_instances_of_generic_domains_and_of_several_variables() -> None:
    text = (PROGRAMS / "quantified" / "injective_functions.vpr").read_text()
    assert _found(text) == {
        ("slot", (1,)),
        ("pair", (0, 1)),
        ("pair", (1,)),
        ("at<Int>", (1,)),
        ("everywhere<Int>", (1,)),
        ("everywhere<Bool>", (1,)),
    }


def test_each_has_two_axioms() -> None:
    program = load_text(_with_axiom(ENOUGH[0])).program
    assert program is not None
    symbols = Symbols(program)
    register_types(symbols)
    with_them = len(background(symbols))
    symbols.inverses.clear()
    assert with_them == len(background(symbols)) + 2
